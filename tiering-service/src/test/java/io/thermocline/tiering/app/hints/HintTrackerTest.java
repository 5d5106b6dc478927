// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static io.thermocline.tiering.app.HintedFiles.NOW;
import static io.thermocline.tiering.app.HintedFiles.OWNER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.wire.HintWire;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.app.HintedFiles;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.SeenAccess;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The registry follows what stands on files. */
class HintTrackerTest {

  @TempDir Path directory;
  private HintedFiles hdfs;
  private HintTracker tracker;

  @BeforeEach
  void open() throws Exception {
    hdfs = new HintedFiles(directory, 2);
    tracker = hdfs.tracker();
  }

  @AfterEach
  void close() throws IOException {
    hdfs.close();
  }

  @Test
  void whatIsInThePlaceOfAnotherHasItsRoom() throws Exception {
    stand("/w/a", OWNER, Operation.MIGRATE);
    stand("/w/b", OWNER, Operation.PIN, Operation.MIGRATE);
    assertEquals(2, tracker.registry().operationsOf(OWNER));
    stand("/w/c", OWNER, Operation.PREFETCH);
    assertEquals(List.of("/w/c"), refused(OWNER), "one too many");

    stand("/w/a", OWNER, Operation.PREFETCH);
    assertEquals(List.of("/w/c"), refused(OWNER));
    assertTrue(tracker.registry().hint(id("/w/a", ".prefetch")).isPresent());
    assertTrue(tracker.registry().hint(id("/w/a", ".migrate")).isEmpty());
    assertEquals(2, tracker.registry().operationsOf(OWNER));
    // Looked at again, and now there is room.
    stand("/w/a", OWNER);
    look("/w/c");
    assertEquals(List.of(), refused(OWNER));
    assertTrue(tracker.registry().hint(id("/w/c", ".prefetch")).isPresent());
  }

  @Test
  void whatWasDeletedOrRenamedIsRefusedNoMore() throws Exception {
    for (String path : List.of("/w/d/a", "/w/d/b", "/w/e")) {
      stand(path, "somebody", Operation.PIN);
    }
    assertEquals(List.of("/w/d/a", "/w/d/b", "/w/e"), refused(OWNER));
    tracker.accept(SeenAccess.of(Access.Kind.DELETE, "/w/d/a"));
    assertEquals(List.of("/w/d/b", "/w/e"), refused(OWNER));
    tracker.accept(SeenAccess.rename("/w/d", "/w/f"));
    assertEquals(List.of("/w/e"), refused(OWNER));
    tracker.accept(SeenAccess.of(Access.Kind.CREATE, "/w/e"));
    assertEquals(List.of(), refused(OWNER));
  }

  @Test
  void whatNamesAnotherOwnerStandsUnderTheFilesOwn() throws Exception {
    stand("/w/a", "somebody", Operation.PIN);
    assertEquals(List.of("/w/a"), refused(OWNER));
    assertEquals(List.of(), refused("somebody"));
  }

  /** The first one holds to its end, as by REST; then the one that stands there counts. */
  @Test
  void anotherUsersAttributeDoesNotReplaceAHintThatHolds() throws Exception {
    hdfs.now = NOW;
    hdfs.writers.add("bob");
    put("/w/a", OWNER, NOW.plusSeconds(3600), Operation.PIN);
    look("/w/a");
    put("/w/a", "bob", NOW.plusSeconds(7200), Operation.PIN);
    look("/w/a");

    assertEquals(List.of("/w/a"), refused("bob"));
    assertEquals(List.of(OWNER), owners());

    hdfs.now = NOW.plusSeconds(5400);
    tracker.refresh();

    assertEquals(List.of("bob"), owners());
    assertEquals(List.of(), refused("bob"));
    assertEquals(1, hdfs.files.get("/w/a").size());
  }

  private List<String> owners() {
    return tracker.registry().hints(hint -> true).stream()
        .map(used -> used.hint().hint().owner())
        .toList();
  }

  /** What was set while nobody saw it; directories count, and are looked at with what is below. */
  @Test
  void aScanGoesOnWhereTheLastOneEndedAndBeginsAgain() throws Exception {
    List<String> paths = IntStream.range(0, 10).mapToObj(i -> "/w/" + i).toList();
    List<FileView> files = new ArrayList<>();
    for (String path : paths) {
      hdfs.files.put(path, Map.of());
      files.add(0, new FileView(path, 1, 3, 0, List.of(), OWNER, null));
    }
    for (int round = 0; round < 2; round++) {
      for (List<String> looked :
          List.of(
              paths.subList(0, 3),
              paths.subList(3, 6),
              paths.subList(6, 9),
              paths.subList(9, 10))) {
        hdfs.asked.clear();
        tracker.scan(files);
        List<String> expected = new ArrayList<>(looked);
        expected.add(1, "/w");
        assertEquals(expected, hdfs.asked);
      }
    }
  }

  @Test
  void whoSetsAttributesAgainAndAgainHoldsNoPlanUpAndCrowdsOutNobody() throws Exception {
    hdfs.takes = Duration.ofMillis(HintTracker.MOST_LOOK_MILLIS / 3);
    List<String> paths = List.of("/w/0", "/w/1", "/w/2", "/w/3", "/w/4", "/w/z");
    paths.forEach(path -> hdfs.files.put(path, Map.of()));
    for (List<String> looked : List.of(paths.subList(0, 3), paths.subList(3, 6))) {
      for (String path : paths) {
        tracker.accept(SeenAccess.of(Access.Kind.ATTRIBUTES, path).at(hdfs.now));
      }
      hdfs.asked.clear();
      tracker.refresh();
      assertEquals(looked, hdfs.asked);
    }
    hdfs.asked.clear();
    tracker.refresh();
    assertEquals(paths.subList(0, 3), hdfs.asked, "what was left, once more");
  }

  @Test
  void anExpiredHintIsJudgedOnceAndTakenAway() throws Exception {
    expireTwentyTimes(tracker);
    assertEquals(Map.of(), hdfs.files.get("/w/a"));
    // One that ended while nobody looked.
    put("/w/b", OWNER, NOW.minusSeconds(3600), Operation.ADVISE);
    expireTwentyTimes(tracker);
    assertEquals(Map.of(), hdfs.files.get("/w/b"));
    assertEquals(List.of(), refused(OWNER));
  }

  @Test
  void anExpiredHintIsJudgedOnceWhereItMayNotBeTakenAway() throws Exception {
    expireTwentyTimes(hdfs.shadowReconciler());
    assertEquals(1, hdfs.files.get("/w/a").size());
  }

  @Test
  void anExpiredHintIsJudgedOnceWhereHdfsRemovesNothingNow() throws Exception {
    hdfs.isSafe = true;
    expireTwentyTimes(tracker);
    assertEquals(1, hdfs.files.get("/w/a").size());
  }

  /** One that is set anew meanwhile stays; one that isn't goes when somebody looks at it again. */
  @Test
  void anExpiredHintStaysWhilePaused() throws Exception {
    hdfs.mayBegin = false;
    expireTwentyTimes(tracker);
    assertEquals(1, hdfs.files.get("/w/a").size());

    hdfs.mayBegin = true;
    tracker.refresh();
    tracker.scan(List.of(new FileView("/w/a", 1, 3, 0, List.of(), OWNER, null)));

    assertEquals(Map.of(), hdfs.files.get("/w/a"));
  }

  private void expireTwentyTimes(HintTracker looking) throws IOException {
    put("/w/a", OWNER, NOW.plusSeconds(3600), Operation.PREFETCH);
    List<FileView> files =
        List.of(
            new FileView("/w/a", 1, 3, 0, List.of(), OWNER, null),
            new FileView("/w/b", 1, 3, 0, List.of(), OWNER, null));
    hdfs.files.putIfAbsent("/w/b", new HashMap<>());
    hdfs.now = NOW;
    // Two, as the directory above counts, too.
    looking.scan(files);
    looking.scan(files);
    assertEquals(1, looking.registry().hints(hint -> true).size());
    long before = looking.registry().reliability(OWNER).wrong();
    for (int plan = 1; plan <= 20; plan++) {
      hdfs.now = NOW.plus(Duration.ofHours(plan));
      looking.refresh();
      looking.scan(files);
    }
    assertEquals(before + 1, looking.registry().reliability(OWNER).wrong());
    assertEquals(List.of(), looking.registry().hints(hint -> true));
  }

  /** What HDFS has against one path is nothing against the others, nor against the plan. */
  @Test
  void oneRefusedPathStopsNothing() throws Exception {
    put("/w/a", OWNER, NOW.plusSeconds(3600), Operation.PIN);
    put("/w/b", OWNER, NOW.plusSeconds(3600), Operation.PIN);
    put("/w/c", "foreigner", NOW.plusSeconds(3600), Operation.PIN);
    put("/w/d", OWNER, NOW.plusSeconds(3600), Operation.PIN);
    hdfs.refusals.put("/w/a", new AccessControlException("Permission denied: mode 600"));
    hdfs.notToBeActedFor.add("foreigner");
    for (String path : List.of("/w/a", "/w/b", "/w/c", "/w/d")) {
      tracker.accept(SeenAccess.of(Access.Kind.ATTRIBUTES, path).at(NOW));
    }
    tracker.refresh();
    assertEquals(
        List.of("/w/b", "/w/d"),
        tracker.registry().hints(hint -> true).stream().map(used -> used.hint().path()).toList());
    assertEquals(List.of("/w/c"), refused(OWNER), "under whose file it is");
    hdfs.asked.clear();
    tracker.refresh();
    assertEquals(List.of(), hdfs.asked, "not asked again and again");
  }

  @Test
  void aNameNodeThatIsAwayIsAskedAgain() throws Exception {
    put("/w/a", OWNER, NOW.plusSeconds(3600), Operation.PIN);
    hdfs.refusals.put("/w/a", new ConnectException("Connection refused"));
    tracker.accept(SeenAccess.of(Access.Kind.ATTRIBUTES, "/w/a").at(NOW));
    assertThrows(ConnectException.class, tracker::refresh);
    hdfs.refusals.clear();
    tracker.refresh();
    assertTrue(tracker.registry().hint(id("/w/a", ".pin")).isPresent());
  }

  @Test
  void aRestartForgetsNeitherSinceWhenOneIsJudgedNorWhatWasRead() throws Exception {
    stand("/w/a", OWNER, Operation.PREFETCH);
    hdfs.now = NOW.plusSeconds(60);
    put("/w/a", OWNER, NOW.plusSeconds(7200), Operation.PREFETCH);
    look("/w/a");
    HintRegistry.Used renewed = tracker.registry().hint(id("/w/a", ".prefetch")).orElseThrow();
    assertEquals(hdfs.now.toEpochMilli(), renewed.hint().givenMillis());
    assertEquals(NOW.toEpochMilli(), renewed.hint().sinceMillis());
    assertEquals(
        Optional.of(renewed), hdfs.tracker().registry().hint(id("/w/a", ".prefetch")), "as it was");
  }

  /** Has these hints stand on a file, and no others, as the audit log tells. */
  private void stand(String path, String owner, Operation... operations) throws IOException {
    put(path, owner, NOW.plus(Duration.ofHours(1)), operations);
    look(path);
  }

  private void put(String path, String owner, Instant until, Operation... operations) {
    Map<String, byte[]> attributes = new HashMap<>();
    for (Operation operation : operations) {
      Hint hint =
          Hint.onFile(operation, path).owner(owner).leaseExpiryMillis(until.toEpochMilli()).build();
      attributes.put(
          HintWire.attributeOf(operation), HintWire.encode(hint).getBytes(StandardCharsets.UTF_8));
    }
    hdfs.files.put(path, attributes);
  }

  private static String id(String path, String operation) {
    return HintedFiles.inode(path) + operation;
  }

  private void look(String path) throws IOException {
    tracker.accept(SeenAccess.of(Access.Kind.ATTRIBUTES, path).at(hdfs.now));
    tracker.refresh();
  }

  private List<String> refused(String owner) {
    return tracker.refused(owner).stream().map(HintService.Refused::path).sorted().toList();
  }
}
