// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
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
          "cluster.api",
          "cluster.failover-ports",
          "cluster.paths",
          "cluster.reached",
          "cluster.safe-mode",
          "cluster.superuser",
          "cluster.zookeeper");

  /**
   * What is said of it.
   *
   * @param problem words of where it is and what is the matter
   * @param mend words of what to do
   */
  private record Words(String severity, String problem, String mend) {}

  private static final Map<String, Words> STARTED_WITH =
      Map.ofEntries(
          Map.entry(
              "logs.audit-async",
              new Words(
                  "warning",
                  "dfs.namenode.audit.log.async does nothing since Hadoop 3.4",
                  "log4j.appender.ASYNCAUDITAPPENDER=")),
          Map.entry(
              "logs.audit-commands",
              new Words(
                  "error",
                  "dfs.namenode.audit.log.debug.cmdlist has open",
                  "take them out of dfs.namenode.audit.log.debug.cmdlist")),
          Map.entry(
              "logs.audit-loggers",
              new Words(
                  "error",
                  "dfs.namenode.audit.loggers is " + Nowhere.class.getName(),
                  "dfs.namenode.audit.loggers=default,")),
          Map.entry(
              "logs.caller-context",
              new Words(
                  "warning",
                  "hadoop.caller.context.enabled is false",
                  "hadoop.caller.context.enabled=true in core-site.xml of the NameNodes")),
          Map.entry(
              "storage.block-room",
              new Words(
                  "warning", "DISK: no storage has room for a block of ", "make room on DISK")),
          Map.entry(
              "storage.cache-memory",
              new Words(
                  "error",
                  "dfs.datanode.max.locked.memory: no DataNode has memory for the cache",
                  "dfs.datanode.max.locked.memory=BYTES in hdfs-site.xml of the DataNodes")),
          Map.entry(
              "storage.default-policy",
              new Words(
                  "warning",
                  "dfs.storage.default.policy is WARM",
                  "dfs.storage.default.policy=HOT in hdfs-site.xml")),
          Map.entry(
              "storage.policies",
              new Words(
                  "error",
                  "dfs.storage.policy.enabled is false",
                  "dfs.storage.policy.enabled=true in hdfs-site.xml")),
          Map.entry(
              "storage.types",
              new Words(
                  "error",
                  "dfs.datanode.data.dir: all storages are of the types [DISK]",
                  "dfs.datanode.data.dir=[SSD]/data/ssd1/dn,")),
          Map.entry(
              "moves.bandwidth",
              new Words(
                  "warning",
                  "dfs.datanode.balance.bandwidthPerSec is 1048576",
                  "hdfs dfsadmin -setBalancerBandwidth 104857600")),
          Map.entry(
              "moves.concurrent",
              new Words(
                  "error",
                  "dfs.datanode.balance.max.concurrent.moves is 1, act.maxConcurrentCopiesPerNode 4",
                  "dfs.datanode.balance.max.concurrent.moves=100; or maxConcurrentCopiesPerNode: 1")),
          Map.entry(
              "moves.postponed",
              new Words(
                  "note",
                  "blocks wait for full reports of DataNodes",
                  "hdfs dfsadmin -triggerBlockReport HOST:9867")),
          Map.entry(
              "moves.satisfier",
              new Words(
                  "warning",
                  "dfs.storage.policy.satisfier.mode is external",
                  "dfs.storage.policy.satisfier.mode=none")),
          Map.entry(
              "plugin.consider-storage-type",
              new Words(
                  "warning",
                  "dfs.namenode.read.considerLoad is true",
                  "dfs.namenode.read.considerLoad=false")),
          Map.entry(
              "plugin.placement",
              new Words(
                  "warning",
                  "dfs.block.replicator.classname is org.apache.hadoop",
                  "dfs.block.replicator.classname=io.thermocline.")),
          Map.entry(
              "plugin.read-order",
              new Words(
                  "warning",
                  "dfs.net.topology.impl is org.apache.hadoop",
                  "dfs.net.topology.impl=io.thermocline.")),
          Map.entry(
              "plugin.volumes",
              new Words(
                  "note",
                  "replicas go to any volume of their type",
                  "conf/hdfs-site.thermocline-datanode.xml into hdfs-site.xml")),
          Map.entry(
              "cluster.access-time",
              new Words(
                  "note",
                  "dfs.namenode.accesstime.precision is 0",
                  "dfs.namenode.accesstime.precision=3600000")),
          Map.entry(
              "cluster.xattrs",
              new Words(
                  "warning",
                  "extended attributes may have 64 bytes",
                  "dfs.namenode.fs-limits.max-xattr-size=16384")));

  /** Broken by other tests of clusters. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("logs.audit-each", "NameNodeFailoverTest: one log of a pair of NameNodes"),
          Map.entry("logs.served", "ServedReadsTest: reads that the audit log doesn't show"),
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
          Map.entry("moves.apart", "RacksAloneTest: by hdfs-site.xml"),
          Map.entry("plugin.directory-hints", "HintsTest: a file that nobody keeps"));

  /**
   * What made-up facts alone break, in ChecksTest: servers here have this host's clock, and
   * what moves it for one process is under a licence that we take nothing from. No cluster keeps the
   * placement policy from looking at it, or has its settings without effect.
   */
  private static final Set<String> NOT_HERE =
      Set.of("cluster.clocks", "plugin.in-use", "plugin.replaces", "plugin.settings");

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
      beforeStart();
      assertEquals(Set.of(), doctor().with("error"), "as it was");
    }
    Doctor gone = doctor();
    found(
        "cluster.reached",
        "error",
        gone,
        "HDFS: ",
        "look at hdfs.nameNode, and at fs.defaultFS in the directory of hdfs.configuration");
    assertTrue(gone.text().contains("could not look: it doesn't answer"), gone.text());
    assertEquals(WHILE_IT_RUNS, broken);
  }

  private void inHdfs() throws Exception {
    DistributedFileSystem superuser = cluster.superuser();
    superuser.setSafeMode(SafeModeAction.ENTER);
    finds("cluster.safe-mode", "error", "is in safe mode", "hdfs dfsadmin -safemode leave");
    superuser.setSafeMode(SafeModeAction.LEAVE);

    superuser.setQuotaByStorageType(path("/data"), org.apache.hadoop.fs.StorageType.SSD, 1);
    superuser.setStoragePolicy(path("/data"), "ALL_SSD");
    finds(
        "storage.type-quotas",
        "error",
        "/data: the files below have storage policies for more bytes of a type than its quota allows",
        "move files back or raise the quota; compare hdfs dfs -count -q -t");
    superuser.unsetStoragePolicy(path("/data"));
    doctor().assertOk("storage.type-quotas");
    superuser.setQuotaByStorageType(
        path("/data"), org.apache.hadoop.fs.StorageType.SSD, HdfsConstants.QUOTA_RESET);

    try (OutputStream mover = superuser.create(path("/system/mover.id"))) {
      mover.write(1);
      finds(
          "moves.others",
          "error",
          "/system/mover.id: another mover runs",
          "hdfs --daemon stop mover");
    }
    doctor().assertOk("moves.others");
  }

  private void inItsServers() throws Exception {
    whileLevel(
        AUDIT,
        Level.WARN,
        () ->
            finds(
                "logs.audit-level",
                "error",
                "the audit logger's level is WARN",
                "hadoop daemonlog -setlevel NAMENODE:9870 " + AUDIT + " INFO"));
    whileLevel(TRACE, Level.DEBUG, () -> doctor().assertOk("logs.clienttrace-level"));
    whileLevel(
        TRACE,
        Level.INFO,
        () ->
            finds(
                "logs.clienttrace-level",
                "note",
                "clienttrace has level INFO",
                "append conf/log4j-clienttrace.properties to log4j.properties of the DataNodes"));

    System.setProperty("hdfs.audit.logger", "INFO,NullAppender");
    finds(
        "logs.audit-appender",
        "error",
        "hdfs.audit.logger is INFO,NullAppender",
        "export HDFS_AUDIT_LOGGER=INFO,RFAAUDIT");
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
    found(
        "plugin.same",
        "warning",
        elsewhere,
        "hdfs-site.xml of this host doesn't name it",
        "copy hdfs-site.xml of the NameNodes to the directory of hdfs.configuration");
    found("cluster.zookeeper", "error", elsewhere, "127.0.0.1:9 (", "look at ha.zookeeper.quorum");
    Path traces = Files.createDirectories(temp.resolve("traces"));
    Path traced = setup().clientTraceLogs(traces + "/*.log").write(temp.resolve("traced"));
    found(
        "logs.short-circuit",
        "note",
        Doctor.run(ServiceProcess.USER, traced, "--hadoop-conf", here.toString()),
        "dfs.client.read.shortcircuit: clients on DataNodes read past these",
        "");
    found(
        "cluster.failover-ports",
        "error",
        elsewhere,
        "127.0.0.1, port 8019: failover controllers of other.nn",
        "=8018   and restart that controller");

    Path empty = Files.createDirectories(temp.resolve("empty"));
    Doctor refused = Doctor.run(ServiceProcess.USER, config, "--hadoop-conf", empty.toString());
    assertEquals(2, refused.status(), refused.text());
    assertTrue(refused.text().contains("--hadoop-conf"), refused.text());
  }

  private void inTheServicesConfiguration() throws Exception {
    configured(
        "logs.completeness",
        "warning",
        "observe.nameNodeWebs: names no NameNode",
        "nameNodeWebs: [http://NAMENODE:9870]",
        setup -> cluster.setup("/data"));
    configured(
        "host.clienttrace-log",
        "error",
        "observe.clientTraceLogs: there is no directory /nowhere",
        "mount the DataNodes' logs, or ship them there",
        setup -> setup.clientTraceLogs("/nowhere/datanode*.log"));
    configured(
        "host.secrets",
        "error",
        "api.tokens: /nowhere/tokens isn't there or can't be read by this user",
        "thermocline token NAME ROLE --append /nowhere/tokens",
        setup ->
            setup.replace(
                "listen: 127.0.0.1:8480", "listen: 127.0.0.1:0\n  tokens: /nowhere/tokens"));
    configured(
        "host.image",
        "error",
        "observe.image.from: /nowhere/fsimage isn't there",
        "hdfs dfsadmin -fetchImage /nowhere",
        setup -> setup.image("/nowhere/fsimage"));
    configured(
        "logs.time-zone",
        "error",
        "observe.timeZone Asia/Tokyo",
        "in section observe",
        setup -> setup.replace("# timeZone: UTC", TOKYO));
    configured(
        "storage.listed",
        "note",
        "decide.tiers: leaves out [SSD], which the cluster has",
        "take 'off' away from it in decide.tiers of thermocline.yaml",
        setup ->
            setup.replace(
                "  SSD: {lowerWatermark: 80 %, upperWatermark: 90 %, threshold: 2, demoteBelow: 0}",
                "  SSD: off"));
    Path garbage = Files.writeString(temp.resolve("garbage.log"), "no audit record\n".repeat(50));
    configured(
        "logs.audit-format",
        "error",
        "50 of its last 50 lines are no audit records",
        "log4j.appender.RFAAUDIT.layout.ConversionPattern=",
        setup -> auditLog(setup, garbage));
  }

  private static final String TOKYO = "timeZone: Asia/Tokyo";

  private static ServiceSetup auditLog(ServiceSetup setup, Path log) {
    return setup.replace(
        "auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]", "auditLogs: [" + log + "]");
  }

  private void configured(
      String check, String severity, String problem, String mend, UnaryOperator<ServiceSetup> how)
      throws Exception {
    Path other = how.apply(setup()).write(temp.resolve(check));
    found(check, severity, Doctor.run(ServiceProcess.USER, other), problem, mend);
  }

  /** What newcomers get wrong: doctor, and the check before a start, name it, its place and its mend. */
  private void beforeStart() throws Exception {
    named(
        "host.audit-log",
        "error",
        2,
        auditLog(setup(), Path.of("/nowhere/at/all.log")),
        "observe.auditLogs: there is no directory /nowhere/at",
        "run the service where the NameNode's logs are, or mount them");
    named(
        "cluster.superuser",
        "error",
        1,
        setup(),
        "alice: is no superuser of HDFS",
        "put alice into the group of dfs.permissions.superusergroup on the NameNodes");
    named(
        "cluster.paths",
        "warning",
        0,
        setup().replace("paths: [/warehouse]", "paths: [/nowhere]"),
        "manage.paths: there is no /nowhere in HDFS",
        "name directories that there are: hdfs dfs -ls /");
    Path silent =
        setup()
            .replace("listen: 127.0.0.1:8480", "# listen: nowhere")
            .write(temp.resolve("cluster.api"));
    Files.writeString(silent, Files.readString(silent).replace("\napi:\n", "\n"));
    named("cluster.api", "warning", 0, silent, "api: there is no", "api: {listen: 127.0.0.1:8480}");
    Path file = ServiceSetup.journalOf(Files.createDirectories(temp.resolve("host.writable")));
    Files.writeString(file, "in the way of the directory");
    named(
        "host.writable",
        "error",
        2,
        setup(),
        "journal.directory: " + file + " can't be made or written by this user, or is a file",
        "as root: install -d -o USER " + file);
    refused(
        "keytab",
        1,
        hadoop(
            temp.resolve("hadoop")
                + "\n  kerberos: {principal: t/_HOST@X, keytab: /nowhere/t.keytab}"),
        "hdfs.kerberos.keytab: /nowhere/t.keytab isn't there or can't be read by this user",
        "make it in kadmin: ktadd -k /nowhere/t.keytab ");
    refused(
        "conf",
        2,
        hadoop("/nowhere/conf"),
        "hdfs.configuration: /nowhere/conf",
        "name the directory of the cluster's Hadoop configuration, often /etc/hadoop/conf");
    refused(
        "key",
        2,
        setup().replace("maxConcurrentCopies: 256", "maxConcurentCopies: 256"),
        "act.maxConcurentCopies is no key",
        "did you mean act.maxConcurrentCopies?");
    refused(
        "unit",
        2,
        setup().replace("every: 5m", "every: 5 parsecs"),
        "decide.every expected a duration",
        "like 30s, 5m or 2h");
    Path damaged = setup().write(temp.resolve("damaged"));
    Files.writeString(
        Files.createDirectories(ServiceSetup.journalOf(damaged.getParent()))
            .resolve("journal.jsonl"),
        "no entry\nnor this\n");
    Launched check = Doctor.beforeStart(ServiceProcess.USER, damaged);
    assertEquals(1, check.status(), check::toString);
    says(
        check,
        "journal.jsonl:1: not a journal entry",
        "Put back a copy of the journal as it was when the service ended");
  }

  private ServiceSetup hadoop(String configuration) {
    return setup().replace("configuration: /etc/hadoop/conf", "configuration: " + configuration);
  }

  /**
   * Both tell of it.
   *
   * @param status of the check before a start
   */
  private void named(
      String check, String severity, int status, ServiceSetup setup, String problem, String mend)
      throws Exception {
    named(check, severity, status, setup.write(temp.resolve(check)), problem, mend);
  }

  private void named(
      String check, String severity, int status, Path config, String problem, String mend)
      throws Exception {
    String user = check.equals("cluster.superuser") ? "alice" : ServiceProcess.USER;
    Doctor doctor = Doctor.run(user, config);
    found(check, severity, doctor, problem, mend);
    Launched before = Doctor.beforeStart(user, config);
    says(before, problem, mend);
    assertEquals(status, before.status(), before::toString);
    assertEquals(severity.equals("error") ? 1 : 0, doctor.status(), doctor.text());
  }

  /**
   * Neither can begin.
   *
   * @param status of doctor; the check says that the configuration has a mistake
   */
  private void refused(String name, int status, ServiceSetup setup, String problem, String mend)
      throws Exception {
    Path config = setup.write(temp.resolve(name));
    Doctor doctor = Doctor.run(ServiceProcess.USER, config);
    assertEquals(status, doctor.status(), doctor.text());
    assertTrue(doctor.text().contains(problem) && doctor.text().contains(mend), doctor.text());
    Launched before = Doctor.beforeStart(ServiceProcess.USER, config);
    assertEquals(2, before.status(), before::toString);
    says(before, problem, mend);
  }

  private static void says(Launched command, String... words) {
    String said = command.out() + command.err();
    for (String each : words) {
      assertTrue(said.contains(each), () -> "'" + each + "' in:\n" + said);
    }
    assertFalse(said.contains("\tat "), said);
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
              .replace("# actions:", "actions: {cache: {maxBytes: 1 GB}}")
              .write(temp.resolve("service"));
      whileLevel(AUDIT, Level.INFO, this::findsAllAtOnce);
    }
  }

  private void findsAllAtOnce() throws Exception {
    Doctor ill = Doctor.run(System.getProperty("user.name"), config);
    assertEquals(1, ill.status());
    STARTED_WITH.forEach(
        (check, words) -> ill.assertFound(check, words.severity(), words.problem(), words.mend()));
    assertEquals(
        STARTED_WITH.entrySet().stream()
            .filter(each -> each.getValue().severity().equals("error"))
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

  private void finds(String check, String severity, String problem, String mend) throws Exception {
    found(check, severity, doctor(), problem, mend);
  }

  private void found(String check, String severity, Doctor doctor, String problem, String mend) {
    doctor.assertFound(check, severity, problem, mend);
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
