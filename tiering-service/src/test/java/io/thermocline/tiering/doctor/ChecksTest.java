// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Severity.NOTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each check in its good case, and in each of its bad ones. */
class ChecksTest {

  /** At this host, its configuration, or what HDFS says of itself. */
  private static final Set<String> LOOK_ELSEWHERE =
      Set.of(
          "host.hadoop-conf",
          "host.audit-log",
          "host.clienttrace-log",
          "host.image",
          "host.secrets",
          "host.writable",
          "host.room",
          "logs.audit-format",
          "logs.audit-each",
          "logs.completeness",
          "logs.short-circuit",
          "logs.served",
          "storage.type-quotas",
          "storage.cache-memory",
          "moves.others",
          "plugin.class-path",
          "cluster.reached",
          "cluster.paths",
          "cluster.superuser",
          "cluster.failover-ports",
          "cluster.zookeeper",
          "cluster.api");

  /** At what the NameNode says of all storages. */
  private static final Set<String> LOOK_AT_STORAGES =
      Set.of(
          "storage.types",
          "storage.racks",
          "storage.listed",
          "storage.reserved",
          "storage.shared-device",
          "storage.block-room",
          "plugin.volumes");

  static Stream<Broken> broken() {
    return Stream.of(
            BrokenHost.cases(),
            BrokenLogs.cases(),
            BrokenStorage.cases(),
            BrokenMoves.cases(),
            BrokenPlugin.cases(),
            BrokenCluster.cases())
        .flatMap(List::stream);
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

  /** A NameNode that was refreshed shows the settings of its start. */
  @Test
  void whatTheNameNodeLetsHappenCountsMoreThanItsConf() {
    Healthy refreshed = new Healthy();
    refreshed.nameNode.remove("hadoop.proxyuser.tiering.hosts");
    assertEquals(List.of(), check("cluster.proxy-user").look().apply(refreshed.facts()));
    Healthy narrow = new Healthy();
    narrow.refusals = Seen.of(Map.of("hdfs", "User: tiering is not allowed to impersonate hdfs"));
    assertEquals(List.of(), check("cluster.proxy-user").look().apply(narrow.facts()));
    narrow.refusals = Seen.of(Map.of("hdfs", "Unauthorized connection for super-user: tiering"));
    assertEquals(1, check("cluster.proxy-user").look().apply(narrow.facts()).size());
  }

  /** Where our topology class isn't loaded HDFS's own key is the right one. */
  @Test
  void theKeyOfHdfsThatPrefersFastTypesIsNoMistake() {
    Healthy healthy = new Healthy();
    healthy.nameNode.remove("dfs.net.topology.impl");
    healthy.nameNode.put("dfs.namenode.read.considerStorageType", "true");
    for (String id : List.of("plugin.read-order", "plugin.consider-storage-type")) {
      assertEquals(List.of(), check(id).look().apply(healthy.facts()), id);
    }
  }

  @Test
  void saysThatTheCacheIsOff() {
    Healthy healthy = new Healthy();
    healthy.caches = false;
    List<Finding> findings = check("storage.cache-memory").look().apply(healthy.facts());
    assertEquals(Severity.OK, findings.get(0).severity());
    assertTrue(findings.get(0).what().startsWith("is off"), findings::toString);
  }

  @ParameterizedTest
  @MethodSource("broken")
  void findsWhatIsBroken(Broken broken) {
    Healthy healthy = new Healthy();
    broken.how().accept(healthy);
    List<Finding> findings = check(broken.check()).look().apply(healthy.facts());

    assertEquals(1, findings.size(), findings::toString);
    Finding finding = findings.get(0);
    assertTrue(finding.toString().contains(broken.words()), finding::toString);
    assertEquals(broken.severity(), finding.severity(), finding::toString);
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

  /** None is ok that looks at servers, where these aren't known or don't answer. */
  @Test
  void noCheckIsFineThatCouldNotLook() {
    Healthy unknown = new Healthy();
    unknown.unknown = "access denied";
    Healthy silent = new Healthy();
    silent.isAsked = false;
    for (Healthy each : List.of(unknown, silent)) {
      Set<String> fine =
          Check.all().stream()
              .filter(check -> check.look().apply(each.facts()).isEmpty())
              .map(Check::id)
              .filter(id -> each == unknown || !LOOK_AT_STORAGES.contains(id))
              .collect(Collectors.toSet());
      assertEquals(LOOK_ELSEWHERE, fine);
    }
    Finding finding = check("moves.protection").look().apply(unknown.facts()).get(0);
    assertEquals("DataNodes", finding.where());
    assertEquals("could not look: access denied", finding.what());
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
        Files.readString(
            Path.of(System.getProperty("project.root"), "docs", "reference", "doctor.md"));
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
