// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.CallerThread;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.app.ModelHdfs;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalMemory;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.ActionChange;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UndoTest {

  private static final ActLimits LIMITS =
      new ActLimits(4, 4, 2, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(60));

  private static final String AT = "2026-01-01T00:00:00Z";

  private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 1000L));
  private final ModelHdfs hdfs = new ModelHdfs(chances -> true);
  private final JournalMemory bytes = new JournalMemory();
  private final AtomicLong nanos = new AtomicLong();
  private final Map<String, Integer> factors = new HashMap<>();
  private final Map<String, Integer> inMemory = new HashMap<>();
  private String refusing = "";
  private Runnable atAction = () -> {};
  private final Map<String, FileView> before = new HashMap<>();
  private Journal journal;
  private ApplyMode service;

  @BeforeEach
  void start() throws IOException {
    for (String path : List.of("/d/a", "/d/b", "/e/c", "/e/r")) {
      FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
      before.put(path, file);
      hdfs.put(file);
    }
    hdfs.setStoragePolicy("/e", "HOT");
    journal = Journal.open(bytes.open());
    service = service(journal);
  }

  private ApplyMode service(Journal its) {
    return new ApplyMode(
        new ApplyMode.Hands(
            hdfs,
            (machinery, policies) -> new PlanExecutor(hdfs, LIMITS, machinery, policies),
            new Actions(),
            new CallerThread()),
        LIMITS,
        "pool",
        its,
        new ServiceRuntime(Clock.systemUTC(), nanos::get, wait -> nanos.addAndGet(wait.toNanos())));
  }

  private UndoResult preview(long plan) throws IOException {
    return service.previewUndo(plan, Integer.MAX_VALUE);
  }

  /** Two files of one directory's policy, one of its own, and more copies of another. */
  private void carriesOutMovesAndAAction() throws IOException, InterruptedException {
    service.handle(
        new Plan(
            1,
            List.of(
                promotion(1, 0, "/d/a", "/d"),
                promotion(1, 1, "/d/b", "/d"),
                promotion(1, 2, "/e/c", "/e/c")),
            List.of(moreCopies("/e/r")),
            List.of()));
    hdfs.settle();
  }

  /** Ours came first, while nothing was above: without it the file would inherit what somebody has there by now. */
  @Test
  void aDefaultThatNothingNeedsGivesWayToAPolicyAboveIt() throws IOException {
    sets("/d/a", "HOT");
    hdfs.setStoragePolicy("/d", "COLD");
    assertEquals(Optional.empty(), service.takeBack("/d/a", "HOT", true), "others' don't count");
    assertEquals("HOT", hdfs.ownPolicy("/d/a"));
    assertEquals(Optional.of(""), service.takeBack("/d/a", "HOT", false));
    hdfs.setStoragePolicy("/d", "WARM");
    assertEquals("WARM", hdfs.storagePolicy("/d/a"));
  }

  @Test
  void aDefaultStaysBelowAnotherPolicyOfOurs() throws IOException {
    sets("/d", "ONE_SSD");
    sets("/d/a", "HOT");
    assertEquals(Optional.empty(), service.takeBack("/d/a", "HOT", false));
    assertEquals("HOT", hdfs.ownPolicy("/d/a"));
  }

  private void sets(String path, String policy) throws IOException {
    journal.append(new JournalEntry.PolicySet(AT, path, policy, ""));
    hdfs.setStoragePolicy(path, policy);
  }

  @Test
  void putsBackPoliciesReplicasAndFactors() throws IOException, InterruptedException {
    carriesOutMovesAndAAction();
    assertEquals("ONE_SSD", hdfs.ownPolicy("/d"));
    assertEquals(5, factors.get("/e/r"));
    assertEquals(List.of("/d/a", "/d/b", "/e/c", "/e/r"), preview(1).paths());
    assertEquals("ONE_SSD", hdfs.ownPolicy("/d"), "a preview changes nothing");

    MoveCounts counts = new MoveCounts();
    service.countIn(counts);
    UndoResult result = service.undo(1, "ann", "a test");
    hdfs.settle();
    assertEquals(11, counts.progress(11).done(), "two looks at each of four files, three moves");
    assertEquals(
        List.of("/d/a", "/d/b", "/e/c", "/e/r"),
        journal.takenBack().stream().map(JournalEntry.TakenOver::path).toList(),
        "stays so");
    journal.append(new JournalEntry.Released(AT, "/d/a", "its heat is another"));
    assertEquals(3, journal.takenBack().size());

    assertEquals(Map.of(), result.refused());
    assertEquals(3, result.moves());
    assertEquals(2, result.number());
    assertEquals("", hdfs.ownPolicy("/d"));
    assertEquals("", hdfs.ownPolicy("/e/c"), "it inherited one before");
    assertEquals("HOT", hdfs.storagePolicy("/e/c"));
    assertEquals(3, factors.get("/e/r"));
    for (String path : List.of("/d/a", "/d/b", "/e/c")) {
      assertEquals(places(before.get(path)), places(hdfs.file(path).orElseThrow()), path);
    }
    assertEquals(List.of(), preview(1).paths(), "there is nothing left to take back");
    assertEquals(4, service.previewUndo(1, 3).paths().size(), "more than three aren't looked at");
    assertEquals(3, service.previewUndo(1, 3).moves());
    assertEquals(List.of(), service.previewUndo(1, 4).paths());
    assertEquals(
        Set.of("/d/a", "/d/b", "/e/c", "/e/r"),
        Set.copyOf(preview(2).paths()),
        "taking back can be taken back");
    List<JournalEntry> history = new ArrayList<>();
    journal.history(history::add);
    assertTrue(
        history.stream()
            .anyMatch(
                entry ->
                    entry instanceof JournalEntry.Undo undo
                        && (undo.who() + ": " + undo.why()).equals("ann: a test")));
  }

  /** Many files take long: the service is ready meanwhile. */
  @Test
  void eachFileThatIsLookedAtIsProgress() throws IOException, InterruptedException {
    List<ActionChange> actions = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      FileView file = scene.file("/m/" + i, 10, "n1-DISK", "n3-DISK", "n5-DISK");
      before.put(file.path(), file);
      hdfs.put(file);
      actions.add(moreCopies(file.path()));
    }
    service.handle(new Plan(1, List.of(), actions, List.of()));
    Set<String> stalled = new HashSet<>();
    hdfs.look(
        () -> {
          nanos.addAndGet(Duration.ofMillis(500).toNanos());
          stalled.add(service.control().watch().stalled());
        });

    assertEquals(250, service.undo(1, "ann", "a test").paths().size());
    assertEquals(Set.of(""), stalled);
  }

  @Test
  void refusesWhatSomebodyChangedSince() throws IOException, InterruptedException {
    service.handle(
        new Plan(
            1,
            List.of(
                promotion(1, 0, "/d/a", "/d/a"),
                promotion(1, 1, "/d/b", "/d/b"),
                promotion(1, 2, "/e/c", "/e/c")),
            List.of(moreCopies("/e/r")),
            List.of()));
    hdfs.settle();
    hdfs.setStoragePolicy("/d/a", "ALL_SSD");
    hdfs.put(scene.file("/d/b", 10, "n1-DISK", "n3-DISK", "n5-DISK"));
    hdfs.put(scene.file("/e/r", 10, "n1-DISK", "n3-DISK"));

    UndoResult result = service.undo(1, "ann", "a test");
    hdfs.settle();

    assertEquals(List.of("/e/c"), result.paths());
    assertEquals(
        "its storage policy is ALL_SSD, and the plan had set ONE_SSD: somebody changed it since",
        result.refused().get("/d/a"));
    assertTrue(result.refused().get("/d/b").contains("isn't where the plan put it"));
    assertTrue(result.refused().get("/e/r").startsWith("its replication factor is 2"));
    assertEquals("ALL_SSD", hdfs.ownPolicy("/d/a"));
    assertEquals("ONE_SSD", hdfs.ownPolicy("/d/b"));
  }

  @Test
  void leavesADirectoryAloneForTheSakeOfOneFile() throws IOException, InterruptedException {
    service.handle(
        new Plan(
            1, List.of(promotion(1, 0, "/d/a", "/d"), promotion(1, 1, "/d/b", "/d")), List.of()));
    hdfs.settle();
    hdfs.put(scene.file("/d/b", 10, "n1-DISK", "n3-DISK", "n5-DISK"));

    UndoResult result = service.undo(1, "ann", "a test");

    assertEquals(List.of(), result.paths());
    assertEquals(0, result.number());
    assertTrue(
        result
            .refused()
            .get("/d/a")
            .startsWith("/d keeps its storage policy for the sake of /d/b"));
  }

  @Test
  void aFileWithoutMovesKeepsNoOtherOfItsDirectoryWhereItIs()
      throws IOException, InterruptedException {
    List<String> places = places(hdfs.file("/d/a").orElseThrow());
    Plan plan =
        new Plan(
            1, List.of(promotion(1, 0, "/d/a", "/d"), promotion(1, 1, "/d/b", "/d")), List.of());
    hdfs.put(scene.file("/d/b", 10, "n2-DISK", "n3-DISK", "n5-DISK"));
    service.handle(plan);
    hdfs.settle();

    UndoResult result = service.undo(1, "ann", "a test");
    hdfs.settle();

    assertEquals(Map.of(), result.refused());
    assertEquals(List.of("/d/a", "/d/b"), result.paths());
    assertEquals(places, places(hdfs.file("/d/a").orElseThrow()));
    assertEquals("", hdfs.ownPolicy("/d"));
  }

  @Test
  void theNextStartDoesNotTurnItRound() throws IOException, InterruptedException {
    journal.append(planned(1));
    journal.append(new JournalEntry.PolicySet(AT, "/d/a", "ONE_SSD", ""));
    journal.append(new JournalEntry.PlanEnded(AT, 1));
    hdfs.setStoragePolicy("/d/a", "ONE_SSD");

    assertEquals(List.of("/d/a"), service.undo(1, "ann", "a test").paths());
    assertEquals("", hdfs.ownPolicy("/d/a"));

    assertEquals(List.of(), journal.unfinished());
    Journal next = Journal.open(bytes.open());
    service(next).recovery().look();
    assertEquals("", hdfs.ownPolicy("/d/a"));
  }

  @Test
  void theNextStartWaitsForCopiesThatWereUnderWay() throws IOException {
    journal.append(planned(1));
    journal.append(
        new JournalEntry.Moved(AT, "1-0.0", "/d/a", 1, "n1 DISK", "n2 SSD", "COPYING", "", 10));
    ApplyMode next = service(Journal.open(bytes.open()));
    assertTrue(next.objection("/d/a").isPresent() && next.isWaitedFor("/d/a"));
    assertFalse(next.isWaitedFor("/d/b"));
  }

  @Test
  void oneThatWasKilledIsNotTurnedRoundEither() throws IOException {
    hdfs.setStoragePolicy("/d/a", "");
    journal.append(new JournalEntry.Undo(AT, 2, 1, "ann", null));
    journal.append(new JournalEntry.Planned(AT, 2, "/d/a", "UNDONE", "DISK", 0, "taken back"));
    journal.append(new JournalEntry.PolicySet(AT, "/d/a", "", "ONE_SSD"));

    service(Journal.open(bytes.open())).recovery().look();

    assertEquals("", hdfs.ownPolicy("/d/a"));
  }

  @Test
  void takesOutOfMemoryWhatIsStillOurDirective() throws IOException, InterruptedException {
    service.handle(
        new Plan(
            1,
            List.of(),
            List.of(
                cached("/d/a", Decision.Cause.CACHED, 2), cached("/e/c", Decision.Cause.CACHED, 2)),
            List.of()));
    assertEquals(Map.of("/d/a", 2, "/e/c", 2), inMemory);
    inMemory.put("/e/c", 3);

    UndoResult result = service.undo(1, "ann", "a test");

    assertEquals(List.of("/d/a"), result.paths());
    assertEquals(Map.of("/e/c", "somebody changed its cache directive since"), result.refused());
    assertEquals(Map.of("/e/c", 3), inMemory, "somebody's by now");
    assertEquals(List.of(), preview(1).paths());
    inMemory.remove("/e/c");
    assertEquals(Map.of(), preview(1).refused(), "somebody removed it");
  }

  @Test
  void asManyCopiesAreInMemoryAgainAsWere() throws IOException, InterruptedException {
    journal.append(new JournalEntry.CacheSet(AT, "/e/c", "pool", 0, 2));
    service.handle(
        new Plan(1, List.of(), List.of(cached("/e/c", Decision.Cause.UNCACHED, 0)), List.of()));

    service.undo(1, "ann", "a test");

    assertEquals(2, inMemory.get("/e/c"));
  }

  @Test
  void saysWhatWasNotDoneAndGoesOnWithTheRest() throws IOException, InterruptedException {
    service.handle(
        new Plan(
            1,
            List.of(promotion(1, 0, "/d/a", "/d/a")),
            List.of(moreCopies("/e/r"), moreCopies("/e/c")),
            List.of()));
    hdfs.settle();
    refusing = "/e/r";

    UndoResult result = service.undo(1, "ann", "a test");

    assertEquals(Set.of("/d/a", "/e/c"), Set.copyOf(result.paths()));
    assertTrue(result.refused().get("/e/r").contains("quota"), result.refused()::toString);
    assertEquals(5, factors.get("/e/r"));
    assertEquals(3, factors.get("/e/c"));
    assertEquals(List.of(), journal.unfinished());
  }

  /** What was taken back the first time is nobody's change, and the directory's policy is as it was, too. */
  @Test
  void aSecondTryTakesTheRestBack() throws IOException, InterruptedException {
    carriesOutMovesAndAAction();
    FileView fast = hdfs.file("/d/b").orElseThrow();
    refusing = "/e/r";
    assertEquals(Set.of("/e/r"), service.undo(1, "ann", "a test").refused().keySet());
    hdfs.settle();
    // As if its copy had failed: the policy of its directory is put back, its replica isn't.
    hdfs.put(fast);
    refusing = "";
    assertEquals(List.of("/d/b", "/e/r"), preview(1).paths());
    assertEquals(1, preview(1).moves());

    UndoResult second = service.undo(1, "ann", "a test");
    hdfs.settle();

    assertEquals(Map.of(), second.refused());
    assertEquals(List.of("/d/b", "/e/r"), second.paths());
    assertEquals(1, second.moves(), "what is back already isn't moved again");
    assertEquals(3, factors.get("/e/r"));
    assertEquals(places(before.get("/d/b")), places(hdfs.file("/d/b").orElseThrow()));
    assertEquals("", hdfs.ownPolicy("/d"));
    UndoResult third = service.undo(1, "ann", "a test");
    assertEquals(List.of(), third.paths());
    assertEquals(Map.of(), third.refused());
    assertEquals(0, third.number(), "nothing is left to do");
  }

  @Test
  void looksAtEachFileAgainAndStopsWhenToldTo() throws IOException, InterruptedException {
    service.handle(
        new Plan(
            1,
            List.of(),
            List.of(moreCopies("/d/a"), moreCopies("/d/b"), moreCopies("/e/r")),
            List.of()));
    atAction =
        () -> {
          hdfs.put(scene.file("/d/b", 10, "n1-DISK", "n3-DISK"));
          service.control().end(ExecutionControl.Stop.FINISH);
        };

    UndoResult result = service.undo(1, "ann", "a test");

    assertEquals(List.of("/d/a"), result.paths());
    assertEquals(Set.of("/d/b", "/e/r"), result.refused().keySet());
    assertTrue(result.refused().get("/e/r").startsWith("not begun: "));
    assertEquals(5, factors.get("/e/r"));
  }

  @Test
  void saysWhatSomebodyChangedWhileItWasUnderWay() throws IOException, InterruptedException {
    service.handle(
        new Plan(1, List.of(), List.of(moreCopies("/d/a"), moreCopies("/d/b")), List.of()));
    atAction = () -> hdfs.put(scene.file("/d/b", 10, "n1-DISK", "n3-DISK"));

    UndoResult result = service.undo(1, "ann", "a test");

    assertEquals(List.of("/d/a"), result.paths());
    assertTrue(result.refused().get("/d/b").startsWith("its replication factor is 2"));
    assertEquals(5, factors.get("/d/b"), "not touched");
  }

  @Test
  void doesNothingWhilePaused() throws IOException, InterruptedException {
    service.handle(new Plan(1, List.of(promotion(1, 0, "/d/a", "/d/a")), List.of()));
    service.control().pause("ann", "backup");

    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> service.undo(1, "bo", null));

    assertEquals("can't undo: paused by ann: backup", refusal.getMessage());
    assertEquals("ONE_SSD", hdfs.ownPolicy("/d/a"));
  }

  private static List<String> places(FileView file) {
    return file.blocks().get(0).replicas().stream()
        .map(replica -> replica.node() + " " + replica.type())
        .sorted()
        .toList();
  }

  private Plan.FileMoves promotion(long plan, int index, String path, String policyPath) {
    FileView file = hdfs.file(path).orElseThrow();
    FileView.Block block = file.blocks().get(0);
    return new Plan.FileMoves(
        new Decision(
            new HotFile(file, 1),
            DISK,
            new Target(List.of(SSD, DISK, DISK), "ONE_SSD"),
            Decision.Cause.PROMOTED,
            "read",
            new Gate.Benefit(2, 0, 1)),
        "ONE_SSD",
        policyPath,
        List.of(
            new Move(
                plan + "-" + index + ".0",
                path,
                block,
                block.replicas().get(0),
                "n2",
                "n2-SSD",
                SSD)));
  }

  private static JournalEntry planned(long plan) {
    return new JournalEntry.Planned(AT, plan, "/d/a", "PROMOTED", "SSD DISK DISK", 1, "read");
  }

  private ActionChange cached(String path, Decision.Cause cause, int copies) {
    return new ActionChange(
        new Decision(
            new HotFile(hdfs.file(path).orElseThrow(), 1),
            DISK,
            new Target(List.of(DISK, DISK, DISK), "HOT", 3, copies),
            cause,
            "its heat",
            new Gate.Benefit(2, 0, 1)));
  }

  private ActionChange moreCopies(String path) {
    FileView file = hdfs.file(path).orElseThrow();
    return new ActionChange(
        new Decision(
            new HotFile(file, 1),
            DISK,
            new Target(List.of(DISK, DISK, DISK), "HOT", 5, 0),
            Decision.Cause.MORE_COPIES,
            "readers",
            new Gate.Benefit(2, 0, 1)));
  }

  /** Replication factors that show at once, on as many nodes. */
  private final class Actions implements ActionCalls {
    @Override
    public void setReplication(String path, int factor) throws IOException {
      if (path.equals(refusing)) {
        throw new IOException("quota exceeded");
      }
      if (factor == 3) {
        atAction.run();
      }
      factors.put(path, factor);
      List<String> storages = new ArrayList<>();
      for (int i = 1; i <= factor; i++) {
        storages.add("n" + i + "-DISK");
      }
      hdfs.put(scene.file(path, 10, storages.toArray(String[]::new)));
    }

    @Override
    public void cache(String path, int copies, Consumer<Directive> made) {
      inMemory.put(path, copies);
      made.accept(new Directive(1, copies, 0));
    }

    @Override
    public void uncache(String path, Directive ours) {
      inMemory.remove(path);
    }

    @Override
    public Optional<Cached> cached(String path, Directive ours) {
      return Optional.ofNullable(inMemory.get(path))
          .filter(copies -> copies == ours.copies())
          .map(copies -> new Cached(10L * copies, 10L * copies));
    }

    @Override
    public boolean isAltered(String path, Directive ours) {
      return inMemory.getOrDefault(path, ours.copies()) != ours.copies();
    }

    @Override
    public Optional<FileView> file(String path) {
      return hdfs.file(path);
    }
  }
}
