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
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The worked example of SUORA's section 3.6, and what holds of any item. */
class ReplicaBucketsTest {

  private static final long SEED = Long.getLong("test.seed", 0);

  /** An item of which replicas move as asked. */
  private static final class Item {
    private final int[] initial;
    private final int[] now;

    Item(int... initial) {
      this.initial = initial;
      this.now = initial.clone();
    }

    ReplicaBuckets.Step promotion(int target) {
      return move(ReplicaBuckets.of(initial, now).promotionTo(target));
    }

    ReplicaBuckets.Step demotion(int from, int deserved) {
      return move(ReplicaBuckets.of(initial, now).demotionTo(from, deserved));
    }

    private ReplicaBuckets.Step move(ReplicaBuckets.Step step) {
      if (step != null) {
        int replica = List.of(boxed(now)).indexOf(step.from());
        assertNotEquals(-1, replica, step + " of " + this);
        now[replica] = step.to();
      }
      return step;
    }

    boolean holds(int bucket) {
      return List.of(boxed(now)).contains(bucket);
    }

    private static Integer[] boxed(int[] buckets) {
      return Arrays.stream(buckets).boxed().toArray(Integer[]::new);
    }

    @Override
    public String toString() {
      return Arrays.toString(Arrays.stream(now).sorted().toArray());
    }
  }

  @Test
  void section36ThreeReplicasOnFiveBuckets() {
    Item item = new Item(0, 1, 2);
    assertEquals("b2->b3", item.promotion(3).toString());
    assertNull(item.promotion(3), "b3 has a replica");
    assertEquals("b1->b4", item.promotion(4).toString());
    assertEquals("[0, 3, 4]", item.toString());
    assertNull(item.promotion(4));
  }

  @Test
  void section36DirectlyToTheFastest() {
    assertEquals("b2->b4", new Item(0, 1, 2).promotion(4).toString());
  }

  @Test
  void nothingMovesToWhereReplicasStart() {
    for (int target : new int[] {0, 1, 2}) {
      assertNull(new Item(0, 1, 2).promotion(target), "b" + target);
    }
    assertEquals("b0->b1", new Item(0).promotion(1).toString(), "one replica");
  }

  @Test
  void whenAllHaveLeftNothingMoves() {
    Item item = new Item(0, 1);
    item.promotion(2);
    item.promotion(3);
    assertEquals("[2, 3]", item.toString());
    assertNull(item.promotion(4));
  }

  @Test
  void severalReplicasMayStartInOneBucket() {
    Item item = new Item(1, 0, 1);
    assertNull(item.promotion(1));
    item.promotion(2);
    assertEquals("[0, 1, 2]", item.toString());
    item.promotion(3);
    assertEquals("[0, 2, 3]", item.toString());
    item.demotion(3, 0);
    item.demotion(2, 0);
    assertEquals("[0, 1, 1]", item.toString());
  }

  @Test
  void coldReplicasTakeTheWayBack() {
    ReplicaBuckets hot = ReplicaBuckets.of(new int[] {0, 1, 2}, new int[] {0, 1, 4});
    assertNull(hot.demotionTo(4, 4), "still deserved");
    assertEquals("b4->b3", hot.demotionTo(4, 3).toString());
    assertEquals("b4->b2", hot.demotionTo(4, 1).toString());
    assertNull(hot.demotionTo(3, 0), "no replica there");
    assertNull(hot.demotionTo(1, 0), "not promoted");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void anyWalkEndsWhereItStarted(long seed) {
    Random random = new Random(SEED + seed);
    for (int run = 0; run < 500; run++) {
      int buckets = 2 + random.nextInt(6);
      int[] start = random.ints(1 + random.nextInt(4), 0, buckets).toArray();
      int top = Arrays.stream(start).max().orElseThrow();
      Item item = new Item(start);
      String written = item.toString();
      for (int step = 0; step < 20; step++) {
        int deserved = random.nextInt(buckets);
        boolean isPromotion = random.nextBoolean();
        String before = item.toString();
        ReplicaBuckets.Step move =
            isPromotion
                ? item.promotion(deserved)
                : item.demotion(random.nextInt(buckets), deserved);
        if (move != null) {
          assertTrue(move.to() <= Math.max(top, deserved), "seed " + seed);
          assertTrue((isPromotion ? move.to() : move.from()) > top, "seed " + seed);
          assertTrue(
              move.to() <= top || !before.contains("" + move.to()), before + ", seed " + seed);
        }
      }
      for (int bucket = buckets - 1; bucket > top; bucket--) {
        if (item.holds(bucket)) {
          assertNotNull(item.demotion(bucket, 0), item + " from " + written + ", seed " + seed);
        }
      }
      assertEquals(written, item.toString(), "seed " + seed);
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
    assertThrows(
        IllegalArgumentException.class, () -> ReplicaBuckets.of(new int[] {}, new int[] {}));
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
}
