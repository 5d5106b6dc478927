// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.CallerThread;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalMemory;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The service dies between any two steps of a plan, and comes back; HDFS and the journal are what is left. */
class CrashTest {

  private static final long SEED = Long.getLong("test.seed", 20_26);

  private static final int FILES = 4;
  private static final int RANDOM_POINTS = Boolean.getBoolean("test.short") ? 200 : 1_000;
  private static final ActLimits LIMITS =
      new ActLimits(1, 1, 2, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(60));

  /** Unwinds everything, as the end of a process does; nobody catches it. */
  private static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** One cluster with its journal, and one service after the other that works on them. */
  private static final class World {
    private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 1000L));
    private final JournalMemory bytes = new JournalMemory();
    private final SplittableRandom random;
    private final ModelHdfs hdfs;
    private final AtomicLong nanos = new AtomicLong();
    private final Set<String> names = new TreeSet<>();
    private final List<JournalEntry> entries = new ArrayList<>();
    private long left = Long.MAX_VALUE;
    private String deadlyName = "";
    private long steps;
    private boolean dead;

    World(long seed) {
      random = new SplittableRandom(seed);
      hdfs = new ModelHdfs(chances -> random.nextInt(chances) == 0, nanos::get);
      for (int i = 0; i < FILES; i++) {
        hdfs.put(scene.file("/d/f" + i, 10, "n1-DISK", "n3-DISK", "n5-DISK"));
      }
      hdfs.boundary(this::step);
      bytes.boundary(this::step);
    }

    private void step() {
      steps++;
      if (dead || steps == left) {
        dead = true;
        throw new Crash();
      }
    }

    private void at(String name) {
      names.add(name);
      if (dead || name.equals(deadlyName)) {
        dead = true;
        throw new Crash();
      }
    }

    /** Lives until it crashes, or all is where it should be. */
    boolean live() throws IOException, InterruptedException {
      dead = false;
      Clock clock = Clock.fixed(Instant.ofEpochSecond(1_000_000), ZoneOffset.UTC);
      ServiceRuntime runtime =
          new ServiceRuntime(clock, nanos::get, wait -> nanos.addAndGet(wait.toNanos()), this::at);
      try (CallerThread threads = new CallerThread();
          Journal journal = Journal.open(bytes.open())) {
        ApplyMode service =
            new ApplyMode(
                new ApplyMode.Hands(
                    hdfs,
                    (machinery, policies) -> new PlanExecutor(hdfs, LIMITS, machinery, policies),
                    null,
                    threads),
                LIMITS,
                "pool",
                journal,
                runtime);
        journal.append(
            new JournalEntry.Started("2026-01-01T00:00:00Z", "APPLY", journal.epoch() + 1));
        for (int i = 0; i < 200; i++) {
          service.recovery().look();
          Plan plan = plan(journal.lastPlan() + 1, service.recovery());
          if (plan.isEmpty() && journal.open().isEmpty() && journal.unfinished().isEmpty()) {
            journal.history(entries::add);
            return true;
          }
          service.handle(plan);
          nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        }
        throw new AssertionError("never done: " + journal.open() + journal.unfinished());
      } catch (Crash e) {
        return false;
      }
    }

    /** One copy of each file to SSD, where none is there yet. */
    private Plan plan(long number, Recovery recovery) {
      List<Plan.FileMoves> files = new ArrayList<>();
      for (FileView file : hdfs.all()) {
        FileView.Block block = file.blocks().get(0);
        boolean isThere = block.types().contains(SSD);
        if (isThere || block.replicas().size() != 3 || recovery.isOpen(file.path())) {
          continue;
        }
        FileView.Replica source = block.replicas().get(0);
        Decision decision =
            new Decision(
                new HotFile(file, 1),
                DISK,
                new Target(List.of(SSD, DISK, DISK), "ONE_SSD"),
                Decision.Cause.PROMOTED,
                "read",
                new Gate.Benefit(2, 0, 1));
        files.add(
            new Plan.FileMoves(
                decision,
                "ONE_SSD",
                List.of(
                    new Move(
                        number + "-" + files.size() + ".0",
                        file.path(),
                        block,
                        source,
                        "n2",
                        "n2-SSD",
                        SSD))));
      }
      return new Plan(number, files, List.of());
    }

    void check(String where) {
      hdfs.settle();
      for (FileView file : hdfs.all()) {
        FileView.Block block = file.blocks().get(0);
        assertEquals(3, block.replicas().size(), () -> where + ": replication of " + file);
        assertEquals(
            1, block.types().stream().filter(SSD::equals).count(), () -> where + ": " + file);
        assertEquals("ONE_SSD", hdfs.ownPolicy(file.path()), () -> where + ": " + file.path());
      }
      assertEquals(FILES, hdfs.effects.size(), where);
      hdfs.effects.forEach(
          (what, times) -> assertEquals(1, times, () -> where + ": a move done twice: " + what));
      Map<String, String> states = new HashMap<>();
      for (JournalEntry entry : entries) {
        if (entry instanceof JournalEntry.Moved moved) {
          String before = states.put(moved.move(), moved.state());
          assertFalse("VERIFIED".equals(before), () -> where + ": " + moved + " after it was done");
        }
      }
      assertEquals(
          FILES,
          states.values().stream().filter("VERIFIED"::equals).count(),
          () -> where + ": moves that the journal has as done: " + states);
      assertTrue(
          Set.of("VERIFIED", "FAILED", "OBSOLETE", "CANCELLED").containsAll(states.values()),
          () -> where + ": " + states);
    }
  }

  @Test
  void nothingIsLostAtAnyNamedPoint() throws IOException, InterruptedException {
    World whole = new World(1);
    assertTrue(whole.live());
    whole.check("without a crash");
    assertEquals(
        Set.of(
            "planned.unrecorded",
            "planned.recorded",
            "policy.unrecorded",
            "policy.recorded",
            "COPYING.unrecorded",
            "COPYING.recorded",
            "COPIED.unrecorded",
            "COPIED.recorded",
            "VISIBLE.unrecorded",
            "VISIBLE.recorded",
            "VERIFIED.unrecorded",
            "VERIFIED.recorded",
            "planEnded.unrecorded",
            "planEnded.recorded"),
        whole.names);
    for (String name : whole.names) {
      World world = new World(2);
      world.deadlyName = name;
      assertFalse(world.live(), name);
      world.deadlyName = "";
      assertTrue(world.live(), name);
      world.check(name);
    }
  }

  @Test
  void nothingIsLostAtAnyStep() throws IOException, InterruptedException {
    World whole = new World(1);
    assertTrue(whole.live());
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < RANDOM_POINTS; i++) {
      long seed = random.nextLong();
      World world = new World(seed);
      SplittableRandom points = new SplittableRandom(seed);
      int crashes = 1 + points.nextInt(4);
      StringBuilder where = new StringBuilder("seed " + seed + "L, crashes at");
      boolean done = false;
      for (int crash = 0; crash < crashes && !done; crash++) {
        world.left = world.steps + 1 + points.nextLong(whole.steps);
        where.append(' ').append(world.left);
        done = world.live();
      }
      world.left = Long.MAX_VALUE;
      if (!done) {
        assertTrue(world.live(), where::toString);
      }
      world.check(where.toString());
    }
  }

  @Test
  void beginsNothingThatCannotBeRecordedAndGoesOnAfterwards()
      throws IOException, InterruptedException {
    World world = new World(3);
    AtomicLong waits = new AtomicLong();
    Journal journal = Journal.open(world.bytes.open());
    ServiceRuntime runtime =
        new ServiceRuntime(
            Clock.fixed(Instant.ofEpochSecond(1_000_000), ZoneOffset.UTC),
            world.nanos::get,
            wait -> {
              waits.incrementAndGet();
              world.nanos.addAndGet(wait.toNanos());
            });
    ApplyMode service =
        new ApplyMode(
            new ApplyMode.Hands(
                world.hdfs,
                (machinery, policies) -> new PlanExecutor(world.hdfs, LIMITS, machinery, policies),
                null,
                new CallerThread()),
            LIMITS,
            "pool",
            journal,
            runtime);
    world.bytes.fail(new IOException("No space left on device"));
    Plan plan = world.plan(1, service.recovery());
    try {
      service.handle(plan);
    } catch (IOException e) {
      assertEquals("No space left on device", e.getMessage());
    }
    assertEquals(Map.of(), world.hdfs.effects);
    assertFalse(service.control().mayBegin());
    assertEquals(
        "the journal can't be written: No space left on device", service.control().reason());
    service.tick();
    assertFalse(service.control().mayBegin());

    world.bytes.fail(null);
    service.tick();

    assertTrue(service.control().mayBegin());
    service.handle(plan);
    journal.close();
    world.hdfs.settle();
    assertEquals(FILES, world.hdfs.effects.size());
  }
}
