// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.app.CommandLines;
import io.thermocline.tiering.app.DoctorMain;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Doctor on a cluster with each setting broken in turn: those that a cluster takes while it
 * runs, and then those that it
 * is started with, all of them on a second one.
 */
@Tag("cluster")
class DoctorTest {

  private static final String AUDIT = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit";
  private static final String TRACE = "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace";

  @FunctionalInterface
  private interface Finds {
    void run() throws Exception;
  }

  @TempDir private Path temp;
  private ServedCluster cluster;
  private Path config;

  /** By check, how bad; and all that was said. */
  private record Result(int status, Map<String, String> checks, String text) {}

  @Test
  void findsWhatIsBrokenWhileItRuns() throws Exception {
    try (ServedCluster served =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      cluster = served;
      cluster.write("/data/f");
      cluster.read("/data/f", 1);
      config = setup().write(temp.resolve("service"));
      Result healthy = doctor(ServiceProcess.USER);
      assertEquals(Set.of(), with(healthy, "error"), healthy.text);
      assertEquals(0, healthy.status);
      assertOk(
          healthy,
          "host.audit-log",
          "host.writable",
          "logs.audit-level",
          "logs.audit-format",
          "logs.completeness",
          "logs.caller-context",
          "storage.types",
          "storage.policies",
          "storage.racks",
          "storage.block-room",
          "storage.type-quotas",
          "moves.satisfier",
          "moves.others",
          "moves.concurrent",
          "moves.bandwidth",
          "plugin.placement",
          "plugin.same",
          "plugin.read-order",
          "plugin.consider-storage-type",
          "cluster.reached",
          "cluster.superuser",
          "cluster.safe-mode",
          "cluster.clocks",
          "cluster.versions",
          "cluster.access-time",
          "cluster.xattrs");

      brokenInTurn();
    }
    Result gone = doctor(ServiceProcess.USER);
    assertEquals("error", gone.checks.get("cluster.reached"), gone.text);
    assertTrue(gone.text.contains("could not look: it doesn't answer"), gone.text);
  }

  private void brokenInTurn() throws Exception {
    DistributedFileSystem superuser = cluster.superuser();
    superuser.setSafeMode(SafeModeAction.ENTER);
    finds("cluster.safe-mode", "error");
    superuser.setSafeMode(SafeModeAction.LEAVE);

    superuser.setQuotaByStorageType(path("/data"), org.apache.hadoop.fs.StorageType.SSD, 1L << 40);
    finds("storage.type-quotas", "error");
    superuser.setQuotaByStorageType(
        path("/data"), org.apache.hadoop.fs.StorageType.SSD, HdfsConstants.QUOTA_RESET);

    try (OutputStream mover = superuser.create(path("/system/mover.id"))) {
      mover.write(1);
      finds("moves.others", "error");
    }
    assertOk(doctor(ServiceProcess.USER), "moves.others");

    whileLevel(AUDIT, Level.WARN, () -> finds("logs.audit-level", "error"));
    whileLevel(TRACE, Level.DEBUG, () -> finds("logs.clienttrace-level", "ok"));
    whileLevel(TRACE, Level.INFO, () -> finds("logs.clienttrace-level", "note"));

    System.setProperty("hdfs.audit.logger", "INFO,NullAppender");
    finds("logs.audit-appender", "error");
    System.setProperty("hdfs.audit.logger", "INFO,RFAAUDIT");
    finds("logs.audit-appender", "ok");
    System.clearProperty("hdfs.audit.logger");

    assertEquals("error", doctor("alice").checks.get("cluster.superuser"));

    Path here = Files.createDirectories(temp.resolve("here"));
    Files.copy(temp.resolve("hadoop/core-site.xml"), here.resolve("core-site.xml"));
    ServiceSetup.site(here.resolve("hdfs-site.xml"), Map.of("ha.zookeeper.quorum", "127.0.0.1:9"));
    Result elsewhere = doctor(ServiceProcess.USER, "--hadoop-conf", here.toString());
    assertEquals("warning", elsewhere.checks.get("plugin.same"), elsewhere.text);
    assertEquals("error", elsewhere.checks.get("cluster.zookeeper"), elsewhere.text);

    Path garbage = Files.writeString(temp.resolve("garbage.log"), "no audit record\n".repeat(50));
    Path before = config;
    config =
        setup()
            .replace(
                "auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]", "auditLogs: [" + garbage + "]")
            .replace("# timeZone: UTC", "timeZone: Asia/Tokyo")
            .replace("nameNodeWebs: []", "nameNodeWebs: [" + cluster.web() + "]")
            .write(temp.resolve("wrong"));
    Result wrong = doctor(ServiceProcess.USER);
    assertEquals("error", wrong.checks.get("logs.audit-format"), wrong.text);
    assertEquals("error", wrong.checks.get("logs.time-zone"), wrong.text);
    config = before;
    assertEquals(Set.of(), with(doctor(ServiceProcess.USER), "error"), "as it was");
  }

  @Test
  void findsWhatItWasStartedWith() throws Exception {
    Map<String, String> properties =
        Map.ofEntries(
            Map.entry("dfs.storage.policy.satisfier.mode", "external"),
            Map.entry("dfs.namenode.read.considerStorageType", "true"),
            Map.entry("dfs.namenode.accesstime.precision", "0"),
            Map.entry("dfs.namenode.fs-limits.max-xattr-size", "64"),
            Map.entry("dfs.namenode.audit.log.async", "true"),
            Map.entry("dfs.namenode.audit.log.debug.cmdlist", "open"),
            Map.entry("dfs.net.topology.impl", "org.apache.hadoop.hdfs.net.DFSNetworkTopology"),
            Map.entry(
                "dfs.block.replicator.classname",
                "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault"));
    try (ServedCluster served =
        ServedCluster.start(temp, List.of(StorageType.DISK), 2, properties)) {
      cluster = served;
      config =
          setup()
              .replace("# levers:", "levers: {cache: {most: 1 GB}}")
              .write(temp.resolve("service"));
      Result ill = doctor(ServiceProcess.USER);
      assertEquals(1, ill.status);
      assertEquals(
          Set.of("logs.audit-commands", "storage.types", "storage.cache-memory"),
          with(ill, "error"),
          ill.text);
      Set<String> warnings = with(ill, "warning");
      assertTrue(
          warnings.containsAll(
              Set.of(
                  "moves.satisfier",
                  "plugin.consider-storage-type",
                  "plugin.placement",
                  "plugin.read-order",
                  "plugin.same",
                  "logs.audit-async",
                  "cluster.xattrs")),
          ill.text);
      assertEquals("note", ill.checks.get("cluster.access-time"), ill.text);
    }
  }

  private ServiceSetup setup() {
    return cluster.setup("/data").web(cluster.web());
  }

  private void finds(String check, String severity) throws Exception {
    Result result = doctor(ServiceProcess.USER);
    assertEquals(severity, result.checks.get(check), result.text);
  }

  private static void whileLevel(String name, Level level, Finds then) throws Exception {
    Logger logger = Logger.getLogger(name);
    Level before = logger.getLevel();
    logger.setLevel(level);
    try {
      then.run();
    } finally {
      logger.setLevel(before);
    }
  }

  private static void assertOk(Result result, String... checks) {
    for (String check : checks) {
      assertEquals("ok", result.checks.get(check), check + " in " + result.text);
    }
  }

  private static Set<String> with(Result result, String severity) {
    Set<String> checks = new TreeSet<>();
    result.checks.forEach(
        (check, found) -> {
          if (found.equals(severity)) {
            checks.add(check);
          }
        });
    return checks;
  }

  private Result doctor(String user, String... options) throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("--json", "--config", config.toString()));
    arguments.addAll(List.of(options));
    int status =
        UserGroupInformation.createRemoteUser(user)
            .doAs(
                (PrivilegedExceptionAction<Integer>)
                    () ->
                        CommandLines.of(new DoctorMain())
                            .setOut(new PrintWriter(out, true))
                            .setErr(new PrintWriter(err, true))
                            .execute(arguments.toArray(String[]::new)));
    assertEquals("", err.toString());
    JsonNode read = new ObjectMapper().readTree(out.toString());
    Map<String, String> checks = new TreeMap<>();
    for (JsonNode check : read.path("checks")) {
      checks.put(check.path("check").asText(), check.path("severity").asText());
    }
    return new Result(status, checks, read.toPrettyString());
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
