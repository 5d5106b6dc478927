// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.admission;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.heat.SavedNumbers;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LearnedAdmissionTest {

  private static final String NAMESERVICE = "ns1";
  private static final long START = PathKey.nameservice(NAMESERVICE);
  private static final long BEGIN = 1_795_000_000_000L;
  private static final long GB = 1_000_000_000;
  private static final long TIER = 40 * GB;
  private static final HeatSettings SETTINGS =
      new HeatSettings(Duration.ofMinutes(10), 1 << 16, 50, 1_000, 100);

  @TempDir private Path directory;

  private static final boolean SHORT = Boolean.getBoolean("test.short");

  static LongStream seeds() {
    return LongStream.rangeClosed(1, SHORT ? 1 : 4);
  }

  /** A read, or one that is taken back. */
  private record Told(Kind kind, String path, long timeMillis, boolean isPart) implements Access {
    Told(Kind kind, String path, long timeMillis) {
      this(kind, path, timeMillis, false);
    }

    @Override
    public long nameservice() {
      return START;
    }

    @Override
    public long key() {
      return PathKey.of(START, path);
    }

    @Override
    public String newPath() {
      return null;
    }

    @Override
    public PathHashes hashes() {
      return kind == Kind.WITHDRAW ? null : PathHashes.of(START, path);
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }

  private static Told read(String path, long timeMillis) {
    return new Told(Access.Kind.READ, path, timeMillis);
  }

  /**
   * With plans and crashes at random moments, heat and what was learned end in the same bytes as without a crash and
   * with a single plan at the end.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void isAsIfThereHadBeenNoCrashWheneverPlansAreMade(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Told> log = log(seed, 0);
    assertArrayEquals(
        undisturbed(log, at -> at == log.size()),
        disturbed(seed, log, at -> at == log.size() || random.nextInt(200) == 0),
        "seed " + seed);
  }

  /** A scan that is found out after a plan has learned from it stays learned: then it is when plans are made that counts. */
  @ParameterizedTest
  @MethodSource("seeds")
  void isAsIfThereHadBeenNoCrashWithScans(long seed) throws IOException {
    List<Told> log = log(seed, 40);
    IntPredicate plansAfter = at -> at % 150 == 0 || at == log.size();
    assertArrayEquals(
        undisturbed(log, plansAfter), disturbed(seed, log, plansAfter), "seed " + seed);
  }

  private byte[] undisturbed(List<Told> log, IntPredicate plansAfter) throws IOException {
    Heat heat = new Heat(SETTINGS, NAMESERVICE);
    LearnedAdmission estimate = estimate();
    for (int at = 0; at < log.size(); ) {
      heat.accept(log.get(at));
      estimate.accept(log.get(at++));
      if (plansAfter.test(at)) {
        plan(estimate);
      }
    }
    assertEquals(300, estimate.followed(), "more files than are followed");
    return saved(heat, estimate);
  }

  private byte[] disturbed(long seed, List<Told> log, IntPredicate plansAfter) throws IOException {
    Path file = directory.resolve("heat");
    SplittableRandom random = new SplittableRandom(seed);
    Heat heat = new Heat(SETTINGS, NAMESERVICE);
    LearnedAdmission estimate = estimate();
    int crashes = 0;
    for (int at = 0; at < log.size(); ) {
      heat.accept(log.get(at));
      estimate.accept(log.get(at++));
      if (plansAfter.test(at)) {
        plan(estimate);
      }
      int event = random.nextInt(500);
      if (event < 4) {
        HeatCheckpoint.save(file, heat.freeze(), position(at), estimate.freeze());
      } else if (event < 6 && at < log.size()) {
        crashes++;
        LearnedAdmission next = estimate();
        var restored = HeatCheckpoint.load(file, SETTINGS, NAMESERVICE, next::restore);
        heat = restored.map(r -> r.heat()).orElseGet(() -> new Heat(SETTINGS, NAMESERVICE));
        at = restored.map(r -> ByteBuffer.wrap(r.position()).getInt()).orElse(0);
        estimate = next;
      }
    }
    assertTrue(crashes > 5, "seed " + seed);
    return saved(heat, estimate);
  }

  private byte[] saved(Heat heat, LearnedAdmission estimate) throws IOException {
    Path file = directory.resolve("saved");
    HeatCheckpoint.save(file, heat.freeze(), position(0), estimate.freeze());
    return Files.readAllBytes(file);
  }

  private static byte[] position(int at) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(at).array();
  }

  private static LearnedAdmission estimate() {
    return new LearnedAdmission(NAMESERVICE, 300);
  }

  /** A view of all files but every tenth, which nothing manages. */
  private static void plan(LearnedAdmission estimate) {
    LearnedAdmission.Asked asked = estimate.ask();
    for (int d = 0; d < 5; d++) {
      for (int f = 0; f < 200; f++) {
        if (f % 10 != 9) {
          asked.tell("/d" + d + "/f" + f, GB / 100 * (1 + f % 7) * (1 + d));
        }
      }
    }
    estimate.learn(asked, TIER);
  }

  /**
   * Files that are read again and again, late lines, gaps.
   *
   * @param scanned one read in so many is taken back; 0 for none
   */
  private static List<Told> log(long seed, int scanned) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Told> log = new ArrayList<>();
    long now = BEGIN;
    while (log.size() < (SHORT ? 3_000 : 6_000)) {
      now += random.nextInt(4_000);
      long time = random.nextInt(50) == 0 ? now - random.nextInt(100_000) : now;
      String path =
          "/d" + random.nextInt(5) + "/f" + (int) (200 * Math.pow(random.nextDouble(), 3));
      log.add(read(path, time));
      if (scanned > 0 && random.nextInt(scanned) == 0) {
        Told before = log.get(Math.max(0, log.size() - 1 - random.nextInt(200)));
        if (before.kind() == Access.Kind.READ) {
          log.add(new Told(Access.Kind.WITHDRAW, before.path(), before.timeMillis()));
        }
      }
    }
    return log;
  }

  @Test
  void readsWaitUntilAPlanKnowsTheirFiles() {
    LearnedAdmission estimate = estimate();
    estimate.accept(read("/seen", BEGIN));
    estimate.accept(read("/unseen", BEGIN));
    estimate.accept(read("/scanned", BEGIN + 1));
    estimate.accept(new Told(Access.Kind.WITHDRAW, "/scanned", BEGIN + 1));
    LearnedAdmission.Asked asked = estimate.ask();
    estimate.accept(read("/later", BEGIN + 2));
    assertEquals(AdmissionEstimate.Basis.NONE, estimate.estimate("/seen", BEGIN).basis());
    for (String path : List.of("/seen", "/scanned", "/later", "/never read")) {
      asked.tell(path, GB);
    }
    estimate.learn(asked, TIER);

    assertEquals(1, estimate.estimate("/seen", BEGIN).reads());
    for (String path : List.of("/unseen", "/scanned", "/later")) {
      assertEquals(AdmissionEstimate.Basis.NONE, estimate.estimate(path, BEGIN).basis(), path);
    }
    LearnedAdmission.Asked again = estimate.ask();
    again.tell("/later", GB);
    estimate.learn(again, TIER);
    assertEquals(1, estimate.estimate("/later", BEGIN).reads());
    assertEquals(2, estimate.followed());
  }

  @Test
  void learnsNothingWithoutAFastTier() {
    LearnedAdmission estimate = estimate();
    estimate.accept(read("/a", BEGIN));
    LearnedAdmission.Asked asked = estimate.ask();
    asked.tell("/a", GB);
    estimate.learn(asked, 0);
    assertEquals(0, estimate.followed());
    assertFalse(estimate.score().isLearnedInForce());
    assertEquals(0, estimate.ask().lengths().size(), "nothing waits");
  }

  @Test
  void ofTooManyThatWaitTheOldestAreForgotten() {
    WaitingReads waiting = new WaitingReads(1 << 11);
    int more = 700;
    for (int i = 1; i <= (1 << 11) + more; i++) {
      waiting.add(i, BEGIN + i);
    }
    assertEquals(more, waiting.forgotten());
    assertFalse(waiting.unknown().containsKey((long) more));
    assertTrue(waiting.unknown().containsKey((long) more + 1));
    assertEquals(1 << 11, waiting.unknown().size());
  }

  @Test
  void theJournalIsToldOnce() throws IOException {
    LearnedAdmission estimate = estimate();
    plan(estimate);
    assertTrue(estimate.isNews(BEGIN));
    estimate.told(BEGIN);
    assertFalse(estimate.isNews(BEGIN));
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(
        file, new Heat(SETTINGS, NAMESERVICE).freeze(), position(0), estimate.freeze());
    LearnedAdmission restored = estimate();
    HeatCheckpoint.load(file, SETTINGS, NAMESERVICE, restored::restore);
    assertFalse(restored.isNews(BEGIN));
    assertTrue(restored.isNews(BEGIN + 1));
  }

  /** What was learned of files stays where the tier grows, and moves get as cheap as one of that size makes them. */
  @Tag("slow")
  @Test
  void anotherSizeOfTheTierLeavesWhatWasLearned() {
    AdmissionModel small = new AdmissionModel(10 * GB, 10_000);
    AdmissionModel large = new AdmissionModel(40 * GB, 10_000);
    SplittableRandom random = new SplittableRandom(3);
    double now = 0;
    for (int i = 0; i < 20_000; i++) {
      now += random.nextInt(30);
      long key = (long) (2_000 * Math.pow(random.nextDouble(), 3));
      long bytes = GB / 10 * (1 + key % 50);
      small.read(key, bytes, now);
      large.read(key, bytes, now);
    }
    double before = small.estimate(1, now).chance();
    double price = small.estimate(1, now).price();
    small.resize(40 * GB);
    assertEquals(40 * GB, small.capacity());
    assertEquals(before, small.estimate(1, now).chance());
    double after = small.estimate(1, now).price();
    double whole = large.estimate(1, now).price();
    assertTrue(
        Math.abs(Math.log(after / whole)) < Math.abs(Math.log(price / whole)) + 1e-9,
        price + " became " + after + ", a tier of that size from the start has " + whole);
  }

  private static List<Long> saved(LearnedAdmission estimate) {
    SavedNumbers numbers = new SavedNumbers();
    estimate.freeze().writeTo(numbers);
    return numbers.all();
  }

  private static void learn(LearnedAdmission estimate, String path, long fastBytes) {
    LearnedAdmission.Asked asked = estimate.ask();
    asked.tell(path, GB);
    estimate.learn(asked, fastBytes);
  }

  /** By up to a fiftieth it may change unheeded. */
  @Test
  void followsTheSizeOfTheTier() {
    LearnedAdmission estimate = estimate();
    estimate.accept(read("/a", BEGIN));
    for (long[] sizes :
        new long[][] {
          {TIER, TIER}, {TIER / 100 * 102, TIER}, {TIER / 100 * 98, TIER}, {2 * TIER, 2 * TIER}
        }) {
      learn(estimate, "/a", sizes[0]);
      // After what the journal told, the newest time, no reads that wait and one model.
      assertEquals(List.of(0L, 1L, sizes[1]), saved(estimate).subList(2, 5));
    }
    learn(estimate, "/a", 0);
    assertEquals(1, estimate.followed(), "goes on where there is one again");
  }

  @Test
  void countsReadsOfItsNameserviceAndNoParts() {
    LearnedAdmission elsewhere = new LearnedAdmission("ns2", 300);
    elsewhere.accept(read("/a", BEGIN));
    assertEquals(0, elsewhere.ask().lengths().size());
    LearnedAdmission estimate = estimate();
    estimate.accept(new Told(Access.Kind.READ, "/a", BEGIN, true));
    assertEquals(0, estimate.ask().lengths().size());
  }

  @Test
  void whatIsMovedAndDisplacedReachesTheModel() {
    LearnedAdmission estimate = estimate();
    assertEquals(new ForecastScore(0, 0, 0, 0, false), estimate.score());
    assertEquals(AdmissionEstimate.NONE, estimate.estimate("/a", BEGIN));
    estimate.accept(read("/a", BEGIN));
    estimate.accept(read("/a", BEGIN + 1_000));
    learn(estimate, "/a", TIER);
    AdmissionModel model = new AdmissionModel(TIER, 300);
    model.read(PathKey.of(START, "/a"), GB, BEGIN / 1e3);
    model.read(PathKey.of(START, "/a"), GB, BEGIN / 1e3 + 1);
    assertEquals(numbers(model), saved(estimate).subList(4, saved(estimate).size()));

    estimate.moved("/a");
    model.moved(PathKey.of(START, "/a"));
    estimate.displaced("/a", BEGIN + 7_000);
    model.displaced(model.density(PathKey.of(START, "/a"), BEGIN / 1e3 + 7));
    assertEquals(numbers(model), saved(estimate).subList(4, saved(estimate).size()));
    // Of a time before the newest read nothing can be asked.
    assertEquals(estimate.estimate("/a", BEGIN + 1_000), estimate.estimate("/a", BEGIN));
    estimate.displaced("/unknown", BEGIN);
    assertEquals(numbers(model), saved(estimate).subList(4, saved(estimate).size()));
  }

  private static List<Long> numbers(AdmissionModel model) {
    SavedNumbers numbers = new SavedNumbers();
    model.writeTo(numbers);
    return numbers.all();
  }
}
