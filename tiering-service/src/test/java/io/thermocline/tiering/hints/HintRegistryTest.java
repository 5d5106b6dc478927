// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.SeenAccess;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HintRegistryTest {

  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  private final List<String> written = new ArrayList<>();
  private final HintRegistry registry =
      new HintRegistry(HintSettings.DEFAULT, SeenAccess.NAMESERVICE, log());

  @Test
  void allOwnersHaveNoMoreHintsThanAQuarterOfTheHeapHolds() {
    assertEquals(55_924, HintSettings.DEFAULT.within(256L << 20).maxTotal());
    assertEquals(HintSettings.DEFAULT, HintSettings.DEFAULT.within(4L << 30));
  }

  @Test
  void whatWasHintedHotAndReadWasRight() {
    registry.give(file(1, "/a", Temperature.HOT, "etl"), 0);
    read("/a", 1);
    registry.tick(DAY - 1);
    assertEquals(1, registry.hints(hint -> true).size());
    registry.tick(DAY);

    assertEquals(List.of(), registry.hints(hint -> true));
    assertEquals(new OwnerReliability(1, 0), registry.reliability("etl"));
    assertEquals(
        List.of("given 1.advise /a", "read 1.advise 1", "ended 1.advise EXPIRED RIGHT"), written);
    assertEquals(1, registry.takeEnded().size());
    assertEquals(0, registry.takeEnded().size());
  }

  @Test
  void ownersAreThoseOfHintsThatHoldOrWereJudged() {
    registry.give(file(1, "/a", Temperature.HOT, "judged"), 0);
    registry.give(file(2, "/b", Temperature.HOT, "gone"), 0);
    registry.end("2.advise", HintEnd.REMOVED, 1);
    read("/a", 1);
    registry.tick(DAY);
    registry.give(given(3, Scope.FILE, "/c", Temperature.HOT, "holds", DAY, 2 * DAY), DAY);

    assertEquals(List.of("holds", "judged"), registry.owners());
    assertEquals(0, registry.hintsOf("gone"));
    assertEquals(1, registry.hintsOf("holds"));
  }

  @Test
  void silenceEndsWhatWasHintedHotAndIsNotRead() {
    registry.give(file(1, "/a", Temperature.HOT, "etl"), 0);
    assertEquals(List.of(), registry.due(owner -> true, 11 * HOUR));
    Wakeup asked = registry.due("etl"::equals, 12 * HOUR).get(0);
    assertEquals(Wakeup.Reason.UNUSED, asked.reason());
    assertEquals(13 * HOUR, asked.answerByMillis());
    assertEquals(List.of(), registry.due("other"::equals, 12 * HOUR));

    registry.tick(13 * HOUR - 1);
    assertEquals(1, registry.hints(hint -> true).size());
    registry.tick(13 * HOUR);
    assertEquals(new OwnerReliability(0, 1), registry.reliability("etl"));
    assertTrue(written.contains("ended 1.advise UNANSWERED WRONG"), written::toString);
  }

  @Test
  void renewingAnswersAndIsNoWayRoundBeingJudged() {
    registry.give(file(1, "/a", Temperature.HOT, "etl"), 0);
    for (int hours = 6; hours <= 36; hours += 6) {
      registry.give(until(1, "/a", hours * HOUR, hours * HOUR + DAY), hours * HOUR);
    }
    assertEquals(
        new OwnerReliability(0, 3), registry.reliability("etl"), "once for each half of a lease");
    registry.give(until(1, "/a", 60 * HOUR, 60 * HOUR + DAY), 60 * HOUR);
    assertEquals(new OwnerReliability(0, 4), registry.reliability("etl"));
  }

  @Test
  void renewingEarlyIsNoWayRoundTheQuestion() {
    long month = 30 * DAY;
    registry.give(until(1, "/a", 0, month), 0);
    registry.give(until(1, "/a", 5 * HOUR, 5 * HOUR + month), 5 * HOUR);
    registry.give(until(1, "/a", 10 * HOUR, 10 * HOUR + month), 10 * HOUR);
    assertEquals(List.of(), registry.due(owner -> true, 12 * HOUR - 1));
    assertEquals(Wakeup.Reason.UNUSED, registry.due(owner -> true, 12 * HOUR).get(0).reason());
    // Which this answers, until as much went by again.
    registry.give(until(1, "/a", 12 * HOUR, 12 * HOUR + month), 12 * HOUR);
    assertEquals(List.of(), registry.due(owner -> true, 24 * HOUR - 1));
    assertEquals(25 * HOUR, registry.due(owner -> true, 24 * HOUR).get(0).answerByMillis());
    registry.tick(25 * HOUR);
    assertEquals(new OwnerReliability(0, 1), registry.reliability("etl"));
  }

  /** In processor time, since the machine may be busy: an access that looks at all hints takes a hundred times as long. */
  @Test
  void manyHintsDoNotSlowAccessesOfOtherPaths() {
    give(0, 500);
    accessesOfOtherPaths();
    long few = accessesOfOtherPaths();
    give(500, 50_000);
    long many = accessesOfOtherPaths();
    assertTrue(many < 20 * few, () -> few + " ns with 500 hints, " + many + " with 50,000");
    assertEquals(60, registry.hint("500.advise").orElseThrow().reads());
    assertEquals(0, registry.hint("501.advise").orElseThrow().reads());

    registry.accept(SeenAccess.rename("/hinted", "/moved"));
    assertEquals("/moved/7", registry.hint("8.advise").orElseThrow().hint().path());
    registry.accept(SeenAccess.of(Access.Kind.DELETE, "/moved"));
    registry.accept(SeenAccess.of(Access.Kind.DELETE, "/tagged"));
    assertEquals(new HintTotals(0, Double.NaN, 500, 0), registry.totals());
    assertEquals(Map.of(), registry.streams());
  }

  /** Of a hundred owners. */
  @Test
  void ofAMillionHintsNoMoreAreTakenThanTheLimitsAllow() {
    int taken = 0;
    for (int i = 1; i <= 1_000_000; i++) {
      GivenHint next = file(i, "/million/" + i, Temperature.HOT, "owner" + i % 100);
      taken += registry.full(next).isEmpty() && registry.give(next, 0).isEmpty() ? 1 : 0;
    }
    assertEquals(HintSettings.DEFAULT.maxTotal(), taken);
    assertEquals(taken, registry.hints(hint -> true).size());

    registry.tick(DAY);
    assertEquals(List.of(), registry.hints(hint -> true));
    assertEquals(Optional.empty(), registry.full(until(1, "/later", DAY, 2 * DAY)));
  }

  private void give(int from, int to) {
    for (int i = from; i < to; i++) {
      String owner = "owner" + i % 10;
      registry.give(given(i + 1, Scope.FILE, "/hinted/" + i, Temperature.HOT, owner, 0, DAY), 0);
      registry.tag("/tagged/" + i, owner + "/tag");
    }
  }

  /** How long they took, in nanoseconds of this thread's processor time. */
  private long accessesOfOtherPaths() {
    long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    for (int i = 0; i < 10_000; i++) {
      String path = "/other/" + i;
      registry.accept(SeenAccess.of(Access.Kind.CREATE, path));
      registry.accept(SeenAccess.of(Access.Kind.READ, "/hinted/" + i % 500));
      registry.accept(SeenAccess.rename(path, path + "-renamed"));
    }
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begun;
  }

  @Test
  void aFileInThePlaceOfAnotherHasNoHintsOfIt() {
    registry.give(file(1, "/d/new", Temperature.HOT, "etl"), 0);
    registry.give(file(2, "/d/old", Temperature.HOT, "etl"), 0);
    registry.give(given(3, Scope.DIRECTORY, "/e", Temperature.HOT, "etl", 0, DAY), 0);
    registry.accept(SeenAccess.rename("/d/new", "/d/old"));
    assertTrue(registry.hint("2.advise").isEmpty());
    assertEquals("/d/old", registry.hint("1.advise").orElseThrow().hint().path());
    assertTrue(written.contains("ended 2.advise GONE UNJUDGED"), written::toString);
    // Into a directory, which stays.
    registry.accept(SeenAccess.rename("/d/old", "/e"));
    assertTrue(registry.hint("3.advise").isPresent());
  }

  @Test
  void aHintOfTheServiceThatIsRenamedIsTheSameAfterARestart() {
    registry.give(asking(1, Operation.PREFETCH, Source.SERVICE), 0);
    String before = registry.hints(hint -> true).get(0).hint().id();
    read("/asked/1", 1);
    written.clear();
    registry.accept(SeenAccess.rename("/asked/1", "/asked/2"));
    String now = registry.hints(hint -> true).get(0).hint().id();
    assertEquals(
        List.of(
            "given " + now + " /asked/2",
            "ended " + before + " MOVED UNJUDGED",
            "read " + now + " 1"),
        written);
  }

  @Test
  void whatIsSaidToBeColdAndIsReadCountsNoMore() {
    registry.give(file(1, "/a", Temperature.COLD, "etl"), 0);
    assertEquals(Temperature.COLD, registry.inForce(1).of("/a").orElseThrow().temperature());
    read("/a", 3);
    assertTrue(registry.inForce(1).of("/a").isEmpty());
    assertEquals(Wakeup.Reason.TURNED_HOT, registry.due(owner -> true, 1).get(0).reason());
    registry.tick(DAY);
    assertEquals(new OwnerReliability(0, 1), registry.reliability("etl"));
  }

  @Test
  void countsReadsBelowADirectoryAndOfAStreamWhereverItIs() {
    registry.give(given(2, Scope.DIRECTORY, "/d", Temperature.WARM, "etl", 0, DAY), 0);
    registry.give(
        GivenHint.onStream(
            Hint.onStream(Operation.ADVISE, "s")
                .temperature(Temperature.HOT)
                .owner("app")
                .leaseExpiryMillis(DAY)
                .build(),
            0),
        0);
    registry.tag("/d/e", "app/s");
    read("/d/e/f", 1);
    read("/d/g", 1);
    read("/dx", 1);

    assertEquals(2, registry.hint("2.advise").orElseThrow().reads());
    String stream = registry.hints(hint -> hint.hint().scope() == Scope.STREAM).get(0).hint().id();
    assertEquals(1, registry.hint(stream).orElseThrow().reads());
    HintsInForce inForce = registry.inForce(1);
    assertEquals("etl", inForce.of("/d/e/f").orElseThrow().owner(), "closer than the stream");
    registry.end("2.advise", HintEnd.REMOVED, 1);
    assertEquals("app", registry.inForce(1).of("/d/e/f").orElseThrow().owner());
    assertTrue(registry.inForce(1).of("/d/g").isEmpty());
  }

  @Test
  void anOwnerHasNotMorePathsInStreamsThanHints() {
    int most = HintSettings.DEFAULT.maxPerOwner();
    for (int i = 0; i < most; i++) {
      assertEquals(Optional.empty(), registry.tag("/t/" + i, "app/s"));
    }
    assertEquals("hints.maxPerOwner", registry.tag("/more", "app/s").orElseThrow().limit());
    assertEquals(
        Optional.empty(), registry.tag("/t/0", "app/another"), "in the place of one of theirs");
    assertEquals(Optional.empty(), registry.tag("/more", "etl/s"), "of another owner");
    assertEquals("hints.maxPerOwner", registry.tag("/more", "app/s").orElseThrow().limit());
    assertEquals(null, registry.streams().get("/more"), "no longer of the stream that it was of");
    registry.accept(SeenAccess.rename("/t", "/u"));
    assertEquals(most, registry.streams().size());
    registry.accept(SeenAccess.of(Access.Kind.DELETE, "/u/0"));
    assertEquals(Optional.empty(), registry.tag("/more", "app/s"));
  }

  @Test
  void followsRenamesOfTheFileAndOfWhatIsAbove() {
    registry.give(file(1, "/d/a", Temperature.HOT, "etl"), 0);
    registry.tag("/d/t", "s");
    registry.accept(SeenAccess.rename("/d", "/e"));
    read("/d/a", 1);
    read("/e/a", 2);

    assertEquals("/e/a", registry.hint("1.advise").orElseThrow().hint().path());
    assertEquals(2, registry.hint("1.advise").orElseThrow().reads());
    assertEquals("s", registry.streams().get("/e/t"));
    assertTrue(registry.inForce(1).of("/d/a").isEmpty());
  }

  @Test
  void whatIsDeletedOrMadeAnewHasNoHints() {
    registry.give(file(1, "/d/a", Temperature.HOT, "etl"), 0);
    registry.give(file(2, "/d/b", Temperature.HOT, "etl"), 0);
    registry.give(file(3, "/db", Temperature.HOT, "etl"), 0);
    registry.accept(SeenAccess.of(Access.Kind.CREATE, "/d/a"));
    assertEquals(2, registry.hints(hint -> true).size());
    registry.accept(SeenAccess.of(Access.Kind.DELETE, "/d"));
    assertEquals(
        List.of("/db"), registry.hints(hint -> true).stream().map(u -> u.hint().path()).toList());
    assertEquals(OwnerReliability.NEW, registry.reliability("etl"), "too early to tell");
  }

  @Test
  void aLineOfBeforeTheHintSaysNothingOfIt() {
    registry.give(until(1, "/a", 10, DAY), 10);
    registry.accept(SeenAccess.of(Access.Kind.READ, "/a"));
    registry.accept(SeenAccess.of(Access.Kind.CREATE, "/a"));
    assertEquals(0, registry.hint("1.advise").orElseThrow().reads());
  }

  @Test
  void anOwnerHasSoManyAtATime() {
    HintSettings one =
        new HintSettings(
            HintRates.DEFAULT,
            Duration.ofDays(1),
            1,
            3,
            1,
            Duration.ofHours(1),
            Duration.ofHours(1),
            Duration.ofHours(1));
    HintRegistry small = new HintRegistry(one, SeenAccess.NAMESERVICE, log());
    assertTrue(small.hasRoom("etl"));
    small.give(file(1, "/a", Temperature.HOT, "etl"), 0);
    assertFalse(small.hasRoom("etl"));
    assertTrue(small.hasRoom("other"));
    assertEquals(
        Optional.of(HintRegistry.Full.of("etl has 1 hints", "hints.maxPerOwner")),
        small.full(file(2, "/b", Temperature.HOT, "etl")));
    assertEquals(
        Optional.empty(), small.full(file(1, "/a", Temperature.WARM, "etl")), "in its place");
    assertTrue(small.full(file(1, "/a", Temperature.HOT, "other")).isEmpty());
    small.end("1.advise", HintEnd.REMOVED, 1);
    assertTrue(small.hasRoom("etl"));
    ofAllOwners(small);
  }

  private static HintRegistry.Full fullOfAll(String what) {
    return new HintRegistry.Full(
        "all owners together have " + what,
        "the lower of hints.maxTotal and the number that fits into a quarter of the heap (-Xmx)",
        "raise hints.maxTotal and the heap (-Xmx)");
  }

  /** However many owners there are, what they give takes no more memory than that of three. */
  private static void ofAllOwners(HintRegistry small) {
    for (int i = 0; i < 10; i++) {
      small.give(file(i, "/many/" + i, Temperature.HOT, "owner" + i), 2);
      small.tag("/tagged/" + i, "owner" + i + "/s");
    }
    assertEquals(3, small.hints(hint -> true).size());
    assertEquals(3, small.streams().size());
    assertEquals(
        Optional.of(fullOfAll("3 hints")),
        small.full(file(9, "/many/9", Temperature.HOT, "owner9")));
    assertEquals(Optional.of(fullOfAll("3 paths in streams")), small.tag("/tagged/9", "owner9/s"));
    assertEquals(
        Optional.empty(), small.give(file(2, "/many/2", Temperature.COLD, "owner2"), 3), "renewed");
    small.end("2.advise", HintEnd.REMOVED, 4);
    assertEquals(Optional.empty(), small.give(file(9, "/many/9", Temperature.HOT, "owner9"), 4));
  }

  @Test
  void anOwnerHasSoManyOperationsHoweverTheyAreReplacedAndEnd() {
    HintRegistry small = new HintRegistry(operations(2), SeenAccess.NAMESERVICE, log());
    small.give(file(9, "/advice", Temperature.HOT, "etl"), 0);
    small.give(asking(1, Operation.PREFETCH, Source.USER), 0);
    small.give(asking(2, Operation.MIGRATE, Source.USER), 0);
    assertEquals(2, small.operationsOf("etl"));
    HintRegistry.Full full =
        HintRegistry.Full.of("etl has 2 operations in force", "hints.operationsPerOwner");
    assertEquals(Optional.of(full), small.full(asking(3, Operation.REDIRECT, Source.USER)));
    assertEquals(Optional.of(full), small.full(asking(1, Operation.REPLICATE, Source.USER)));
    assertEquals(
        Optional.empty(), small.full(asking(1, Operation.PREFETCH, Source.APPLICATION)), "renewed");
    assertEquals(Optional.empty(), small.full(asking(3, Operation.PIN, Source.USER)));
    assertEquals(
        Optional.empty(),
        small.full(asking(3, Operation.REDIRECT, Source.FILE_SYSTEM)),
        "which its client has done");

    small.give(asking(1, Operation.PREFETCH, Source.APPLICATION), 1);
    assertEquals(2, small.operationsOf("etl"));
    // What was done by a client becomes something to do: one more.
    small.give(asking(3, Operation.REDIRECT, Source.FILE_SYSTEM), 1);
    assertEquals(Optional.of(full), small.full(asking(3, Operation.REDIRECT, Source.USER)));
    small.end("2.migrate", HintEnd.REMOVED, 1);
    assertEquals(1, small.operationsOf("etl"));
    assertEquals(Optional.empty(), small.full(asking(3, Operation.REDIRECT, Source.USER)));
    small.tick(2 * DAY);
    assertEquals(0, small.operationsOf("etl"));
  }

  @Test
  void whatIsOffIsAdviceAndNotCounted() {
    HintRegistry small =
        new HintRegistry(operations(1), SeenAccess.NAMESERVICE, log(), Set.of(Operation.PREFETCH));
    small.give(asking(1, Operation.PREFETCH, Source.USER), 0);
    small.give(asking(2, Operation.PREFETCH, Source.USER), 0);
    assertEquals(0, small.operationsOf("etl"));
    assertEquals(2, small.hints(hint -> true).size());
    assertEquals(Optional.empty(), small.give(asking(3, Operation.MIGRATE, Source.USER), 0));
    assertTrue(small.give(asking(4, Operation.MIGRATE, Source.USER), 0).isPresent());
    assertEquals(3, small.hints(hint -> true).size());
  }

  @Test
  void whatTheServiceAsksForItselfIsBoundedByBytesAlone() {
    HintRegistry small = new HintRegistry(operations(1), SeenAccess.NAMESERVICE, log());
    for (int i = 0; i < 3; i++) {
      assertEquals(Optional.empty(), small.give(asking(i, Operation.PREFETCH, Source.SERVICE), 0));
    }
    assertEquals(3, small.hints(hint -> true).size());
  }

  @Test
  void thoseWhoGiveSideBySideShareOneBound() throws Exception {
    int givers = 8;
    int most = 100;
    HintRegistry small = new HintRegistry(operations(most), SeenAccess.NAMESERVICE, log());
    CyclicBarrier all = new CyclicBarrier(givers);
    AtomicInteger taken = new AtomicInteger();
    List<CompletableFuture<Void>> running = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(givers);
    try {
      for (int giver = 0; giver < givers; giver++) {
        int first = giver * most;
        running.add(
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < most; i++) {
                    meet(all);
                    GivenHint next = asking(first + i, Operation.MIGRATE, Source.USER);
                    // As the service does it: looked at, and then given.
                    if (small.full(next).isEmpty() && small.give(next, 0).isEmpty()) {
                      taken.incrementAndGet();
                    }
                  }
                },
                threads));
      }
      for (CompletableFuture<Void> each : running) {
        each.get(1, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(most, taken.get());
    assertEquals(most, small.operationsOf("etl"));
  }

  private static void meet(CyclicBarrier all) {
    try {
      all.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HintSettings operations(int most) {
    HintSettings set = HintSettings.DEFAULT;
    return new HintSettings(
        set.rates(),
        set.maxLease(),
        set.maxPerOwner(),
        set.maxTotal(),
        most,
        set.askBefore(),
        set.unusedAfter(),
        set.answerWithin());
  }

  private static GivenHint asking(long inode, Operation operation, Source source) {
    String path = "/asked/" + inode;
    return new GivenHint(
        Hint.onFile(operation, path).owner("etl").source(source).leaseExpiryMillis(DAY).build(),
        inode,
        path,
        0);
  }

  @Test
  void whoIsWrongIsBelievedLess() {
    assertEquals(0.8, OwnerReliability.NEW.weight(), 1e-9);
    OwnerReliability reliability = OwnerReliability.NEW;
    double before = reliability.weight();
    for (int i = 0; i < 20; i++) {
      reliability = reliability.after(Verdict.WRONG);
      assertTrue(reliability.weight() < before);
      before = reliability.weight();
    }
    assertEquals(4.0 / 25, before, 1e-9);
    assertEquals(reliability, reliability.after(Verdict.UNJUDGED));
  }

  private void read(String path, int times) {
    for (int i = 0; i < times; i++) {
      registry.accept(SeenAccess.of(Access.Kind.READ, path));
    }
    assertEquals(
        PathKey.of(SeenAccess.NAMESERVICE, path), SeenAccess.of(Access.Kind.READ, path).key());
  }

  private static GivenHint file(long inode, String path, Temperature temperature, String owner) {
    return given(inode, Scope.FILE, path, temperature, owner, 0, DAY);
  }

  private static GivenHint until(long inode, String path, long given, long until) {
    return given(inode, Scope.FILE, path, Temperature.HOT, "etl", given, until);
  }

  static GivenHint given(
      long inode,
      Scope scope,
      String path,
      Temperature temperature,
      String owner,
      long given,
      long until) {
    return new GivenHint(
        Hint.on(scope, Operation.ADVISE, path)
            .temperature(temperature)
            .owner(owner)
            .leaseExpiryMillis(until)
            .build(),
        inode,
        path,
        given);
  }

  private HintLog log() {
    return new HintLog() {
      @Override
      public void given(GivenHint hint) {
        written.add("given " + hint.id() + " " + hint.path());
      }

      @Override
      public void read(String id, long reads) {
        written.add("read " + id + " " + reads);
      }

      @Override
      public void ended(GivenHint hint, HintEnd end, Verdict verdict) {
        written.add("ended " + hint.id() + " " + end + " " + verdict);
      }

      @Override
      public void tagged(String path, String stream) {
        written.add("tagged " + path + " " + stream);
      }
    };
  }
}
