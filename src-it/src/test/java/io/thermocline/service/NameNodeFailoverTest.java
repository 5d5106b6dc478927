// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.RollingFileAppender;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The active NameNode goes down in the middle of a plan, and the plan goes on with the other. */
@Tag("cluster")
class NameNodeFailoverTest {

  private static final Logger AUDIT =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
  private static final int FILES = 12;

  @TempDir static Path temp;

  @Test
  void aPlanGoesOnWithTheOtherNameNode() throws Exception {
    Configuration conf = configuration();
    Path audit = temp.resolve("hdfs-audit.log");
    RollingFileAppender appender =
        new RollingFileAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), audit.toString());
    AUDIT.setAdditivity(false);
    AUDIT.setLevel(Level.INFO);
    AUDIT.addAppender(appender);
    StorageType[][] types = new StorageType[4][];
    Arrays.fill(types, new StorageType[] {StorageType.DISK, StorageType.SSD});
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, temp.resolve("hdfs").toFile())
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(4)
            .storageTypes(types)
            .storagesPerDatanode(2)
            .checkExitOnShutdown(false)
            .build();
    try {
      cluster.transitionToActive(0);
      cluster.waitActive();
      Configuration client = new Configuration(conf);
      HATestUtil.setFailoverConfigurations(cluster, client, "pair");
      client.set(CommonConfigurationKeys.FS_DEFAULT_NAME_KEY, "hdfs://pair");
      Path hadoop = Files.createDirectories(temp.resolve("hadoop"));
      Map<String, String> settings = new TreeMap<>();
      client.forEach(
          entry -> {
            if (entry.getKey().startsWith("dfs.") || entry.getKey().startsWith("fs.defaultFS")) {
              settings.put(entry.getKey(), entry.getValue());
            }
          });
      for (int i = 0; i < 2; i++) {
        NameNode nameNode = cluster.getNameNode(i);
        String port = ":" + nameNode.getNameNodeAddress().getPort();
        Map.copyOf(settings)
            .forEach(
                (key, value) -> {
                  if (key.startsWith("dfs.namenode.rpc-address.pair.") && value.endsWith(port)) {
                    settings.put(
                        key.replace("rpc-address", "http-address"),
                        NetUtils.getHostPortString(nameNode.getHttpAddress()));
                  }
                });
      }
      ServiceSetup.site(hadoop.resolve("core-site.xml"), settings);
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config =
          new ServiceSetup(hadoop, audit, "/ha")
              .apply()
              .replace("verifyWithin: 5m", "verifyWithin: 15s")
              .write(directory);
      try (DistributedFileSystem hdfs =
              (DistributedFileSystem)
                  org.apache.hadoop.fs.FileSystem.newInstance(
                      java.net.URI.create("hdfs://pair"), client);
          ServiceProcess service = ServiceProcess.start(directory, config)) {
        for (int i = 0; i < FILES; i++) {
          try (OutputStream out = hdfs.create(path(i))) {
            out.write(ServedCluster.content("/ha/f" + i));
          }
        }
        service.logs("running in APPLY mode");
        Doctor pair = Doctor.run(ServiceProcess.USER, config);
        pair.assertOk("cluster.reached", "cluster.safe-mode", "cluster.clocks", "plugin.same");
        assertEquals("error", pair.checks().get("logs.audit-each"), pair.text());
        assertTrue(pair.text().contains("1 logs for 2"), pair.text());
        readUntil(hdfs, service, () -> !ServiceSetup.journal(directory, "\"COPYING\"").isEmpty());
        cluster.shutdownNameNode(0);
        cluster.transitionToActive(1);
        Doctor one = Doctor.run(ServiceProcess.USER, config);
        one.assertOk("cluster.reached");
        assertTrue(one.text().contains("it doesn't answer"), one.text());
        readUntil(hdfs, service, () -> areFast(hdfs));
        // Which replica too many goes is the other NameNode's choice where it hadn't heard of the
        // move: such a move fails
        // after its deadline, and the next plan makes it again.
        readUntil(
            hdfs,
            service,
            () ->
                areFast(hdfs)
                    && !ServiceSetup.journal(directory, "\"VERIFIED\"").isEmpty()
                    && !ServiceSetup.journal(directory, "\"entry\":\"planEnded\"").isEmpty());
        service.terminate();
      }
      assertEquals(
          ServiceSetup.journal(directory, "\"VERIFIED\"").size(),
          ServiceSetup.journal(directory, "\"VERIFIED\"").stream()
              .map(line -> line.replaceFirst(".*\"block\":(\\d+).*\"to\":\"([^\"]*)\".*", "$1 $2"))
              .distinct()
              .count(),
          "no copy was made twice");
      assertTrue(ServiceSetup.journal(directory, "\"COPYING\"").size() >= FILES);
    } finally {
      AUDIT.removeAppender(appender);
      appender.close();
      AUDIT.setLevel(Level.OFF);
      cluster.shutdown();
    }
  }

  private static Configuration configuration() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set(
        CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES,
        ServiceProcess.USER
            + "="
            + DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT
            + ";dr.who=");
    conf.setBoolean("hadoop.caller.context.enabled", true);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    conf.setInt("dfs.client.failover.sleep.base.millis", 50);
    conf.setInt("dfs.client.failover.sleep.max.millis", 500);
    conf.setInt("dfs.heartbeat.interval", 1);
    // A NameNode that has taken over deletes no replica too many before the DataNode's next full
    // report.
    conf.setInt("dfs.blockreport.intervalMsec", 5_000);
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, temp.resolve("http").toString());
    Groups.getUserToGroupsMappingServiceWithLoadedConfiguration(conf);
    UserGroupInformation.setConfiguration(conf);
    return conf;
  }

  private static org.apache.hadoop.fs.Path path(int file) {
    return new org.apache.hadoop.fs.Path("/ha/f" + file);
  }

  private static void readUntil(
      DistributedFileSystem hdfs,
      ServiceProcess service,
      java.util.concurrent.Callable<Boolean> noticed) {
    try {
      Eventually.holds(
          "the service notices",
          Duration.ofMinutes(2),
          () -> {
            for (int i = 0; i < FILES; i++) {
              for (int times = 0; times < 3; times++) {
                hdfs.open(path(i)).close();
              }
            }
            return noticed.call();
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; " + service, e);
    }
  }

  private static boolean areFast(DistributedFileSystem hdfs) throws IOException {
    for (int i = 0; i < FILES; i++) {
      for (org.apache.hadoop.hdfs.protocol.LocatedBlock block :
          hdfs.getClient()
              .getLocatedFileInfo("/ha/f" + i, false)
              .getLocatedBlocks()
              .getLocatedBlocks()) {
        if (!Arrays.asList(block.getStorageTypes()).contains(StorageType.SSD)) {
          return false;
        }
      }
    }
    return true;
  }
}
