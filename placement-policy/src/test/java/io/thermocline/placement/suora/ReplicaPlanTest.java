// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What plans draw, against shares that are worked out by hand. */
class ReplicaPlanTest {
  private static final int DRAWS = 200_000;

  private long key;

  @Test
  void nodesOfThreeRacksGetThreeTimesTheirPart() {
    draws(
        new double[] {3, 3, 2, 2, 1, 1},
        new int[] {0, 0, 1, 1, 2, 2},
        new double[] {0.75, 0.75, 0.5, 0.5, 0.25, 0.25});
  }

  @Test
  void racksInAnyOrderAreTheSame() {
    draws(
        new double[] {1, 3, 2, 1, 2, 3},
        new int[] {2, 0, 1, 2, 1, 0},
        new double[] {0.25, 0.75, 0.5, 0.25, 0.5, 0.75});
  }

  /** The one node of a rack can't have both of a pair: some pairs are of two racks. */
  @Test
  void aNodeAloneOnItsRackHasAReplicaOfEachBlock() {
    draws(
        new double[] {1, 1, 1, 1, 2}, new int[] {0, 0, 1, 1, 2}, new double[] {.5, .5, .5, .5, 1});
    draws(
        new double[] {2, 1, 1, 1, 1}, new int[] {0, 1, 1, 2, 2}, new double[] {1, .5, .5, .5, .5});
    draws(
        new double[] {1, 1, 2, 1, 1}, new int[] {0, 0, 1, 2, 2}, new double[] {.5, .5, 1, .5, .5});
  }

  @Test
  void aRackHasTwoOfThreeAndANodeOne() {
    draws(new double[] {1, 1, 4, 5}, new int[] {0, 0, 1, 1}, new double[] {0.5, 0.5, 1, 1});
    draws(new double[] {1, 5, 9}, new int[] {0, 1, 2}, new double[] {1, 1, 1});
  }

  @Test
  void nodesOfOneRackGetThreeTimesTheirPart() {
    draws(new double[] {1, 1, 1, 1, 2}, new int[5], new double[] {0.5, 0.5, 0.5, 0.5, 1});
  }

  @Test
  void aNodeWithoutCapacityGetsNothing() {
    draws(new double[] {1, 1, 0, 1, 1}, new int[5], new double[] {0.75, 0.75, 0, 0.75, 0.75});
  }

  /** By HDFS's own rule, where that gives each node its share. */
  @Test
  void aPairIsOnOneRack() {
    int[] racks = {0, 0, 1, 1, 2, 2};
    double[] weights = {1, 1, 1, 1, 1, 1};
    ReplicaPlan plan = ReplicaPlan.of(weights, weights, racks, new double[6]);
    for (int draw = 0; draw < DRAWS; draw++) {
      long pair = plan.pair(next(), plan.single(next()));
      assertEquals(racks[ReplicaPlan.one(pair)], racks[ReplicaPlan.other(pair)]);
    }
  }

  @Test
  void bothOrdersOfAPairComeUp() {
    double[] weights = {1, 1, 1};
    ReplicaPlan plan = ReplicaPlan.of(weights, weights, new int[3], new double[3]);
    int rising = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      long pair = plan.pair(next(), 0);
      rising += ReplicaPlan.one(pair) < ReplicaPlan.other(pair) ? 1 : 0;
    }
    assertEquals(0.5, (double) rising / DRAWS, slack(0.5));
  }

  /** One replica on SSD, which two nodes have, and two on DISK, which all have. */
  @Test
  void theSingleAndThePairOfTwoTypesHaveTheirOwnShares() {
    double[] single = {1, 3, 0, 0};
    double[] pair = {1, 1, 1, 1};
    // The second node has the first replica of three in four, and has no room for more than the
    // rest of one.
    draws(
        ReplicaPlan.of(single, pair, new int[] {0, 1, 2, 3}, new double[4]),
        new int[] {0, 1, 2, 3},
        new double[4],
        new double[] {0.25 + 1.75 / 3, 1, 1.75 / 3, 1.75 / 3});
  }

  @Test
  void writersOnSmallNodesGiveThemMoreThanTheirShare() {
    double[] weights = {1, 1, 9, 9};
    double[] writers = {0.5, 0.5, 0, 0};
    int[] racks = {0, 0, 0, 0};
    draws(
        ReplicaPlan.of(weights, weights, racks, writers),
        racks,
        writers,
        new double[] {0.5, 0.5, 1, 1});
  }

  @Test
  void thePairMakesUpForWriters() {
    double[] weights = {1, 1, 1, 1, 1, 1};
    double[] writers = {0.4, 0.2, 0, 0, 0, 0};
    int[] racks = {0, 1, 2, 3, 4, 5};
    draws(
        ReplicaPlan.of(weights, weights, racks, writers),
        racks,
        writers,
        new double[] {0.5, 0.5, 0.5, 0.5, 0.5, 0.5});
  }

  @Test
  void tooSmallAClusterHasNoPlan() {
    double[] two = {1, 1};
    assertNull(ReplicaPlan.of(two, two, new int[] {0, 1}, new double[2]));
    assertNull(ReplicaPlan.of(new double[3], new double[] {1, 1, 1}, new int[3], new double[3]));
    double[] oneOfThree = {1, 0, 0};
    assertNull(ReplicaPlan.of(oneOfThree, oneOfThree, new int[3], new double[3]));
    assertNull(ReplicaPlan.of(new double[] {1, 1, 1}, oneOfThree, new int[3], new double[3]));
  }

  @Test
  void countsItsTables() {
    double[] weights = {1, 1, 1, 1, 2};
    ReplicaPlan plan = ReplicaPlan.of(weights, weights, new int[] {0, 0, 1, 1, 2}, new double[5]);
    // Three sums with a place before the first, the singles and the shares; three indices, racks.
    assertEquals((3 * 6 + 5 + 5) * 8 + (3 * 5 + 4) * 4, plan.bytes());
  }

  @Test
  void itsSharesAreACopy() {
    double[] weights = {1, 1, 1};
    ReplicaPlan plan = ReplicaPlan.of(weights, weights, new int[3], new double[3]);
    plan.shares()[0] = 7;
    assertArrayEquals(new double[] {1, 1, 1}, plan.shares(), 1e-3);
  }

  @Test
  void mixesAsSplitMix64() {
    // The first numbers of the generator with seed 0: Steele, Lea and Flood, OOPSLA 2014.
    assertEquals(0xE220A8397B1DCDAFL, ReplicaPlan.mix(0x9E3779B97F4A7C15L));
    assertEquals(0x6E789E6AA1B965F4L, ReplicaPlan.mix(2 * 0x9E3779B97F4A7C15L));
  }

  private void draws(double[] weights, int[] racks, double[] expected) {
    double[] none = new double[weights.length];
    draws(ReplicaPlan.of(weights, weights, racks, none), racks, none, expected);
  }

  /** That the plan's shares are as expected, that it draws them, and keeps the rules. */
  private void draws(ReplicaPlan plan, int[] racks, double[] writers, double[] expected) {
    int nodes = expected.length;
    boolean isOneRack = Arrays.stream(racks).distinct().count() == 1;
    double[] counts = new double[nodes];
    int none = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      int single = writer(writers, (draw + 0.5) / DRAWS);
      single = single < 0 ? plan.single(next()) : single;
      long pair = plan.pair(next(), single);
      if (pair == ReplicaPlan.NONE) {
        none++;
        continue;
      }
      int one = ReplicaPlan.one(pair);
      int other = ReplicaPlan.other(pair);
      assertNotEquals(one, other);
      assertTrue(one != single && other != single, "a node has one replica");
      assertTrue(
          isOneRack || racks[one] != racks[other] || racks[one] != racks[single],
          "a block is on two racks");
      counts[single]++;
      counts[one]++;
      counts[other]++;
    }
    assertTrue(none < 5, () -> "only by rounding has a key no pair");
    double[] shares = plan.shares();
    for (int node = 0; node < nodes; node++) {
      assertEquals(expected[node], shares[node], 0.003, "share of node " + node);
      assertEquals(shares[node], counts[node] / DRAWS, slack(shares[node]), "drawn, node " + node);
    }
  }

  /** The node on which the writer of this part of all blocks is; below 0 where it is on none. */
  private static int writer(double[] writers, double part) {
    double end = 0;
    for (int node = 0; node < writers.length; node++) {
      end += writers[node];
      if (part < end) {
        return node;
      }
    }
    return -1;
  }

  /** Four standard errors. */
  private static double slack(double share) {
    return 4 * Math.sqrt(Math.max(share, 1e-4) / DRAWS);
  }

  private long next() {
    key += 0x9E3779B97F4A7C15L;
    return ReplicaPlan.mix(key);
  }
}
