// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.JournalMemory;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RecorderTest {

  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

  private final JournalMemory memory = new JournalMemory();
  private final ExecutionControl control = ExecutionControl.running(CLOCK);

  @Test
  void writesInOneGoWhatCameWhileItWrote() throws Exception {
    CountDownLatch isWriting = new CountDownLatch(1);
    CountDownLatch othersWait = new CountDownLatch(1);
    AtomicInteger steps = new AtomicInteger();
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = recorder(journal);
      memory.boundary(
          () -> {
            if (steps.getAndIncrement() == 0) {
              isWriting.countDown();
              await(othersWait);
            }
          });
      List<Thread> threads = new ArrayList<>();
      threads.add(begin(recorder, 0));
      await(isWriting);
      for (int i = 1; i < 9; i++) {
        threads.add(begin(recorder, i));
      }
      // None can get further than to wait for the one that writes.
      for (Thread thread : threads.subList(1, 9)) {
        while (thread.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
      }
      othersWait.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      // Three steps of each append: before, in the middle, after.
      assertEquals(2 * 3, steps.get());
      assertEquals(9, paths(journal).size());
      assertEquals("/0", paths(journal).get(0));
    }
  }

  @Test
  void keepsWhatCameOfThingsInOrderUntilItCanBeWrittenAndNothingElse() throws Exception {
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = recorder(journal);
      recorder.before("a", entry("/a"));
      memory.fail(new IOException("full"));
      recorder.after("b", entry("/b"));
      assertThrows(IOException.class, () -> recorder.before("c", entry("/c")));
      recorder.after(
          List.of(new Recorder.Line("d", entry("/d")), new Recorder.Line("e", entry("/e"))));
      recorder.retry();
      assertFalse(control.mayBegin());
      assertEquals(List.of("/a"), paths(journal));

      memory.fail(null);
      recorder.retry();
      assertTrue(control.mayBegin());
      assertEquals(List.of("/a", "/b", "/d", "/e"), paths(journal));
    }
  }

  @Test
  void triesMoreAndMoreSeldom() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = recorder(journal);
      memory.fail(new IOException("full"));
      recorder.after("a", entry("/a"));
      memory.boundary(tries::getAndIncrement);
      for (int i = 0; i < 60; i++) {
        recorder.retry();
      }
      assertEquals(7, tries.get(), "at 0, 1, 3, 7, 15, 31 and 48 s");
    }
  }

  @Test
  void whatComesMeanwhileWaitsForTheNextTry() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = recorder(journal);
      memory.fail(new IOException("full"));
      memory.boundary(tries::getAndIncrement);
      for (int i = 0; i < 50; i++) {
        recorder.after("a", entry("/" + i));
      }
      IOException refused =
          assertThrows(IOException.class, () -> recorder.before("b", entry("/b")));
      assertEquals("full", refused.getMessage());
      assertEquals(1, tries.get(), "of the first alone");
      assertEquals(50, recorder.waiting());
      recorder.retry();
      assertEquals(2, tries.get());
      assertEquals(
          "the journal can't be written: full; 50 of at most 100000 entries wait for that",
          control.reason());

      memory.fail(null);
      recorder.retry();
      assertTrue(control.mayBegin());
      assertEquals(0, recorder.waiting());
      assertEquals(IntStream.range(0, 50).mapToObj(i -> "/" + i).toList(), paths(journal));
      recorder.before("c", entry("/c"));
      assertEquals("/c", paths(journal).get(50));
    }
  }

  @Test
  void beginsNothingAnyMoreWhereThereWasNoRoomForWhatWaited() throws Exception {
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = recorder(journal);
      memory.fail(new IOException("full"));
      Recorder.Line line = new Recorder.Line("a", entry("/a"));
      recorder.after(Collections.nCopies(Recorder.MOST_WAITING - 1, line));
      recorder.after(List.of(line, line));
      recorder.after("lost", entry("/lost"));
      recorder.after("lost", entry("/lost"));
      assertEquals(Recorder.MOST_WAITING + 1, recorder.waiting());

      memory.fail(null);
      recorder.retry();
      assertEquals(Recorder.MOST_WAITING + 1, paths(journal).size());
      assertFalse(control.mayBegin());
      assertEquals(
          "2 entries of the journal were lost while it couldn't be written: the service's log has them; restart the"
              + " service, which asks HDFS what came of moves",
          control.reason());
      recorder.retry();
      assertFalse(control.mayBegin());
    }
  }

  @Test
  void triesOnceMoreAtTheEnd() throws Exception {
    try (Journal journal = Journal.open(memory.open())) {
      Recorder recorder = recorder(journal);
      memory.fail(new IOException("full"));
      recorder.after("a", entry("/a"));
      recorder.retry();
      memory.fail(null);
      recorder.end();
      assertEquals(List.of("/a"), paths(journal));
    }
  }

  @Test
  void holdsWhatActsWhileTheJournalIsNotWhereItWas(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("journal.jsonl");
    Path away = directory.resolve("away");
    try (Journal journal = Journal.open(directory)) {
      Recorder recorder = recorder(journal);
      recorder.retry();
      assertTrue(control.mayBegin());
      Files.move(file, away);
      recorder.retry();
      assertFalse(control.mayBegin());
      assertTrue(control.reason().contains("was removed or replaced"), control.reason());
      Files.move(away, file);
      recorder.retry();
      assertTrue(control.mayBegin(), control.reason());
    }
  }

  private Recorder recorder(Journal journal) {
    return new Recorder(journal, control, new ServiceRuntime(CLOCK, () -> 0, wait -> {}));
  }

  private static Thread begin(Recorder recorder, int number) {
    Thread thread =
        new Thread(
            () -> {
              try {
                recorder.before("test", entry("/" + number));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    thread.start();
    return thread;
  }

  private static JournalEntry entry(String path) {
    return new JournalEntry.PolicySet(Instant.EPOCH.toString(), path, "HOT", "");
  }

  private static List<String> paths(Journal journal) throws IOException {
    List<String> paths = new ArrayList<>();
    journal.history(
        entry -> {
          if (entry instanceof JournalEntry.PolicySet set) {
            paths.add(set.path());
          }
        });
    return paths;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
