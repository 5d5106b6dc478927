// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RandomSequenceTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "0.5,0",
    "16,0",
    "16.1,1",
    "17,1",
    "32,1",
    "32.5,2",
    "64,2",
    "65,3",
    "1000,6",
    "16777216,20"
  })
  void rangeStartsAt16AndDoubles(double end, int level) {
    assertEquals(level, RandomSequence.of(1, 1).levelCovering(end));
    assertTrue(RandomSequence.rangeOf(level) >= end);
    assertTrue(level == 0 || RandomSequence.rangeOf(level - 1) < end);
  }

  @Test
  void lineBeyondTheLastGeneratorIsAnError() {
    RandomSequence sequence = RandomSequence.of(1, 1);
    assertThrows(IllegalArgumentException.class, () -> sequence.next(16777217.0));
  }

  @Test
  void sameKeyAndSeedSameNumbers() {
    RandomSequence one = RandomSequence.of(7, 9);
    RandomSequence two = RandomSequence.of(7, 9);
    RandomSequence otherSeed = RandomSequence.of(7, 10);
    RandomSequence otherKey = RandomSequence.of(8, 9);
    for (int i = 0; i < 100; i++) {
      double r = one.next(1000);
      assertEquals(r, two.next(1000));
      assertNotEquals(r, otherSeed.next(1000));
      assertNotEquals(r, otherKey.next(1000));
    }
  }

  @Test
  void extensionKeepsTheOrderOfOldNumbers() {
    for (int key = 0; key < 1000; key++) {
      RandomSequence narrow = RandomSequence.of(key, 5);
      RandomSequence wide = RandomSequence.of(key, 5);
      for (int i = 0; i < 30; i++) {
        double r = wide.next(64);
        if (r < 32) {
          assertEquals(narrow.next(32), r);
        }
      }
    }
  }

  @Test
  void numbersAreUniformWhateverTheKeysLookLike() {
    // Block ids come in rows, so keys are neighbours here, and differ in high bits only there.
    for (int shift : new int[] {0, 40}) {
      for (int draw = 0; draw < 3; draw++) {
        long[] counts = new long[64];
        double[] weights = new double[64];
        Arrays.fill(weights, 1);
        for (long key = 0; key < 100_000; key++) {
          RandomSequence sequence = RandomSequence.of(key << shift, 3);
          for (int skipped = 0; skipped < draw; skipped++) {
            sequence.next(64);
          }
          counts[(int) sequence.next(64)]++;
        }
        double statistic = Bounds.pearson(counts, weights);
        assertTrue(statistic <= Bounds.chiSquare(63), shift + " " + draw + ": " + statistic);
      }
    }
  }

  @Test
  void seedsOfTwoBucketsAreIndependent() {
    // 8 x 8 cells of (first device in one bucket, first device in the other) must be equally full.
    long[] counts = new long[64];
    double[] weights = new double[64];
    Arrays.fill(weights, 1);
    for (long key = 0; key < 64_000; key++) {
      int a = (int) (RandomSequence.of(key, 0).next(16) / 2);
      int b = (int) (RandomSequence.of(key, 1).next(16) / 2);
      counts[a * 8 + b]++;
    }
    assertTrue(Bounds.pearson(counts, weights) <= Bounds.chiSquare(63));
  }

  /** Other numbers would give blocks other homes: the NameNode and the service may be of different releases. */
  @Test
  void numbersAreTheSameInEachRelease() {
    assertEquals(0xE220A8397B1DCDAFL, HashedNumbers.mix(HashedNumbers.GOLDEN_GAMMA));
    HashedNumbers numbers = new HashedNumbers(1, 2, 3);
    assertEquals(97.17011650041856, numbers.next());
    assertEquals(113.76866768074275, numbers.next());
  }

  @Test
  void givenGeneratorsMustAscend() {
    assertThrows(IllegalArgumentException.class, () -> RandomSequence.of());
    assertThrows(
        IllegalArgumentException.class,
        () -> RandomSequence.of(new GivenNumbers(4), new GivenNumbers(4)));
  }
}
