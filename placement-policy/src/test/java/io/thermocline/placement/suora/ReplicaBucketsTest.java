// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worked example of SUORA's section 3.6, and what holds of any item. */
class ReplicaBucketsTest {

  private static final long SEED = Long.getLong("test.seed", 0);

  /** Of FIO-randread, table 5. */
  private static final double[] THRESHOLDS = {0, 1, 26, 281, 306};

  private static final ReplicaBuckets WRITTEN = ReplicaBuckets.startingAt(0, 1, 2);

  @Test
  void section36ThreeReplicasOnFiveBuckets() {
    ReplicaBuckets.Step first = WRITTEN.promotion(300, THRESHOLDS);
    assertEquals("b2->b3", first.toString());
    ReplicaBuckets warm = WRITTEN.after(first);
    assertNull(warm.promotion(305, THRESHOLDS), "b3 has a replica");
    ReplicaBuckets.Step second = warm.promotion(306, THRESHOLDS);
    assertEquals("b1->b4", second.toString());
    assertEquals("[0, 3, 4]", warm.after(second).toString());
    assertNull(warm.after(second).promotion(1000, THRESHOLDS));
  }

  @Test
  void section36DirectlyToTheFastest() {
    assertEquals("b2->b4", WRITTEN.promotion(500, THRESHOLDS).toString());
  }

  @Test
  void nothingMovesBelowTheThresholdOfTheFirstBucketWithoutReplica() {
    for (double hotness : new double[] {0, 1, 26, 280.9}) {
      assertNull(WRITTEN.promotion(hotness, THRESHOLDS), "hotness " + hotness);
    }
    assertEquals(
        "b0->b1", ReplicaBuckets.startingAt(0).promotion(1, THRESHOLDS).toString(), "one replica");
  }

  @Test
  void whenAllHaveLeftNothingMoves() {
    ReplicaBuckets item = ReplicaBuckets.startingAt(0, 1);
    item = item.after(item.promotion(26, THRESHOLDS));
    item = item.after(item.promotion(281, THRESHOLDS));
    assertEquals("[2, 3]", item.toString());
    assertNull(item.promotion(306, THRESHOLDS));
  }

  @Test
  void severalReplicasMayStartInOneBucket() {
    ReplicaBuckets item = ReplicaBuckets.startingAt(1, 0, 1);
    assertNull(item.promotion(25, THRESHOLDS));
    item = item.after(item.promotion(30, THRESHOLDS));
    assertEquals("[0, 1, 2]", item.toString());
    item = item.after(item.promotion(300, THRESHOLDS));
    assertEquals("[0, 2, 3]", item.toString());
    assertEquals(3, item.fastest());
    item = item.after(item.demotion(3, 0, THRESHOLDS));
    item = item.after(item.demotion(2, 0, THRESHOLDS));
    assertEquals("[0, 1, 1]", item.toString());
  }

  @Test
  void coldReplicasTakeTheWayBack() {
    ReplicaBuckets hot = WRITTEN.after(WRITTEN.promotion(500, THRESHOLDS));
    assertNull(hot.demotion(4, 306, THRESHOLDS), "still deserved");
    assertEquals("b4->b3", hot.demotion(4, 290, THRESHOLDS).toString());
    assertEquals("b4->b2", hot.demotion(4, 5, THRESHOLDS).toString());
    assertNull(hot.demotion(3, 0, THRESHOLDS), "no replica there");
    assertNull(hot.demotion(1, 0, THRESHOLDS), "not promoted");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anyWalkKeepsTheNumberOfReplicasAndEndsWhereItStarted(long seed) {
    Random random = new Random(SEED + seed);
    for (int run = 0; run < 500; run++) {
      int buckets = 2 + random.nextInt(6);
      double[] thresholds = new double[buckets];
      Arrays.setAll(thresholds, b -> 10 * b);
      int[] start = random.ints(1 + random.nextInt(4), 0, buckets).toArray();
      ReplicaBuckets item = ReplicaBuckets.startingAt(start);
      ReplicaBuckets written = item;
      for (int step = 0; step < 20; step++) {
        double hotness = random.nextInt(10 * buckets);
        int from = random.nextInt(buckets);
        boolean isPromotion = random.nextBoolean();
        ReplicaBuckets.Step move =
            isPromotion
                ? item.promotion(hotness, thresholds)
                : item.demotion(from, hotness, thresholds);
        if (move != null) {
          assertTrue(move.to() <= Math.max(top(start), hotness / 10), "seed " + seed);
          assertTrue((isPromotion ? move.to() : move.from()) > top(start), "seed " + seed);
          assertTrue(move.to() <= top(start) || !item.holds(move.to()), "seed " + seed);
          item = item.after(move);
          assertEquals(start.length, item.buckets().length);
        }
      }
      for (int bucket = buckets - 1; bucket > top(start); bucket--) {
        if (item.holds(bucket)) {
          ReplicaBuckets.Step back = item.demotion(bucket, 0, thresholds);
          assertNotNull(back, item + " from " + written + ", seed " + seed);
          item = item.after(back);
        }
      }
      assertEquals(written, item, "seed " + seed);
    }
  }

  @Test
  void knowsTheWayBackOfAnItemThatIsFoundSomewhere() {
    ReplicaBuckets found = ReplicaBuckets.of(new int[] {0, 1, 1}, new int[] {3, 1, 1});
    assertEquals("b3->b0", found.demotionTo(3, 1).toString());
    assertEquals("b3->b2", found.demotionTo(3, 2).toString());
    assertEquals("b1->b4", found.promotionTo(4).toString());
    assertThrows(
        IllegalArgumentException.class, () -> ReplicaBuckets.of(new int[] {0, 1}, new int[] {1}));
    ReplicaBuckets.Step step = found.promotionTo(4);
    assertThrows(IllegalArgumentException.class, () -> found.after(step).after(step).after(step));
    assertNotEquals(found, found.after(step));
    assertNotEquals(found, ReplicaBuckets.of(new int[] {0, 1, 2}, new int[] {3, 1, 1}));
    assertEquals(
        found.hashCode(), ReplicaBuckets.of(new int[] {0, 1, 1}, new int[] {3, 1, 1}).hashCode());
  }

  @Test
  void initialBucketsOfThePaperAreTheBottomOnes() {
    assertArrayEquals(new int[] {0, 1, 2}, InitialBuckets.of(new long[] {9, 8, 7, 1}, 3, 0));
    assertArrayEquals(new int[] {0}, InitialBuckets.of(new long[] {9, 8, 7, 1}, 1, 0));
    // Table 4: b1 to b4 hold 2 TB of data at most beside twice as much on b0; on b0 to b2 1 TB.
    long[] table4 = {4000, 2000, 1000, 512, 400};
    assertArrayEquals(new int[] {0, 0, 1}, InitialBuckets.of(table4, 3, 0));
  }

  @Test
  void replicasThatFindNoLargeBucketGoHome() {
    // ARCHIVE, DISK, SSD: flash can't hold a copy of all.
    assertArrayEquals(new int[] {0, 1, 1}, InitialBuckets.of(new long[] {500, 900, 50}, 3, 1));
    assertArrayEquals(new int[] {1, 1, 1}, InitialBuckets.of(new long[] {0, 900, 50}, 3, 1));
    assertArrayEquals(new int[] {1, 1, 2}, InitialBuckets.of(new long[] {10, 500, 400}, 3, 1));
    // Flash as large as it need be is kept free while disks will do.
    assertArrayEquals(new int[] {0, 1, 1}, InitialBuckets.of(new long[] {500, 900, 450}, 3, 1));
    assertEquals(
        "no bucket 5 among 2 to take what is left over",
        assertThrows(
                IllegalArgumentException.class, () -> InitialBuckets.of(new long[] {1, 1}, 3, 5))
            .getMessage());
    assertThrows(IllegalArgumentException.class, () -> InitialBuckets.of(new long[] {1}, 0, 0));
  }

  private static int top(int[] start) {
    return Arrays.stream(start).max().orElseThrow();
  }
}
