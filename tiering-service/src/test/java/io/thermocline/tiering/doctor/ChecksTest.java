// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static io.thermocline.tiering.doctor.Severity.ERROR;
import static io.thermocline.tiering.doctor.Severity.NOTE;
import static io.thermocline.tiering.doctor.Severity.WARNING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check in its good case, and in each of its bad ones. */
class ChecksTest {

  /**
   * @param words of what is found
   */
  record Broken(String check, Severity severity, String words, Consumer<Healthy> how) {
    @Override
    public String toString() {
      return check + ": " + words;
    }
  }

  static Stream<Broken> broken() {
    return Stream.of(host(), logs(), storage(), moves(), plugin(), cluster()).flatMap(List::stream);
  }

  private static List<Broken> host() {
    return List.of(
        new Broken("host.hadoop-conf", ERROR, "can't be read", unreadable(Facts.Use.CORE_SITE)),
        new Broken("host.hadoop-conf", WARNING, "can't be read", unreadable(Facts.Use.HDFS_SITE)),
        new Broken("host.audit-log", ERROR, "can't be read", unreadable(Facts.Use.AUDIT_LOG)),
        new Broken(
            "host.audit-log",
            ERROR,
            "is a directory",
            h -> h.replace(Healthy.directory(Facts.Use.AUDIT_LOG))),
        new Broken(
            "host.audit-log",
            ERROR,
            "no directory /gone",
            h -> h.replace(absent(Facts.Use.AUDIT_LOG, false, true))),
        new Broken(
            "host.clienttrace-log",
            ERROR,
            "no directory /gone/p",
            h -> h.replace(absent(Facts.Use.CLIENT_TRACE_DIRECTORY, false, true))),
        new Broken(
            "host.clienttrace-log",
            ERROR,
            "is a directory",
            h -> h.replace(Healthy.directory(Facts.Use.CLIENT_TRACE_LOG))),
        new Broken("host.image", ERROR, "can't be read", unreadable(Facts.Use.IMAGE)),
        new Broken(
            "host.writable",
            ERROR,
            "can't be made or written",
            h -> h.replace(absent(Facts.Use.WRITTEN, true, false))),
        new Broken(
            "host.room",
            WARNING,
            "room for 5 MB",
            h ->
                h.replace(
                    new Facts.LocalPath(
                        Facts.Use.WRITTEN,
                        "s",
                        Path.of("/p"),
                        true,
                        true,
                        true,
                        true,
                        true,
                        5 << 20))));
  }

  private static Consumer<Healthy> unreadable(Facts.Use use) {
    return healthy -> healthy.replace(Healthy.path(use, false));
  }

  private static Facts.LocalPath absent(Facts.Use use, boolean hasParent, boolean writable) {
    return new Facts.LocalPath(
        use, "s", Path.of("/gone/p"), false, false, hasParent, false, writable, 1L << 40);
  }

  private static List<Broken> logs() {
    return List.of(
        new Broken(
            "logs.audit-appender",
            ERROR,
            "INFO,NullAppender",
            h -> h.properties.put("hdfs.audit.logger", "INFO,NullAppender")),
        new Broken(
            "logs.audit-appender",
            NOTE,
            "log4j.properties",
            h -> h.properties.remove("hdfs.audit.logger")),
        new Broken("logs.audit-level", ERROR, "is WARN", h -> h.auditLevel = "WARN"),
        new Broken(
            "logs.audit-loggers",
            ERROR,
            "is org.x.Sink",
            h -> h.nameNode.put("dfs.namenode.audit.loggers", "org.x.Sink")),
        new Broken(
            "logs.audit-commands",
            ERROR,
            "has open",
            h -> h.nameNode.put("dfs.namenode.audit.log.debug.cmdlist", "getfileinfo, open")),
        new Broken(
            "logs.audit-async",
            WARNING,
            "does nothing",
            h -> {
              h.status.put("SoftwareVersion", "3.4.3");
              h.nameNode.put("dfs.namenode.audit.log.async", "true");
            }),
        new Broken(
            "logs.audit-format",
            ERROR,
            "500 of its last 1000",
            h -> h.sample = new Facts.Sample(Path.of("/log"), Seen.of(1000), 500)),
        new Broken(
            "logs.audit-format",
            NOTE,
            "could not look: it is empty",
            h -> h.sample = new Facts.Sample(Path.of("/log"), Seen.not("it is empty"), 0)),
        new Broken("logs.audit-each", ERROR, "1 logs for 2", h -> h.secondNameNode = h.nameNode),
        new Broken("logs.completeness", WARNING, "names no NameNode", h -> h.measured = false),
        new Broken(
            "logs.time-zone",
            ERROR,
            "is Europe/Berlin",
            h -> h.properties.put("user.timezone", "Europe/Berlin")),
        new Broken(
            "logs.caller-context",
            WARNING,
            "is false",
            h -> h.nameNode.remove("hadoop.caller.context.enabled")),
        new Broken("logs.clienttrace-level", ERROR, "level INFO", h -> h.traceLevel = "INFO"),
        new Broken(
            "logs.clienttrace-level",
            NOTE,
            "level INFO",
            h -> {
              h.clientTrace = false;
              h.traceLevel = "INFO";
            }),
        new Broken(
            "logs.short-circuit",
            NOTE,
            "read past",
            h -> h.here.put("dfs.client.read.shortcircuit", "true")));
  }

  private static List<Broken> storage() {
    return List.of(
        new Broken(
            "storage.types",
            ERROR,
            "[DISK]",
            h -> h.storages.removeIf(storage -> storage.type() == SSD)),
        new Broken(
            "storage.listed",
            NOTE,
            "[ARCHIVE]",
            h -> h.storages.add(Healthy.storage("n3", "/r1", ARCHIVE, 5000))),
        new Broken(
            "storage.policies",
            ERROR,
            "is false",
            h -> h.nameNode.put("dfs.storage.policy.enabled", "false")),
        new Broken(
            "storage.default-policy",
            WARNING,
            "is WARM",
            h -> h.nameNode.put("dfs.storage.default.policy", "WARM")),
        new Broken(
            "storage.racks",
            WARNING,
            "one rack of 2",
            h -> h.storages.removeIf(s -> s.type() == SSD && s.node().equals("n2"))),
        new Broken("storage.block-room", WARNING, "block of 500", h -> h.blockSize = Seen.of(500L)),
        new Broken(
            "storage.reserved",
            WARNING,
            "without room",
            h -> h.storages.add(new Facts.Storage("n3", "/r1", "s", DISK, 1000, 0, 0))),
        new Broken(
            "storage.shared-device",
            WARNING,
            "probably one device",
            h -> h.storages.add(Healthy.storage("n1", "/r1", DISK, 100))),
        new Broken(
            "storage.type-quotas",
            ERROR,
            "has a quota",
            h -> h.quotas = Seen.of(List.of("/w", "/w/a"))),
        new Broken("storage.cache-memory", ERROR, "no DataNode", h -> h.cacheBytes = Seen.of(0L)));
  }

  private static List<Broken> moves() {
    return List.of(
        new Broken(
            "moves.satisfier",
            WARNING,
            "is external",
            h -> h.nameNode.put("dfs.storage.policy.satisfier.mode", "external")),
        new Broken(
            "moves.others",
            ERROR,
            "another mover",
            h -> h.others = Seen.of(List.of("/system/mover.id"))),
        new Broken(
            "moves.others",
            WARNING,
            "another mover",
            h -> h.others = Seen.of(List.of("/system/balancer.id"))),
        new Broken(
            "moves.stock-mover",
            NOTE,
            "exit code 255",
            h -> h.status.put("SoftwareVersion", "3.4.3")),
        new Broken(
            "moves.concurrent",
            ERROR,
            "is 2, act.copiesPerNode 4",
            h -> h.dataNode.put("dfs.datanode.balance.max.concurrent.moves", "2")),
        new Broken(
            "moves.bandwidth",
            WARNING,
            "is 1048576",
            h -> h.dataNode.put("dfs.datanode.balance.bandwidthPerSec", "1m")),
        new Broken(
            "moves.protection",
            ERROR,
            "is 'privacy', and '' here",
            h -> h.dataNode.put("dfs.data.transfer.protection", "privacy")),
        new Broken(
            "moves.protection",
            ERROR,
            "is 'false', and 'true' here",
            h -> h.here.put("dfs.encrypt.data.transfer", "true")),
        new Broken(
            "moves.postponed",
            NOTE,
            "12 blocks",
            h -> h.status.put("PostponedMisreplicatedBlocks", "12")));
  }

  private static List<Broken> plugin() {
    return List.of(
        new Broken(
            "plugin.placement",
            WARNING,
            "is not set",
            h -> h.nameNode.remove("dfs.block.replicator.classname")),
        new Broken(
            "plugin.same",
            WARNING,
            "this host doesn't name it",
            h -> h.here.remove("dfs.block.replicator.classname")),
        new Broken("plugin.same", ERROR, "others don't", h -> h.secondNameNode = new HashMap<>()),
        new Broken("plugin.class-path", WARNING, "no jar", h -> h.plugin = Seen.of(false)),
        new Broken(
            "plugin.class-path", NOTE, "could not look", h -> h.plugin = Seen.not("no Hadoop")),
        new Broken("plugin.other-hosts", NOTE, "hdfs classpath --glob", h -> {}),
        new Broken(
            "plugin.read-order",
            WARNING,
            "not set",
            h -> h.nameNode.remove("dfs.net.topology.impl")),
        new Broken(
            "plugin.consider-storage-type",
            WARNING,
            "is true",
            h -> h.nameNode.put("dfs.namenode.read.considerStorageType", "true")),
        new Broken(
            "plugin.directory-hints",
            NOTE,
            "is not set",
            h -> h.nameNode.remove("thermocline.placement.directory-hints")),
        new Broken(
            "plugin.directory-hints",
            WARNING,
            "counts as empty",
            h -> h.status.put("DirectoryHintsBad", "1")),
        new Broken(
            "plugin.directory-hints",
            NOTE,
            "not in force",
            h -> h.status.remove("DirectoryHintsBad")),
        new Broken(
            "plugin.volumes",
            NOTE,
            "any volume",
            h -> h.storages.add(Healthy.storage("n1", "/r1", SSD, 77))));
  }

  private static List<Broken> cluster() {
    return List.of(
        new Broken("cluster.reached", ERROR, "refused", h -> h.blockSize = Seen.not("refused")),
        new Broken("cluster.superuser", ERROR, "no superuser", h -> h.superuser = Seen.of(false)),
        new Broken("cluster.superuser", NOTE, "refused", h -> h.superuser = Seen.not("refused")),
        new Broken(
            "cluster.superuser",
            WARNING,
            "needs not be",
            h -> h.mover = Optional.of(Seen.of(true))),
        new Broken(
            "cluster.superuser",
            ERROR,
            "the mover doesn't answer",
            h -> {
              h.superuser = Seen.of(false);
              h.mover = Optional.of(Seen.not("the mover doesn't answer"));
            }),
        new Broken(
            "cluster.proxy-user",
            NOTE,
            "may not act",
            h -> h.nameNode.remove("hadoop.proxyuser.tiering.hosts")),
        new Broken(
            "cluster.safe-mode",
            ERROR,
            "safe mode",
            h -> h.status.put("Safemode", "Safe mode is ON.")),
        new Broken(
            "cluster.clocks", WARNING, "differs", h -> h.skew = Seen.of(Duration.ofSeconds(-60))),
        new Broken(
            "cluster.clocks", ERROR, "differs", h -> h.skew = Seen.of(Duration.ofMinutes(6))),
        new Broken(
            "cluster.versions",
            WARNING,
            "3.2.4 isn't",
            h -> h.status.put("SoftwareVersion", "3.2.4")),
        new Broken(
            "cluster.versions",
            NOTE,
            "runs with Hadoop 3.3.6",
            h -> h.status.put("SoftwareVersion", "3.5.0")),
        new Broken(
            "cluster.access-time",
            ERROR,
            "is 0",
            h -> h.nameNode.put("dfs.namenode.accesstime.precision", "0")),
        new Broken(
            "cluster.access-time",
            WARNING,
            "is PT480H",
            h ->
                h.nameNode.put(
                    "dfs.namenode.accesstime.precision", "" + Duration.ofDays(20).toMillis())),
        new Broken(
            "cluster.xattrs",
            WARNING,
            "64 bytes",
            h -> h.nameNode.put("dfs.namenode.fs-limits.max-xattr-size", "64")),
        new Broken(
            "cluster.xattrs",
            WARNING,
            "is false",
            h -> h.nameNode.put("dfs.namenode.xattrs.enabled", "false")),
        new Broken(
            "cluster.zookeeper",
            ERROR,
            "isn't reached",
            h -> h.zooKeepers.put("zk2:2181", Seen.not("refused"))),
        new Broken(
            "cluster.failover-ports",
            ERROR,
            "nn1 and ns.nn2",
            h -> {
              h.here.put("dfs.ha.automatic-failover.enabled", "true");
              h.here.put("dfs.namenode.rpc-address.ns.nn1", "host:8020");
              h.here.put("dfs.namenode.rpc-address.ns.nn2", "host:8021");
            }));
  }

  /** But that nobody can look at hosts that HDFS doesn't know. */
  @Test
  void nothingIsFoundWhereAllIsWell() {
    for (Check check : Check.all()) {
      if (!check.id().equals("plugin.other-hosts")) {
        assertEquals(List.of(), check.look().apply(new Healthy().facts()), check.id());
      }
    }
    Healthy stock = new Healthy();
    stock.nameNode.remove("dfs.block.replicator.classname");
    stock.here.remove("dfs.block.replicator.classname");
    assertEquals(List.of(), check("plugin.other-hosts").look().apply(stock.facts()));
  }

  @ParameterizedTest
  @MethodSource("broken")
  void findsWhatIsBroken(Broken broken) {
    Healthy healthy = new Healthy();
    broken.how.accept(healthy);
    List<Finding> findings = check(broken.check).look().apply(healthy.facts());

    assertEquals(1, findings.size(), findings::toString);
    Finding finding = findings.get(0);
    assertTrue(finding.toString().contains(broken.words), finding::toString);
    assertEquals(broken.severity, finding.severity(), finding::toString);
    assertFalse(finding.where().isEmpty(), finding::toString);
    if (finding.severity() != NOTE) {
      assertFalse(finding.fix().isEmpty(), "what to do: " + finding);
    }
  }

  @Test
  void eachCheckHasABrokenCase() {
    Set<String> cases = broken().map(Broken::check).collect(Collectors.toSet());
    assertEquals(Check.all().stream().map(Check::id).collect(Collectors.toSet()), cases);
  }

  /** No error is made of what nobody could see. */
  @Test
  void whatIsNotSeenIsSaid() {
    Healthy healthy = new Healthy();
    healthy.isAsked = false;
    int unseen = 0;
    for (Check check : Check.all()) {
      for (Finding finding : check.look().apply(healthy.facts())) {
        assertEquals(NOTE, finding.severity(), check.id() + finding);
        assertTrue(finding.what().startsWith("could not look: "), check.id() + finding);
        unseen++;
      }
    }
    assertTrue(unseen > 10, "not seen: " + unseen);
  }

  @Test
  void equalFindingsOfManyServersAreOne() {
    Healthy healthy = new Healthy();
    healthy.traceLevel = "INFO";
    assertEquals(
        "dn1, dn2", check("logs.clienttrace-level").look().apply(healthy.facts()).get(0).where());
  }

  @Test
  void theDocumentListsEachCheck() throws Exception {
    String document =
        Files.readString(Path.of(System.getProperty("project.root"), "docs", "doctor.md"));
    Map<String, String> listed = new HashMap<>();
    Matcher row =
        Pattern.compile("(?m)^\\| `([a-z]+\\.[a-z-]+)` \\| ([^|]*) \\|").matcher(document);
    while (row.find()) {
      listed.put(row.group(1), row.group(2));
    }
    Map<String, String> checks =
        Check.all().stream().collect(Collectors.toMap(Check::id, Check::title));
    assertEquals(checks, listed);
  }

  private static Check check(String id) {
    return Check.all().stream().filter(check -> check.id().equals(id)).findFirst().orElseThrow();
  }
}
