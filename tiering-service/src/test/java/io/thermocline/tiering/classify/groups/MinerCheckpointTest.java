// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** A miner that was saved and restored finds what one finds that never stopped. */
class MinerCheckpointTest {

  /** So little memory that objects and partners are forgotten on the way. */
  private static final MiningSettings SMALL =
      MiningSettings.defaults().withWindow(Duration.ofMillis(20)).withMemory(300, 4);

  @RepeatedTest(5)
  void findsTheSameWhereverItWasSaved(RepetitionInfo repetition) {
    long seed = 20261122L + repetition.getCurrentRepetition();
    CorrelationMiner whole = new CorrelationMiner(SMALL);
    CorrelationMiner parts = new CorrelationMiner(SMALL);
    SplittableRandom reads = new SplittableRandom(seed);
    SplittableRandom saves = new SplittableRandom(seed + 1);
    long millis = 0;
    for (int i = 0; i < 20_000; i++) {
      millis += reads.nextInt(12);
      long group = Math.min(reads.nextInt(120), reads.nextInt(120));
      long key = reads.nextInt(4) == 0 ? 10_000 + reads.nextInt(3_000) : group * 4 + i % 4;
      long offset = reads.nextInt(1 << 20);
      whole.read(key, 0, millis, offset, 4096);
      parts.read(key, 0, millis, offset, 4096);
      if (saves.nextInt(2_000) == 0) {
        Saved saved = new Saved();
        parts.writeTo(saved);
        parts = CorrelationMiner.restore(SMALL, saved.source());
        assertTrue(saved.values.isEmpty(), "all that was written is read");
      }
    }
    assertTrue(whole.objectError() > 0, "seed " + seed + ": something was forgotten");
    assertEquals(whole.groups(), parts.groups(), "seed " + seed);
    assertEquals(whole.objectError(), parts.objectError());
    assertEquals(whole.pairError(), parts.pairError());
    assertEquals(whole.pairs(), parts.pairs());
  }

  @Test
  void believesNoImpossibleSize() {
    Saved saved = new Saved();
    new CorrelationMiner(SMALL).writeTo(saved);
    Deque<Object> damaged = new ArrayDeque<>(saved.values);
    Saved other = new Saved();
    int at = 0;
    // After reads and times, where the number of readers stands.
    int size = 3;
    for (Object value : damaged) {
      other.values.add(at++ == size ? Long.valueOf(1L << 40) : value);
    }
    assertThrows(
        IllegalStateException.class, () -> CorrelationMiner.restore(SMALL, other.source()));
  }

  private static final class Saved implements StateSink {
    private final Deque<Object> values = new ArrayDeque<>();

    @Override
    public void number(long value) {
      values.add(value);
    }

    @Override
    public void text(String value) {
      values.add(value);
    }

    @Override
    public void words(long[] words) {
      for (long word : words) {
        values.add(word);
      }
    }

    StateSource source() {
      return new StateSource() {
        @Override
        public long number() {
          return (Long) values.remove();
        }

        @Override
        public String text() {
          return (String) values.remove();
        }

        @Override
        public void words(long[] into) {
          for (int i = 0; i < into.length; i++) {
            into[i] = number();
          }
        }
      };
    }
  }
}
