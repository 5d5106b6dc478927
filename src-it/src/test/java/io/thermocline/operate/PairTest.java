// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.dist.InstalledTree;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HaCluster;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import io.thermocline.testbed.process.ZooKeeperEnsemble;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/guides/high-availability.md says of two NameNodes and of two hosts with the service: its configuration with {@code ha}, without what
 * Kerberos needs, and its commands that restart a pair of NameNodes. NameNodes, ZooKeeper and services are processes.
 */
@Tag("cluster")
class PairTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();
  private static final String FILE = "/warehouse/f";
  private static final String AS_SUPERUSER = "env HADOOP_USER_NAME=" + Host.SUPERUSER + " ";

  @TempDir Path temp;

  private HadoopLine line;
  private HaCluster cluster;
  private ZooKeeperEnsemble zooKeeper;

  @Test
  void oneLeadsTheOtherTakesOverAndBothNameNodesAreRestarted() throws Exception {
    try {
      line = HadoopLine.resolve(VersionInfo.getVersion(), DATA.resolve("hadoop-lines"));
    } catch (UnresolvedHadoopException e) {
      assumeTrue(false, e.getMessage());
      return;
    }
    Map<String, String> settings =
        Map.of("hadoop.user.group.static.mapping.overrides", Host.USER + "=supergroup;root=root");
    List<ProcessNode> nodes =
        List.of(new ProcessNode("dn1", "rack1", List.of(StorageType.DISK, StorageType.SSD)));
    try (HaCluster hdfs = HaCluster.start(line, temp, nodes, settings);
        ZooKeeperEnsemble ensemble =
            ZooKeeperEnsemble.start(Files.createDirectories(temp.resolve("zk")))) {
      cluster = hdfs;
      zooKeeper = ensemble;
      try (OutputStream out =
          cluster
              .client()
              .createFile(new org.apache.hadoop.fs.Path(FILE))
              .replication((short) 1)
              .recursive()
              .build()) {
        out.write(new byte[1000]);
      }
      try (Host one = host("node1");
          Host two = host("node2")) {
        takesOver(one, two);
        restartsNameNodes(two);
      }
    }
  }

  private void takesOver(Host one, Host two) throws Exception {
    String service = block("secureservice").commands();
    one.startService(service);
    one.awaitLog("leading, in epoch 1");
    one.awaitLog("running in APPLY mode");
    two.startService(service);
    two.awaitLog("standing by, at plan");
    assertTrue(status(two).contains("standing by"), status(two));
    one.killService();
    two.awaitLog("leading, in epoch 2");
    two.awaitLog("running in APPLY mode");
  }

  private void restartsNameNodes(Host leader) throws Exception {
    try (Reads reads = new Reads()) {
      restart(leader, reads);
    }
    for (Map.Entry<String, String> state : Map.of("nn1", "active", "nn2", "standby").entrySet()) {
      assertEquals(
          state.getValue(),
          leader
              .run(
                  AS_SUPERUSER + "hdfs haadmin -getServiceState " + state.getKey() + " 2>/dev/null")
              .strip(),
          state.getKey());
    }
    String made = leader.run(thermocline(leader, "plan now --why test"));
    assertTrue(made.contains("plan"), made);
    assertTrue(status(leader).contains("APPLY"), status(leader));
  }

  /** By the page's commands, while a client reads all the time. */
  private void restart(Host leader, Reads reads) throws Exception {
    String restarted = "";
    for (String command : block("ha").commands().lines().toList()) {
      if (command.startsWith("#")) {
        restarted = command.replaceAll(".* (nn[12]):", "$1");
      } else if (command.startsWith(
          "hdfs --daemon stop namenode && hdfs --daemon start namenode")) {
        // Hadoop's own scripts.
        cluster.kill(restarted);
        cluster.restart(restarted);
      } else {
        leader.run(command.replace("hdfs ", AS_SUPERUSER + "hdfs "));
      }
      reads.goOn(command);
    }
  }

  /** Of a client of the nameservice, one after the other, until it is closed or one fails. */
  private final class Reads implements AutoCloseable {
    /** So that what is tested has its turn on a small host, too. */
    private static final long REST_NANOS = 10_000_000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final AtomicLong done = new AtomicLong();
    private final Future<?> reading = thread.submit(this::read);
    private volatile boolean ends;

    private Void read() throws IOException {
      while (!ends) {
        try (InputStream in = cluster.client().open(new org.apache.hadoop.fs.Path(FILE))) {
          assertEquals(1000, in.readAllBytes().length);
        }
        done.incrementAndGet();
        LockSupport.parkNanos(REST_NANOS);
      }
      return null;
    }

    /** Waits for a read that began after now. */
    void goOn(String after) throws Exception {
      long until = done.get() + 2;
      Eventually.holds("reads go on after " + after, () -> reading.isDone() || done.get() >= until);
      if (reading.isDone()) {
        reading.get();
      }
    }

    @Override
    public void close() throws IOException {
      ends = true;
      try {
        reading.get(2, TimeUnit.MINUTES);
      } catch (InterruptedException | ExecutionException | TimeoutException e) {
        throw new IOException("reads failed", e);
      } finally {
        thread.shutdownNow();
      }
    }
  }

  private static String status(Host host) throws Exception {
    return host.run(thermocline(host, "status"));
  }

  private static String thermocline(Host host, String command) throws IOException {
    return "/opt/thermocline/bin/thermocline " + command + " --service " + host.address();
  }

  /** One with the page's configuration, whose names are those of this cluster. */
  private Host host(String id) throws Exception {
    Path directory = Files.createDirectories(temp.resolve(id));
    Host host = new Host(directory, line, hadoop(directory));
    host.replace(
        "auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log, /mnt/namenode2/hdfs-audit.log]",
        "auditLogs: ["
            + cluster.auditLog("nn1")
            + ", "
            + cluster.auditLog("nn2")
            + "]\n  poll: 100ms\n  openWindow: 0s");
    host.replace("https://namenode1:9871", web("nn1"));
    host.replace("https://namenode2:9871", web("nn2"));
    host.replace("namenode1:8020", cluster.settings().get("dfs.namenode.rpc-address.pair.nn1"));
    host.replace("namenode2:8020", cluster.settings().get("dfs.namenode.rpc-address.pair.nn2"));
    host.replace("hdfs://nameservice1", cluster.uri().toString());
    host.replace("zk1:2181,zk2:2181,zk3:2181", zooKeeper.addresses());
    host.replace("id: node1", "id: " + id);
    host.replace("mode: shadow, apply: []", "mode: apply");
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      host.replace(
          "https://tiering1.example.com:8480", "http://localhost:" + socket.getLocalPort());
      host.replace("tiering1.example.com:8480", "localhost:" + socket.getLocalPort());
    }
    try (OutputStream out = Files.newOutputStream(directory.resolve("thermocline-it.tar.gz"))) {
      InstalledTree.tarGz(ROOT, path -> !path.startsWith("hadoop/"), out);
    }
    host.run(Page.operating(ROOT).get(0).commands());
    host.run(
        block("secure")
            .commands()
            .replaceAll("(?m)^  kerberos:\n(    .*\n)+", "")
            .replaceAll("(?m)^  (authentication|roles|tls): .*\n", ""));
    return host;
  }

  private String web(String nameNode) {
    return "http://" + cluster.settings().get("dfs.namenode.http-address.pair." + nameNode);
  }

  private Path hadoop(Path directory) throws IOException {
    Path hadoop = Files.createDirectories(directory.resolve("etc/hadoop/conf"));
    Configuration all = new Configuration(false);
    cluster.settings().forEach(all::set);
    for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
      try (OutputStream out = Files.newOutputStream(hadoop.resolve(name))) {
        all.writeXml(out);
      }
    }
    return hadoop;
  }

  /** The first of the pages' that is of this kind. */
  private static Page.Block block(String kind) throws IOException {
    return Page.operating(ROOT).stream()
        .filter(each -> each.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }
}
