// SPDX-License-Identifier: Apache-2.0

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Reads files and says how: a file for that, the input, the master, this host, the executors' class path and flag, how many
 * tasks one runs at the same time, and how many all do.
 */
public class ScanSpark {

  public static void main(String[] args) throws Exception {
    SparkConf conf =
        new SparkConf()
            .setAppName("scan")
            .setMaster(args[2])
            .set("spark.driver.host", args[3])
            .set("spark.ui.enabled", "false")
            .set("spark.executor.extraClassPath", args[4])
            .set("spark.executor.extraJavaOptions", args[5] + " -XX:+UseSerialGC -XX:TieredStopAtLevel=1")
            .set("spark.executor.memory", "512m")
            .set("spark.executor.cores", args[6])
            .set("spark.cores.max", args[7])
            // All executors, before a task is given to one.
            .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
            .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "600s");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      List<String> lines =
          spark
              .newAPIHadoopFile(args[1], ScannedBlocks.class, NullWritable.class, Text.class, new Configuration())
              .values()
              .map(
                  record -> {
                    String[] cells = record.toString().split("\t");
                    cells[1] = SparkEnv.get().blockManager().blockManagerId().host();
                    return String.join("\t", cells);
                  })
              .collect();
      Files.write(Paths.get(args[0]), lines);
    }
  }
}
