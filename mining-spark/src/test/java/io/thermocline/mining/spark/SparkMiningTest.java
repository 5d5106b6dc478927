// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.app.groups.MinedReads;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.MiningSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On Spark as on one machine: on threads of this process, and on workers that are processes of their own. */
class SparkMiningTest {

  private static final ZoneId UTC = ZoneOffset.UTC;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(UTC);

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"local[2]", "local-cluster[2,1,1024]"})
  void theGroupsAreThoseOfOneMachine(String master) throws IOException {
    List<Path> logs = logs();
    isAsOnOneMachine(master, logs, logs.stream().map(Path::toString).toList());
  }

  @Test
  @Tag("cluster")
  void soAreThoseOfLogsInHdfs() throws IOException {
    List<Path> logs = logs();
    List<String> inHdfs = new ArrayList<>();
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(new HdfsConfiguration(), temp.resolve("hdfs").toFile())
            .numDataNodes(2)
            .build();
    try {
      cluster.waitActive();
      for (Path log : logs) {
        String at = cluster.getURI() + "/logs/" + log.getFileName();
        cluster
            .getFileSystem()
            .copyFromLocalFile(
                new org.apache.hadoop.fs.Path(log.toUri()), new org.apache.hadoop.fs.Path(at));
        inHdfs.add(at);
      }
      isAsOnOneMachine("local-cluster[2,1,1024]", logs, inHdfs);
    } finally {
      cluster.shutdown();
    }
  }

  private List<Path> logs() throws IOException {
    List<Path> logs = new ArrayList<>();
    for (int node = 0; node < 3; node++) {
      logs.add(log(node));
    }
    return logs;
  }

  private static void isAsOnOneMachine(String master, List<Path> local, List<String> logs)
      throws IOException {
    MiningSettings settings = MiningSettings.defaults().withMemory(100_000, 127);
    MinedReads reads = new MinedReads();
    for (Path log : local) {
      reads.add(log, UTC);
    }
    CorrelationMiner alone = new CorrelationMiner(settings);
    reads.into(alone);
    assertEquals(0, alone.pairError());

    // Named in the module's pom; the launcher makes it too.
    Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    SparkConf conf =
        SparkMineMain.configuration(master)
            .setAppName("test")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "localhost");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      SparkMining mining = new SparkMining(spark, UTC, 7);
      SparkMining.Mined mined = mining.mine(logs, settings);
      assertEquals(reads.size(), mined.reads());
      assertEquals(alone.groups(), mined.miner().groups());
      assertTrue(alone.groups().size() > 20, "groups: " + alone.groups().size());
      long key = alone.groups().get(0).members().get(0).key();
      assertEquals(reads.name(key), mining.names(logs, java.util.Set.of(key)).get(key));
    }
  }

  /** Groups of three blocks, of which some have replicas on all nodes, and blocks by chance. */
  private Path log(int node) throws IOException {
    SplittableRandom random = new SplittableRandom(20261122 + node);
    StringBuilder lines = new StringBuilder();
    long millis = 1_700_000_000_000L;
    for (int i = 0; i < 2_000; i++) {
      millis += random.nextInt(40);
      if (i % 400 == 0) {
        // With replicas on all nodes. Not often: one machine must have room for all that they meet.
        for (int member = 0; member < 3; member++) {
          line(lines, millis + member, 5_000_000L + member);
        }
        millis += 3;
      } else if (random.nextBoolean()) {
        long group = random.nextInt(40);
        for (int member = 0; member < 3; member++) {
          line(lines, millis + member, node * 1_000_000L + group * 10 + member);
        }
        millis += 3;
      } else {
        line(lines, millis, node * 1_000_000L + 10_000 + random.nextInt(500));
      }
    }
    return Files.writeString(temp.resolve("clienttrace-" + node + ".log"), lines);
  }

  private static void line(StringBuilder lines, long millis, long block) {
    lines
        .append(TIME.format(Instant.ofEpochMilli(millis)))
        .append(" DEBUG DataNode.clienttrace: src: /127.0.0.1:1, dest: /127.0.0.1:2, volume: ,")
        .append(" bytes: 4128, op: HDFS_READ, cliID: DFSClient_1, offset: 0, srvID: dn,")
        .append(" blockid: BP-1-127.0.0.1-1:blk_")
        .append(block)
        .append("_1001, duration(ns): 1000\n");
  }
}
