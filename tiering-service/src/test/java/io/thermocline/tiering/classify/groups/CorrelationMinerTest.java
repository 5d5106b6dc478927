// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CorrelationMinerTest {

  private static final long SEED = 20261121;

  /** Groups of objects that are read together, and reads at random between them. */
  private record Reads(long[] keys, long[] millis) {

    static Reads of(int count, int groups, int strangers) {
      SplittableRandom random = new SplittableRandom(SEED);
      long[] keys = new long[count];
      long[] millis = new long[count];
      long now = 0;
      int next = 0;
      while (next < count) {
        now += 20;
        if (random.nextInt(3) == 0) {
          keys[next] = 1_000_000 + random.nextInt(strangers);
          millis[next++] = now;
          if (next < count && random.nextBoolean()) {
            keys[next] = 1_000_000 + random.nextInt(strangers);
            millis[next++] = now + 1;
          }
          continue;
        }
        // Low groups more often.
        long group = Math.min(random.nextInt(groups), random.nextInt(groups));
        for (int member = 0; member < 4 && next < count; member++) {
          keys[next] = group * 10 + member;
          millis[next++] = now + member;
        }
      }
      return new Reads(keys, millis);
    }

    void into(CorrelationMiner miner) {
      for (int i = 0; i < keys.length; i++) {
        miner.read(keys[i], 0, millis[i], 0, 4096);
      }
    }
  }

  private static final MiningSettings LOCAL = MiningSettings.defaults().withHot(0, Duration.ZERO);

  @Test
  void findsWhatIsReadTogetherAmongStrangers() {
    CorrelationMiner miner = new CorrelationMiner(LOCAL);
    Reads.of(40_000, 50, 5_000).into(miner);
    List<ObjectGroup> groups = miner.groups();
    long twice = LongStream.range(0, 50).filter(group -> miner.reads(group * 10) > 1).count();
    assertTrue(twice > 40);
    assertEquals(twice, groups.size());
    for (ObjectGroup group : groups) {
      long first = group.members().get(0).key() / 10;
      assertEquals(4, group.members().size());
      assertTrue(group.members().stream().allMatch(member -> member.key() / 10 == first));
    }
    assertEquals(0, miner.pairError());
    assertEquals(0, miner.objectError());
  }

  @Test
  void neverTogetherMoreOftenThanRead() {
    SplittableRandom random = new SplittableRandom(SEED);
    CorrelationMiner miner = new CorrelationMiner(LOCAL);
    for (int i = 0; i < 20_000; i++) {
      miner.read(random.nextInt(12), 0, i / 5, 0, 1);
    }
    for (long a = 0; a < 12; a++) {
      for (long b = 0; b < a; b++) {
        assertTrue(miner.together(a, b) <= Math.min(miner.reads(a), miner.reads(b)));
      }
    }
    assertTrue(miner.groups().stream().allMatch(group -> group.distance() <= 0.1));
  }

  @Test
  void pairsOfOneWindowAreThoseOfAPlainCount() {
    Reads reads = Reads.of(10_000, 20, 300);
    CorrelationMiner miner = new CorrelationMiner(LOCAL);
    reads.into(miner);
    plain(reads)
        .forEach(
            (pair, count) ->
                assertEquals(count, miner.together(pair.get(0), pair.get(1)), pair.toString()));
  }

  /** Every two objects, every read against every earlier one. */
  private static Map<List<Long>, Integer> plain(Reads reads) {
    Map<List<Long>, Integer> counts = new HashMap<>();
    Map<List<Long>, Integer> used = new HashMap<>();
    for (int now = 0; now < reads.keys.length; now++) {
      Set<Long> met = new HashSet<>();
      for (int before = now - 1;
          before >= 0 && reads.millis[now] - reads.millis[before] <= 10;
          before--) {
        long a = Math.min(reads.keys[now], reads.keys[before]);
        long b = Math.max(reads.keys[now], reads.keys[before]);
        if (a == b || !met.add(reads.keys[before])) {
          continue;
        }
        List<Long> pair = List.of(a, b);
        if (before > used.getOrDefault(pair, -1)) {
          counts.merge(pair, 1, Integer::sum);
          used.put(pair, now);
        }
      }
    }
    return counts;
  }

  @Test
  void withLittleMemoryCountsAreTooLowByTheKnownErrorAtMost() {
    Reads reads = Reads.of(60_000, 100, 20_000);
    CorrelationMiner exact = new CorrelationMiner(LOCAL);
    reads.into(exact);
    CorrelationMiner small = new CorrelationMiner(LOCAL.withMemory(1_500, 4));
    reads.into(small);
    assertTrue(small.objectError() > 0, "it was too easy");
    assertTrue(small.objects() <= 1_500 && small.pairs() <= 4 * 1_500);
    assertTrue(small.objectError() <= 2 * 60_000 / 1_500, "objects: 2N/C");
    for (long group = 0; group < 100; group++) {
      for (long member = 0; member < 4; member++) {
        long key = group * 10 + member;
        int missed = exact.reads(key) - small.reads(key);
        assertTrue(missed >= 0 && missed <= small.objectError(), key + " missed " + missed);
        if (member > 0) {
          assertTrue(small.together(key, group * 10) <= exact.together(key, group * 10));
        }
      }
    }
    Set<Set<Long>> truth = keys(exact);
    assertTrue(truth.containsAll(keys(small)), "a group that isn't one");
    assertTrue(keys(small).size() > 50, "most groups are found all the same");
  }

  @Test
  void ofEachPairNoMoreIsMissedThanItsListSays() {
    Reads reads = Reads.of(60_000, 100, 400);
    CorrelationMiner exact = new CorrelationMiner(LOCAL.withMemory(10_000, 127));
    reads.into(exact);
    CorrelationMiner small = new CorrelationMiner(LOCAL.withMemory(10_000, 5));
    reads.into(small);
    assertEquals(0, exact.pairError());
    assertTrue(small.pairError() > 0, "it was too easy");
    long[] keys = LongStream.of(reads.keys).distinct().toArray();
    for (long a : keys) {
      for (long b : keys) {
        if (a < b) {
          int missed = exact.together(a, b) - small.together(a, b);
          int error = small.pairError(a, b);
          assertTrue(missed >= 0 && missed <= error, a + ", " + b + " missed " + missed);
          assertTrue(error <= Math.min(small.reads(a), small.reads(b)));
        }
      }
    }
    assertTrue(keys(exact).containsAll(keys(small)));
  }

  @Test
  void theOrderOfSlotsDoesNotMatter() {
    Reads reads = Reads.of(20_000, 40, 1_000);
    CorrelationMiner live = new CorrelationMiner(MiningSettings.defaults());
    reads.into(live);
    long[] keys = LongStream.of(reads.keys).distinct().sorted().toArray();
    CorrelationMiner loaded =
        new CorrelationMiner(MiningSettings.defaults().withMemory(10_000, 127));
    Map<Long, Long> last = new HashMap<>();
    for (int i = 0; i < reads.keys.length; i++) {
      last.put(reads.keys[i], reads.millis[i]);
    }
    for (int i = keys.length - 1; i >= 0; i--) {
      loaded.load(
          keys[i], new ReadCounts(live.reads(keys[i]), 0, 0, last.get(keys[i]), 4096, 4096));
    }
    for (long a : keys) {
      for (long b : keys) {
        if (b < a && live.together(a, b) > 0) {
          loaded.load(a, b, live.together(a, b));
        }
      }
    }
    assertEquals(withoutEvidence(live), withoutEvidence(loaded));
  }

  /** What is known of chance isn't loaded here. */
  private static List<ObjectGroup> withoutEvidence(CorrelationMiner miner) {
    return miner.groups().stream()
        .map(
            group ->
                new ObjectGroup(
                    group.pattern(), group.sequence(), group.members(), group.distance(), null))
        .toList();
  }

  @Test
  void aCrowdOfEqualsIsCutIntoGroupsOfTheLargestSize() {
    CorrelationMiner miner = new CorrelationMiner(LOCAL.withMemory(100, 32));
    for (int round = 0; round < 3; round++) {
      for (long key = 0; key < 25; key++) {
        miner.read(key, 0, round * 1000L, 0, 4096);
      }
    }
    List<Integer> sizes = miner.groups().stream().map(group -> group.members().size()).toList();
    assertEquals(List.of(10, 10, 5), sizes);
  }

  @Test
  void aGroupThatIsTooLargeIsSplitWhereItsMembersAreFurtherApart() {
    // 6 and 6 objects at distances 0 within and 0.1 between them: dis_thr 0.1 makes 12 of them one.
    CorrelationMiner miner = new CorrelationMiner(LOCAL.withDistance(0.1, 0.02, 10));
    for (int round = 0; round < 10; round++) {
      for (long key = 0; key < 12; key++) {
        long apart = round == 0 && key >= 6 ? 500 : 0;
        miner.read(key, 0, round * 1000L + apart, 0, 4096);
      }
    }
    assertEquals(
        Set.of(Set.of(0L, 1L, 2L, 3L, 4L, 5L), Set.of(6L, 7L, 8L, 9L, 10L, 11L)), keys(miner));
  }

  @Test
  void hotObjectsOfDifferentTimesStayApart() {
    CorrelationMiner miner =
        new CorrelationMiner(MiningSettings.defaults().withHot(1, Duration.ofMinutes(1)));
    for (int i = 0; i < 20; i++) {
      miner.read(1, 0, i * 100L, 0, 1);
      miner.read(2, 0, i * 100L + 50, 0, 1);
    }
    for (int i = 0; i < 20; i++) {
      miner.read(3, 0, 600_000 + i * 100L, 0, 1);
      miner.read(4, 0, 600_000 + i * 100L + 50, 0, 1);
    }
    assertEquals(Set.of(Set.of(1L, 2L), Set.of(3L, 4L)), keys(miner));
  }

  private static Set<Set<Long>> keys(CorrelationMiner miner) {
    Set<Set<Long>> groups = new HashSet<>();
    for (ObjectGroup group : miner.groups()) {
      Set<Long> keys = new HashSet<>();
      group.members().forEach(member -> keys.add(member.key()));
      groups.add(keys);
    }
    return groups;
  }
}
