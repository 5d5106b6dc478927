// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.CallerThread;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlanExecutorTest extends ExecutorStage {
  @Test
  void leavesAloneWhatSomebodyHasSetAPolicyOnSinceThePlan() throws InterruptedException {
    Plan.FileMoves planned = promotion("/a");
    FileView file = planned.decision().hot().file();
    hdfs.put(
        new FileView(
            file.path(), file.length(), file.replication(), 2, file.blocks(), file.owner()));
    hdfs.policies.put("/a", "COLD");

    execute(planned);

    assertEquals(List.of("/a.0 OBSOLETE somebody set its storage policy since the plan"), changes);
    assertEquals(List.of("file /a"), hdfs.calls);
  }

  @Test
  void leavesAloneWhatSomebodyGaveThePolicyThatItSets() throws InterruptedException {
    Plan.FileMoves planned = promotion("/a");
    FileView file = planned.decision().hot().file();
    hdfs.put(
        new FileView(
            file.path(), file.length(), file.replication(), 10, file.blocks(), file.owner()));
    hdfs.policies.put("/a", "ONE_SSD");

    execute(planned);

    assertEquals(List.of("/a.0 OBSOLETE somebody set its storage policy since the plan"), changes);
  }

  @Test
  void goesThroughTheStatesOfAGoodMove() throws InterruptedException {
    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(
        List.of("file /a", "file /a", "policy /a ONE_SSD", "copy /a.0", "file /a"), hdfs.calls);
    assertEquals(List.of("/a ONE_SSD"), policies);
    assertEquals(List.of(), pauses);
  }

  @Test
  void movesTheCopiesOfOneBlockOneAfterTheOther() throws InterruptedException {
    execute(archiving("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.0 VERIFIED",
            "/a.1 COPYING",
            "/a.1 COPIED",
            "/a.1 VERIFIED"),
        changes);
    assertEquals(1, hdfs.calls.stream().filter(call -> call.startsWith("policy")).count());
  }

  @Test
  void triesAgainWhenADataNodeIsBusy() throws InterruptedException {
    hdfs.refusals.add(new IOException("threads quota exceeded"));
    hdfs.refusals.add(new IOException("threads quota exceeded"));

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VERIFIED"), changes);
    assertEquals(Duration.ofSeconds(3), paused(), "1 s, then 2 s: " + pauses);
  }

  @Test
  void failsWithTheDataNodesWords() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      hdfs.refusals.add(new IOException("opReplaceBlock: disk is on fire"));
    }

    execute(promotion("/a"));

    assertEquals(2, changes.size(), changes.toString());
    assertEquals(
        "/a.0 FAILED java.io.IOException: opReplaceBlock: disk is on fire", changes.get(1));
    assertEquals(3, hdfs.calls.stream().filter(call -> call.startsWith("copy")).count());
  }

  /** Each further attempt would hold the plan up as long. */
  @Test
  void triesACopyThatTookAllItsTimeNoSecondTime() throws InterruptedException {
    hdfs.refusals.add(new SlowCopyException("no end within 300 s", new IOException("closed")));

    execute(promotion("/a"));

    assertEquals(
        "/a.0 FAILED " + SlowCopyException.class.getName() + ": no end within 300 s",
        changes.get(1));
    assertEquals(1, hdfs.calls.stream().filter(call -> call.startsWith("copy")).count());
  }

  @Test
  void failsOnlyTheMoveThatMetADefect() throws InterruptedException {
    FileView file =
        new FileView(
            "/a",
            20,
            3,
            0,
            List.of(
                scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK").blocks().get(0),
                scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK").blocks().get(0)));
    hdfs.put(file);
    Iterator<RuntimeException> defects =
        Collections.nCopies(3, (RuntimeException) new IllegalArgumentException("no port"))
            .iterator();
    hdfs.duringCopy(
        () -> {
          if (hdfs.calls.get(hdfs.calls.size() - 1).equals("copy /a.0")) {
            throw defects.next();
          }
        });
    Move second = move(file, 0, "n2", SSD, "/a.1");
    FileView.Block block = file.blocks().get(1);
    second =
        new Move(
            second.id(), "/a", block, block.replicas().get(0), "n2", "n2-SSD", second.targetType());

    execute(
        new Plan.FileMoves(
            decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n2", SSD, "/a.0"), second)));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.1 COPYING",
            "/a.1 COPIED",
            "/a.0 FAILED java.lang.IllegalArgumentException: no port",
            "/a.1 VERIFIED"),
        changes);
  }

  @Test
  void takesHdfssWordForACopyWhoseAnswerWasLost() throws InterruptedException {
    hdfs.loseAnswers(new IOException("connection reset"));

    execute(promotion("/a"));

    assertEquals(List.of("/a.0 COPYING", "/a.0 VERIFIED"), changes);
  }

  @Test
  void failsWhatIsNotShownInTime() throws InterruptedException {
    hdfs.showNothing();

    execute(promotion("/a"));

    assertEquals(
        List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 FAILED the copy isn't shown after 60 s"),
        changes);
    assertTrue(paused().compareTo(Duration.ofSeconds(60)) > 0, pauses::toString);
    assertTrue(pauses.get(0).toMillis() < 100, "soon at first: " + pauses);
    assertTrue(hdfs.calls.size() < 30, "seldom in the end: " + hdfs.calls);
  }

  @Test
  void leavesAloneWhatIsGone() throws InterruptedException {
    Plan.FileMoves file = archiving("/a");
    hdfs.remove("/a");

    execute(file);

    assertEquals(
        List.of(
            "/a.0 OBSOLETE the file changed or went away",
            "/a.1 OBSOLETE the file changed or went away"),
        changes);
    assertEquals(List.of(), policies);
    assertEquals(Set.of("file /a"), Set.copyOf(hdfs.calls));
  }

  @Test
  void leavesAloneWhatHasOtherBlocksNow() throws InterruptedException {
    Plan.FileMoves file = promotion("/a");
    hdfs.put(scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK"));

    execute(file);

    assertEquals(List.of("/a.0 OBSOLETE the file changed or went away"), changes);
    assertEquals(List.of("file /a"), hdfs.calls);
  }

  @Test
  void endsMovesOfAFileThatGoesAwayMeanwhile() throws InterruptedException {
    Plan.FileMoves file = archiving("/a");
    hdfs.duringCopy(() -> hdfs.remove("/a"));

    execute(file);

    assertEquals("/a.0 OBSOLETE the file changed or went away", changes.get(2));
    assertEquals("/a.1 OBSOLETE the file changed or went away", changes.get(3));
    assertEquals(4, changes.size());
  }

  @Test
  void isDoneWhenClientsAreShownTheCopyAndConfirmsLaterThatTheSourceWent()
      throws InterruptedException {
    Plan.FileMoves file = promotion("/a");
    hdfs.keepSources();
    List<Runnable> later = new ArrayList<>();
    PlanExecutor waiting =
        executor(
            new CallerThread() {
              @Override
              public void execute(Runnable task) {
                if (changes.contains("/a.0 VISIBLE")) {
                  later.add(task);
                } else {
                  task.run();
                }
              }
            });

    execute(waiting, List.of(file));

    assertEquals(List.of("/a.0 COPYING", "/a.0 COPIED", "/a.0 VISIBLE"), changes);
    hdfs.dropSources();
    later.forEach(Runnable::run);
    assertEquals("/a.0 VERIFIED", changes.get(3));
  }

  @Test
  void saysWhichSourceDoesNotGo() throws InterruptedException {
    hdfs.keepSources();

    execute(promotion("/a"));

    assertEquals(
        List.of(
            "/a.0 COPYING",
            "/a.0 COPIED",
            "/a.0 VISIBLE",
            "/a.0 FAILED the source is still shown after 60 s"),
        changes);
  }

  @Test
  void copiesNoReplicaWhereTheBlockHasOneOrARackWouldBeLost() throws InterruptedException {
    FileView file = scene.file("/a", 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    Plan.FileMoves second =
        new Plan.FileMoves(
            decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n3", SSD, "/a.0")));
    Plan.FileMoves rack =
        new Plan.FileMoves(
            decision(file, SSD), "ONE_SSD", List.of(move(file, 0, "n4", SSD, "/a.0")));

    execute(second);
    execute(rack);

    assertEquals(
        List.of(
            "/a.0 OBSOLETE its target DataNode has another copy of the block",
            "/a.0 OBSOLETE it would leave 2 racks of 3"),
        changes);
    assertEquals(List.of(), policies);
  }

  /** As many bytes a second as may be, in even steps: what is due soon doesn't begin with what is due. */
  @Test
  void beginsPacedCopiesWhenEachIsDue() throws InterruptedException {
    List<Long> begun = new ArrayList<>();
    hdfs.duringCopy(() -> begun.add(nanos.get()));
    List<Plan.FileMoves> files = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      files.add(promotion("/f" + i));
    }

    execute(
        executor(new CallerThread(), new Pacing(300, Map.of(), 1e9, Duration.ofMinutes(1))), files);

    assertEquals(20, begun.size());
    long each = Duration.ofSeconds(10).toNanos() / 300;
    for (int i = 3; i < begun.size(); i++) {
      assertEquals(each, begun.get(i) - begun.get(i - 1), each / 1000.0, begun::toString);
    }
  }

  @Test
  void neverHasMoreCopiesOnANodeThanItsLimit() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      // Long enough for others to begin meanwhile, if they may.
      hdfs.duringCopy(() -> IntStream.range(0, 200).forEach(i -> Thread.yield()));
      List<Plan.FileMoves> files = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        files.add(promotion("/f" + i));
      }
      execute(executor(threads), files);
    } finally {
      threads.shutdownNow();
      assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
    }

    assertEquals(60, changes.stream().filter(change -> change.endsWith(" VERIFIED")).count());
    assertFalse(hdfs.mostAtOnce.isEmpty());
    hdfs.mostAtOnce.forEach((node, most) -> assertTrue(most <= 2, node + ": " + most));
  }

  @Test
  void setsThePolicyOfADirectoryOnceAndBeforeAnyCopy() throws InterruptedException {
    List<Plan.FileMoves> files = new ArrayList<>();
    for (String path : List.of("/d/a", "/d/b", "/d/c")) {
      Plan.FileMoves file = promotion(path);
      files.add(new Plan.FileMoves(file.decision(), "ONE_SSD", "/d", file.moves()));
    }

    execute(executor, files);

    List<String> asked = hdfs.calls.stream().filter(call -> !call.startsWith("file")).toList();
    assertEquals("policy /d ONE_SSD", asked.get(0));
    assertEquals(1, hdfs.calls.stream().filter(call -> call.startsWith("policy")).count());
    assertEquals(3, hdfs.calls.stream().filter(call -> call.startsWith("copy")).count());
  }
}
