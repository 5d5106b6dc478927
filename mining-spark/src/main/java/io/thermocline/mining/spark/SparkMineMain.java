// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import io.thermocline.tiering.classify.groups.GroupedObject;
import io.thermocline.tiering.commands.MiningOptions;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Entry point of mining on Apache Spark. */
@Command(
    name = "thermocline mine",
    mixinStandardHelpOptions = true,
    description =
        "Finds which files or blocks are read together, counting on Apache Spark; otherwise as without"
            + " --spark.")
public final class SparkMineMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--spark",
      required = true,
      paramLabel = "MASTER",
      description =
          "Spark's master, such as spark://host:7077, yarn, local[4], or local-cluster[2,1,1024]: two workers of"
              + " one core and 1,024 MB each, as processes of this host")
  private String master;

  @Option(
      names = "--files",
      description = "the logs are audit logs: the window is 2 s unless --window says otherwise")
  private boolean files;

  @Option(
      names = "--parts",
      paramLabel = "N",
      defaultValue = "16",
      description = "that the reads are cut into (default: ${DEFAULT-VALUE})")
  private int parts;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "of the times in logs (default: this host's)")
  private String zone = ZoneId.systemDefault().getId();

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description =
          "audit or clienttrace logs, in HDFS (hdfs://...) or where each worker finds them")
  private List<String> logs;

  @Mixin private MiningOptions options;

  private SparkMineMain() {}

  public static void main(String[] args) {
    System.exit(CommandLines.of(new SparkMineMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    ZoneId timeZone = MiningOptions.zone(spec.commandLine(), zone);
    SparkConf conf = configuration(master).setAppName("thermocline mine");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      SparkMining mining = new SparkMining(spark, timeZone, parts);
      SparkMining.Mined mined = mining.mine(logs, options.settings(files));
      Set<Long> members =
          mined.miner().groups().stream()
              .flatMap(group -> group.members().stream())
              .map(GroupedObject::key)
              .collect(Collectors.toSet());
      Map<Long, String> names = mining.names(logs, members);
      options.print(mined.miner(), mined.miner().groups(), mined.reads(), names::get);
    }
    return 0;
  }

  /**
   * For a master. Executors get our classes from here, so a standing cluster needs nothing of ours; those that Spark starts on this
   * host have the other libraries of this process too, and need no installed Spark, but a directory SPARK_HOME with an empty
   * directory jars.
   *
   * @throws IOException if a jar of our classes can't be written to the temporary directory
   */
  static SparkConf configuration(String master) throws IOException {
    SparkConf conf = new SparkConf().setMaster(master);
    if (!master.startsWith("local[") && !master.equals("local")) {
      conf.set("spark.jars", OwnClasses.jars());
    }
    if (master.startsWith("local-cluster")) {
      conf.set("spark.executor.extraClassPath", OwnClasses.others())
          .setExecutorEnv("SPARK_SCALA_VERSION", "2.13");
    }
    return conf;
  }
}
