// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.testbed.cluster.SeparateAuditLogs;
import io.thermocline.testbed.process.OsUser;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.qjournal.MiniQJMHACluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Five DataNodes with DISK and SSD, two NameNodes, each with its audit log, and the three JournalNodes that they share, in
 * this process. For one thread, but for {@link #client}.
 */
final class ChaosCluster implements AutoCloseable {

  static final int NODES = 5;
  static final int BLOCK_BYTES = 256 * 1024;
  private static final String GROUPS = "hadoop.user.group.static.mapping.overrides";
  private static final int NAME_NODES = 2;

  /** Of a DataNode: together room for half of the files, so that some have to leave for others all the time. */
  private static final long SSD_BYTES = 7 * BLOCK_BYTES;

  /** What clients call the pair. */
  private static final String PAIR = MiniQJMHACluster.NAMESERVICE;

  private final SeparateAuditLogs logs = new SeparateAuditLogs();
  private final List<Path> audit = new ArrayList<>();
  private final MiniQJMHACluster pair;
  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final Path hadoop;
  private int active;

  ChaosCluster(Path directory) throws IOException {
    this.conf = configuration(directory);
    StorageType[][] types = new StorageType[NODES][];
    Arrays.fill(types, new StorageType[] {StorageType.DISK, StorageType.SSD});
    MiniQJMHACluster.Builder builder = new MiniQJMHACluster.Builder(conf);
    builder
        .getDfsBuilder()
        .numDataNodes(NODES)
        .storageTypes(types)
        .storagesPerDatanode(2)
        .checkExitOnShutdown(false);
    this.pair = builder.build();
    this.cluster = pair.getDfsCluster();
    for (int i = 0; i < NAME_NODES; i++) {
      Path log = directory.resolve("nn" + i).resolve("hdfs-audit.log");
      logs.write(cluster.getNameNodePort(i), log);
      OsUser.openUpTo(log.getParent());
      audit.add(log);
    }
    cluster.transitionToActive(active);
    for (DataNode node : cluster.getDataNodes()) {
      fill(node, false);
    }
    cluster.waitActive();
    this.hadoop = Files.createDirectories(directory.resolve("hadoop"));
    Configuration site = new Configuration(false);
    for (Map.Entry<String, String> set : conf) {
      if (set.getKey().contains("." + PAIR) || set.getKey().startsWith("dfs.client.failover.")) {
        site.set(set.getKey(), set.getValue());
      }
    }
    site.set("dfs.nameservices", PAIR);
    site.set("fs.defaultFS", uri());
    site.setInt("dfs.blocksize", BLOCK_BYTES);
    try (OutputStream out = Files.newOutputStream(hadoop.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
  }

  private static Configuration configuration(Path directory) {
    Configuration conf = new HdfsConfiguration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("hdfs").toString());
    conf.setInt("dfs.ha.tail-edits.period", 1);
    // It knows JournalNodes by the default directory of edits only, and says so at length.
    conf.setBoolean("dfs.journalnode.enable.sync", false);
    conf.setInt("dfs.client.failover.sleep.base.millis", 50);
    conf.setInt("dfs.client.failover.sleep.max.millis", 500);
    // A NameNode that has taken over deletes no replica too many before the DataNode's next full
    // report.
    conf.setInt("dfs.blockreport.intervalMsec", 5_000);
    Map.of(
            GROUPS,
            groups("supergroup"),
            "hadoop.caller.context.enabled",
            "true",
            "fs.hdfs.impl.disable.cache",
            "true",
            "dfs.heartbeat.interval",
            "1",
            "dfs.namenode.heartbeat.recheck-interval",
            "500",
            "dfs.namenode.redundancy.interval.seconds",
            "1",
            "dfs.namenode.reconstruction.pending.timeout-sec",
            "5",
            "hadoop.http.temp.dir",
            directory.resolve("http").toString(),
            "dfs.namenode.fs-limits.min-block-size",
            "4096")
        .forEach(conf::set);
    conf.setInt("dfs.blocksize", BLOCK_BYTES);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    conf.setBoolean("dfs.client.block.write.replace-datanode-on-failure.best-effort", true);
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
    return conf;
  }

  /** Of both NameNodes. */
  List<Path> audit() {
    return audit;
  }

  Path hadoop() {
    return hadoop;
  }

  String uri() {
    return "hdfs://" + PAIR;
  }

  /** A client of its own. */
  DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(URI.create(uri()), conf);
  }

  MiniDFSCluster.DataNodeProperties stopNode(int node) {
    return cluster.stopDataNode(node % cluster.getDataNodes().size());
  }

  /** Returns when it has reported to each NameNode. */
  void startNode(MiniDFSCluster.DataNodeProperties node) throws IOException {
    cluster.restartDataNode(node, true);
    awaitActive();
    fill(cluster.getDataNodes().get(NODES - 1), false);
  }

  /** Leaves a DataNode's storages no room, or what they had. */
  void fill(int node, boolean isFull) throws IOException {
    fill(cluster.getDataNodes().get(node % cluster.getDataNodes().size()), isFull);
  }

  private static void fill(DataNode node, boolean isFull) throws IOException {
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        long room = volume.getStorageType() == StorageType.SSD ? SSD_BYTES : -1;
        ((FsVolumeImpl) volume).setCapacityForTesting(isFull ? 1 : room);
      }
    }
  }

  /** Has the NameNode take the services' user for the superuser, or for somebody. */
  void allow(boolean isSuperuser) {
    Configuration groups = new Configuration(conf);
    groups.set(GROUPS, groups(isSuperuser ? "supergroup" : "somebody"));
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(groups);
    UserGroupInformation.setConfiguration(groups);
  }

  private static String groups(String ofServices) {
    return ChaosService.USER + "=" + ofServices + ";dr.who=";
  }

  /** The active one stops, and is active again when it is back: nobody takes over. */
  void restartActive() throws IOException {
    cluster.restartNameNode(active, false);
    cluster.transitionToActive(active);
  }

  /** The active one becomes the standby, and the standby the active one. */
  void failover() throws IOException {
    cluster.transitionToStandby(active);
    active = standby();
    cluster.transitionToActive(active);
  }

  /** The active one stops, and the other takes over. */
  void loseActive() throws IOException {
    cluster.shutdownNameNode(active);
    active = standby();
    cluster.transitionToActive(active);
  }

  /** The other one comes back, as the standby. */
  void restartStandby() throws IOException {
    cluster.restartNameNode(standby(), false);
  }

  private int standby() {
    return NAME_NODES - 1 - active;
  }

  /** Returns when all live DataNodes have reported to each NameNode. */
  void awaitActive() throws IOException {
    cluster.waitActive();
  }

  @Override
  public void close() {
    logs.close();
    pair.close();
  }
}
