// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Temperature;
import io.thermocline.hints.wire.HintWire;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.http.HttpServer2;

/**
 * Bytes of a real NameNode's heap for a hint on a file.
 *
 * @param file bytes of an empty file without one
 * @param hint bytes more with one
 * @param text bytes of the hint as it stands in the attribute
 */
record NameNodeCost(double file, double hint, double text) {

  private static final int FILES_OF_A_DIRECTORY = 500;

  /** Of so many files in one NameNode without DataNodes. */
  static NameNodeCost measure(int files) throws IOException {
    Path directory = Files.createTempDirectory("thermocline-bench-");
    Configuration conf = new HdfsConfiguration();
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, directory.resolve("http").toString());
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_EDITS_NOEDITLOGCHANNELFLUSH, true);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile()).numDataNodes(0).build()) {
      DistributedFileSystem hdfs = cluster.getFileSystem();
      // What is made once, whatever comes then.
      create(hdfs, "/warm", FILES_OF_A_DIRECTORY);
      hint(hdfs, "/warm", FILES_OF_A_DIRECTORY);
      double empty = heap();
      create(hdfs, "/files", files);
      double created = heap();
      long text = hint(hdfs, "/files", files);
      double hinted = heap();
      return new NameNodeCost(
          (created - empty) / files, (hinted - created) / files, (double) text / files);
    }
  }

  private static org.apache.hadoop.fs.Path path(String root, int i) {
    return new org.apache.hadoop.fs.Path(root + "/d" + i / FILES_OF_A_DIRECTORY + "/part-" + i);
  }

  private static void create(DistributedFileSystem hdfs, String root, int files)
      throws IOException {
    for (int i = 0; i < files; i++) {
      hdfs.create(path(root, i), (short) 1).close();
    }
  }

  private static long hint(DistributedFileSystem hdfs, String root, int files) throws IOException {
    long sum = 0;
    for (int i = 0; i < files; i++) {
      Hint hint =
          Hint.onFile(Operation.ADVISE, path(root, i).toString())
              .temperature(Temperature.HOT)
              .requirement(Requirement.LOW_LATENCY)
              .owner("etl")
              .leaseExpiryMillis(1_800_000_000_000L + i)
              .build();
      byte[] text = HintWire.encode(hint).getBytes(StandardCharsets.UTF_8);
      sum += text.length;
      hdfs.setXAttr(path(root, i), HintWire.attributeOf(hint.operation()), text);
    }
    return sum;
  }

  /** Used, after what can go has gone. */
  private static double heap() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      memory.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
