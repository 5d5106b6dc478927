// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose storage policies are where others set them too: the audit log says it, not what they are. */
@Tag("cluster")
class OthersChangesTest {

  private static final String UP = rule("atLeast: SSD");
  private static final String DOWN = rule("atMost: DISK");

  /** The policy's id. */
  private static final int HOT = 7;

  @TempDir static Path temp;

  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static String rule(String says) {
    return """
        version: 1
        rules:
          - name: all
            paths: [/**]
            %s
        """
        .formatted(says);
  }

  @Test
  void aPolicyThatSomebodySetsIsTheirsAlsoWhereItIsOurs() throws Exception {
    List<String> files =
        List.of(
            "/same/ours", "/same/theirs", "/same/d/a", "/same/d/b", "/same/e/renamed", "/same/e/f");
    for (String file : files) {
      cluster.write(file);
    }
    Path rules = Files.writeString(temp.resolve("same.yaml"), UP);
    Path directory = temp.resolve("same");
    Path config = setup("/same", rules).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("all on SSD", () -> areOnSsd(files));
      assertEquals("ONE_SSD", policy("/same/d"), "set on the directory");
      assertTrue(isMarked("/same/theirs") && isMarked("/same/d"), "as ours");
      setPolicy("/same/theirs", "ONE_SSD");
      setPolicy("/same/d", "ONE_SSD");
      rename("/same/e/renamed", "/same/moved");
      Eventually.holds(
          "both are known",
          () -> ServiceSetup.journal(directory, "\"takenOver\"", "\"POLICY\"").size() == 2);
      Eventually.holds(
          "neither is marked as ours", () -> !isMarked("/same/theirs") && !isMarked("/same/d"));
      assertTrue(isMarked("/same/ours"));
      Files.writeString(rules, DOWN);
      Eventually.holds(
          "ours is back on DISK", () -> cluster.has("/same/ours", 3, StorageType.DISK));
      Eventually.holds(
          "what was renamed, too", () -> cluster.has("/same/moved", 3, StorageType.DISK));
      service.plansOn(3);
      service.terminate();
    }
    List<String> theirs = List.of("/same/theirs", "/same/d/a", "/same/d/b");
    String plan =
        ServiceSetup.journal(directory, "\"planned\"", "/same/theirs")
            .get(0)
            .replaceFirst(".*\"plan\":(\\d+).*", "$1");
    String undone = run(3, "undo", config, "--yes", plan);
    String who = System.getProperty("user.name") + " set ONE_SSD on it since";
    for (String file : theirs) {
      assertTrue(
          undone.lines().anyMatch(line -> line.contains(file + ":") && line.contains(who)), undone);
      assertEquals("ONE_SSD", policy(file), file);
      assertTrue(cluster.has(file, 1, StorageType.SSD), file);
    }
  }

  /** Set before the service did anything there: the audit log says nothing of it. */
  @Test
  void aFileThatHadThePolicyOfItsDirectoryBeforeStaysTheirs() throws Exception {
    String theirs = "/before/d/theirs";
    List<String> files = List.of("/before/d/f2", "/before/d/f3");
    cluster.superuser().mkdirs(path("/before/d"));
    setPolicy("/before/d", "ONE_SSD");
    cluster.write(theirs);
    setPolicy(theirs, "ONE_SSD");
    cluster.superuser().unsetStoragePolicy(path("/before/d"));
    for (String file : files) {
      cluster.write(file);
    }
    Path rules = Files.writeString(temp.resolve("before.yaml"), UP);
    Path directory = temp.resolve("before");
    Path config = setup("/before", rules).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("all on SSD", () -> areOnSsd(files));
      assertEquals(0, ownPolicy("/before/d"), "the files have their own");
      Files.writeString(rules, DOWN);
      Eventually.holds("ours are back on DISK", () -> files.stream().noneMatch(this::isOnSsd));
      service.plansOn(3);
      service.terminate();
    }
    assertEquals("ONE_SSD", policy(theirs));
    assertTrue(cluster.has(theirs, 1, StorageType.SSD));
    assertEquals(List.of(), ServiceSetup.journal(directory, "\"planned\"", theirs));
  }

  /** Overridden, and moved against what somebody had set. */
  @Test
  void aPolicyIsNotPutBackWhereNoCopyLiesAsItHasThem() throws Exception {
    String theirs = "/against/theirs";
    cluster.superuser().mkdirs(path("/against"));
    setPolicy("/against", "ONE_SSD");
    cluster.write(theirs);
    setPolicy(theirs, "ONE_SSD");
    cluster.superuser().unsetStoragePolicy(path("/against"));
    Path rules = Files.writeString(temp.resolve("against.yaml"), DOWN);
    Path directory = temp.resolve("against");
    Path config =
        setup("/against", rules)
            .replace("override: []", "override: [" + theirs + "]")
            .write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("on DISK", () -> cluster.has(theirs, 3, StorageType.DISK));
      service.plansOn(3);
      service.terminate();
    }
    assertEquals("HOT", policy(theirs), "what was set before has copies on SSD");
    eachBlockIsWhereItsPolicyHasIt("/against");
  }

  /** Of two directories one comes back wholly, of the other a part and then the rest. */
  @Test
  void noPolicyOfOursIsLeftThatNothingNeeds() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      files.add("/back/whole/f" + i);
      files.add("/back/parts/f" + i);
    }
    for (String file : files) {
      cluster.write(file);
    }
    List<String> emptied = List.of("/back/emptied/f0", "/back/emptied/f1");
    for (String file : emptied) {
      cluster.write(file);
    }
    List<String> theirs = List.of("/back/theirs", "/back/beside/theirs");
    for (String file : theirs) {
      cluster.write(file);
      setPolicy(file, "WARM");
      setPolicy(file, "HOT");
    }
    cluster.write("/back/beside/f0");
    files.add("/back/beside/f0");
    Path rules = Files.writeString(temp.resolve("back.yaml"), UP);
    Path directory = temp.resolve("back");
    Path config =
        setup("/back", rules).replace("override: []", "override: " + theirs).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("all on SSD", () -> areOnSsd(files));
      Eventually.holds("these, too", () -> areOnSsd(emptied) && areOnSsd(theirs));
      assertEquals("ONE_SSD", policy("/back/emptied"), "set on the directory");
      for (String file : emptied) {
        cluster.superuser().delete(path(file), false);
      }
      Eventually.holds("a directory without files", () -> ownPolicy("/back/emptied") == 0);
      service.logs("/back/emptied: ONE_SSD is unset: no file is managed there any more");
      assertEquals("ONE_SSD", policy("/back/parts"), "set on the directory");
      eachBlockIsWhereItsPolicyHasIt("/back");
      assertTrue(
          ServiceSetup.journal(directory, "\"planned\"", "/back/parts/f0")
              .get(0)
              .contains("ONE_SSD is set on /back/parts, for its 4 files and new ones"));
      Files.writeString(rules, DOWN.replace("/**", "/back/parts/f0"));
      Eventually.holds("a part is back", () -> cluster.has("/back/parts/f0", 3, StorageType.DISK));
      assertEquals("ONE_SSD", policy("/back/parts"), "needed by the others");
      eachBlockIsWhereItsPolicyHasIt("/back");
      Files.writeString(rules, DOWN);
      Eventually.holds("none is on SSD", () -> files.stream().noneMatch(this::isOnSsd));
      Eventually.holds("no policy is left", () -> arePlain(files));
      Eventually.holds(
          "nor on what somebody had set one",
          () ->
              cluster.has(theirs.get(0), 3, StorageType.DISK)
                  && cluster.has(theirs.get(1), 3, StorageType.DISK));
      Eventually.holds("nor a mark", () -> marked("/back").isEmpty());
      assertTrue(service.plans() > 2, "one for each of the rules");
      eachBlockIsWhereItsPolicyHasIt("/back");
      for (String file : theirs) {
        assertEquals(HOT, ownPolicy(file), file + ": somebody's comes back, and isn't ours");
      }
      if (OsUser.ordinary().isPresent()) {
        Path audit = directory.resolve("state/thermocline/log/audit.log");
        assertTrue(
            Files.readAllLines(audit).stream()
                .anyMatch(
                    line ->
                        line.contains("\"/back/emptied\"")
                            && line.contains("no file is managed there any more")),
            () -> "the reason in " + audit);
      }
      service.terminate();
    }
    cluster.write("/back/parts/new");
    assertTrue(cluster.has("/back/parts/new", 3, StorageType.DISK), "where a new file belongs");
  }

  /** Where the service doesn't keep each file, HDFS is asked what is left in a directory. */
  @Test
  void noPolicyOfOursIsLeftOnAnEmptiedDirectoryAmongVeryManyFiles() throws Exception {
    List<String> files = List.of("/many/d/f0", "/many/d/f1");
    for (String file : files) {
      cluster.write(file);
    }
    for (int i = 0; i < 3; i++) {
      cluster.write("/many/e/f" + i);
    }
    Path rules = Files.writeString(temp.resolve("many.yaml"), UP.replace("/**", "/many/d/**"));
    Path directory = temp.resolve("many");
    Path config = setup("/many", rules).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("on SSD", () -> areOnSsd(files));
      assertEquals("ONE_SSD", policy("/many/d"), "set on the directory");
      service.terminate();
    }
    for (String file : files) {
      cluster.superuser().delete(path(file), false);
    }
    Files.writeString(config, Files.readString(config).replace("maxFiles: 1000000", "maxFiles: 2"));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("a directory without files", () -> ownPolicy("/many/d") == 0);
      service.logs("/many/d: ONE_SSD is unset: none of its files lies where ONE_SSD has it");
      Eventually.holds("nor a mark", () -> marked("/many").isEmpty());
      service.terminate();
    }
  }

  /** Files that no plan names lie where a plan's policy on their directory had them created. */
  @Test
  void undoneFilesThatCameSinceGoToo() throws Exception {
    List<String> files = List.of("/since/d/f0", "/since/d/f1", "/since/gone/f0", "/since/gone/f1");
    for (String file : files) {
      cluster.write(file);
    }
    Path rules = Files.writeString(temp.resolve("since.yaml"), UP);
    Path directory = temp.resolve("since");
    Path config = setup("/since", rules).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("all on SSD", () -> areOnSsd(files));
      service.terminate();
    }
    List<String> newcomers = List.of("/since/d/new", "/since/d/below/new", "/since/gone/new");
    for (String file : newcomers) {
      cluster.write(file);
    }
    assertTrue(areOnSsd(newcomers), "by the policies of their directories");
    cluster.write("/since/d/theirs");
    setPolicy("/since/d/theirs", "ALL_SSD");
    cluster.superuser().delete(path("/since/gone/f0"), false);
    cluster.superuser().delete(path("/since/gone/f1"), false);
    String plan =
        ServiceSetup.journal(directory, "\"planned\"", "/since/d/f0")
            .get(0)
            .replaceFirst(".*\"plan\":(\\d+).*", "$1");
    String would = run(3, "undo", config, plan);
    for (String file : newcomers) {
      assertTrue(would.contains(file + ": can be"), would);
    }
    assertTrue(would.contains(": 5 files, 15 moves; nothing was done"), would);
    assertTrue(areOnSsd(newcomers));

    String done = run(3, "undo", config, plan, "--yes");

    assertTrue(done.contains(": 5 files, 15 moves under plan "), done);
    assertTrue(done.contains("left unchanged: 2 files"), done);
    eachBlockIsWhereItsPolicyHasIt("/since/gone");
    eachBlockIsWhereItsPolicyHasIt("/since/d/below");
    for (String file : newcomers) {
      assertTrue(cluster.has(file, 3, StorageType.DISK), file);
    }
    assertTrue(arePlain(newcomers), "no policy of ours is left");
    assertEquals("ALL_SSD", policy("/since/d/theirs"));
    assertTrue(cluster.has("/since/d/theirs", 1, StorageType.SSD), "somebody's");
    assertEquals(List.of(), marked("/since"));
  }

  /** Undone, and removed: also where somebody had set a policy before, and a removal that was killed. */
  @Test
  void nothingOfTheServiceIsLeftWhenItIsRemoved() throws Exception {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      files.add("/gone/whole/f" + i);
      files.add("/gone/parts/f" + i);
    }
    files.add("/gone/theirs");
    files.add("/gone/undone");
    for (String file : files) {
      cluster.write(file);
    }
    setPolicy("/gone/theirs", "WARM");
    setPolicy("/gone/theirs", "HOT");
    Path rules = Files.writeString(temp.resolve("gone.yaml"), UP.replace("/**", "/gone/undone"));
    Path directory = temp.resolve("gone");
    Path config =
        setup("/gone", rules).replace("override: []", "override: [/gone/theirs]").write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("one on SSD", () -> cluster.has("/gone/undone", 1, StorageType.SSD));
      service.terminate();
    }
    String plan =
        ServiceSetup.journal(directory, "\"planned\"", "/gone/undone")
            .get(0)
            .replaceFirst(".*\"plan\":(\\d+).*", "$1");
    String undone = run(0, "undo", config, "--why", "for a test", plan);
    assertFalse(undone.contains("\"operation\""), undone);
    assertAudited(directory, "\"/gone/undone\"", ": for a test");
    assertEquals(1, ServiceSetup.journal(directory, "\"undo\"", "\"why\":\"for a test\"").size());
    eachBlockIsWhereItsPolicyHasIt("/gone");
    assertTrue(arePlain(List.of("/gone/undone")));
    assertEquals(List.of(), marked("/gone"));

    Files.writeString(rules, UP);
    List<String> promoted = files.stream().filter(file -> !file.endsWith("undone")).toList();
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("all on SSD", () -> areOnSsd(promoted));
      cluster.write("/gone/parts/new");
      String refused = run(1, "uninstall", config, "--yes");
      assertTrue(refused.contains("another Thermocline runs with this journal"), refused);
      assertTrue(run(0, "uninstall", config).contains("Nothing was done: add --yes."));
      assertFalse(service.has("isn't ours any more"), service::toString);
      // It is killed now: HDFS keeps the mutex for a minute.
    }
    eachBlockIsWhereItsPolicyHasIt("/gone");
    String would = run(0, "uninstall", config);
    assertTrue(would.contains("Nothing was done: add --yes."), would);
    assertTrue(would.contains("copies to move back: "), would);
    assertTrue(areOnSsd(promoted));
    findsWhatIsMarkedElsewhere(directory, config, policies(would));
    raisedAndCached(directory, "/gone/undone");
    killedHalfWay(directory, "/gone/parts");

    String done = run(0, "uninstall", config, "--yes");

    assertTrue(
        done.contains("storage policies: 1 of 1") || done.contains("storage policies: 2 of 2"),
        done);
    assertTrue(done.contains("Nothing of the service is left in HDFS"), done);
    assertFalse(done.contains("\"operation\""), done);
    // More than the filter of repeated lines lets through.
    List<String> moved = assertAudited(directory, "\"copy\"", "the service is removed");
    assertTrue(moved.size() >= promoted.size(), moved::toString);
    eachBlockIsWhereItsPolicyHasIt("/gone");
    for (String file : promoted) {
      assertTrue(cluster.has(file, 3, StorageType.DISK), file);
      cluster.read(file, 1);
    }
    assertTrue(arePlain(List.of("/gone/whole/f0", "/gone/parts/f0", "/gone/parts/new")));
    assertEquals("HOT", policy("/gone/theirs"));
    assertEquals(3, cluster.superuser().getFileStatus(path("/gone/undone")).getReplication());
    assertFalse(cluster.superuser().listCachePools().hasNext());
    assertEquals(List.of(), marked("/gone"));
    assertFalse(cluster.superuser().exists(path("/system/thermocline")));
    String again = run(0, "uninstall", config, "--yes");
    assertTrue(again.contains("storage policies: 0"), again);
  }

  /** As where HDFS took the policy back, but not its mark: here somebody sets that again while copies are moved back. */
  @Test
  void aMarkThatStaysIsNamedAsLeft() throws Exception {
    String file = "/kept/f";
    cluster.write(file);
    Path rules = Files.writeString(temp.resolve("kept.yaml"), UP);
    Path directory = temp.resolve("kept");
    Path config = setup("/kept", rules).write(directory);
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds("it is on SSD", () -> areOnSsd(List.of(file)) && isMarked(file));
      service.terminate();
    }
    byte[] mark = cluster.superuser().getXAttrs(path(file)).get(PolicyMarks.ATTRIBUTE);
    FutureTask<Void> remarks =
        new FutureTask<>(
            () -> {
              Eventually.holds("it is unmarked", () -> !isMarked(file));
              cluster.superuser().setXAttr(path(file), PolicyMarks.ATTRIBUTE, mark);
              return null;
            });
    new Thread(remarks).start();

    String done = run(3, "uninstall", config, "--yes");

    remarks.get();
    assertTrue(
        done.contains(file + ": left: HDFS still shows the attribute trusted.thermocline.policy"),
        done);
    assertFalse(done.contains("Nothing of the service is left"), done);
    assertTrue(cluster.superuser().exists(path("/system/thermocline")), "it is needed");
    assertTrue(cluster.has(file, 3, StorageType.DISK), "all else is done");

    String again = run(0, "uninstall", config, "--yes");
    // Those of the cluster's plugin.
    assertTrue(
        again.contains(
            "Nothing of the service is left in HDFS. Change the settings above, and restart or reconfigure their servers,"
                + " before you remove the package."),
        again);
    assertEquals(List.of(), marked("/kept"));
  }

  /** Lines of the audit log that have both; there is one. */
  private static List<String> assertAudited(Path directory, String what, String why)
      throws IOException {
    if (OsUser.ordinary().isEmpty()) {
      // Root's is in the installation, with that of other tests.
      return List.of();
    }
    Path audit = directory.resolve("state/thermocline/log/audit.log");
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(audit)));
    List<String> lines =
        Files.readAllLines(audit).stream()
            .filter(line -> line.contains(what) && line.contains(why))
            .toList();
    assertFalse(lines.isEmpty(), () -> what + " and " + why + " in " + audit);
    return lines;
  }

  /** Without the journal, also where nothing is managed any more. */
  private static void findsWhatIsMarkedElsewhere(Path directory, Path config, int policies)
      throws Exception {
    cluster.write("/elsewhere/f");
    setPolicy("/elsewhere/f", "ONE_SSD");
    cluster
        .superuser()
        .setXAttr(
            path("/elsewhere/f"),
            PolicyMarks.ATTRIBUTE,
            ("ONE_SSD " + System.currentTimeMillis()).getBytes(StandardCharsets.UTF_8));
    Path journal = ServiceSetup.journalOf(directory);
    Path aside = Files.move(journal, directory.resolve("aside"));
    String found = run(0, "uninstall", config);
    Files.move(aside, journal);
    assertTrue(policies(found) > policies, found);
    assertEquals("ONE_SSD", policy("/elsewhere/f"));
    cluster.superuser().delete(path("/elsewhere"), true);
  }

  private static int policies(String would) {
    return Integer.parseInt(would.replaceFirst("(?s).*storage policies: (\\d+)\n.*", "$1"));
  }

  /** As actions do it. */
  private static void raisedAndCached(Path directory, String path) throws IOException {
    ActionCalls actions =
        new HdfsActionCalls(
            cluster.superuser().getClient(),
            ServiceProcess.USER,
            new HdfsActionCalls.Pool("thermocline", 1 << 20, Duration.ofHours(1)),
            OperationBudget.unlimited(),
            Clock.systemUTC());
    String now = Instant.now().toString();
    try (Journal journal = Journal.open(ServiceSetup.journalOf(directory))) {
      journal.append(new JournalEntry.ReplicationSet(now, path, 3, 4));
      actions.setReplication(path, 4);
      journal.append(new JournalEntry.CacheSet(now, path, "thermocline", 0, 1));
      List<ActionCalls.Directive> made = new ArrayList<>();
      actions.cache(path, 1, made::add);
      journal.append(
          new JournalEntry.CacheDirective(now, path, made.get(0).id(), 1, made.get(0).expires()));
    }
  }

  /** Policies are unset before copies are moved. */
  private static void killedHalfWay(Path directory, String path) throws IOException {
    try (Journal journal = Journal.open(ServiceSetup.journalOf(directory))) {
      journal.append(
          new JournalEntry.PolicySet(
              Instant.now().toString(), path, "", journal.policies().get(path)));
    }
    cluster.superuser().unsetStoragePolicy(path(path));
    cluster.superuser().removeXAttr(path(path), PolicyMarks.ATTRIBUTE);
  }

  /** Of a command of what is installed, as the service's user: what it prints. */
  private static String run(int status, String command, Path config, String... options)
      throws Exception {
    List<String> words = new ArrayList<>(List.of(command, "--config", config.toString()));
    words.addAll(List.of(options));
    Path directory = config.getParent();
    Launched ran =
        Launched.installedBehind(
            OsUser.ordinaryOwning(directory), directory, ServiceProcess.USER, words);
    assertEquals(status, ran.status(), ran.out() + ran.err());
    return ran.out() + ran.err();
  }

  private static void eachBlockIsWhereItsPolicyHasIt(String directory) {
    Eventually.holds(
        "fsck says so",
        () ->
            cluster
                .fsckOfPolicies(directory)
                .contains("All blocks satisfy specified storage policy."));
  }

  /** What has an attribute of ours, at or below a path. */
  private static List<String> marked(String path) throws IOException {
    List<String> marked = new ArrayList<>();
    cluster.superuser().getXAttrs(path(path)).keySet().stream()
        .filter(name -> name.contains("thermocline"))
        .forEach(name -> marked.add(path + " " + name));
    for (FileStatus below : cluster.superuser().listStatus(path(path))) {
      String at = below.getPath().toUri().getPath();
      if (!at.equals(path)) {
        marked.addAll(marked(at));
      }
    }
    return marked;
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private boolean isOnSsd(String file) {
    try {
      return !cluster.has(file, 3, StorageType.DISK);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By its id; 0: none is in force. */
  private static int ownPolicy(String path) throws IOException {
    return cluster.superuser().getClient().getFileInfo(path).getStoragePolicy();
  }

  /** Whether no policy is in force on the files and their directories. */
  private static boolean arePlain(List<String> files) throws IOException {
    for (String file : files) {
      for (String path : List.of(file, file.substring(0, file.lastIndexOf('/')))) {
        if (ownPolicy(path) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  static ServiceSetup setup(String managed, Path rules) {
    return cluster
        .setup(managed)
        .replace("# rules: /etc/thermocline/rules.yaml", "rules: " + rules)
        .replace(
            "stability: {residency: 30m, flaps: 4, window: 1d}",
            "stability: {residency: 0s, flaps: 1000, window: 1d}")
        .apply();
  }

  private static boolean areOnSsd(List<String> files) throws IOException {
    for (String file : files) {
      if (!cluster.has(file, 1, StorageType.SSD)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isMarked(String path) throws IOException {
    return cluster.superuser().getXAttrs(path(path)).containsKey(PolicyMarks.ATTRIBUTE);
  }

  private static void setPolicy(String path, String policy) throws IOException {
    cluster.superuser().setStoragePolicy(path(path), policy);
  }

  @SuppressWarnings("deprecation")
  private static void rename(String from, String to) throws IOException {
    assertTrue(
        cluster
            .superuser()
            .rename(new org.apache.hadoop.fs.Path(from), new org.apache.hadoop.fs.Path(to)));
  }

  private static String policy(String path) throws IOException {
    return cluster.superuser().getStoragePolicy(path(path)).getName();
  }
}
