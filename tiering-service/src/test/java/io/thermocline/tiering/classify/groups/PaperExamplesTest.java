// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The worked examples of PRS, sections 3.2 to 3.4.1. */
class PaperExamplesTest {

  private static final Duration TEN_MILLIS = Duration.ofMillis(10);
  private static final long SMALL = 4 << 10;
  private static final long OBJECT = 4 << 20;

  private final CorrelationMiner miner =
      new CorrelationMiner(
          MiningSettings.defaults().withWindow(TEN_MILLIS).withHot(0, Duration.ZERO));
  private long now;

  private void together(long... keys) {
    now += 1000;
    for (long key : keys) {
      miner.read(key, 0, now++, 0, SMALL);
    }
  }

  @Test
  void threeTimesTogetherOfFourAndFiveIsFourTenths() {
    together(1, 2);
    together(2, 1);
    together(1, 2);
    together(1);
    together(2);
    together(2);
    assertEquals(3, miner.together(1, 2));
    assertEquals(
        0.4,
        ObjectDistance.inTime(miner.together(1, 2), miner.reads(1), miner.reads(2)),
        1e-12,
        "equation 1");
  }

  @Test
  void frequenciesOfFiftyFiveAndFortyFiveAreATenthApart() {
    assertEquals(0.1, ObjectDistance.inFrequency(55, 45), 1e-12, "equation 2");
    assertEquals(0.5, ObjectDistance.inFrequency(150, 50), 1e-12, "equation 2");
  }

  @Test
  void readsFurtherApartThanTheWindowAreNotTogether() {
    miner.read(1, 0, 0, 0, SMALL);
    miner.read(2, 0, 10, 0, SMALL);
    miner.read(3, 0, 21, 0, SMALL);
    assertEquals(1, miner.together(1, 2), "10 ms");
    assertEquals(0, miner.together(2, 3), "11 ms");
  }

  @Test
  void twoLocalPatternsAreTwoGroups() {
    for (int round = 0; round < 5; round++) {
      together(0, 2, 4, 6);
      together(1);
      together(9, 7, 10);
      together(3 + 100 * round, 5);
    }
    List<ObjectGroup> groups = miner.groups();
    assertEquals(Set.of(Set.of(0L, 2L, 4L, 6L), Set.of(7L, 9L, 10L)), keys(groups), "figure 4");
    assertTrue(groups.stream().allMatch(group -> group.pattern() == GroupPattern.LOCAL));
  }

  @Test
  void hotObjectsAreGroupedByFrequencyWhereTheyAreInNoLocalGroup() {
    CorrelationMiner hot =
        new CorrelationMiner(MiningSettings.defaults().withHot(0.6, Duration.ZERO));
    // Three classes of frequency; the cold 20 and 21 are read together.
    int[][] readsOf = {{1, 100}, {4, 100}, {2, 60}, {3, 58}, {7, 30}, {8, 29}};
    for (int[] object : readsOf) {
      for (int i = 0; i < object[1]; i++) {
        long at = i * 1000L + (object[0] == 1 || object[0] == 4 ? 0 : object[0] * 50L);
        hot.read(object[0], 0, Math.max(at, 0), 0, SMALL);
      }
    }
    for (int i = 0; i < 4; i++) {
      hot.read(20, 0, 1_000_000 + i * 1000, 0, SMALL);
      hot.read(21, 0, 1_000_001 + i * 1000, 0, SMALL);
    }
    hot.read(30, 0, 2_000_000, 0, SMALL);
    hot.read(31, 0, 3_000_000, 0, SMALL);
    List<ObjectGroup> groups = hot.groups();
    assertEquals(
        List.of(GroupPattern.LOCAL, GroupPattern.GLOBAL, GroupPattern.GLOBAL, GroupPattern.GLOBAL),
        groups.stream().map(ObjectGroup::pattern).toList());
    assertEquals(
        Set.of(Set.of(1L, 4L), Set.of(2L, 3L), Set.of(7L, 8L), Set.of(20L, 21L)),
        keys(groups),
        "figure 5");
  }

  @Test
  void theLargestAccessesTellTheSequence() {
    assertEquals(AccessSequence.RANDOM_SMALL, sequence(SMALL, 100 << 10));
    assertEquals(AccessSequence.LARGE, sequence(1 << 20, 2 << 20));
    assertEquals(AccessSequence.LARGE, sequence(SMALL, OBJECT), "one small, one whole");
    assertEquals(AccessSequence.SEQUENTIAL, sequence(OBJECT, OBJECT));
    assertEquals(AccessSequence.UNKNOWN, sequence(OBJECT, 0), "of one nobody knows");
  }

  private static AccessSequence sequence(long... largest) {
    List<GroupedObject> members =
        java.util.Arrays.stream(largest)
            .mapToObj(bytes -> new GroupedObject(bytes, 1, bytes, OBJECT))
            .toList();
    return AccessSequence.of(members, 128 << 10);
  }

  private static Set<Set<Long>> keys(List<ObjectGroup> groups) {
    return groups.stream()
        .map(
            group ->
                group.members().stream()
                    .map(GroupedObject::key)
                    .collect(Collectors.toCollection(TreeSet::new)))
        .collect(Collectors.toSet());
  }
}
