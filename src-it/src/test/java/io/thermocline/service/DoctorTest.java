// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.tiering.doctor.Check;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.net.NetUtils;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Doctor on a cluster with each setting broken in turn: those of this host and those that a cluster takes while it
 * runs, and then those that it is started with, all of them on a second one. {@link NameNodeFailoverTest} asks it of a pair
 * of NameNodes, {@link DoctorOverTlsTest} where servers speak TLS alone, {@link HintsTest} as it is installed. Here it is
 * in this JVM, since it is asked dozens of times.
 */
@Tag("cluster")
class DoctorTest {

  private static final String AUDIT = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit";
  private static final String TRACE = "org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace";

  /** Found on a cluster that is well: what its Hadoop is like, and what nobody can see. */
  private static final Set<String> ALWAYS =
      Set.of("moves.stock-mover", "plugin.other-hosts", "cluster.proxy-user");

  /** Where nothing tells the appender, and no log of DataNodes is read. */
  private static final Set<String> NOTES = Set.of("logs.audit-appender", "logs.clienttrace-level");

  private static final Set<String> WHILE_IT_RUNS =
      Set.of(
          "host.audit-log",
          "host.clienttrace-log",
          "host.image",
          "host.secrets",
          "host.writable",
          "logs.audit-appender",
          "logs.audit-format",
          "logs.audit-level",
          "logs.clienttrace-level",
          "logs.completeness",
          "logs.short-circuit",
          "logs.time-zone",
          "storage.listed",
          "storage.type-quotas",
          "moves.others",
          "plugin.same",
          "cluster.failover-ports",
          "cluster.paths",
          "cluster.reached",
          "cluster.safe-mode",
          "cluster.superuser",
          "cluster.zookeeper");

  private static final Map<String, String> STARTED_WITH =
      Map.ofEntries(
          Map.entry("logs.audit-async", "warning"),
          Map.entry("logs.audit-commands", "error"),
          Map.entry("logs.audit-loggers", "error"),
          Map.entry("logs.caller-context", "warning"),
          Map.entry("storage.block-room", "warning"),
          Map.entry("storage.cache-memory", "error"),
          Map.entry("storage.default-policy", "warning"),
          Map.entry("storage.policies", "error"),
          Map.entry("storage.types", "error"),
          Map.entry("moves.bandwidth", "warning"),
          Map.entry("moves.concurrent", "error"),
          Map.entry("moves.postponed", "note"),
          Map.entry("moves.satisfier", "warning"),
          Map.entry("plugin.consider-storage-type", "warning"),
          Map.entry("plugin.placement", "warning"),
          Map.entry("plugin.read-order", "warning"),
          Map.entry("plugin.volumes", "note"),
          Map.entry("cluster.access-time", "note"),
          Map.entry("cluster.xattrs", "warning"));

  /** Broken by other tests of clusters. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("logs.audit-each", "NameNodeFailoverTest: one log of a pair of NameNodes"),
          Map.entry("cluster.api", "BrokenSetupsTest: a configuration without it"),
          Map.entry("storage.racks", "DoctorOverTlsTest"),
          Map.entry("storage.shared-device", "DoctorOverTlsTest"),
          Map.entry("storage.reserved", "DoctorOnProcessesTest: a DataNode with a small device"),
          Map.entry(
              "moves.protection",
              "DoctorOnProcessesTest: DataNodes of this JVM have names that no other process resolves"),
          Map.entry("cluster.versions", "DoctorOnProcessesTest: a DataNode with other jars"),
          Map.entry("host.hadoop-conf", "DoctorOnProcessesTest"),
          Map.entry("host.room", "DoctorOnProcessesTest: on a small file system"),
          Map.entry(
              "plugin.class-path", "DoctorOnProcessesTest: in a process with a Hadoop of its own"),
          Map.entry("plugin.directory-hints", "HintsTest: a file that nobody keeps"));

  /**
   * What made-up facts alone break, in ChecksTest: servers here have this host's clock, and
   * what moves it for one process is under a licence that we take nothing from. No cluster keeps the
   * placement policy from looking at it.
   */
  private static final Set<String> NOT_HERE = Set.of("cluster.clocks", "plugin.in-use");

  @FunctionalInterface
  private interface Finds {
    void run() throws Exception;
  }

  @TempDir private Path temp;
  private final Set<String> broken = new TreeSet<>();
  private ServedCluster cluster;
  private Path config;

  @Test
  void eachCheckButOneIsBrokenOnACluster() {
    Set<String> all = new TreeSet<>(ALWAYS);
    all.addAll(WHILE_IT_RUNS);
    all.addAll(STARTED_WITH.keySet());
    all.addAll(ELSEWHERE.keySet());
    all.addAll(NOT_HERE);
    assertEquals(
        Check.all().stream().map(Check::id).collect(Collectors.toCollection(TreeSet::new)), all);
  }

  @Test
  void findsWhatIsBrokenWhileItRuns() throws Exception {
    try (ServedCluster served =
        ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD))) {
      cluster = served;
      cluster.write("/data/f");
      cluster.read("/data/f", 1);
      OsUser.openUpTo(cluster.auditLog().getParent());
      config = setup().write(temp.resolve("service"));
      Doctor healthy = doctor();
      assertEquals(Set.of(), healthy.with("error"), healthy.text());
      assertEquals(0, healthy.status());
      ALWAYS.forEach(check -> assertEquals("note", healthy.checks().get(check), check));
      WHILE_IT_RUNS.stream().filter(check -> !NOTES.contains(check)).forEach(healthy::assertOk);
      healthy.assertOk(
          STARTED_WITH.keySet().stream()
              .filter(check -> !check.equals("cluster.access-time"))
              .toArray(String[]::new));

      inHdfs();
      inItsServers();
      onThisHost();
      inTheServicesConfiguration();
      assertEquals(Set.of(), doctor().with("error"), "as it was");
    }
    Doctor gone = doctor();
    assertEquals("error", gone.checks().get("cluster.reached"), gone.text());
    assertTrue(gone.text().contains("could not look: it doesn't answer"), gone.text());
    broken.add("cluster.reached");
    assertEquals(WHILE_IT_RUNS, broken);
  }

  private void inHdfs() throws Exception {
    DistributedFileSystem superuser = cluster.superuser();
    superuser.setSafeMode(SafeModeAction.ENTER);
    finds("cluster.safe-mode", "error");
    superuser.setSafeMode(SafeModeAction.LEAVE);

    superuser.setQuotaByStorageType(path("/data"), org.apache.hadoop.fs.StorageType.SSD, 1);
    superuser.setStoragePolicy(path("/data"), "ALL_SSD");
    finds("storage.type-quotas", "error");
    superuser.unsetStoragePolicy(path("/data"));
    doctor().assertOk("storage.type-quotas");
    superuser.setQuotaByStorageType(
        path("/data"), org.apache.hadoop.fs.StorageType.SSD, HdfsConstants.QUOTA_RESET);

    try (OutputStream mover = superuser.create(path("/system/mover.id"))) {
      mover.write(1);
      finds("moves.others", "error");
    }
    doctor().assertOk("moves.others");

    found("cluster.superuser", "error", Doctor.run("alice", config));
  }

  private void inItsServers() throws Exception {
    whileLevel(AUDIT, Level.WARN, () -> finds("logs.audit-level", "error"));
    whileLevel(TRACE, Level.DEBUG, () -> doctor().assertOk("logs.clienttrace-level"));
    whileLevel(TRACE, Level.INFO, () -> finds("logs.clienttrace-level", "note"));

    System.setProperty("hdfs.audit.logger", "INFO,NullAppender");
    finds("logs.audit-appender", "error");
    System.setProperty("hdfs.audit.logger", "INFO,RFAAUDIT");
    doctor().assertOk("logs.audit-appender");
    System.clearProperty("hdfs.audit.logger");
  }

  /** Hadoop's configuration here isn't the cluster's. */
  private void onThisHost() throws Exception {
    Map<String, String> other = new TreeMap<>();
    other.put("ha.zookeeper.quorum", "127.0.0.1:9");
    other.put("dfs.client.read.shortcircuit", "true");
    other.put("dfs.ha.automatic-failover.enabled", "true");
    other.put("dfs.namenode.rpc-address.other.nn1", "127.0.0.1:18020");
    other.put("dfs.namenode.rpc-address.other.nn2", "127.0.0.1:18021");
    Path here = Files.createDirectories(temp.resolve("here"));
    Files.copy(temp.resolve("hadoop/core-site.xml"), here.resolve("core-site.xml"));
    ServiceSetup.site(here.resolve("hdfs-site.xml"), other);
    Doctor elsewhere = Doctor.run(ServiceProcess.USER, config, "--hadoop-conf", here.toString());
    found("plugin.same", "warning", elsewhere);
    found("cluster.zookeeper", "error", elsewhere);
    Path traces = Files.createDirectories(temp.resolve("traces"));
    Path traced = setup().clientTraceLogs(traces + "/*.log").write(temp.resolve("traced"));
    found(
        "logs.short-circuit",
        "note",
        Doctor.run(ServiceProcess.USER, traced, "--hadoop-conf", here.toString()));
    found("cluster.failover-ports", "error", elsewhere);

    Path empty = Files.createDirectories(temp.resolve("empty"));
    Doctor refused = Doctor.run(ServiceProcess.USER, config, "--hadoop-conf", empty.toString());
    assertEquals(2, refused.status(), refused.text());
    assertTrue(refused.text().contains("--hadoop-conf"), refused.text());
  }

  private void inTheServicesConfiguration() throws Exception {
    configured("logs.completeness", "warning", setup -> cluster.setup("/data"));
    configured("host.audit-log", "error", setup -> auditLog(setup, Path.of("/nowhere/at/all.log")));
    configured(
        "host.clienttrace-log", "error", setup -> setup.clientTraceLogs("/nowhere/datanode*.log"));
    configured(
        "host.secrets",
        "error",
        setup ->
            setup.replace(
                "listen: 127.0.0.1:8480", "listen: 127.0.0.1:0\n  tokens: /nowhere/tokens"));
    configured(
        "cluster.paths",
        "warning",
        setup -> setup.replace("paths: [/warehouse]", "paths: [/nowhere]"));
    configured("host.image", "error", setup -> setup.image("/nowhere/fsimage"));
    configured(
        "storage.listed",
        "note",
        setup ->
            setup.replace(
                "  SSD: {lowerWatermark: 80 %, upperWatermark: 90 %, threshold: 2, demoteBelow: 0}",
                "  SSD: off"));
    configured("logs.time-zone", "error", setup -> setup.replace("# timeZone: UTC", TOKYO));
    Path garbage = Files.writeString(temp.resolve("garbage.log"), "no audit record\n".repeat(50));
    configured("logs.audit-format", "error", setup -> auditLog(setup, garbage));

    Path directory = Files.createDirectories(temp.resolve("unwritable"));
    Files.writeString(ServiceSetup.journalOf(directory), "in the way of the directory");
    found("host.writable", "error", Doctor.run(ServiceProcess.USER, setup().write(directory)));
  }

  private static final String TOKYO = "timeZone: Asia/Tokyo";

  private static ServiceSetup auditLog(ServiceSetup setup, Path log) {
    return setup.replace(
        "auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]", "auditLogs: [" + log + "]");
  }

  private void configured(String check, String severity, UnaryOperator<ServiceSetup> how)
      throws Exception {
    Path other = how.apply(setup()).write(temp.resolve(check));
    found(check, severity, Doctor.run(ServiceProcess.USER, other));
  }

  @Test
  void findsWhatItWasStartedWith() throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put("dfs.storage.policy.satisfier.mode", "external");
    properties.put("dfs.storage.policy.enabled", "false");
    properties.put("dfs.storage.default.policy", "WARM");
    properties.put("dfs.namenode.read.considerStorageType", "true");
    properties.put("dfs.namenode.read.considerLoad", "true");
    properties.put("dfs.namenode.accesstime.precision", "0");
    properties.put("dfs.namenode.fs-limits.max-xattr-size", "64");
    properties.put("dfs.namenode.audit.log.async", "true");
    properties.put("dfs.namenode.audit.log.debug.cmdlist", "open");
    properties.put("dfs.namenode.audit.loggers", Nowhere.class.getName());
    properties.put("hadoop.caller.context.enabled", "false");
    properties.put("dfs.datanode.balance.max.concurrent.moves", "1");
    properties.put("dfs.datanode.balance.bandwidthPerSec", "1m");
    // Drawn from zero to this: none reports what it has while this runs.
    properties.put("dfs.blockreport.initialDelay", Integer.toString(Integer.MAX_VALUE / 1000));
    properties.put("dfs.blockreport.intervalMsec", Long.toString(Integer.MAX_VALUE * 2L));
    properties.put("dfs.net.topology.impl", "org.apache.hadoop.hdfs.net.DFSNetworkTopology");
    properties.put(
        "dfs.block.replicator.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault");
    Configuration conf = new HdfsConfiguration();
    properties.forEach(conf::set);
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, temp.resolve("http").toString());
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, temp.resolve("hdfs").toFile())
            .numDataNodes(2)
            .storagesPerDatanode(2)
            .storageTypes(
                new org.apache.hadoop.fs.StorageType[] {
                  org.apache.hadoop.fs.StorageType.DISK, org.apache.hadoop.fs.StorageType.DISK
                })
            .storageCapacities(new long[] {64L << 20, 64L << 20})
            .checkExitOnShutdown(false)
            .build()) {
      cluster.waitActive();
      leaveOneTooMany(cluster);
      Path hadoop = Files.createDirectories(temp.resolve("hadoop"));
      ServiceSetup.site(
          hadoop.resolve("core-site.xml"), Map.of("fs.defaultFS", cluster.getURI().toString()));
      Path audit = Files.createFile(temp.resolve("hdfs-audit.log"));
      config =
          new ServiceSetup(hadoop, audit, "/data")
              .web(
                  URI.create(
                      "http://"
                          + NetUtils.getHostPortString(cluster.getNameNode().getHttpAddress())))
              .replace("# levers:", "levers: {cache: {most: 1 GB}}")
              .write(temp.resolve("service"));
      whileLevel(AUDIT, Level.INFO, this::findsAllAtOnce);
    }
  }

  private void findsAllAtOnce() throws Exception {
    Doctor ill = Doctor.run(System.getProperty("user.name"), config);
    assertEquals(1, ill.status());
    STARTED_WITH.forEach((check, severity) -> found(check, severity, ill));
    assertEquals(
        STARTED_WITH.entrySet().stream()
            .filter(each -> each.getValue().equals("error"))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet()),
        ill.with("error"),
        ill.text());
  }

  /** Replicas, where DataNodes haven't reported since the NameNode began. */
  private static void leaveOneTooMany(MiniDFSCluster cluster) throws Exception {
    DistributedFileSystem hdfs = cluster.getFileSystem();
    try (OutputStream out =
        hdfs.createFile(path("/surplus")).replication((short) 2).blockSize(1 << 20).build()) {
      out.write(1);
    }
    Eventually.holds(
        "both replicas are known",
        () -> hdfs.getFileBlockLocations(path("/surplus"), 0, 1)[0].getHosts().length == 2);
    hdfs.setReplication(path("/surplus"), (short) 1);
    // The bean's values are as old as a period of metrics.
    ObjectName bean = new ObjectName("Hadoop:service=NameNode,name=FSNamesystem");
    Eventually.holds(
        "the NameNode's bean says that the deletion of one is postponed",
        () ->
            (long)
                    ManagementFactory.getPlatformMBeanServer()
                        .getAttribute(bean, "PostponedMisreplicatedBlocks")
                > 0);
  }

  /** Takes the NameNode's audit records, and keeps none. */
  public static final class Nowhere implements AuditLogger {
    @Override
    public void initialize(Configuration conf) {}

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String userName,
        InetAddress addr,
        String cmd,
        String src,
        String dst,
        FileStatus stat) {}
  }

  private ServiceSetup setup() {
    return cluster.setup("/data").web(cluster.web());
  }

  private Doctor doctor() throws Exception {
    return Doctor.run(ServiceProcess.USER, config);
  }

  private void finds(String check, String severity) throws Exception {
    found(check, severity, doctor());
  }

  private void found(String check, String severity, Doctor doctor) {
    assertEquals(severity, doctor.checks().get(check), check + " in " + doctor.text());
    broken.add(check);
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

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
