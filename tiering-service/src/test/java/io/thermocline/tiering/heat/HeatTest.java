// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With profiles for all files, and with none but for one: what is exact, and what the table keeps. */
class HeatTest {

  private static final Duration HALF_LIFE = Duration.ofMinutes(16);
  private static final long START = 1_795_000_000_000L;

  private long now = START;
  private Heat heat;

  private void start(int candidates) {
    heat =
        new Heat(new HeatSettings(HALF_LIFE, 1 << 20, candidates, 1_000, 1_000), Told.NAMESERVICE);
    // Takes the only place there is, so that what follows is in the table alone.
    read("/hottest/file", 700);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void halvesInAHalfLife(int candidates) {
    start(candidates);
    read("/a", 80);
    assertEquals(80, heat.of("/a"));
    for (int minute = 0; minute < 16; minute++) {
      now += 60_000;
      read("/other", 1);
    }
    assertEquals(40, heat.of("/a"), 1);
    assertEquals(796, heat.reads());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void coolsWhileNobodyReads(int candidates) {
    start(candidates);
    read("/a", 80);
    heat.advance(now + HALF_LIFE.toMillis());
    assertEquals(40, heat.of("/a"), 1);
    assertEquals(350, heat.profile("/hottest/file").orElseThrow().heat(), 1);
    heat.advance(now + 30 * HALF_LIFE.toMillis());
    assertEquals(0, heat.of("/a"));
    // A clock that was wrong is set right.
    heat.advance(now);
    assertEquals(80, heat.of("/a"));
  }

  /** Lines that come late count as if they had come at once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void countsWhatComesLateByItsTime(int candidates) {
    start(candidates);
    read("/a", 80);
    heat.advance(now + 2 * HALF_LIFE.toMillis());
    assertEquals(20, heat.of("/a"), 1);
    now += HALF_LIFE.toMillis();
    read("/a", 40);
    assertEquals(40, heat.of("/a"), 1, "40 of 80 and 40, a half-life ago");
    now += HALF_LIFE.toMillis();
    read("/a", 1);
    assertEquals(41, heat.of("/a"), 1);
  }

  /** After a quiet night one read is as hot as any other, without sixteen witnesses. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void believesTheFirstReadAfterAGap(int candidates) {
    start(candidates);
    now += 40 * HALF_LIFE.toMillis();
    heat.trust(now);
    heat.advance(now);
    read("/a", 1);
    assertEquals(1, heat.of("/a"), 0.1);
    // One line from far ahead still moves nothing.
    now += 1000 * HALF_LIFE.toMillis();
    read("/b", 1);
    now -= 1000 * HALF_LIFE.toMillis();
    assertEquals(1, heat.of("/a"), 0.1);
  }

  @Test
  void forgetsWhenOldAccessesWere() {
    start(1000);
    read("/a", 3);
    assertEquals(List.of(now, now, now), heat.recent("/a"));
    heat.advance(now + 2 * HALF_LIFE.toMillis());
    assertEquals(3, heat.recent("/a").size());
    heat.advance(now + 2 * HALF_LIFE.toMillis() + 1);
    assertEquals(List.of(), heat.recent("/a"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void goesAlongWithAFile(int candidates) {
    start(candidates);
    read("/d/a", 3);
    read("/d/b", 9);
    rename("/d/a", "/d/b");

    assertEquals(0, heat.of("/d/a"));
    assertEquals(3, heat.of("/d/b"));
    read("/d/b", 2);
    read("/d/a", 4);
    assertEquals(5, heat.of("/d/b"));
    assertEquals(4, heat.of("/d/a"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void goesAlongWithADirectory(int candidates) {
    start(candidates);
    read("/out/_temporary/0/part-0", 5);
    read("/out/_temporary/0/sub/part-1", 7);
    read("/out/_temporary/1", 2);
    rename("/out/_temporary/0", "/out/day");

    assertEquals(5, heat.of("/out/day/part-0"));
    assertEquals(7, heat.of("/out/day/sub/part-1"));
    assertEquals(0, heat.of("/out/_temporary/0/part-0"));
    assertEquals(2, heat.of("/out/_temporary/1"));
    // "0" and "01" are different directories.
    assertEquals(0, heat.of("/out/day1"));
    read("/out/day/part-0", 1);
    assertEquals(6, heat.of("/out/day/part-0"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void followsAChainOfRenames(int candidates) {
    start(candidates);
    read("/a/x/f", 1);
    rename("/a", "/b");
    read("/b/x/f", 2);
    rename("/b/x", "/c");
    read("/c/f", 4);
    rename("/c", "/d");
    read("/d/f", 8);

    assertEquals(15, heat.of("/d/f"));
    for (String old : List.of("/a/x/f", "/b/x/f", "/c/f")) {
      assertEquals(0, heat.of(old), old);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void livesWithARenameToItselfOrOntoItsDirectory(int candidates) {
    start(candidates);
    read("/a/b/f", 3);
    rename("/a/b/f", "/a/b/f");
    rename("/a/b", "/a/b");
    assertEquals(3, heat.of("/a/b/f"));
    // No NameNode allows this, but a log may say it.
    rename("/a/b/f", "/a");
    rename("/a", "/a/b/f");
    read("/a/b/f", 1);
    assertTrue(heat.of("/a/b/f") >= 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void comesBackWithARenameBack(int candidates) {
    start(candidates);
    read("/a/f", 1);
    rename("/a", "/b");
    read("/b/f", 2);
    // Another file, under the name of the first.
    read("/a/f", 16);
    rename("/a", "/old");
    rename("/b", "/a");
    read("/a/f", 4);

    assertEquals(7, heat.of("/a/f"));
    assertEquals(0, heat.of("/b/f"));
    assertEquals(16, heat.of("/old/f"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void swapsTwoDirectories(int candidates) {
    start(candidates);
    read("/live/f", 3);
    read("/next/f", 5);
    rename("/live", "/before");
    rename("/next", "/live");

    assertEquals(5, heat.of("/live/f"));
    assertEquals(3, heat.of("/before/f"));
    assertEquals(0, heat.of("/next/f"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void endsWithTheDataItBelongsTo(int candidates) {
    start(candidates);
    read("/d/a", 3);
    read("/d/b", 5);
    accept(Access.Kind.DELETE, "/d/a");
    assertEquals(0, heat.of("/d/a"));

    accept(Access.Kind.CREATE, "/d/b");
    assertEquals(0, heat.of("/d/b"));
    read("/d/b", 2);
    assertEquals(2, heat.of("/d/b"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void beginsColdInADirectoryThatWasDeleted(int candidates) {
    start(candidates);
    read("/out/part-0", 5);
    read("/out/part-1", 6);
    accept(Access.Kind.DELETE, "/out");
    assertEquals(0, heat.of("/out/part-0"));

    accept(Access.Kind.CREATE, "/out/part-0");
    read("/out/part-0", 2);
    // More deletions than are remembered.
    for (int i = 0; i < 600; i++) {
      read("/tmp/" + i, 1);
      accept(Access.Kind.DELETE, "/tmp/" + i);
    }
    assertEquals(2, heat.of("/out/part-0"));
    assertEquals(0, heat.of("/out/part-1"));
  }

  /** The table is not told of deletions, so nobody's counts are taken away, whoever shares them. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void isNotCooledByWhatBecomesOfOtherFiles(int candidates) {
    start(candidates);
    int files = 20_000;
    IntStream.range(0, files).forEach(i -> read("/kept/" + i, 4));
    for (int i = 0; i < files; i++) {
      accept(Access.Kind.CREATE, "/fresh/" + i);
      accept(Access.Kind.DELETE, "/fresh/" + i);
    }
    for (int i = 0; i < files; i++) {
      assertTrue(heat.of("/kept/" + i) >= 4, "file " + i);
    }
    // A fresh file that happens to meet counts of others is taken for warm; seldom, see
    // errorBound().
    assertTrue(heat.health().renames() < 0.002 * files, heat.health().toString());
  }

  /** Renames of fresh data, most of all renames, leave no trace. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void remembersNoRenameOfWhatWasNeverRead(int candidates) {
    start(candidates);
    for (int i = 0; i < 1000; i++) {
      rename("/out/_temporary/0/task_" + i, "/out/part-" + i);
    }
    assertTrue(heat.health().renames() <= 20, heat.health().toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void keepsWhatIsReadWhenARenameIsLongPast(int candidates) {
    start(candidates);
    read("/a/f", 64);
    rename("/a", "/b");
    for (int half = 0; half < 20; half++) {
      read("/b/f", 64);
      read("/a/f", 32);
      // In steps: a rename ceases to be in force in the middle of this.
      for (int step = 0; step < 8; step++) {
        now += HALF_LIFE.toMillis() / 8;
        read("/clock", 1);
      }
      // Of 64 each half-life, after k of them: 64 (1/2 + 1/4 ...), and the first 64 once more.
      double carried = 64 * Math.pow(0.5, half + 1);
      double own = 64 * (1 - Math.pow(0.5, half + 1));
      assertEquals(own + carried, heat.of("/b/f"), 3, "after " + (half + 1) + " half-lives");
      assertEquals(own / 2, heat.of("/a/f"), 3, "after " + (half + 1) + " half-lives");
    }
    assertEquals(0, heat.health().renames());
  }

  /** The only profile is that of the renamed file, until another one is hotter. */
  @Test
  void countsAProfilesReadsUnderItsOwnNameOnceARenameIsLongPast() {
    heat = new Heat(new HeatSettings(HALF_LIFE, 1 << 20, 1, 1_000, 1_000), Told.NAMESERVICE);
    read("/a/f", 8);
    rename("/a", "/b");
    for (int step = 0; step < 13 * 8; step++) {
      read("/b/f", 8);
      now += HALF_LIFE.toMillis() / 8;
      read("/clock", 1);
    }
    assertEquals(0, heat.health().renames());
    assertTrue(heat.profile("/b/f").isPresent());
    double known = heat.of("/b/f");
    for (int i = 0; i < 400; i++) {
      read("/clock", 1);
    }
    assertFalse(heat.profile("/b/f").isPresent());
    assertEquals(known, heat.of("/b/f"), 0.1 * known);
  }

  /** Six half-lives after the directory was read last, or twelve at the latest, a rename takes nothing along. */
  @Test
  void remembersNoRenameOfWhatWasNotReadForLong() {
    start(1);
    read("/old/f", 1);
    read("/new/f", 1);
    for (int step = 0; step < 13 * 8; step++) {
      now += HALF_LIFE.toMillis() / 8;
      read("/clock", 1);
      if (step == 70) {
        read("/new/g", 1);
      }
    }
    rename("/old", "/moved");
    assertEquals(0, heat.health().renames());
    rename("/new", "/other");
    assertEquals(1, heat.health().renames());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void forgetsTheOldestRenamesFirstAndSaysSo(int candidates) {
    start(candidates);
    for (int i = 0; i < 1_200; i++) {
      read("/a" + i + "/f", 1);
      rename("/a" + i, "/b" + i);
    }
    assertEquals(1_000, heat.health().renames());
    assertEquals(200, heat.health().renamesDroppedEarly());
    assertEquals(1, heat.of("/b1199/f"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void isNotCooledByOneLineFromTheFuture(int candidates) {
    start(candidates);
    read("/a", 80);
    heat.accept(Told.read("/b", now + Duration.ofDays(3650).toMillis()));
    assertEquals(80, heat.of("/a"));
    assertEquals(1, heat.of("/b"));

    // A gap in the log is as long, but there is more beyond it.
    now += 4 * HALF_LIFE.toMillis();
    read("/b", 20);
    assertEquals(5, heat.of("/a"), 0.6);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000})
  void knowsTheHottestExactly(int candidates) {
    start(candidates);
    read("/d/a", 2);
    now += 1_000;
    accept(Access.Kind.WRITE, "/d/a");
    now += 1_000;
    read("/d/a", 1);
    heat.transferred("/d/a", Transfer.SEQUENTIAL_READ, 300);
    heat.transferred("/d/a", Transfer.RANDOM_READ, 100);
    heat.transferred("/d/a", Transfer.WRITE, 50);
    heat.transferred("/unknown", Transfer.WRITE, 50);

    Profile profile = heat.profile("/d/a").orElseThrow();
    assertEquals(
        new Profile(
            "/d/a",
            3,
            0,
            START,
            3,
            1,
            0,
            400,
            50,
            300,
            List.of(START + 2_000, START + 1_000, START, START)),
        profile);
    assertEquals(0.75, profile.sequentialShare());

    rename("/d", "/e");
    assertEquals("/e/a", heat.profile("/e/a").orElseThrow().path());
    assertFalse(heat.profile("/d/a").isPresent());

    accept(Access.Kind.CREATE, "/e/a");
    profile = heat.profile("/e/a").orElseThrow();
    assertEquals(0, profile.heat());
    assertEquals(0, profile.reads());
    assertEquals(1, profile.rewrites());

    accept(Access.Kind.DELETE, "/e");
    assertFalse(heat.profile("/e/a").isPresent());
  }

  @ParameterizedTest
  @ValueSource(ints = {20})
  void profilesTheHottestAndNoMoreThanItMay(int candidates) {
    start(candidates);
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < 200; i++) {
        if (round < (i < 19 ? 100 : 10 + i % 40)) {
          read("/d/" + i, 1);
        }
      }
    }
    List<Profile> profiles = heat.profiles();
    assertEquals(20, profiles.size());
    for (int i = 0; i < 19; i++) {
      Profile profile = heat.profile("/d/" + i).orElseThrow();
      assertEquals(100, profile.heat());
      assertEquals(100, profile.reads() + profile.inherited());
      assertEquals(Profile.RECENT, profile.recent().size());
    }
  }

  /** Ten reads are the fewest: more than a tenth more, and one, must another file have. */
  @Test
  void aProfileIsDisplacedByWhatIsHotterByTheMargin() {
    heat = new Heat(new HeatSettings(HALF_LIFE, 1 << 20, 3, 1_000, 1_000), Told.NAMESERVICE);
    read("/a", 10);
    read("/b", 20);
    read("/c", 30);
    now += 1_000;
    read("/d", 12);
    assertFalse(heat.profile("/d").isPresent());
    read("/d", 1);
    Profile profile = heat.profile("/d").orElseThrow();
    assertEquals(
        List.of(13.0, 12.0, 1.0),
        List.of(profile.heat(), profile.inherited(), (double) profile.reads()));
    assertFalse(heat.profile("/a").isPresent());
    assertEquals(10, heat.of("/a"));

    // Of before the profile began, of its time, and one more than it counted.
    for (long[] each : new long[][] {{now - 1, 12, 11, 1}, {now, 11, 11, 0}, {now, 10, 10, 0}}) {
      heat.accept(Told.withdraw("/d", each[0]));
      profile = heat.profile("/d").orElseThrow();
      assertEquals(
          List.of(each[1], each[2], each[3]),
          List.of((long) profile.heat(), (long) profile.inherited(), profile.reads()));
    }
    // Now the coldest is that one: taken back reads count for its place too.
    read("/e", 13);
    assertFalse(heat.profile("/d").isPresent());
    assertTrue(heat.profile("/b").isPresent() && heat.profile("/c").isPresent());
  }

  /** Of a scan: takes back its own reads, and nobody else's. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void takesBackExactlyWhatWasCounted(int candidates) {
    start(candidates);
    long before = heat.reads();
    int files = 2_000;
    IntStream.range(0, files).filter(i -> i % 2 == 0).forEach(i -> read("/t/" + i, 1 + i % 7));
    IntStream.range(0, files).forEach(i -> read("/t/" + i, 1));
    IntStream.range(0, files).forEach(i -> heat.accept(Told.withdraw("/t/" + i, now)));
    for (int i = 0; i < files; i++) {
      assertEquals(i % 2 == 0 ? 1 + i % 7 : 0, heat.of("/t/" + i), "file " + i);
    }
    long kept = IntStream.range(0, files).filter(i -> i % 2 == 0).mapToLong(i -> 1 + i % 7).sum();
    assertEquals(kept, heat.reads() - before);
    // One taken back that was never counted.
    heat.accept(Told.withdraw("/t/1", now));
    assertEquals(0, heat.of("/t/1"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void takesBackWhatCoolingLeft(int candidates) {
    start(candidates);
    // As many as have a profile beside the first one: none is in the table alone.
    int files = 999;
    long then = now;
    IntStream.range(0, files).forEach(i -> read("/t/" + i, 8));
    now += HALF_LIFE.toMillis();
    read("/clock", 1);
    double before = IntStream.range(0, files).mapToDouble(i -> heat.of("/t/" + i)).sum();
    IntStream.range(0, files).forEach(i -> heat.accept(Told.withdraw("/t/" + i, then)));
    double after = IntStream.range(0, files).mapToDouble(i -> heat.of("/t/" + i)).sum();
    // Half a read each. The table rounds to quarters, each time by less than one: five deviations.
    assertEquals(files * 0.5, before - after, candidates == 1 ? 5 * 0.25 * Math.sqrt(files) : 1e-6);
  }

  /** A read of a scan that was none after all. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void countsAfterAllWhatWasTakenBack(int candidates) {
    start(candidates);
    long before = heat.reads();
    long then = now;
    read("/t/dt=1/f", 5);
    heat.accept(
        new Altered(Told.withdraw("/t/dt=1/f", then), PathKey.nameservice(Told.NAMESERVICE), 4));
    assertEquals(0, heat.of("/t/dt=1/f"), "one, and four parts");
    assertEquals(0, heat.reads() - before);
    for (int i = 0; i < 3; i++) {
      heat.accept(Told.restore("/t/dt=1/f", then));
    }
    assertEquals(3, heat.of("/t/dt=1/f"));
    assertEquals(3, heat.of("/t/dt=1"));
    assertEquals(3, heat.reads() - before);
    assertEquals(candidates == 1 ? 0 : 3, heat.profile("/t/dt=1/f").map(Profile::reads).orElse(0L));

    now += HALF_LIFE.toMillis();
    read("/clock", 1);
    for (int i = 0; i < 40; i++) {
      heat.accept(Told.restore("/t/dt=1/f", then));
    }
    assertEquals(21.5, heat.of("/t/dt=1/f"), 1.5, "what cooling leaves of 43");
    assertEquals(21.5, heat.of("/t/dt=1"), 1.5, "of the partition, too");
    heat.accept(Told.restore("/t/dt=1/f", then - 100 * HALF_LIFE.toMillis()));
    assertEquals(21.5, heat.of("/t/dt=1/f"), 1.5, "of what is long past, nothing");
  }

  /** Scores grow with the time, and are scaled back. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void isTheSameAfterAnyNumberOfHalfLives(int candidates) {
    start(candidates);
    read("/once", 64);
    for (int half = 0; half < 600; half++) {
      now += HALF_LIFE.toMillis();
      heat.trust(now);
      read("/a", 64);
      read("/b", 32);
    }
    assertEquals(128, heat.of("/a"), 3);
    assertEquals(64, heat.of("/b"), 3);
    assertEquals(0, heat.of("/once"), 1e-6);
    heat.accept(Told.withdraw("/a", now));
    assertEquals(127, heat.of("/a"), 3);
    now += HALF_LIFE.toMillis();
    read("/clock", 1);
    assertEquals(63.5, heat.of("/a"), 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void takesBackFromTheKeyAReadWasCountedUnder(int candidates) {
    start(candidates);
    read("/a/dt=1/f", 3);
    rename("/a", "/b");
    read("/b/dt=1/f", 2);
    heat.accept(Told.withdraw("/b/dt=1/f", now));
    assertEquals(4, heat.of("/b/dt=1/f"));
    assertEquals(4, heat.of("/b/dt=1"));
    // New data under the old name has a key of its own, too.
    read("/a/dt=1/f", 2);
    heat.accept(Told.withdraw("/a/dt=1/f", now));
    assertEquals(1, heat.of("/a/dt=1/f"));
    assertEquals(1, heat.of("/a/dt=1"));
    assertEquals(4, heat.of("/b/dt=1/f"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void sumsUpThePartitions(int candidates) {
    start(candidates);
    read("/w/t/dt=1/a", 3);
    read("/w/t/dt=1/sub/b", 4);
    read("/w/t/dt=2/a", 5);
    assertEquals(7, heat.of("/w/t/dt=1"));
    assertEquals(5, heat.of("/w/t/dt=2"));
    assertEquals(0, heat.of("/w/t"));

    rename("/w/t", "/w/u");
    read("/w/u/dt=1/a", 1);
    assertEquals(8, heat.of("/w/u/dt=1"));
    assertEquals(0, heat.of("/w/t/dt=1"));

    accept(Access.Kind.DELETE, "/w/u/dt=2");
    accept(Access.Kind.CREATE, "/w/u/dt=2/a");
    read("/w/u/dt=2/a", 2);
    assertEquals(2, heat.of("/w/u/dt=2"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void isOfOneNameserviceAndOfReadsAlone(int candidates) {
    start(candidates);
    long before = heat.reads();
    read("/d/a", 3);
    accept(Access.Kind.POLICY, "/d/a");
    assertEquals(3, heat.of("/d/a"));
    for (Access.Kind kind : List.of(Access.Kind.READ, Access.Kind.DELETE)) {
      heat.accept(
          new Altered(
              new Told(kind, now, "/d/a", null), ~PathKey.nameservice(Told.NAMESERVICE), 0));
    }
    assertEquals(3, heat.of("/d/a"));
    assertEquals(before + 3, heat.reads());
  }

  /** The same in another nameservice, or with parts. */
  private record Altered(Told told, long nameservice, int parts) implements Access {
    @Override
    public Kind kind() {
      return told.kind();
    }

    @Override
    public long timeMillis() {
      return told.timeMillis();
    }

    @Override
    public long key() {
      return told.key();
    }

    @Override
    public long partitionKey() {
      return told.partitionKey();
    }

    @Override
    public String path() {
      return told.path();
    }

    @Override
    public String newPath() {
      return null;
    }

    @Override
    public PathHashes hashes() {
      return path() == null ? null : PathHashes.of(nameservice, path());
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }

  private void read(String path, int times) {
    for (int i = 0; i < times; i++) {
      heat.accept(Told.read(path, now));
    }
  }

  private void rename(String from, String to) {
    heat.accept(Told.rename(from, to, now));
  }

  private void accept(Access.Kind kind, String path) {
    heat.accept(new Told(kind, now, path, null));
  }
}
