// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a line promises of any cluster: distinct devices, exact shares, and moves to or from the device
 * that joins or leaves only. Clusters are random, their seeds the parameters.
 */
class ReplicaLineTest {
  private static final int KEYS = Boolean.getBoolean("test.short") ? 40_000 : 200_000;
  private static final long TB = 1_000_000_000_000L;

  /** Clusters on which drawing one replica after the other is off by up to 31 %, and odd ones. */
  static List<Cluster> unequal() {
    return List.of(
        new Cluster(2, 5, 1, 1, 1, 1),
        new Cluster(2, 4, 1, 1, 1, 1),
        new Cluster(3, repeated(2, 4, 8, 1)),
        new Cluster(3, repeated(6, 10, 6, 1)),
        new Cluster(3, repeated(15, 4, 15, 1)),
        new Cluster(2, 3, 1, 1, 1, 1),
        new Cluster(3, 2, 2, 2, 1),
        new Cluster(3, 1, 1, 1),
        new Cluster(3, 9, 8, 1, 1, 1),
        new Cluster(5, 7, 5, 3, 3, 2, 2, 1, 0.5),
        new Cluster(1, 5, 1, 0.3));
  }

  @ParameterizedTest
  @MethodSource("unequal")
  void sharesAreExactHoweverUnequalTheDevices(Cluster cluster) {
    assertExact(cluster.assigned(), cluster.replicas(), 1, "assigned");
    assertExact(cluster.grown(1), cluster.replicas(), 2, "grown from one");
    assertExact(cluster.grown(cluster.replicas() + 1), cluster.replicas(), 3, "grown from few");
    Collections.reverse(cluster.weights());
    assertExact(cluster.grown(2), cluster.replicas(), 4, "grown, light ones first");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void sharesAreExactOnRandomClusters(long seed) {
    Random random = new Random(seed);
    int replicas = 1 + random.nextInt(5);
    SegmentTable table = randomTable(random, replicas);
    assertExact(table, replicas, seed, "assigned");
    for (int joined = 0; joined < 30; joined++) {
      table = table.append(randomDevice(random, "late" + joined), TB);
    }
    assertExact(table, replicas, seed, "grown");
  }

  @ParameterizedTest
  @MethodSource("unequal")
  void tablesOfTheFirstAssignmentHoldTheSharesThemselves(Cluster cluster) {
    assertTables(cluster.weights().stream().mapToDouble(w -> w).toArray(), cluster.replicas());
  }

  @ParameterizedTest
  @ValueSource(longs = {13, 14, 15, 16, 17, 18})
  void tablesOfRandomClustersHoldTheSharesThemselves(long seed) {
    Random random = new Random(seed);
    for (int run = 0; run < 50; run++) {
      double[] weights = new double[3 + random.nextInt(300)];
      Arrays.setAll(weights, i -> Math.exp(2 * random.nextGaussian()));
      assertTables(weights, 1 + random.nextInt(6));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24, 25, 26, 27, 28})
  void everyPairOfDevicesOfASmallClusterMeets(long seed) {
    Random random = new Random(seed);
    SegmentTable table = randomTable(random, 8);
    ReplicaLine line = table.replicaLine(3, seed);
    Set<Integer> pairs = new HashSet<>();
    forKeys(
        line,
        devices -> {
          for (int a : devices) {
            for (int b : devices) {
              pairs.add(a * line.devices() + b);
            }
          }
        });
    assertEquals(line.devices() * line.devices(), pairs.size());
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32, 33, 34, 35, 36, 37, 38, 39, 40})
  void joiningMovesItsShareAndNothingElse(long seed) {
    Random random = new Random(seed);
    int replicas = 1 + random.nextInt(4);
    SegmentTable before = chequered(random, replicas, 10);
    SegmentTable after = before.append(randomDevice(random, "new"), TB);
    ReplicaLine was = before.replicaLine(replicas, seed);
    ReplicaLine is = after.replicaLine(replicas, seed);
    int joined = is.devices() - 1;
    long moved = 0;
    int[] old = new int[replicas];
    int[] now = new int[replicas];
    for (int key = 0; key < KEYS; key++) {
      was.place(key, old);
      is.place(key, now);
      for (int j = 0; j < replicas; j++) {
        if (!was.deviceId(old[j]).equals(is.deviceId(now[j]))) {
          assertEquals(joined, now[j], "key " + key + " moved elsewhere, seed " + seed);
          moved++;
        }
      }
    }
    double share = is.inclusion(joined);
    assertEquals(KEYS * share, moved, Bounds.binomial(KEYS, share), "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {51, 52, 53, 54, 55, 56, 57, 58, 59, 60})
  void leavingMovesOnlyWhatItHeld(long seed) {
    Random random = new Random(seed);
    int replicas = 1 + random.nextInt(4);
    SegmentTable before = chequered(random, replicas, 10);
    ReplicaLine was = before.replicaLine(replicas, seed);
    int gone = random.nextInt(was.devices());
    ReplicaLine is = before.remove(was.deviceId(gone)).replicaLine(replicas, seed);
    int[] old = new int[replicas];
    int[] now = new int[replicas];
    int[] refusing = new int[replicas];
    for (int key = 0; key < KEYS; key++) {
      was.place(key, old);
      is.place(key, now);
      // What is refused leads where its removal would.
      was.place(key, device -> device != gone, 10_000, refusing);
      for (int j = 0; j < replicas; j++) {
        String id = is.deviceId(now[j]);
        if (old[j] == gone) {
          assertNotEquals(was.deviceId(gone), id);
        } else {
          assertEquals(was.deviceId(old[j]), id, "key " + key + " moved, seed " + seed);
        }
        assertEquals(id, was.deviceId(refusing[j]), "key " + key + " refused, seed " + seed);
      }
      assertDistinct(now, seed);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {71, 72, 73, 74, 75, 76})
  void anyHistoryGivesDistinctDevicesThatArePresent(long seed) {
    Random random = new Random(seed);
    for (int replicas = 1; replicas <= 4; replicas++) {
      SegmentTable table = SegmentTable.assign(List.of(), 1);
      List<String> present = new ArrayList<>();
      // Around the number of replicas, so that sets are filled and emptied.
      for (int step = 0; step < 60; step++) {
        if (!present.isEmpty() && random.nextInt(5 + replicas) < present.size()) {
          table = table.remove(present.remove(random.nextInt(present.size())));
        } else {
          String id = "d" + random.nextInt(1000);
          if (!present.contains(id)) {
            table = table.append(randomDevice(random, id), TB);
            present.add(id);
          }
        }
        ReplicaLine line = table.replicaLine(replicas, seed);
        assertEquals(present.size(), line.devices());
        int[] devices = new int[replicas];
        for (int key = 0; key < 200; key++) {
          line.place(key, devices);
          assertDistinct(devices, seed);
          long given = Arrays.stream(devices).filter(d -> d != ReplicaLine.NONE).count();
          assertEquals(Math.min(replicas, present.size()), given, table + ", seed " + seed);
        }
      }
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource({"10,3,0.006", "30,3,0.002", "100,3,0.0005", "6,2,0.01"})
  void losingOneOfEqualDevicesCostsLittleFairness(int count, int replicas, double most) {
    SegmentTable table = new Cluster(replicas, repeated(count, 1, 0, 0)).assigned().remove("d0");
    int keys = 4_000_000;
    long[] counts = counts(table.replicaLine(replicas, 5), keys);
    double expected = (double) keys * replicas / (count - 1);
    double sampling = Bounds.binomial(keys, (double) replicas / (count - 1)) / expected;
    double worst = 0;
    for (long counted : counts) {
      worst = Math.max(worst, Math.abs(counted / expected - 1));
    }
    System.out.printf("lost 1 of %d, %d replicas: off by %.5f%n", count, replicas, worst);
    assertTrue(worst < most + sampling, "off by " + worst + ", sampling " + sampling);
  }

  @Test
  void sharesAreExactThoughTheBucketGrewManifold() {
    // Sixty-fold, from the fewest and from more.
    assertExact(new Cluster(3, repeated(180, 1, 60, 2)).grown(3), 3, 7, "grown from 3");
    assertExact(new Cluster(2, repeated(180, 1, 60, 2)).grown(5), 2, 8, "grown from 5");
  }

  @Tag("slow")
  @Test
  void devicesThatComeAndGoForYearsLeaveSharesClose() {
    Random random = new Random(9);
    SegmentTable table = new Cluster(3, repeated(12, 1, 0, 0)).assigned();
    for (int cycle = 0; cycle < 500; cycle++) {
      String id = "d" + random.nextInt(12);
      table = table.remove(id).append(Device.of(id, TB), TB);
    }
    int keys = 500_000;
    for (long counted : counts(table.replicaLine(3, 9), keys)) {
      // Not exact behind removals, but it doesn't add up.
      assertEquals(0.25, (double) counted / keys, 0.005);
    }
  }

  @Test
  void devicesTooHeavyAreCroppedAndReported() {
    ReplicaLine line = new Cluster(2, 5, 1, 1, 1, 1).assigned().replicaLine(2, 0);
    assertEquals(
        "[d0 gets 0.5 of all replicas, by its capacity 0.5555555555555556]",
        line.croppedDevices().toString());
    assertEquals(1, line.inclusion(0));
    assertEquals(0.25, line.inclusion(1));
    // 9 is too heavy for three replicas of 20, and 8 for two of the 11 left.
    line = new Cluster(3, 9, 8, 1, 1, 1).assigned().replicaLine(3, 0);
    assertEquals(2, line.croppedDevices().size());
    assertEquals(1 / 3.0, line.inclusion(2), 1e-12);
    assertEquals(
        List.of(), new Cluster(2, 4, 1, 1, 1, 1).assigned().replicaLine(2, 0).croppedDevices());
  }

  @Test
  void sameKeyAndSeedSameDevices() {
    SegmentTable table = randomTable(new Random(5), 3);
    ReplicaLine one = table.replicaLine(3, 1);
    ReplicaLine replayed = SegmentTable.replay(table.operations()).replicaLine(3, 1);
    ReplicaLine other = table.replicaLine(3, 2);
    int[] a = new int[3];
    int[] b = new int[3];
    int same = 0;
    for (int key = 0; key < 1000; key++) {
      one.place(key, a);
      replayed.place(key, b);
      assertArrayEquals(a, b);
      other.place(key, b);
      same += Arrays.equals(a, b) ? 1 : 0;
    }
    assertTrue(same < 100, same + " of 1000 sets don't depend on the seed");
  }

  @Test
  void refusingAllGivesNone() {
    ReplicaLine line = randomTable(new Random(5), 3).replicaLine(3, 1);
    int[] devices = new int[3];
    line.place(1, device -> false, 100, devices);
    assertArrayEquals(new int[] {-1, -1, -1}, devices);
  }

  @Test
  void replicasHaveARange() {
    SegmentTable table = randomTable(new Random(5), 3);
    assertEquals(
        "a line places 1 to 64 replicas, got 0",
        assertThrows(IllegalArgumentException.class, () -> table.replicaLine(0, 1)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> table.replicaLine(65, 1));
  }

  private static void assertExact(SegmentTable table, int replicas, long seed, String what) {
    ReplicaLine line = table.replicaLine(replicas, seed);
    int keys = 5 * KEYS;
    long[] counts = counts(line, keys);
    Map<String, Double> lengths = new HashMap<>();
    table.segments().forEach(s -> lengths.merge(s.deviceId(), s.length(), Double::sum));
    double[] weights = new double[counts.length];
    Arrays.setAll(weights, i -> lengths.get(line.deviceId(i)));
    double[] wanted = inclusions(weights, replicas);
    for (int i = 0; i < counts.length; i++) {
      assertEquals(wanted[i], line.inclusion(i), 1e-9, what);
      assertEquals(
          keys * wanted[i],
          counts[i],
          Bounds.binomial(keys, wanted[i]),
          what + ": " + line.deviceId(i) + " of " + Arrays.toString(weights) + ", seed " + seed);
    }
  }

  /** No keys, no chance: what the alias tables come to, but for the 22 bits of their thresholds. */
  private static void assertTables(double[] weights, int replicas) {
    double[] wanted = inclusions(weights, replicas);
    double[] tables = Columns.of(weights, replicas).inclusions(weights.length);
    for (int i = 0; i < weights.length; i++) {
      assertEquals(Math.min(1, wanted[i]), tables[i], 1e-6, i + " of " + Arrays.toString(weights));
    }
  }

  /** By definition: crop what is too heavy, share the rest, until nothing is. */
  private static double[] inclusions(double[] weights, int replicas) {
    double[] inclusions = new double[weights.length];
    boolean more = true;
    while (more) {
      more = false;
      double rest = 0;
      int left = replicas;
      for (int i = 0; i < weights.length; i++) {
        rest += inclusions[i] == 1 ? 0 : weights[i];
        left -= inclusions[i] == 1 ? 1 : 0;
      }
      for (int i = 0; i < weights.length; i++) {
        if (inclusions[i] < 1) {
          inclusions[i] = left * weights[i] / rest;
          if (inclusions[i] > 1) {
            inclusions[i] = 1;
            more = true;
          }
        }
      }
    }
    return inclusions;
  }

  private static long[] counts(ReplicaLine line, int keys) {
    long[] counts = new long[line.devices()];
    int[] devices = new int[line.replicas()];
    for (int key = 0; key < keys; key++) {
      line.place(key, devices);
      for (int device : devices) {
        if (device != ReplicaLine.NONE) {
          counts[device]++;
        }
      }
    }
    return counts;
  }

  private static void forKeys(ReplicaLine line, java.util.function.Consumer<int[]> each) {
    int[] devices = new int[line.replicas()];
    for (int key = 0; key < 200_000; key++) {
      line.place(key, devices);
      each.accept(devices);
    }
  }

  private static void assertDistinct(int[] devices, long seed) {
    for (int a = 0; a < devices.length; a++) {
      for (int b = 0; b < a; b++) {
        assertTrue(
            devices[a] != devices[b] || devices[a] == ReplicaLine.NONE,
            Arrays.toString(devices) + ", seed " + seed);
      }
    }
  }

  private static double[] repeated(int some, double weight, int others, double other) {
    double[] weights = new double[some + others];
    Arrays.fill(weights, 0, some, weight);
    Arrays.fill(weights, some, weights.length, other);
    return weights;
  }

  private static SegmentTable chequered(Random random, int replicas, int steps) {
    SegmentTable table = randomTable(random, replicas + 1);
    for (int step = 0; step < steps; step++) {
      ReplicaLine line = table.replicaLine(1, 0);
      table =
          random.nextBoolean() && line.devices() > replicas + 2
              ? table.remove(line.deviceId(random.nextInt(line.devices())))
              : table.append(randomDevice(random, "late" + step), TB);
    }
    return table.contains("late0") && table.segments().size() > replicas
        ? table
        : table.append(randomDevice(random, "last"), TB);
  }

  private static SegmentTable randomTable(Random random, int least) {
    List<Device> devices = new ArrayList<>();
    int count = least + random.nextInt(40);
    for (int i = 0; i < count; i++) {
      devices.add(randomDevice(random, "d" + i));
    }
    return SegmentTable.assign(devices, TB);
  }

  /** 0.25 to 4.25 TB, one in eight of them ten times that. */
  private static Device randomDevice(Random random, String id) {
    long capacity = TB / 4 + (long) (random.nextDouble() * 4 * TB);
    return Device.of(id, random.nextInt(8) == 0 ? 10 * capacity : capacity);
  }

  /** Weights of devices d0, d1, ... */
  record Cluster(int replicas, List<Double> weights) {
    Cluster(int replicas, double... weights) {
      this(replicas, new ArrayList<>(Arrays.stream(weights).boxed().toList()));
    }

    SegmentTable assigned() {
      return grown(weights.size());
    }

    SegmentTable grown(int first) {
      List<Device> devices = new ArrayList<>();
      for (int i = 0; i < weights.size(); i++) {
        devices.add(Device.of("d" + i, Math.round(weights.get(i) * TB)));
      }
      first = Math.min(first, devices.size());
      SegmentTable table = SegmentTable.assign(devices.subList(0, first), TB);
      for (Device device : devices.subList(first, devices.size())) {
        table = table.append(device, TB);
      }
      return table;
    }
  }
}
