// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.observe.image.ImageFetch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file of rules moves old files that nobody reads, and other rules take hold without a
 * restart.
 */
@Tag("cluster")
class ServiceRulesTest {

  private static final String OLD =
      """
      version: 1
      rules:
        - name: old
          paths: [/data/**]
          olderThan: 90d
          unreadFor: 30d
          atMost: COLD
      """;

  @TempDir private Path temp;

  @Test
  void movesWhatRulesSayAndTakesTheirChanges() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(
            temp,
            // Three of four have ARCHIVE.
            node ->
                node == 3
                    ? List.of(StorageType.DISK, StorageType.SSD)
                    : List.of(StorageType.ARCHIVE, StorageType.DISK, StorageType.SSD),
            4,
            Map.of())) {
      write(cluster, "/data/old", 100, 40);
      write(cluster, "/data/read", 100, 10);
      write(cluster, "/data/young", 80, 80);
      write(cluster, "/data/theirs", 100, 40);
      cluster.superuser().setStoragePolicy(new org.apache.hadoop.fs.Path("/data/theirs"), "HOT");
      Path rules = Files.writeString(temp.resolve("rules.yaml"), OLD);
      Path config =
          cluster
              .setup("/data")
              .replace("# rules: /etc/thermocline/rules.yaml", "rules: " + rules)
              .replace(
                  "stability: {residency: 30m, flaps: 4, window: 1d}",
                  "stability: {residency: 0s, flaps: 1000, window: 1d}")
              .apply()
              .write(temp.resolve("service"));
      try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
        Eventually.holds(
            "the old one on ARCHIVE", () -> cluster.has("/data/old", 3, StorageType.ARCHIVE));
        assertEquals("COLD", policy(cluster, "/data/old"));
        String planned = ServiceSetup.journal(temp.resolve("service"), "\"planned\"").get(0);
        assertTrue(planned.contains("at most ARCHIVE by rule 'old' (" + rules + ":3)"), planned);
        for (String stays : List.of("/data/read", "/data/young", "/data/theirs")) {
          assertTrue(cluster.has(stays, 3, StorageType.DISK), stays);
        }

        Files.writeString(rules, OLD.replace("COLD", "FROZEN"));
        Eventually.holds("the mistake is said", () -> !problem(service).isEmpty());
        assertTrue(problem(service).startsWith(rules + ":7:13: "), problem(service));
        service.plansOn(2);
        assertTrue(cluster.has("/data/old", 3, StorageType.ARCHIVE), "the last good rules hold");

        Files.writeString(rules, OLD.replace("atMost: COLD", "atLeast: SSD"));
        Eventually.holds("a copy on SSD", () -> cluster.has("/data/old", 1, StorageType.SSD));
        assertEquals("", problem(service));
        // HDFS shows the copy before the next plan has looked.
        Eventually.holds(
            "explained",
            () ->
                service.explains("/data/old").stream()
                    .anyMatch(line -> line.startsWith("held: at least SSD by rule 'old'")));
        service.terminate();
      }
      checks(cluster, config, rules);
      firstParts(cluster);
      quota(cluster);
      capBesideQuota(cluster);
      wornDevices(cluster);
      moreCopiesThanDataNodes(cluster);
    }
  }

  /** Of the rules file; empty where there is none. */
  private static String problem(ServiceProcess service) throws Exception {
    return service.get("/state").path("rulesProblem").asText("");
  }

  /** Nobody names the directory; HDFS's own counter says that nothing is used. */
  private void quota(ServedCluster cluster) throws Exception {
    org.apache.hadoop.fs.Path limited = new org.apache.hadoop.fs.Path("/limited");
    List<String> paths = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      paths.add("/limited/f" + i);
      cluster.write("/limited/f" + i);
      cluster.read("/limited/f" + i, 20 - i);
    }
    org.apache.hadoop.fs.StorageType ssd = org.apache.hadoop.fs.StorageType.SSD;
    long most = 2 * ServedCluster.FILE_BYTES + 1;
    cluster.superuser().setQuotaByStorageType(limited, ssd, most);
    Path config =
        cluster.setup("/limited").fromTheBeginning().apply().write(temp.resolve("limited"));
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      Eventually.holds("two on SSD", () -> onSsd(cluster, paths) == 2);
      service.plansOn(4);
      assertEquals(2, onSsd(cluster, paths));
      assertEquals(
          2 * ServedCluster.FILE_BYTES,
          cluster.superuser().getContentSummary(limited).getTypeConsumed(ssd));
      assertEquals(0, cluster.superuser().getQuotaUsage(limited).getTypeConsumed(ssd));
      String why = String.join("\n", service.explains(paths.get(2)));
      assertTrue(why.contains("the SSD quota of directory /limited is " + most + " bytes"), why);
      service.terminate();
    }
  }

  /** Two of the user's files by the cap of the user, and of the others' as many as the quota has left. */
  private void capBesideQuota(ServedCluster cluster) throws Exception {
    org.apache.hadoop.fs.Path limited = new org.apache.hadoop.fs.Path("/capped");
    List<String> interns = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      interns.add("/capped/intern" + i);
      others.add("/capped/other" + i);
      cluster.write(interns.get(i));
      cluster.write(others.get(i));
      cluster.superuser().setOwner(new org.apache.hadoop.fs.Path(interns.get(i)), "intern", null);
      cluster.read(interns.get(i), 30 - i);
      cluster.read(others.get(i), 20 - i);
    }
    long two = 2L * ServedCluster.FILE_BYTES + 1;
    org.apache.hadoop.fs.StorageType ssd = org.apache.hadoop.fs.StorageType.SSD;
    cluster.superuser().setQuotaByStorageType(limited, ssd, 2 * two);
    Path rules =
        Files.writeString(
            temp.resolve("caps.yaml"),
            "version: 1\ncaps:\n  - {user: intern, type: ssd, max: 1300 KB}\n");
    Path config =
        cluster
            .setup("/capped")
            .replace("# rules: /etc/thermocline/rules.yaml", "rules: " + rules)
            .fromTheBeginning()
            .apply()
            .write(temp.resolve("capped"));
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      try {
        Eventually.holds(
            "two of each on SSD",
            () -> onSsd(cluster, interns) == 2 && onSsd(cluster, others) == 2);
      } catch (AssertionError e) {
        throw new AssertionError(
            service + "\n" + service.explains(interns.get(2)) + service.explains(others.get(0)), e);
      }
      service.plansOn(4);
      assertEquals(2, onSsd(cluster, interns));
      assertEquals(2, onSsd(cluster, others));
      service.terminate();
    }
  }

  /** What node attributes say of devices counts for moves too, from the next plan on. */
  private void wornDevices(ServedCluster cluster) throws Exception {
    cluster.write("/worn/f");
    cluster.read("/worn/f", 20);
    Path attributes =
        Files.writeString(temp.resolve("node-attributes"), "* SSD tbw=600TB written=601TB\n");
    Path config =
        cluster
            .setup("/worn")
            .replace(
                "# nodeAttributes: /etc/hadoop/conf/node-attributes",
                "nodeAttributes: " + attributes)
            .fromTheBeginning()
            .apply()
            .write(temp.resolve("worn"));
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      Eventually.holds(
          "the reason is said",
          () ->
              service.get("/state").toString().contains("with none to the 4 storages past their"));
      assertTrue(cluster.has("/worn/f", 3, StorageType.DISK), "nothing on worn devices");
      Files.writeString(attributes, "* SSD tbw=600TB written=60TB\n");
      Eventually.holds("a copy on SSD", () -> cluster.has("/worn/f", 1, StorageType.SSD));
      service.terminate();
    }
  }

  /** Said before such rules are in force, and while they are. */
  private void moreCopiesThanDataNodes(ServedCluster cluster) throws Exception {
    org.apache.hadoop.fs.Path wide = new org.apache.hadoop.fs.Path("/wide/f");
    cluster.write("/wide/f");
    cluster.superuser().setReplication(wide, (short) 4);
    Eventually.holds(
        "four replicas",
        () -> cluster.superuser().getFileBlockLocations(wide, 0, 1)[0].getStorageIds().length == 4);
    ages(cluster, "/wide/f", 100, 40);
    Path rules =
        Files.writeString(temp.resolve("wide.yaml"), OLD.replace("/data/**", "/elsewhere/**"));
    Path config =
        cluster
            .setup("/wide")
            .replace("# rules: /etc/thermocline/rules.yaml", "rules: " + rules)
            .apply()
            .write(temp.resolve("wide"));
    String next = OLD.replace("/data/**", "/wide/**");
    List<String> checked =
        check(
            Files.writeString(temp.resolve("next.yaml"), next),
            "--against",
            "live",
            "--config",
            config.toString());
    String change = checked.get(checked.size() - 1);
    assertTrue(change.contains("which is impossible: 4 copies need as many DataNodes"), change);
    Files.writeString(rules, next);
    String before;
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      Eventually.holds(
          "a plan that knows the file",
          () -> service.answer("/files?path=/wide/f").statusCode() == 200);
      Eventually.holds(
          "explained, with since when", () -> impossible(service).contains(", at least since 20"));
      before = impossible(service);
      service.terminate();
    }
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      Eventually.holds(
          "a plan that knows it again",
          () -> service.answer("/files?path=/wide/f").statusCode() == 200);
      assertEquals(before, impossible(service), "since when it was before the restart");
      service.terminate();
    }
  }

  private static String impossible(ServiceProcess service) throws Exception {
    return service.explains("/wide/f").stream()
        .filter(
            line ->
                line.contains(
                    "impossible: 4 copies go to ARCHIVE, each to another DataNode,"
                        + " and 3 DataNodes have that type"))
        .findFirst()
        .orElse("");
  }

  /** Of two directories that were read alike, one is read on and the other isn't. */
  private void firstParts(ServedCluster cluster) throws Exception {
    List<String> silent = new ArrayList<>();
    List<String> busy = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      silent.add("/parts/silent/f" + i);
      busy.add("/parts/busy/f" + i);
    }
    for (String path : Stream.concat(silent.stream(), busy.stream()).toList()) {
      cluster.write(path);
      cluster.read(path, 5);
    }
    Path directory = temp.resolve("parts");
    Path config =
        cluster
            .setup("/parts")
            .fromTheBeginning()
            .replace(
                "# firstPart: {share: 20 %, files: 50, watch: 1h, gain: 50 %, remember: 1d}",
                "firstPart: {share: 20 %, files: 3, watch: 3s}")
            .apply()
            .write(directory);
    try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
      Eventually.holds(
          "all that is read on is on SSD",
          () -> {
            for (String path : busy) {
              cluster.read(path, 1);
            }
            return onSsd(cluster, busy) == busy.size();
          });
      Eventually.holds(
          "the others stay", () -> !firstPart(directory, "silent", "DROPPED").isEmpty());
      assertEquals(1, firstPart(directory, "busy", "CONFIRMED").size());
      assertTrue(onSsd(cluster, silent) < silent.size(), "a part of it");
      String held = silent.get(silent.size() - 1);
      Eventually.holds(
          "explained",
          () ->
              service.explains(held).stream()
                  .anyMatch(line -> line.contains(" in /parts/silent had 0 reads of ")));
      service.terminate();
    }
  }

  private static List<String> firstPart(Path directory, String of, String state) throws Exception {
    return ServiceSetup.journal(directory, "\"firstPart\"").stream()
        .filter(line -> line.contains("/parts/" + of + "\"") && line.contains(state))
        .toList();
  }

  private static long onSsd(ServedCluster cluster, List<String> paths) throws Exception {
    int found = 0;
    for (String path : paths) {
      found += cluster.has(path, 1, StorageType.SSD) ? 1 : 0;
    }
    return found;
  }

  /**
   * What the same rules would change now that others are in force, on the live HDFS and on its
   * image.
   */
  private void checks(ServedCluster cluster, Path config, Path inForce) throws Exception {
    Path file = Files.writeString(temp.resolve("new.yaml"), OLD);
    List<String> live = check(file, "--against", "live", "--config", config.toString());
    assertEquals(file + ": fine: 1 rules, 0 caps", live.get(0));
    assertTrue(
        live.get(1).startsWith("3 files, ") && live.get(1).contains("; 1 more have"), live.get(1));
    assertTrue(live.contains("Changes against " + inForce + ":"), live::toString);
    String change = live.get(live.size() - 1);
    assertTrue(
        change.startsWith(
            "  1 file, 1.8 MB: at least SSD -> at most ARCHIVE; from SSD to ARCHIVE (/data/old)"),
        change);

    DistributedFileSystem superuser = cluster.superuser();
    superuser.setSafeMode(SafeModeAction.ENTER);
    superuser.saveNamespace();
    superuser.setSafeMode(SafeModeAction.LEAVE);
    Path image =
        new ImageFetch(cluster.web(), superuser.getConf(), System::nanoTime)
            .fetch(Files.createDirectory(temp.resolve("image")), (bytes, of, left) -> {});
    String json =
        check(file, "--json", "--against", image.toString(), "--config", config.toString()).get(0);
    JsonNode read = new ObjectMapper().readTree(json);
    assertEquals(3, read.path("seen").path("files").asLong(), json);
    assertEquals(1, read.path("leftAlone").asLong(), json);
    assertEquals("SSD to ARCHIVE", read.path("changes").path(0).path("move").asText(), json);
  }

  private static List<String> check(Path file, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("rules", "check", file.toString()));
    words.addAll(List.of(options));
    Launched check = Launched.installed(file.getParent(), ServiceProcess.USER, words);
    assertEquals(0, check.status(), check::toString);
    return check.out().lines().toList();
  }

  private static void write(ServedCluster cluster, String path, int age, int unread)
      throws IOException {
    cluster.write(path);
    ages(cluster, path, age, unread);
  }

  /** Whoever asks for its blocks has read it. */
  private static void ages(ServedCluster cluster, String path, int age, int unread)
      throws IOException {
    long now = System.currentTimeMillis();
    cluster
        .superuser()
        .setTimes(
            new org.apache.hadoop.fs.Path(path),
            now - Duration.ofDays(age).toMillis(),
            now - Duration.ofDays(unread).toMillis());
  }

  private static String policy(ServedCluster cluster, String path) throws IOException {
    return cluster.superuser().getStoragePolicy(new org.apache.hadoop.fs.Path(path)).getName();
  }
}
