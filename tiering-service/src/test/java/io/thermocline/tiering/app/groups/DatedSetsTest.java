// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.app.groups.GeneratedSets.Marks;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.heat.StateSink;
import io.thermocline.tiering.heat.StateSource;
import io.thermocline.tiering.observe.PathKey;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets whose files come again with another date. */
class DatedSetsTest {
  private static final long SEED = Long.getLong("test.seed", 20261124);
  private static final long DAY_MILLIS = 86_400_000L;
  private static final int FILES = 6;
  private static final String[] WEEKS = {"2026-11-02", "2026-11-09", "2026-11-16"};

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/t/dt=2026-11-24/part-0 /t/dt=2026-12-01/part-0",
        "/t/2026/11/24/05/part-0 /t/2026/12/01/17/part-0",
        "/logs/app-20261124.log /logs/app-20261201.log",
        "/logs/app.2026112405.log /logs/app.2026120117.log",
        "/t/dt=2026-11-24/000001_0 /t/dt=2026-12-01/000001_0",
        "/t/week=2026-W48/a /t/week=2026-W49/a",
        "/t/month=2026-11/a /t/month=2026-12/a",
        "/t/year=2026/month=9/day=30/a /t/year=2026/month=10/day=1/a",
        "/t/dt=2026-11-24/p-0-0a1b2c3d-0000-4000-8000-0123456789ab.parquet"
            + " /t/dt=2026-12-01/p-0-0a1b2c3d-1111-4111-8111-0123456789ab.parquet"
      })
  void aPathWithAnotherDateIsTheSameTemplate(String paths) {
    DatedSets.Dated one = DatedSets.fold(paths.split(" ")[0]);
    DatedSets.Dated other = DatedSets.fold(paths.split(" ")[1]);
    assertEquals(one.template(), other.template());
    assertNotEquals(one.date(), other.date());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/t/part-00012", "/t/20/a", "/t/id=2026/a", "/t/120261124/a", "/t/2026-13-01/a"})
  void otherNumbersAreNoDates(String path) {
    assertNull(DatedSets.fold(path));
  }

  @Test
  void otherFilesAreOtherTemplates() {
    assertNotEquals(
        DatedSets.fold("/t/dt=2026-11-24/part-0").template(),
        DatedSets.fold("/t/dt=2026-11-24/part-1").template());
    assertNotEquals(
        DatedSets.fold("/t/dt=2026-11-24/000000_0").template(),
        DatedSets.fold("/t/dt=2026-11-24/000001_0").template());
  }

  @Test
  void aSetOfANewWeekIsAGroupAfterItsFirstReadAlsoWhenWhatTaughtItIsForgotten() {
    ReadTogether reads = new ReadTogether(MiningSettings.ofFiles(), 0);
    week(reads, 0, 20);
    assertEquals(1, found(reads, WEEKS[0]));
    week(reads, 1, 20);
    assertEquals(1, found(reads, WEEKS[1]));
    // Only what is saved is left of it.
    reads.turn(14 * DAY_MILLIS, DAY_MILLIS);
    reads.turn(15 * DAY_MILLIS, DAY_MILLIS);
    Saved saved = new Saved();
    reads.writeTo(saved);
    ReadTogether restarted = new ReadTogether(MiningSettings.ofFiles(), 0);
    assertTrue(restarted.restore(saved.source()));
    assertTrue(saved.values.isEmpty(), "all that was written is read");
    week(restarted, 2, 1);
    assertEquals(1, found(restarted, WEEKS[2]));
    assertEquals(0, found(restarted, WEEKS[0]));
  }

  @Test
  void aSetThatWasFoundOnceOnlyTellsNothingOfOthers() {
    ReadTogether reads = new ReadTogether(MiningSettings.ofFiles(), 0);
    week(reads, 0, 20);
    assertEquals(1, found(reads, WEEKS[0]));
    week(reads, 1, 1);
    assertEquals(0, found(reads, WEEKS[1]));
  }

  @Test
  void filesOfATemplateThatAreReadApartAreNoGroup() {
    ReadTogether reads = new ReadTogether(MiningSettings.ofFiles(), 0);
    week(reads, 0, 20);
    found(reads, WEEKS[0]);
    week(reads, 1, 20);
    found(reads, WEEKS[1]);
    for (int file = 0; file < FILES; file++) {
      // By a reader each.
      read(reads, WEEKS[2], file, 100 + file, 14 * DAY_MILLIS);
    }
    assertEquals(0, found(reads, WEEKS[2]));
  }

  @Test
  void generatedSetsOfNewWeeksAreFoundThatTooFewReadsShow() {
    GeneratedSets sets = new GeneratedSets(200, 8, 128, 51_200, 0, 0, 0, 8, Marks.ADDRESSES, SEED);
    FoundSets found = FoundSets.of(sets, MiningSettings.ofFiles());
    assertTrue(found.foundPercent() >= 90, found::toString);
    assertTrue(found.wrongPercent() <= 2, found::toString);
    CorrelationMiner miner = new CorrelationMiner(MiningSettings.ofFiles());
    Map<Long, String> names = new HashMap<>();
    sets.each(
        (set, file, client, millis) -> {
          String path = sets.path(set, file);
          names.put(PathKey.of(0, path), path);
          miner.read(PathKey.of(0, path), sets.reader(client), millis, 0, 0);
        });
    FoundSets without = FoundSets.of(sets, miner.groups(), names::get);
    assertTrue(without.foundPercent() < found.foundPercent() - 10, without + " " + found);
  }

  private static void week(ReadTogether reads, int week, int times) {
    for (int time = 0; time < times; time++) {
      for (int file = 0; file < FILES; file++) {
        long millis = week * 7 * DAY_MILLIS + time * 60_000L + file;
        read(reads, WEEKS[week], file, time % 3, millis);
        // Of no set.
        read(reads, "single/" + week + "/" + time, file, 50, millis);
      }
    }
  }

  private static void read(ReadTogether reads, String week, int file, long reader, long millis) {
    String path = "/t/dt=" + week + "/part-" + file;
    long key = PathKey.of(0, path);
    if (!reads.knows(key)) {
      reads.name(key, path);
    }
    reads.read(key, reader, millis, 0, 0);
  }

  /** Groups that are a whole set of this week. */
  private static long found(ReadTogether reads, String week) {
    return reads.groups(0).stream()
        .filter(
            each ->
                each.group().members().size() == FILES
                    && each.group().members().stream()
                        .allMatch(member -> each.names().apply(member.key()).contains(week)))
        .count();
  }

  private static final class Saved implements StateSink {
    private final Deque<Object> values = new ArrayDeque<>();

    @Override
    public void number(long value) {
      values.add(value);
    }

    @Override
    public void text(String value) {
      values.add(value);
    }

    @Override
    public void words(long[] words) {
      Arrays.stream(words).forEach(values::add);
    }

    StateSource source() {
      return new StateSource() {
        @Override
        public long number() {
          return (Long) values.remove();
        }

        @Override
        public String text() {
          return (String) values.remove();
        }

        @Override
        public void words(long[] into) {
          Arrays.setAll(into, i -> number());
        }
      };
    }
  }
}
