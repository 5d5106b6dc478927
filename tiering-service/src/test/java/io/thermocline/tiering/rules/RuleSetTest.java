// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.observe.FileView;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RuleSetTest {

  private static final long SEED = Long.getLong("test.seed", 7);

  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

  @Test
  void theHighestPriorityWinsForEachKindByItself() {
    RuleSet ruleSet =
        ruleSet(
            rule("low", 0, "/a", atMost(ARCHIVE)),
            rule("high", 2, "/a/b", atMost(SSD)),
            rule("pin", 1, "/a/b/c", PathRule.Scope.PINNED));

    assertEquals(ARCHIVE, of(ruleSet, "/a/x").atMost());
    assertEquals(SSD, of(ruleSet, "/a/b/x").atMost());
    assertEquals("high", of(ruleSet, "/a/b/x").atMostRule().name());
    Verdict both = of(ruleSet, "/a/b/c/x");
    assertEquals(List.of("pin", "high"), both.rules().stream().map(PathRule::name).toList());
    assertNull(both.goal(StorageType.NVDIMM), "pinned");
    assertTrue(of(ruleSet, "/b").isNothing());
  }

  @Test
  void anImpactSaysWhatTooFewDataNodesMakeImpossible() {
    RuleSet cold = ruleSet(rule("cold", 0, "/a", atMost(ARCHIVE)));
    String said = "DISK to ARCHIVE, which is impossible: 3 copies need as many DataNodes";
    assertTrue(move(cold, Map.of(ARCHIVE, 2L)).startsWith(said), move(cold, Map.of(ARCHIVE, 2L)));
    assertEquals("DISK to ARCHIVE", move(cold, Map.of(ARCHIVE, 3L)));
    assertEquals("DISK to ARCHIVE", move(cold, Map.of()), "not known");
  }

  /** Of one file, too: a file has a path of thousands of letters, and a rule has many patterns. */
  @Test
  void anImpactEndsWhereMatchingTakesTooLong() {
    List<PathRule> many = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      many.add(rule("r" + i, 0, "/" + "**a".repeat(300) + i + "*!", atMost(SSD)));
    }
    AtomicInteger asked = new AtomicInteger();
    Impact impact =
        new Impact(ruleSet(), new RuleSet(many, List.of()), NOW, () -> asked.incrementAndGet() > 2);
    FileView file = file("/" + "a".repeat(200), 1, 1);
    assertThrows(Impact.TooLongException.class, () -> impact.add(file, DISK, 0));
    assertEquals(3, asked.get(), "asked each 64 patterns");
  }

  private static String move(RuleSet rules, Map<StorageType, Long> nodes) {
    Impact impact = new Impact(ruleSet(), rules, NOW, nodes);
    impact.add(file("/a/x", 1, 1), DISK, 0);
    return impact.changes().get(0).getKey().move();
  }

  @Test
  void whatIsPinnedIgnoredOrPlacedElsewhereBelowADirectoryIsAgainstIt() {
    RuleSet ruleSet =
        ruleSet(
            rule("pin", 0, "/a/b/pinned", PathRule.Scope.PINNED),
            rule("ignore", 0, "/a/c/ignored", PathRule.Scope.IGNORED),
            rule("most", 0, "/a/d/slow", atMost(DISK)));
    assertTrue(ruleSet.against("/a/b", SSD).startsWith("pinned by "), ruleSet.against("/a/b", SSD));
    assertTrue(
        ruleSet.against("/a/c", SSD).startsWith("ignored by "), ruleSet.against("/a/c", SSD));
    assertTrue(ruleSet.against("/a/c/ignored/x", SSD).startsWith("ignored by "));
    assertEquals("", ruleSet.against("/a/e", SSD));
    boolean isAgainstSsd = ruleSet.against("/a/d", SSD).startsWith("placed elsewhere by ");
    boolean isAgainstArchive = ruleSet.against("/a/d", ARCHIVE).startsWith("placed elsewhere by ");
    assertTrue(isAgainstSsd != isAgainstArchive, "a bound is one on one side");
  }

  @Test
  void ofAFloorAboveACeilingTheHigherPriorityHolds() {
    PathRule floor = rule("floor", 1, "/a", atLeast(SSD));
    assertEquals(
        "at least SSD", of(ruleSet(floor, rule("c", 0, "/a", atMost(DISK))), "/a").words());
    assertEquals(
        "at most DISK", of(ruleSet(floor, rule("c", 2, "/a", atMost(DISK))), "/a").words());
    assertEquals(
        "at least SSD, at most SSD",
        of(ruleSet(floor, rule("c", 2, "/a", atMost(SSD))), "/a").words());
  }

  /** Which stands first makes no difference to what holds. */
  @Test
  void theOrderInTheFileDoesntMatter() {
    Random random = new Random(SEED);
    StorageType[] types = {ARCHIVE, DISK, SSD};
    String[] paths = {"/a", "/a/*", "/*/b", "/a/b", "/**/c"};
    for (int round = 0; round < 300; round++) {
      List<PathRule> rules = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        StorageType type = types[random.nextInt(3)];
        PathRule.Says says = random.nextBoolean() ? atMost(type) : atLeast(type);
        rules.add(rule("r" + i, i, paths[random.nextInt(paths.length)], says));
      }
      List<PathRule> other = new ArrayList<>(rules);
      Collections.shuffle(other, random);
      for (String path : new String[] {"/a/b/c", "/a/x", "/y/b", "/z/c"}) {
        Verdict verdict = of(new RuleSet(rules, List.of()), path);
        assertEquals(verdict, of(new RuleSet(other, List.of()), path));
        assertFalse(
            PathRule.crosses(
                Optional.ofNullable(verdict.atLeast()), Optional.ofNullable(verdict.atMost())));
        assertEquals(
            verdict.goal(DISK) == null ? null : verdict.goal(verdict.goal(DISK)), null, "settles");
      }
    }
  }

  @Test
  void tiesArentAccepted() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ruleSet(rule("a", 0, "/a", atMost(DISK)), rule("b", 0, "/a/b", atMost(SSD))));
  }

  @Test
  void agesAreOfKnownTimesAndHeatIsARead() {
    Match old =
        Match.of(List.of("/a"))
            .aged(Optional.of(Duration.ofDays(90)), Optional.of(Duration.ofDays(30)));
    assertTrue(old.covers(file("/a/f", 90, 30), 0, NOW));
    assertFalse(old.covers(file("/a/f", 89, 30), 0, NOW));
    assertFalse(old.covers(file("/a/f", 90, 29), 0, NOW));
    assertFalse(old.covers(file("/a/f", 90, 30), 0.6, NOW), "the service saw a read");
    assertTrue(old.covers(file("/a/f", 90, 400), 0, NOW), "read only before it was changed");
    assertFalse(old.covers(new FileView("/a/f", 1, 3, 0, List.of()), 0, NOW), "times not known");
  }

  @Test
  void whatIsIgnoredIsPassedOverUnlessSomethingBelowIsnt() {
    RuleSet ruleSet =
        ruleSet(
            rule("skip", 0, "/a", PathRule.Scope.IGNORED),
            rule("but", 1, "/a/b/c", PathRule.Scope.MANAGED));
    assertTrue(ruleSet.ignores("/a/x"));
    assertFalse(ruleSet.ignores("/a"), "the way to what isn't");
    assertFalse(ruleSet.ignores("/a/b"));
    assertFalse(ruleSet.ignores("/a/b/c/f"));
    assertFalse(ruleSet.ignores("/"));
    Hold hold = of(ruleSet, "/a/b/f").hold(Hold.NONE);
    assertEquals("ignored by rule 'skip' (t:1)", hold.reason());
    assertFalse(hold.rise() || hold.fall());
  }

  @Test
  void aWindowHoldsWhatIsOutsideIt() {
    Window nights =
        new Window(
            Set.of(DayOfWeek.FRIDAY), LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneOffset.UTC);
    assertFalse(nights.contains(Instant.parse("2026-11-20T21:59:59Z")));
    assertTrue(nights.contains(Instant.parse("2026-11-20T22:00:00Z")), "Friday");
    assertTrue(nights.contains(Instant.parse("2026-11-21T05:59:59Z")), "the morning after");
    assertFalse(nights.contains(Instant.parse("2026-11-21T06:00:00Z")));
    assertFalse(nights.contains(Instant.parse("2026-11-20T05:00:00Z")), "of Thursday's night");

    RuleSet ruleSet = ruleSet(rule("w", 0, "/a", new PathRule.MoveOnly(nights, "Fri nights")));
    assertEquals(
        "moved only Fri nights by rule 'w' (t:1)", of(ruleSet, "/a").hold(Hold.NONE).reason());
    Instant open = Instant.parse("2026-11-20T23:00:00Z");
    assertEquals(Hold.NONE, ruleSet.of(file("/a", 1, 1), 0, open).hold(Hold.NONE));
  }

  /**
   * What matches two patterns shows that they overlap; no two are said to that have no path in
   * common.
   */
  @Test
  void overlapsAreFound() {
    Random random = new Random(SEED);
    String[] parts = {"a", "b", "*", "a*", "*b", "**", "ab"};
    String[] names = {"a", "b", "ab", "abb", "aa"};
    int overlapping = 0;
    for (int round = 0; round < 20_000; round++) {
      PathPattern first = pattern(random, parts);
      PathPattern second = pattern(random, parts);
      String path = path(random, names);
      assertEquals(first.overlaps(second), second.overlaps(first));
      if (first.matches(path) && second.matches(path)) {
        assertTrue(first.overlaps(second), first + " and " + second + " match " + path);
        overlapping++;
      }
    }
    assertTrue(overlapping > 1000, "the test has cases: " + overlapping);
    assertFalse(new PathPattern("/a/b*").overlaps(new PathPattern("/a/c*")));
    assertFalse(new PathPattern("/a/*/c").overlaps(new PathPattern("/a/b/d")));
    assertFalse(new PathPattern("/ab").overlaps(new PathPattern("/a")), "whole names");
    assertTrue(new PathPattern("/a/*/c").overlaps(new PathPattern("/a/b")), "all below");
  }

  private static PathPattern pattern(Random random, String[] parts) {
    StringBuilder glob = new StringBuilder();
    for (int i = 0; i <= random.nextInt(3); i++) {
      glob.append('/').append(parts[random.nextInt(parts.length)]);
    }
    return new PathPattern(glob.toString());
  }

  private static String path(Random random, String[] names) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i <= random.nextInt(4); i++) {
      path.append('/').append(names[random.nextInt(names.length)]);
    }
    return path.toString();
  }

  private static Verdict of(RuleSet ruleSet, String path) {
    return ruleSet.of(file(path, 1, 1), 0, NOW);
  }

  private static FileView file(String path, int age, int unread) {
    return new FileView(
        path,
        1,
        3,
        0,
        List.of(),
        "",
        null,
        "",
        new FileView.Times(
            NOW.minus(Duration.ofDays(age)).toEpochMilli(),
            NOW.minus(Duration.ofDays(unread)).toEpochMilli()));
  }

  private static RuleSet ruleSet(PathRule... rules) {
    return new RuleSet(List.of(rules), List.of());
  }

  private static PathRule rule(String name, int priority, String path, PathRule.Says says) {
    return new PathRule(name, "t:1", priority, Match.of(List.of(path)), says);
  }

  private static PathRule.Place atMost(StorageType type) {
    return new PathRule.Place(Optional.empty(), Optional.of(type));
  }

  private static PathRule.Place atLeast(StorageType type) {
    return new PathRule.Place(Optional.of(type), Optional.empty());
  }
}
