// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.suora.ReplicaPlan;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NearestSharesTest {
  private static final int CLUSTERS = 60;

  private final Random random = new Random(Long.getLong("test.seed", 22));

  @Test
  void nodesThatCanHaveTheirShareDo() {
    assertArrayEquals(
        new double[] {0.5, 0.5, 0.5, 0.5, 1},
        NearestShares.ofThree(new double[] {1, 1, 1, 1, 2}, new int[] {0, 0, 1, 1, 2}),
        1e-4);
  }

  @Test
  void aRackHasTwoOfThreeAndANodeOne() {
    assertArrayEquals(
        new double[] {0.5, 0.5, 1, 1},
        NearestShares.ofThree(new double[] {1, 1, 4, 5}, new int[] {0, 0, 1, 1}),
        1e-4);
  }

  @Test
  void writersOnSmallNodesGiveThemMoreThanTheirShare() {
    double[] first = {0.5, 0.5, 0, 0};
    double[] weights = {1, 1, 9, 9};
    assertArrayEquals(
        new double[] {0.5, 0.5, 1, 1},
        NearestShares.ofPair(first, first, weights, new int[] {0, 0, 0, 0}),
        1e-4);
  }

  @Test
  void aNodeThatAlwaysHasTheFirstReplicaTakesNothingFromTheOthers() {
    double[] first = {1, 0, 0, 0};
    assertArrayEquals(
        new double[] {0, 0.5, 0.5, 1},
        NearestShares.ofPair(
            first, new double[4], new double[] {1, 1, 1, 2}, new int[] {0, 1, 2, 3}),
        1e-4);
  }

  /** The plans of the placement policy come to the same, computed in another way. */
  @Test
  void plansHaveTheNearestShares() {
    for (int cluster = 0; cluster < CLUSTERS; cluster++) {
      int nodes = 4 + random.nextInt(12);
      int[] racks = new int[nodes];
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < nodes; i++) {
        racks[i] = i < count ? i : (int) (count * random.nextDouble() * random.nextDouble());
      }
      count = Arrays.stream(racks).max().orElseThrow() + 1;
      double[] one = weights(nodes);
      double[] other = weights(nodes);
      double[] none = new double[nodes];
      double[] writers = parts(weights(nodes));
      String what = Arrays.toString(one) + Arrays.toString(other) + Arrays.toString(racks);
      assertNear(NearestShares.ofThree(one, racks), plan(one, one, racks, none), what);
      assertNear(
          NearestShares.ofPair(writers, writers, one, racks),
          plan(one, one, racks, writers),
          what + Arrays.toString(writers));
      double[] both = NearestShares.ofPair(parts(one), none, other, racks);
      for (int i = 0; i < nodes; i++) {
        both[i] += parts(one)[i];
      }
      assertNear(both, plan(one, other, racks, none), what);
    }
  }

  private static double[] plan(double[] single, double[] pair, int[] racks, double[] local) {
    return ReplicaPlan.of(single, pair, racks, local).shares();
  }

  private static void assertNear(double[] expected, double[] shares, String what) {
    assertEquals(3, Arrays.stream(shares).sum(), 1e-3, what);
    for (int i = 0; i < shares.length; i++) {
      assertEquals(expected[i], shares[i], 0.005 * expected[i], "node " + i + " of " + what);
    }
  }

  private double[] weights(int nodes) {
    double[] weights = new double[nodes];
    Arrays.setAll(weights, i -> 1 + random.nextInt(3) * random.nextInt(5));
    return weights;
  }

  private static double[] parts(double[] weights) {
    double sum = Arrays.stream(weights).sum();
    return Arrays.stream(weights).map(weight -> weight / sum).toArray();
  }
}
