// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MutexWatchTest {

  private static final String PATH = "/system/thermocline/mover.id";

  private final ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
  private final Held held = new Held();
  private long nanos = Long.MAX_VALUE - 1;
  private final MutexWatch watch = new MutexWatch(held, PATH, control, () -> nanos);

  MutexWatchTest() {
    control.guard(MutexWatch.HOLD, watch::objection);
  }

  @Test
  void whatIsLostStaysLost() {
    watch.look();
    assertTrue(control.mayBegin());

    held.isOurs = false;
    watch.look();

    assertFalse(control.mayBegin());
    assertEquals(Set.of("mutex"), control.heldBy());
    assertEquals(
        PATH
            + " isn't this service's any more: another Thermocline took it, or somebody deleted it."
            + " Start this one again",
        control.reason());
    held.failure = new IOException("no answer");
    nanos += MutexWatch.SURE_FOR.toNanos();
    watch.look();
    assertTrue(control.reason().contains("another Thermocline took it"), control::reason);
  }

  @Test
  void whoWasFrozenLooksFirst() {
    nanos += MutexWatch.SURE_FOR.toNanos() - 1;
    assertTrue(control.mayBegin());
    nanos++;
    assertFalse(control.mayBegin());
    assertEquals(
        "HDFS hasn't said for 8 s whose " + PATH + " is: does a NameNode answer?",
        control.reason());

    watch.look();

    assertTrue(control.mayBegin());
  }

  @Test
  void anAnswerCountsAsOfWhenItWasAskedFor() {
    held.takes = MutexWatch.SURE_FOR.toNanos();
    watch.look();
    assertFalse(control.mayBegin());
  }

  @Test
  void aNameNodeThatIsSilentForAMomentIsNoReason() {
    held.failure = new IOException("no answer");
    watch.look();
    assertTrue(control.mayBegin());

    nanos += MutexWatch.SURE_FOR.toNanos();
    watch.look();

    assertFalse(control.mayBegin());
    assertTrue(control.reason().endsWith("no answer"), control::reason);
    held.failure = null;
    watch.look();
    assertTrue(control.mayBegin());
  }

  @Test
  void aMoverThatHangsIsSaidAtOnceAndUntilItGoesOn() {
    held.failure = new HeldBackException("the mover gives no sign of life");
    watch.look();

    assertFalse(control.mayBegin());
    assertEquals("the mover gives no sign of life", control.obstacle());
    held.failure = null;
    watch.look();
    assertTrue(control.mayBegin());
  }

  @Test
  void noneIsTakenFromWhoIsNotFollowed() {
    MutexHolder fifth = new MutexHolder("journal /j", 5, "one");
    assertTrue(new MutexHolder("journal /j", 6, "two").follows(fifth));
    assertTrue(fifth.follows(fifth), "itself before a restart");
    assertFalse(new MutexHolder("journal /j", 5, "two").follows(fifth));
    assertFalse(new MutexHolder("journal /j", 4, "one").follows(fifth));
    assertFalse(new MutexHolder("journal /other", 6, "two").follows(fifth));
    assertFalse(MutexHolder.alone(6, "two").follows(fifth));
    assertFalse(MutexHolder.alone(6, "two").follows(MutexHolder.alone(5, "two")));
    assertFalse(new MutexHolder("journal /j", 6, "two").follows(MutexHolder.alone(5, "one")));
  }

  private final class Held implements MutexCalls {
    private boolean isOurs = true;
    private long takes;
    private IOException failure;

    @Override
    public boolean hasMutex() throws IOException {
      nanos += takes;
      if (failure != null) {
        throw failure;
      }
      return isOurs;
    }

    @Override
    public void close() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void leave() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setStoragePolicy(String path, String policy) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String storagePolicy(String path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<FileView> file(String path) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, FileView> files(Collection<String> paths) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String rack(String node) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void copy(Move move) {
      throw new UnsupportedOperationException();
    }
  }
}
