// SPDX-License-Identifier: Apache-2.0
package io.thermocline.observe;

import io.thermocline.testbed.cluster.SeparateAuditLogs;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.JmxPage;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.NullGroupsMapping;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Appender;

/**
 * Real NameNodes without DataNodes, each with its own audit log as log4j writes it. One at a time in a process, since
 * they share the logger.
 */
final class AuditedNameNodes implements AutoCloseable {

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final List<Path> logs;
  private final Runnable shutdown;
  private final SeparateAuditLogs audit = new SeparateAuditLogs();

  private AuditedNameNodes(
      Configuration conf, MiniDFSCluster cluster, Path directory, Runnable shutdown) {
    this.conf = conf;
    // The builder sets it to the number of DataNodes.
    conf.setInt(DFSConfigKeys.DFS_REPLICATION_KEY, 1);
    this.cluster = cluster;
    this.shutdown = shutdown;
    this.logs =
        IntStream.range(0, cluster.getNumNameNodes())
            .mapToObj(i -> directory.resolve("nn" + i).resolve("hdfs-audit.log"))
            .toList();
  }

  /** An active NameNode, nothing of which is logged yet. */
  static AuditedNameNodes one(Path directory) throws IOException {
    return start(directory, new MiniDFSNNTopology().addNameservice(nameservice("nn0")));
  }

  /** Two NameNodes, the first of them active, both logged. */
  static AuditedNameNodes pair(Path directory) throws IOException {
    AuditedNameNodes pair = start(directory, MiniDFSNNTopology.simpleHATopology());
    pair.cluster.transitionToActive(0);
    for (int i = 0; i < 2; i++) {
      pair.log(i);
    }
    return pair;
  }

  /** An active NameNode, a standby and an observer, with JournalNodes, all logged. */
  static AuditedNameNodes observed(Path directory) throws IOException {
    Configuration conf = configuration(directory);
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("hdfs").toString());
    MiniQJMHACluster journaled = HATestUtil.setUpObserverCluster(conf, 1, 0, true);
    AuditedNameNodes observed =
        new AuditedNameNodes(conf, journaled.getDfsCluster(), directory, journaled::close);
    for (int i = 0; i < 3; i++) {
      observed.log(i);
    }
    return observed;
  }

  private static MiniDFSNNTopology.NSConf nameservice(String nameNode) {
    return new MiniDFSNNTopology.NSConf(null).addNN(new MiniDFSNNTopology.NNConf(nameNode));
  }

  private static Configuration configuration(Path directory) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_KEY, true);
    conf.setClass(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUP_MAPPING,
        NullGroupsMapping.class,
        Object.class);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    conf.setInt(HdfsClientConfigKeys.Failover.SLEEPTIME_BASE_KEY, 50);
    conf.setInt(HdfsClientConfigKeys.Failover.SLEEPTIME_MAX_KEY, 200);
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, directory.resolve("http").toString());
    // Both are static in Hadoop: a cluster started earlier in this process has left its own there.
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
    return conf;
  }

  private static AuditedNameNodes start(Path directory, MiniDFSNNTopology topology)
      throws IOException {
    Configuration conf = configuration(directory);
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.resolve("hdfs").toFile())
            .nnTopology(topology)
            .numDataNodes(0)
            .checkExitOnShutdown(false)
            .build();
    return new AuditedNameNodes(conf, cluster, directory, cluster::shutdown);
  }

  /** Lets what one NameNode logs be written by log4j's own appender, as conf/ has it. */
  void log(int nameNode) throws IOException {
    audit.write(cluster.getNameNodePort(nameNode), logs.get(nameNode));
  }

  /** Has an appender that the test made write what is logged. */
  void log(Appender appender) {
    audit.write(appender);
  }

  MiniDFSCluster cluster() {
    return cluster;
  }

  Configuration configuration() {
    return new Configuration(conf);
  }

  /** The file of its log. */
  Path file(int nameNode) {
    return logs.get(nameNode);
  }

  /** Lines of a log with this text. */
  List<String> lines(int nameNode, String text) throws IOException {
    return Files.readAllLines(logs.get(nameNode)).stream()
        .filter(line -> line.contains(text))
        .toList();
  }

  /** All their logs, from the first line on. */
  AuditSource source(AccessSettings settings, Clock clock) throws IOException {
    List<AuditLog> sources = new ArrayList<>();
    for (int i = 0; i < logs.size(); i++) {
      sources.add(
          new AuditLog(
              "ns",
              logs.get(i),
              ZoneId.systemDefault(),
              new JmxPage(URI.create(cluster.getHttpUri(i)), new Configuration())));
    }
    return new AuditSource(sources, LogStart.BEGINNING, settings, SourceCheckpoint.none(), clock);
  }

  /** How often each path was read, as the logs tell. */
  Map<String, Integer> reads(AccessSettings settings) throws IOException {
    Map<String, Integer> reads = new TreeMap<>();
    try (AuditSource source = source(settings, Clock.systemUTC())) {
      source.poll(
          access -> {
            // Further opens by the same client share the file.
            if (access.kind() == Access.Kind.READ && !access.isPart()) {
              reads.merge(access.path(), 1, Integer::sum);
            }
          },
          Long.MAX_VALUE);
    }
    return reads;
  }

  @Override
  public void close() {
    audit.close();
    shutdown.run();
  }
}
