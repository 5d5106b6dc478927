// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.app.groups.GeneratedSets.Marks;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.GroupPattern;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.observe.PathKey;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is found of sets that many clients read at the same time, against the truth that made the reads. */
class BusyClusterTest {
  private static final long SEED = Long.getLong("test.seed", 20261124);

  @ParameterizedTest
  @CsvSource({
    "1, ADDRESSES, 0, 0",
    "8, ADDRESSES, 0, 0",
    "32, ADDRESSES, 0, 0",
    "128, ADDRESSES, 0, 0",
    "512, ADDRESSES, 0, 0",
    "2048, ADDRESSES, 0, 0",
    "128, USERS, 0, 0",
    "128, ADDRESSES, 0.97, 0",
    "128, ADDRESSES, 0, 0.1"
  })
  void readersThatAreToldApartShowTheirSets(
      int clients, Marks marks, double singles, double skipped) {
    FoundSets found =
        FoundSets.of(sets(clients, marks, singles, skipped), MiningSettings.ofFiles());
    assertTrue(found.foundPercent() >= 95, found::toString);
    assertTrue(found.wrongPercent() <= 2, found::toString);
  }

  @Test
  void readersWithoutAnyMarkStandOutOverChance() {
    FoundSets found = FoundSets.of(sets(128, Marks.NONE, 0, 0), MiningSettings.ofFiles());
    assertTrue(found.foundPercent() >= 80, found::toString);
    assertTrue(found.wrongPercent() <= 5, found::toString);
  }

  @Test
  void setsOfWhichEachFifthReadIsOfOneFileAloneAreFound() {
    GeneratedSets sets = sets(128, Marks.ADDRESSES, 0, 0);
    SplittableRandom random = new SplittableRandom(SEED);
    CorrelationMiner miner = new CorrelationMiner(MiningSettings.ofFiles());
    Map<Long, String> names = new HashMap<>();
    sets.each(
        (set, file, client, millis) -> {
          String path = sets.path(set, file);
          names.put(PathKey.of(0, path), path);
          miner.read(PathKey.of(0, path), client, millis, 0, 0);
          if (random.nextInt(4) == 0) {
            String alone = sets.path(random.nextInt(sets.sets()), random.nextInt(sets.files()));
            names.put(PathKey.of(0, alone), alone);
            miner.read(PathKey.of(0, alone), 1000 + random.nextInt(128), millis, 0, 0);
          }
        });
    FoundSets found = FoundSets.of(sets, miner.groups(), names::get);
    assertTrue(found.whole() >= 190, found::toString);
    assertTrue(found.wrongPercent() <= 2, found::toString);
  }

  @Test
  void aFileOfTwoSetsGoesToOneOfThem() {
    GeneratedSets sets = new GeneratedSets(200, 8, 128, 48_000, 0, 0, 1, 1, Marks.ADDRESSES, SEED);
    FoundSets found = FoundSets.of(sets, MiningSettings.ofFiles());
    // A file has one copy: of each set's 28 pairs, 21.5 can be in one group on average, 76.8 %.
    assertTrue(found.foundPercent() >= 72, found::toString);
    assertTrue(found.wrongPercent() <= 2, found::toString);
  }

  private static GeneratedSets sets(int clients, Marks marks, double singles, double skipped) {
    long reads = singles > 0 ? 96_000 : 48_000;
    return new GeneratedSets(200, 8, clients, reads, singles, skipped, 0, 1, marks, SEED);
  }

  @ParameterizedTest
  @CsvSource({"1", "16", "512"})
  void readsAtRandomMakeNoGroup(int readers) {
    SplittableRandom random = new SplittableRandom(SEED);
    CorrelationMiner miner = new CorrelationMiner(MiningSettings.ofFiles());
    for (int i = 0; i < 100_000; i++) {
      miner.read(random.nextInt(2_000), random.nextInt(readers), i * 20L, 0, 0);
    }
    assertEquals(
        0, miner.groups().stream().filter(group -> group.pattern() == GroupPattern.LOCAL).count());
  }
}
