// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.thermocline.placement.choice.Choice.Reason;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which candidate a policy takes, and what it says of it. */
class ChoiceEngineTest {
  /** Two sets: the second one is better on average, the first one by its worst and by its first. */
  private static final double[] VALUES = {10, 60, 50, 20, 0, 70};

  @Test
  void valuesOfASetBecomeOneAsThePaperSays() {
    CandidateSets sets = sets(new int[] {0, 1, 2}, new int[] {3, 4, 5});
    assertScores(PublishedPolicy.CPU, sets, 40, 30);
    assertScores(PublishedPolicy.LATENCY, sets, 40, 30);
    assertScores(PublishedPolicy.JOURNAL, sets, 40, 30);
    assertScores(PublishedPolicy.MEMORY, sets, 10, 20);
    assertScores(PublishedPolicy.LOCAL, sets, 10, 20);
    assertScores(PublishedPolicy.SPACE, sets, 60, 70);
    assertEquals(1, best(PublishedPolicy.CPU, sets));
    assertEquals(1, best(PublishedPolicy.LATENCY, sets));
    assertEquals(1, best(PublishedPolicy.JOURNAL, sets));
    // The most free memory wins.
    assertEquals(1, best(PublishedPolicy.MEMORY, sets));
    assertEquals(0, best(PublishedPolicy.LOCAL, sets));
    assertEquals(0, best(PublishedPolicy.SPACE, sets));
  }

  @ParameterizedTest
  @EnumSource(PublishedPolicy.class)
  void bestIsBestOfAnyCandidates(PublishedPolicy policy) {
    Random random = new Random(policy.ordinal());
    ChoiceEngine engine = new ChoiceEngine(policy);
    for (int round = 0; round < 3_000; round++) {
      CandidateSets sets = randomSets(random);
      double[] values = random.doubles(100, 0, 8).map(Math::floor).toArray();
      MetricsView metrics = (metric, server) -> values[server];
      int best = engine.best(sets, metrics);
      double[] scores = new double[sets.count()];
      Arrays.setAll(scores, candidate -> policy.score(sets, candidate, metrics));
      double bound =
          policy.better() == ChoicePolicy.Better.LOWER
              ? Arrays.stream(scores).min().getAsDouble()
              : Arrays.stream(scores).max().getAsDouble();
      assertEquals(bound, scores[best]);
      for (int before = 0; before < best; before++) {
        assertTrue(scores[before] != bound, "an earlier one is as good");
      }
      Choice choice = engine.choose(sets, metrics);
      assertEquals(best, choice.candidate());
      assertArrayEquals(sets.set(best), choice.devices());
      assertEquals(bound, choice.score(best));
    }
  }

  @ParameterizedTest
  @EnumSource(PublishedPolicy.class)
  void withoutItsMetricAPolicyLeavesItToTheHashAndSaysSo(PublishedPolicy policy) {
    CandidateSets sets = sets(new int[] {0, 1, 2}, new int[] {3, 4, 5});
    MetricsView nothing = ServerMetrics.builder(6).build().seenFrom(null);
    Choice choice = new ChoiceEngine(policy).choose(sets, nothing);
    assertEquals(0, choice.candidate());
    assertEquals(Reason.METRIC_UNKNOWN, choice.reason());
    assertTrue(Double.isNaN(choice.score(0)));
    assertTrue(
        choice.toString().contains("isn't known") && choice.toString().contains("unknown unknown"),
        choice.toString());
  }

  @Test
  void aSetOfUnknownScoreNeitherWinsNorLosesItsOwnPlace() {
    CandidateSets sets = sets(new int[] {0, 1}, new int[] {2, 3}, new int[] {4, 5});
    ServerMetrics known =
        ServerMetrics.builder(6)
            .set(Metric.DISK_USED, 0, .9)
            .set(Metric.DISK_USED, 1, .9)
            .set(Metric.DISK_USED, 2, .1)
            .set(Metric.DISK_USED, 4, .5)
            .set(Metric.DISK_USED, 5, .6)
            .build();
    Choice choice = new ChoiceEngine(PublishedPolicy.SPACE).choose(sets, known);
    assertEquals(2, choice.candidate());
    assertEquals(Reason.BEST_SCORE, choice.reason());
    CandidateSets unknownFirst = sets(new int[] {2, 3}, new int[] {4, 5});
    Choice stands = new ChoiceEngine(PublishedPolicy.SPACE).choose(unknownFirst, known);
    assertEquals(0, stands.candidate());
    assertEquals(Reason.METRIC_UNKNOWN, stands.reason());
  }

  /** Neither flooded nor starved: of a server without values the hash alone decides. */
  @ParameterizedTest
  @ValueSource(longs = {7, 8, 9})
  void aServerWithoutValuesGetsWhatTheHashGivesIt(long seed) {
    Random random = new Random(seed);
    double[] used = random.doubles(20).toArray();
    used[13] = MetricsView.UNKNOWN;
    ChoiceEngine engine = new ChoiceEngine(PublishedPolicy.SPACE);
    CandidateSets sets = new CandidateSets(3, 3);
    int plain = 0;
    int chosen = 0;
    for (long key = 0; key < 20_000; key++) {
      SaltedCandidates.fill(key ^ seed, ChoiceEngineTest::uniform, sets);
      int best = engine.best(sets, (metric, server) -> used[server]);
      plain += contains(sets.set(0), 13) ? 1 : 0;
      chosen += contains(sets.set(best), 13) ? 1 : 0;
    }
    assertEquals(plain, chosen);
    assertTrue(plain > 2_000, "server 13 is in " + plain + " sets");
  }

  @Test
  void shorterSetsLoseHoweverGood() {
    CandidateSets sets = new CandidateSets(3, 3);
    add(sets, 0, 1);
    add(sets, 2, 3, 4);
    MetricsView metrics = (metric, server) -> server;
    Choice choice = new ChoiceEngine(PublishedPolicy.SPACE).choose(sets, metrics);
    assertEquals(1, choice.candidate());
    assertEquals(Reason.MOST_REPLICAS, choice.reason());
    add(sets, 0, 1, 2);
    assertEquals(2, new ChoiceEngine(PublishedPolicy.SPACE).best(sets, metrics));
  }

  @Test
  void equalsAndSinglesSaySo() {
    MetricsView same = (metric, server) -> 5;
    ChoiceEngine engine = new ChoiceEngine(PublishedPolicy.CPU);
    CandidateSets two = sets(new int[] {0, 1}, new int[] {2, 3});
    assertEquals(Reason.FIRST_OF_EQUALS, engine.choose(two, same).reason());
    CandidateSets one = sets(new int[] {0, 1});
    assertEquals(Reason.ONLY_CANDIDATE, engine.choose(one, same).reason());
    assertEquals(ChoiceEngine.NONE, engine.best(new CandidateSets(2, 2), same));
    assertThrows(
        IllegalArgumentException.class, () -> engine.choose(new CandidateSets(2, 2), same));
  }

  @ParameterizedTest
  @EnumSource(PublishedPolicy.class)
  void choosingAllocatesNothing(PublishedPolicy policy) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported(), "this JVM doesn't count allocations");
    ServerMetrics.Builder builder = ServerMetrics.builder(6);
    for (int server = 0; server < 6; server++) {
      builder
          .set(policy.metric(), server, VALUES[server])
          .location(server, Location.of("h" + server, "/rack" + server % 2));
    }
    MetricsView metrics = builder.build().seenFrom(Location.of("h1", "/rack1"));
    CandidateSets sets = sets(new int[] {0, 1, 2}, new int[] {3, 4, 5});
    ChoiceEngine engine = new ChoiceEngine(policy);
    int calls = 20_000;
    long chosen = 0;
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int call = 0; call < calls; call++) {
      chosen += engine.best(sets, metrics);
    }
    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertEquals((long) calls * engine.best(sets, metrics), chosen);
    // Loading classes at the first call may allocate; an object a call would be 16 bytes at least.
    assertTrue(allocated < 8L * calls, allocated + " bytes in " + calls + " calls");
  }

  /** Somebody's own: fewest transfer threads in all, and never a node that its peers call slow. */
  public static final class QuietAndNotSlow implements ChoicePolicy {
    @Override
    public String policyName() {
      return "quiet";
    }

    @Override
    public Better better() {
      return Better.LOWER;
    }

    @Override
    public double score(CandidateSets sets, int candidate, MetricsView metrics) {
      double sum = 0;
      for (int replica = 0; replica < sets.size(candidate); replica++) {
        int server = sets.device(candidate, replica);
        sum += metrics.value(Metric.XCEIVERS, server) + 1e6 * metrics.value(Metric.SLOW, server);
      }
      return sum;
    }

    @Override
    public String scoreIs() {
      return "transfer threads, a million for a slow node";
    }
  }

  @Test
  void policiesOfOnesOwnAreFoundByClassName() {
    ChoicePolicy own =
        ChoicePolicies.named(QuietAndNotSlow.class.getName(), getClass().getClassLoader());
    ServerMetrics.Builder metrics = ServerMetrics.builder(4);
    double[] xceivers = {3, 4, 40, 50};
    for (int server = 0; server < 4; server++) {
      metrics.set(Metric.XCEIVERS, server, xceivers[server]).set(Metric.SLOW, server, 0);
    }
    CandidateSets sets = sets(new int[] {2, 3}, new int[] {0, 1});
    assertEquals(1, new ChoiceEngine(own).best(sets, metrics.build()));
    assertEquals(0, new ChoiceEngine(own).best(sets, metrics.set(Metric.SLOW, 1, 1).build()));
  }

  @Test
  void namesAreThePapersAndOthersAreRefused() {
    ClassLoader loader = getClass().getClassLoader();
    for (PublishedPolicy policy : PublishedPolicy.values()) {
      assertEquals(policy, ChoicePolicies.named(policy.policyName(), loader));
    }
    assertRefused("[local, memory, space, cpu, latency, journal]", "spce");
    assertRefused("no class", "io.thermocline.NoSuchPolicy");
    assertRefused("doesn't implement", "java.lang.String");
    assertRefused("public constructor", Hidden.class.getName());
  }

  @Test
  void distancesAreAsInTheNetworkTree() {
    Location here = Location.of("h1", "/room1/rack1");
    assertEquals(0, here.distanceTo(Location.of("h1", "room1/rack1/")));
    assertEquals(2, here.distanceTo(Location.of("h2", "/room1/rack1")));
    assertEquals(4, here.distanceTo(Location.of("h1", "/room1/rack2")));
    assertEquals(6, here.distanceTo(Location.of("h3", "/room2/rack1")));
    ServerMetrics metrics =
        ServerMetrics.builder(2).location(0, here).set(Metric.XCEIVERS, 0, 7).build();
    assertEquals(4, metrics.seenFrom(Location.of("c", "/room1/rack3")).value(Metric.DISTANCE, 0));
    assertEquals(7, metrics.seenFrom(null).value(Metric.XCEIVERS, 0));
    assertTrue(Double.isNaN(metrics.seenFrom(here).value(Metric.DISTANCE, 1)));
    assertTrue(Double.isNaN(metrics.seenFrom(here).value(Metric.DISTANCE, 2)));
    assertTrue(Double.isNaN(metrics.seenFrom(null).value(Metric.DISTANCE, 0)));
    assertTrue(Double.isNaN(metrics.value(Metric.DISTANCE, 0)));
  }

  @Test
  void snapshotIsNotChangedByItsBuilder() {
    ServerMetrics.Builder builder = ServerMetrics.builder(2).set(Metric.CPU_USED, 0, .5);
    ServerMetrics metrics = builder.build();
    builder.set(Metric.CPU_USED, 0, .9).set(Metric.CPU_USED, 1, Double.POSITIVE_INFINITY);
    assertEquals(.5, metrics.value(Metric.CPU_USED, 0));
    assertTrue(Double.isNaN(metrics.value(Metric.CPU_USED, 1)));
    assertTrue(Double.isNaN(metrics.value(Metric.CPU_USED, -1)));
    assertTrue(Double.isNaN(builder.build().value(Metric.CPU_USED, 1)));
    assertFalse(metrics.metrics().contains(Metric.DISK_USED));
    assertThrows(IndexOutOfBoundsException.class, () -> builder.set(Metric.CPU_USED, 2, 1));
  }

  static final class Hidden implements ChoicePolicy {
    private Hidden() {}

    @Override
    public String policyName() {
      return "hidden";
    }

    @Override
    public Better better() {
      return Better.LOWER;
    }

    @Override
    public double score(CandidateSets sets, int candidate, MetricsView metrics) {
      return 0;
    }

    @Override
    public String scoreIs() {
      return "nothing";
    }
  }

  private static void assertRefused(String because, String name) {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> ChoicePolicies.named(name, ChoiceEngineTest.class.getClassLoader()))
            .getMessage();
    assertTrue(message.contains(because), message);
  }

  private static void assertScores(ChoicePolicy policy, CandidateSets sets, double... scores) {
    for (int candidate = 0; candidate < scores.length; candidate++) {
      assertEquals(
          scores[candidate], policy.score(sets, candidate, (m, server) -> VALUES[server]), 1e-12);
    }
  }

  private static int best(ChoicePolicy policy, CandidateSets sets) {
    return new ChoiceEngine(policy).best(sets, (metric, server) -> VALUES[server]);
  }

  private static CandidateSets sets(int[]... given) {
    CandidateSets sets = new CandidateSets(given.length, given[0].length);
    for (int[] set : given) {
      add(sets, set);
    }
    return sets;
  }

  private static void add(CandidateSets sets, int... set) {
    assertTrue(
        sets.add(
            0,
            (key, devices, from, to) -> {
              System.arraycopy(set, 0, devices, from, set.length);
              return set.length;
            }));
  }

  private static CandidateSets randomSets(Random random) {
    CandidateSets sets = new CandidateSets(1 + random.nextInt(5), 1 + random.nextInt(4));
    SaltedCandidates.fill(random.nextLong(), ChoiceEngineTest::uniform, sets);
    return sets;
  }

  /** Distinct devices of 20, each as likely. */
  private static int uniform(long key, int[] devices, int from, int to) {
    Random random = new Random(key);
    int[] distinct = random.ints(0, 20).distinct().limit(to - from).toArray();
    System.arraycopy(distinct, 0, devices, from, distinct.length);
    return distinct.length;
  }

  private static boolean contains(int[] set, int device) {
    return Arrays.stream(set).anyMatch(one -> one == device);
  }
}
