// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.act.ReadTimes.Reads;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReadTimesTest {

  private final ReadTimes times = new ReadTimes();

  @Test
  void comparesEachNodeWithItself() {
    times.quiet(Map.of("disk", new Reads(100, 20), "ssd", new Reads(100, 2)));

    ReadTimes.Seen seen =
        times.copying(Map.of("disk", new Reads(110, 20), "ssd", new Reads(200, 6)), 2);

    assertEquals(110, seen.reads());
    assertEquals(Set.of("ssd"), seen.slowed());
    assertEquals(3.0, seen.ratio().getAsDouble(), 1e-9, "most reads are of the SSD");
  }

  @Test
  void saysNothingOfFewReadsOrOfNodesItNeverHeardWhenQuiet() {
    times.quiet(Map.of("a", new Reads(100, 20)));
    assertEquals(OptionalDouble.empty(), times.copying(Map.of("a", new Reads(119, 90)), 2).ratio());
    assertEquals(OptionalDouble.empty(), times.copying(Map.of("b", new Reads(999, 90)), 2).ratio());
    assertEquals(0, times.copying(Map.of("a", new Reads(119, 90)), 2).reads(), "no news");
    assertEquals(0, times.copying(Map.of("a", new Reads(7, 90)), 2).reads(), "started anew");
  }

  @Test
  void addsUpFewReadsOfSeveralLooks() {
    times.quiet(Map.of("a", new Reads(100, 10)));
    for (int count = 105; count < 120; count += 5) {
      assertEquals(OptionalDouble.empty(), of("a", count, 30));
    }
    assertEquals(3.0, of("a", 120, 30).getAsDouble(), 1e-9);
    assertEquals(OptionalDouble.empty(), of("a", 125, 30), "they count once");
    times.quiet(Map.of("a", new Reads(130, 10)));
    assertEquals(OptionalDouble.empty(), of("a", 145, 30), "not with those of another plan");
  }

  private OptionalDouble of(String node, long count, double millis) {
    return times.copying(Map.of(node, new Reads(count, millis)), 2).ratio();
  }

  @Test
  void isNotMisledBySingleReadsThatTookLong() {
    for (int i = 1; i <= 9; i++) {
      times.quiet(Map.of("a", new Reads(100 * i, i == 5 ? 900 : 10), "b", new Reads(100 * i, 10)));
    }
    ReadTimes.Seen seen =
        times.copying(Map.of("a", new Reads(1000, 10), "b", new Reads(990, 900)), 2);
    assertEquals(1.0, seen.ratio().getAsDouble(), 1e-9);
    assertEquals(Set.of("b"), seen.slowed());
  }

  @Test
  void followsWhatIsReadByAndBy() {
    times.quiet(Map.of("a", new Reads(100, 10)));
    for (int i = 0; i < 9; i++) {
      times.quiet(Map.of("a", new Reads(100, 90)));
    }
    assertEquals(1.0, ratio(200, 10), 1e-9, "what isn't new isn't taken twice");
    long count = 200;
    for (int i = 0; i < 5; i++) {
      count += 100;
      times.quiet(Map.of("a", new Reads(count, 40)));
    }
    assertEquals(1.0, ratio(count + 100, 40), 1e-9);
  }

  @Test
  void takesNoNoticeOfTimesTooShortToTell() {
    times.quiet(Map.of("a", new Reads(100, 0.2)));
    assertEquals(1.0, ratio(200, 0.9), 1e-9, "of ten reads, nine met a tick");
    assertTrue(ratio(300, 6) > 5);
  }

  @Test
  void skipsWhatMayBeOfEither() {
    times.quiet(Map.of("a", new Reads(100, 10)));
    times.skip(Map.of("a", new Reads(500, 90)));
    assertEquals(2.0, ratio(600, 20), 1e-9);
  }

  private double ratio(long count, double millis) {
    return times.copying(Map.of("a", new Reads(count, millis)), 2).ratio().getAsDouble();
  }
}
