// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.RollingFileAppender;

/** Five DataNodes with DISK and SSD, one NameNode with its audit log, in this process. */
final class ChaosCluster implements AutoCloseable {

  static final int NODES = 5;
  static final int BLOCK_BYTES = 256 * 1024;
  private static final String GROUPS = "hadoop.user.group.static.mapping.overrides";
  private static final Logger AUDIT =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final Path audit;
  private final Path hadoop;

  ChaosCluster(Path directory) throws IOException {
    this.conf = configuration(directory);
    this.audit = directory.resolve("hdfs-audit.log");
    AUDIT.setAdditivity(false);
    AUDIT.setLevel(Level.INFO);
    AUDIT.addAppender(
        new RollingFileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), audit.toString()));
    StorageType[][] types = new StorageType[NODES][];
    Arrays.fill(types, new StorageType[] {StorageType.DISK, StorageType.SSD});
    this.cluster =
        new MiniDFSCluster.Builder(conf, directory.resolve("hdfs").toFile())
            .numDataNodes(NODES)
            .storageTypes(types)
            .storagesPerDatanode(2)
            .checkExitOnShutdown(false)
            .build();
    cluster.waitActive();
    this.hadoop = Files.createDirectories(directory.resolve("hadoop"));
    Configuration site = new Configuration(false);
    site.set("fs.defaultFS", cluster.getURI().toString());
    site.setInt("dfs.blocksize", BLOCK_BYTES);
    try (OutputStream out = Files.newOutputStream(hadoop.resolve("core-site.xml"))) {
      site.writeXml(out);
    }
  }

  private static Configuration configuration(Path directory) {
    Configuration conf = new HdfsConfiguration();
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

  Path audit() {
    return audit;
  }

  Path hadoop() {
    return hadoop;
  }

  String uri() {
    return cluster.getURI().toString();
  }

  /** A client of its own. */
  DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), conf);
  }

  MiniDFSCluster.DataNodeProperties stopNode(int node) {
    return cluster.stopDataNode(node % cluster.getDataNodes().size());
  }

  void startNode(MiniDFSCluster.DataNodeProperties node) throws IOException {
    cluster.restartDataNode(node, true);
  }

  /** Leaves a DataNode's storages no room, or all that there is. */
  void fill(int node, boolean isFull) throws IOException {
    DataNode full = cluster.getDataNodes().get(node % cluster.getDataNodes().size());
    try (FsDatasetSpi.FsVolumeReferences volumes = full.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        ((FsVolumeImpl) volume).setCapacityForTesting(isFull ? 1 : -1);
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

  void restartNameNode() throws IOException {
    cluster.restartNameNode(false);
  }

  /** Returns when all live DataNodes have reported. */
  void awaitActive() throws IOException {
    cluster.waitActive();
  }

  @Override
  public void close() {
    AUDIT.removeAllAppenders();
    AUDIT.setLevel(Level.OFF);
    cluster.shutdown();
  }
}
