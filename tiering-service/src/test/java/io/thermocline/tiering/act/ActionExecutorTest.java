// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.ActionChange;
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
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ActionExecutorTest {

  private static final ActLimits LIMITS =
      new ActLimits(2, 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(60));

  private final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 100L));
  private final List<String> calls = new ArrayList<>();
  private final Fake hdfs = new Fake();
  private long nanos;
  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
  private final Remembered record = new Remembered();
  private final ActionExecutor executor =
      new ActionExecutor(
          hdfs,
          LIMITS,
          new PlanExecutor.Machinery(null, () -> nanos, this::pause, control),
          record);

  private Runnable whileWaiting = () -> {};

  private void pause(Duration wait) {
    nanos += wait.toNanos();
    whileWaiting.run();
  }

  @Test
  void takesNothingBackWhilePaused() throws Exception {
    hdfs.showsNothing = true;
    control.pause("ann", "");
    control.resume("ann", "");
    List<String> paused = new ArrayList<>();
    whileWaiting =
        () -> {
          try {
            if (nanos > 200e9) {
              paused.addAll(calls);
              control.resume("ann", "");
              whileWaiting = () -> {};
            } else if (nanos > 30e9) {
              control.pause("ann", "");
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        };

    executor.execute(List.of(change(file("/m"), Decision.Cause.MORE_COPIES, 5, 0)));

    assertEquals(List.of("record replication /m 3 5", "replication /m 5"), paused);
    assertTrue(calls.contains("replication /m 3"), calls::toString);
  }

  @Test
  void takesNothingBackOnceTheServiceEnds() throws Exception {
    hdfs.showsNothing = true;
    whileWaiting = () -> control.end(ExecutionControl.Stop.FINISH);

    executor.execute(
        List.of(
            change(file("/m"), Decision.Cause.MORE_COPIES, 5, 0),
            change(file("/c"), Decision.Cause.CACHED, 3, 1)));

    assertFalse(calls.contains("replication /m 3"), calls::toString);
    assertFalse(calls.contains("uncache /c 1"), calls::toString);
    assertEquals(
        2,
        calls.stream()
            .filter(call -> call.endsWith("; not taken back: the service is stopping"))
            .count(),
        calls::toString);
  }

  @Test
  void saysThatItCopies() throws InterruptedException {
    assertFalse(control.beside().wereAny());
    executor.execute(List.of(change(file("/m"), Decision.Cause.MORE_COPIES, 5, 0)));
    assertTrue(control.beside().wereAny());
    assertFalse(control.beside().wereAny(), "none runs any more");
  }

  @Test
  void recordsWhatGoesUpBeforeAndWhatComesDownAfter() throws InterruptedException {
    record.made("/u", new ActionCalls.Directive(9, 1, 0));
    executor.execute(
        List.of(
            change(file("/c"), Decision.Cause.CACHED, 3, 2),
            change(file("/u"), Decision.Cause.UNCACHED, 3, 0),
            change(file("/m"), Decision.Cause.MORE_COPIES, 5, 0),
            change(file("/f"), Decision.Cause.FEWER_COPIES, 2, 0)));

    assertEquals(
        List.of(
            "record cached /c 2",
            "cache /c 2",
            "uncache /u 9",
            "record cached /u 0",
            "ended CACHED /c ",
            "ended UNCACHED /u ",
            "record replication /m 3 5",
            "replication /m 5",
            "replication /f 2",
            "record replication /f 3 2",
            "ended MORE_COPIES /m ",
            "ended FEWER_COPIES /f "),
        calls);
  }

  @Test
  void takesBackWhatHdfsDoesNotShow() throws InterruptedException {
    hdfs.showsNothing = true;

    executor.execute(
        List.of(
            change(file("/c"), Decision.Cause.CACHED, 3, 1),
            change(file("/m"), Decision.Cause.MORE_COPIES, 5, 0)));

    assertEquals(
        List.of(
            "uncache /c 1", "record cached /c 0", "replication /m 3", "record replication /m 5 3"),
        calls.stream().skip(4).filter(call -> !call.startsWith("ended")).toList());
    List<String> ended = calls.stream().filter(call -> call.startsWith("ended")).toList();
    assertTrue(
        ended.get(0).contains("0 of 30 bytes came into memory")
            && ended.get(0).contains("dfs.datanode.max.locked.memory")
            && ended.get(0).endsWith("within 60 s; taken back"),
        ended::toString);
    assertTrue(ended.get(1).contains("1 blocks don't have 5 replicas"), ended::toString);
  }

  /** Files that came into memory slowly once made the service say that it isn't ready. */
  @Test
  void bytesThatComeIntoMemoryAreProgress() throws InterruptedException {
    executor.limit(
        new ActLimits(
            2, 2, 3, Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(10)));
    hdfs.showsNothing = true;
    control.watch().begin("plan 1", () -> nanos);
    Set<String> stalled = new HashSet<>();
    whileWaiting =
        () -> {
          // A byte each 10 s.
          hdfs.inMemory = Math.min(30, nanos / 10_000_000_000L);
          stalled.add(control.watch().stalled());
        };

    executor.execute(List.of(change(file("/c"), Decision.Cause.CACHED, 3, 1)));

    assertTrue(calls.contains("ended CACHED /c "), calls::toString);
    assertEquals(Set.of(""), stalled);
  }

  @Test
  void doesNotTakeBackAFactorThatSomebodySetMeanwhile() throws InterruptedException {
    hdfs.showsNothing = true;
    hdfs.setByOthers = 4;

    executor.execute(List.of(change(file("/m"), Decision.Cause.MORE_COPIES, 5, 0)));

    assertEquals(List.of("record replication /m 3 5", "replication /m 5"), calls.subList(0, 2));
    assertEquals(3, calls.size(), calls::toString);
    assertTrue(calls.get(2).endsWith("not taken back: somebody changed the file since"));
  }

  @Test
  void leavesAFileAloneThatIsNotAsItWasPlanned() throws InterruptedException {
    FileView planned = file("/changed");
    hdfs.files.put("/changed", new FileView("/changed", 30, 2, 0, planned.blocks()));
    FileView gone = file("/gone");
    hdfs.files.remove("/gone");

    executor.execute(
        List.of(
            change(planned, Decision.Cause.MORE_COPIES, 5, 0),
            change(gone, Decision.Cause.CACHED, 3, 1)));

    assertEquals(
        List.of(
            "ended MORE_COPIES /changed the file changed or went away",
            "ended CACHED /gone the file changed or went away"),
        calls);
  }

  @Test
  void saysWhyHdfsRefuses() throws InterruptedException {
    hdfs.refusal = new IOException("would exceed the pool's remaining capacity");

    executor.execute(List.of(change(file("/c"), Decision.Cause.CACHED, 3, 1)));

    assertEquals(3, calls.size());
    assertTrue(calls.get(2).contains("would exceed the pool's"), calls::toString);
  }

  @Test
  void beginsNoMoreThanMayBeUnderWay() throws InterruptedException {
    hdfs.showsNothing = true;

    executor.execute(
        IntStream.range(0, 5)
            .mapToObj(i -> change(file("/c" + i), Decision.Cause.CACHED, 3, 1))
            .toList());

    int underWay = 0;
    for (String call : calls) {
      underWay += call.startsWith("cache ") ? 1 : call.startsWith("ended") ? -1 : 0;
      assertTrue(underWay <= LIMITS.copies(), calls::toString);
    }
    assertEquals(5, calls.stream().filter(call -> call.startsWith("cache ")).count());
  }

  @Test
  void beginsNothingAfterItWasStopped() throws InterruptedException {
    control.end(ExecutionControl.Stop.FINISH);

    executor.execute(List.of(change(file("/c"), Decision.Cause.CACHED, 3, 1)));

    assertEquals(List.of("ended CACHED /c the service is stopping"), calls);
  }

  private FileView file(String path) {
    FileView file = scene.file(path, 30, "n1-DISK", "n2-DISK", "n3-DISK");
    hdfs.files.put(path, file);
    return file;
  }

  private static ActionChange change(
      FileView file, Decision.Cause cause, int replication, int cached) {
    Target target = new Target(List.of(DISK, DISK, DISK), "HOT", replication, cached);
    return new ActionChange(
        new Decision(new HotFile(file, 1), DISK, target, cause, "", new Gate.Benefit(1, 0, 1)));
  }

  private final class Remembered implements ActionRecord {
    private final Map<String, ActionCalls.Directive> directives = new HashMap<>();

    @Override
    public void cached(String path, int after) {
      calls.add("record cached " + path + " " + after);
      if (after == 0) {
        directives.remove(path);
      }
    }

    @Override
    public void made(String path, ActionCalls.Directive directive) {
      directives.put(path, directive);
    }

    @Override
    public Optional<ActionCalls.Directive> directive(String path) {
      return Optional.ofNullable(directives.get(path));
    }

    @Override
    public void replication(String path, int before, int after) {
      calls.add("record replication " + path + " " + before + " " + after);
    }

    @Override
    public void ended(ActionChange change, String failure) {
      calls.add("ended " + change.decision().cause() + " " + change.path() + " " + failure);
    }
  }

  /** HDFS that shows at once what it was asked for, unless told otherwise. */
  private final class Fake implements ActionCalls {
    final Map<String, FileView> files = new HashMap<>();
    boolean showsNothing;
    long inMemory;
    int setByOthers;
    long lastDirective;
    IOException refusal;

    @Override
    public void setReplication(String path, int factor) {
      calls.add("replication " + path + " " + factor);
      FileView file = files.get(path);
      files.put(path, new FileView(path, file.length(), factor, 0, file.blocks()));
      if (setByOthers > 0) {
        files.put(path, new FileView(path, file.length(), setByOthers, 0, file.blocks()));
      }
      if (!showsNothing) {
        List<FileView.Replica> replicas =
            IntStream.range(1, factor + 1)
                .mapToObj(i -> new FileView.Replica("n" + i, "n" + i + "-DISK", DISK))
                .toList();
        FileView.Block block = file.blocks().get(0);
        files.put(
            path,
            new FileView(
                path,
                file.length(),
                factor,
                0,
                List.of(
                    new FileView.Block(
                        block.poolId(),
                        block.id(),
                        block.generation(),
                        block.length(),
                        replicas))));
      }
    }

    @Override
    public void cache(String path, int copies, Consumer<Directive> made) throws IOException {
      calls.add("cache " + path + " " + copies);
      if (refusal != null) {
        throw refusal;
      }
      made.accept(new Directive(++lastDirective, copies, 0));
    }

    @Override
    public void uncache(String path, Directive ours) {
      calls.add("uncache " + path + " " + ours.id());
    }

    @Override
    public Optional<Cached> cached(String path, Directive ours) {
      return Optional.of(new Cached(30, showsNothing ? inMemory : 30));
    }

    @Override
    public Optional<FileView> file(String path) {
      return Optional.ofNullable(files.get(path));
    }
  }
}
