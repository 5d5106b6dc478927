// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.dist.InstalledTree;
import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.ProcessCluster;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.UnresolvedHadoopException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An administrator follows {@link Page#operating}, on a cluster of one Hadoop line whose servers are processes: installs
 * what is packaged, watches in shadow mode, moves, and removes it all. The service runs on the jars of that line.
 */
@Tag("cluster")
abstract class OperateOnProcesses {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();
  private static final String HOT = "/warehouse/hot";
  private static final String COLD = "/warehouse/cold";
  private static final String OWN = "/warehouse/own";

  private final String version;

  @TempDir Path temp;

  OperateOnProcesses(String version) {
    this.version = version;
  }

  @Test
  void thePagesLeadFromNothingToMovesAndBack() throws Exception {
    HadoopLine line;
    try {
      line = HadoopLine.resolve(version, DATA.resolve("hadoop-lines"));
    } catch (UnresolvedHadoopException e) {
      assumeTrue(false, e.getMessage());
      return;
    }
    ProcessCluster.Builder builder =
        ProcessCluster.builder(line)
            .plugin(ProcessCluster.codeOf(ThermoclinePlacementPolicy.class))
            .setting(
                "hadoop.user.group.static.mapping.overrides", Host.USER + "=supergroup;root=root")
            .keepLogs(DATA.resolve("process-logs").resolve("operate-" + version))
            .capacity(256L << 20);
    for (int i = 1; i <= 3; i++) {
      builder.node(
          new ProcessNode("dn" + i, "rack" + i, List.of(StorageType.DISK, StorageType.SSD)));
    }
    try (ProcessCluster cluster = builder.start();
        Host host = new Host(temp, line, cluster.directory().resolve("conf/client"))) {
      host.replace(
          "auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]",
          "auditLogs: ["
              + cluster.directory().resolve("logs/namenode.log")
              + "], poll: 100ms, openWindow: 0s");
      host.replace(
          "mine /var/log/hadoop/hdfs/hdfs-audit.log", "mine " + temp.resolve("hdfs-audit.log"));
      // The .deb made it.
      Files.createDirectories(temp.resolve("etc/thermocline"));
      Files.createDirectories(temp.resolve("etc/systemd/system"));
      host.replace("/etc/thermocline/", temp.resolve("etc/thermocline") + "/");
      host.replace("/etc/systemd/", temp.resolve("etc/systemd") + "/");
      host.replace("namenode1:8020", cluster.uri().getAuthority());
      // Several services run beside each other in tests.
      host.replace(
          "api: {listen: 127.0.0.1:8480}", "decide: {every: 1s}\napi: {listen: 127.0.0.1:0}");
      follow(cluster, host);
    }
  }

  private void follow(ProcessCluster cluster, Host host) throws Exception {
    write(cluster, HOT);
    write(cluster, COLD);
    try (OutputStream out = Files.newOutputStream(temp.resolve("thermocline-it.tar.gz"))) {
      InstalledTree.tarGz(ROOT, path -> isShipped() || !path.startsWith("hadoop/"), out);
    }
    for (Page.Block block : Page.operating(ROOT)) {
      switch (block.kind()) {
        case "service" -> {
          host.stopService();
          host.startService(block.commands());
          host.awaitLog("running in");
          host.environment("THERMOCLINE_SERVICE", host.address());
          started(block.page(), cluster, host);
        }
        case "ha" -> {
          // Of PairTest.
        }
        case "secure", "securecheck", "secureservice", "apart", "moverservice" -> {
          // Of SecureClusterTest.
        }
        case "units" -> {
          // But for systemd, which isn't here: SystemdTest has it.
          host.run(
              block
                  .commands()
                  .lines()
                  .filter(line -> !line.startsWith("systemctl "))
                  .collect(Collectors.joining("\n")));
        }
        case "stopped" -> {
          host.stopService();
          boolean removes = block.commands().contains("uninstall");
          String said = host.run(block.commands());
          assertTrue(
              !removes
                  || said.contains(
                      "dfs.block.replicator.classname="
                          + ThermoclinePlacementPolicy.class.getName()),
              said);
        }
        case "plugin" -> {
          Path site = cluster.directory().resolve("conf/namenode/hdfs-site.xml");
          Files.writeString(
              site,
              Files.readString(site)
                  .replace(
                      "</configuration>",
                      "<property><name>dfs.block.replicator.classname</name><value>"
                          + ThermoclinePlacementPolicy.class.getName()
                          + "</value></property></configuration>"));
          host.run(block.commands());
        }
        default -> {
          // The NameNode's log has other lines too here.
          Files.write(
              temp.resolve("hdfs-audit.log"),
              Files.readAllLines(cluster.directory().resolve("logs/namenode.log")).stream()
                  .filter(line -> line.contains("FSNamesystem.audit"))
                  .toList());
          String said = host.run(block.commands());
          if (block.commands().contains("thermocline report")) {
            assertTrue(said.contains("would have moved"), said);
            assertTrue(said.contains("DISK to SSD"), said);
          }
          if (block.commands().contains("thermocline mine")) {
            assertTrue(said.matches("(?s).*[1-9][0-9,]* reads of [1-9].*"), said);
            assertTrue(said.contains("0 groups, 0 bytes on devices"), said);
          }
        }
      }
    }
    unitsAreTold(host);
    removed(cluster, host);
  }

  /** What the units beside a NameNode read, as the page has it written. */
  private static void unitsAreTold(Host host) throws IOException {
    String unit = Files.readString(host.path("/etc/systemd/system/thermocline.service"));
    Path home = host.path("/opt/thermocline");
    assertTrue(
        unit.contains(
            "ExecStart="
                + home
                + "/bin/thermocline service --config "
                + home
                + "/conf/thermocline.yaml --grace"),
        unit);
    assertTrue(
        unit.contains(
            "[Service]\nEnvironment=THERMOCLINE_LOG_DIR=" + host.path("/var/log/thermocline")),
        unit);
    Path told = host.path("/etc/thermocline/namenode.env");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(told)));
    Map<String, String> set =
        Files.readAllLines(told).stream()
            .map(line -> line.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    assertEquals(Set.of("THERMOCLINE_SERVICE", "HADOOP_CONF_DIR"), set.keySet());
    assertTrue(Files.isDirectory(Path.of(set.get("HADOOP_CONF_DIR"))), set::toString);
    assertEquals(
        List.of("[Service]", "User=hdfs", "Group=hdfs"),
        Files.readAllLines(
            host.path("/etc/systemd/system/thermocline-attributes.service.d/override.conf")));
  }

  /** What the pages promise of each start of the service. */
  private void started(String page, ProcessCluster cluster, Host host) throws Exception {
    writesOnlyWhereItIsTold(host);
    switch (page) {
      case "cluster.md" -> {
        readUntil(cluster, HOT, "shadow mode would move it", () -> host.says("shadow", HOT));
        readUntil(cluster, COLD, "shadow mode would move it", () -> host.says("shadow", COLD));
        assertEquals(Set.of("DISK"), types(cluster, HOT), "nothing was moved");
        assertEquals(0, policy(cluster, HOT), "nothing was set");
      }
      case "turn-on-moves.md" -> {
        Eventually.holds(
            "the placement policy is in force",
            () ->
                cluster
                    .nameNode()
                    .probe()
                    .policyClass()
                    .equals(ThermoclinePlacementPolicy.class.getName()));
        readUntil(cluster, HOT, "it has a copy on SSD", () -> types(cluster, HOT).contains("SSD"));
        assertEquals(Set.of("DISK"), types(cluster, COLD), "only what is applied is moved");
        List<String> changes = Files.readAllLines(host.path("/opt/thermocline/logs/audit.log"));
        for (String operation : List.of("setStoragePolicy", "copy")) {
          assertTrue(
              changes.stream()
                  .anyMatch(
                      line ->
                          line.contains("\"operation\":\"" + operation + "\",\"path\":\"" + HOT)
                              && line.contains("\"who\":\"" + Host.USER)
                              && line.contains("\"dryRun\":false,\"outcome\":\"done\"")),
              changes::toString);
        }
        assertTrue(
            changes.stream()
                .anyMatch(line -> line.contains(COLD) && line.contains("\"dryRun\":true")),
            changes::toString);
      }
      default -> {
        readUntil(
            cluster, COLD, "it has a copy on SSD", () -> types(cluster, COLD).contains("SSD"));
        if (isShipped()) {
          onItsOwnHadoop(cluster, host);
        }
      }
    }
  }

  /** Commands that root ran meanwhile left nothing that the service's user can't write. */
  private static void writesOnlyWhereItIsTold(Host host) throws IOException {
    String user = host.process().info().user().orElseThrow();
    assertEquals(OsUser.ordinary().map(OsUser::name).orElse(user), user);
    for (String own : List.of("/var/lib/thermocline", "/opt/thermocline/logs")) {
      assertEquals(Set.of(user), owners(host.path(own)), own);
    }
    String installer = System.getProperty("user.name");
    for (String part : List.of("bin", "conf", "lib")) {
      assertEquals(Set.of(installer), owners(host.path("/opt/thermocline").resolve(part)), part);
    }
  }

  private static Set<String> owners(Path directory) throws IOException {
    Set<String> owners = new TreeSet<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        try {
          owners.add(Files.getOwner(file).getName());
        } catch (NoSuchFileException e) {
          // Of a service that runs.
        }
      }
    }
    return owners;
  }

  /** Whether it is the line whose jars are in the package. */
  private boolean isShipped() {
    return version.equals(VersionInfo.getVersion());
  }

  /** As on a host without Hadoop. */
  private static void onItsOwnHadoop(ProcessCluster cluster, Host host) throws Exception {
    host.stopService();
    write(cluster, OWN);
    host.startService(
        "runuser -u thermocline -- env THERMOCLINE_HADOOP=own /opt/thermocline/bin/thermocline service"
            + " --config /opt/thermocline/conf/thermocline.yaml");
    host.awaitLog("running in");
    String classPath = host.path("/opt/thermocline") + "/hadoop/*:";
    assertTrue(host.commandLine().contains(classPath), host.commandLine());
    readUntil(cluster, OWN, "it has a copy on SSD", () -> types(cluster, OWN).contains("SSD"));
  }

  private static void readUntil(
      ProcessCluster cluster, String path, String what, Callable<Boolean> holds) {
    Eventually.holds(
        path + ": " + what,
        () -> {
          read(cluster, path);
          return holds.call();
        });
  }

  private static int policy(ProcessCluster cluster, String path) throws IOException {
    return cluster.client().getClient().getFileInfo(path).getStoragePolicy();
  }

  private void removed(ProcessCluster cluster, Host host) throws IOException {
    assertEquals(0, policy(cluster, HOT), "no policy is left");
    assertEquals(0, policy(cluster, COLD), "no policy is left");
    assertTrue(!isShipped() || policy(cluster, OWN) == 0, "no policy is left");
    for (String moved : List.of(HOT, COLD)) {
      assertEquals(Set.of("DISK"), types(cluster, moved), "where it was");
      assertEquals(Map.of(), cluster.client().getXAttrs(new org.apache.hadoop.fs.Path(moved)));
    }
    assertFalse(cluster.client().exists(new org.apache.hadoop.fs.Path("/system/thermocline")));
    assertFalse(Files.exists(host.path("/opt/thermocline")));
    assertFalse(Files.exists(host.path("/var/lib/thermocline")));
    read(cluster, HOT);
  }

  private static void write(ProcessCluster cluster, String path) throws IOException {
    try (OutputStream out =
        cluster
            .client()
            .createFile(new org.apache.hadoop.fs.Path(path))
            .replication((short) 2)
            .recursive()
            .build()) {
      out.write(new byte[200_000]);
    }
  }

  private static void read(ProcessCluster cluster, String path) throws IOException {
    for (int i = 0; i < 5; i++) {
      try (InputStream in = cluster.client().open(new org.apache.hadoop.fs.Path(path))) {
        in.readAllBytes();
      }
    }
  }

  /** Of all its replicas. */
  private static Set<String> types(ProcessCluster cluster, String path) throws IOException {
    Set<String> types = new TreeSet<>();
    var files = cluster.client().listLocatedStatus(new org.apache.hadoop.fs.Path(path));
    while (files.hasNext()) {
      for (BlockLocation block : files.next().getBlockLocations()) {
        Arrays.stream(block.getStorageTypes()).forEach(type -> types.add(type.name()));
      }
    }
    return types;
  }
}
