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
    LearnedAdmission worth = worth();
    for (int at = 0; at < log.size(); ) {
      heat.accept(log.get(at));
      worth.accept(log.get(at++));
      if (plansAfter.test(at)) {
        plan(worth);
      }
    }
    assertEquals(300, worth.followed(), "more files than are followed");
    return saved(heat, worth);
  }

  private byte[] disturbed(long seed, List<Told> log, IntPredicate plansAfter) throws IOException {
    Path file = directory.resolve("heat");
    SplittableRandom random = new SplittableRandom(seed);
    Heat heat = new Heat(SETTINGS, NAMESERVICE);
    LearnedAdmission worth = worth();
    int crashes = 0;
    for (int at = 0; at < log.size(); ) {
      heat.accept(log.get(at));
      worth.accept(log.get(at++));
      if (plansAfter.test(at)) {
        plan(worth);
      }
      int event = random.nextInt(500);
      if (event < 4) {
        HeatCheckpoint.save(file, heat.freeze(), position(at), worth.freeze());
      } else if (event < 6 && at < log.size()) {
        crashes++;
        LearnedAdmission next = worth();
        var restored = HeatCheckpoint.load(file, SETTINGS, NAMESERVICE, next::restore);
        heat = restored.map(r -> r.heat()).orElseGet(() -> new Heat(SETTINGS, NAMESERVICE));
        at = restored.map(r -> ByteBuffer.wrap(r.position()).getInt()).orElse(0);
        worth = next;
      }
    }
    assertTrue(crashes > 5, "seed " + seed);
    return saved(heat, worth);
  }

  private byte[] saved(Heat heat, LearnedAdmission worth) throws IOException {
    Path file = directory.resolve("saved");
    HeatCheckpoint.save(file, heat.freeze(), position(0), worth.freeze());
    return Files.readAllBytes(file);
  }

  private static byte[] position(int at) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(at).array();
  }

  private static LearnedAdmission worth() {
    return new LearnedAdmission(NAMESERVICE, 300);
  }

  /** A view of all files but every tenth, which nothing manages. */
  private static void plan(LearnedAdmission worth) {
    LearnedAdmission.Asked asked = worth.ask();
    for (int d = 0; d < 5; d++) {
      for (int f = 0; f < 200; f++) {
        if (f % 10 != 9) {
          asked.tell("/d" + d + "/f" + f, GB / 100 * (1 + f % 7) * (1 + d));
        }
      }
    }
    worth.learn(asked, TIER);
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
    LearnedAdmission worth = worth();
    worth.accept(read("/seen", BEGIN));
    worth.accept(read("/unseen", BEGIN));
    worth.accept(read("/scanned", BEGIN + 1));
    worth.accept(new Told(Access.Kind.WITHDRAW, "/scanned", BEGIN + 1));
    LearnedAdmission.Asked asked = worth.ask();
    worth.accept(read("/later", BEGIN + 2));
    assertEquals(Worth.Basis.NONE, worth.worth("/seen", BEGIN).basis());
    for (String path : List.of("/seen", "/scanned", "/later", "/never read")) {
      asked.tell(path, GB);
    }
    worth.learn(asked, TIER);

    assertEquals(1, worth.worth("/seen", BEGIN).reads());
    for (String path : List.of("/unseen", "/scanned", "/later")) {
      assertEquals(Worth.Basis.NONE, worth.worth(path, BEGIN).basis(), path);
    }
    LearnedAdmission.Asked again = worth.ask();
    again.tell("/later", GB);
    worth.learn(again, TIER);
    assertEquals(1, worth.worth("/later", BEGIN).reads());
    assertEquals(2, worth.followed());
  }

  @Test
  void learnsNothingWithoutAFastTier() {
    LearnedAdmission worth = worth();
    worth.accept(read("/a", BEGIN));
    LearnedAdmission.Asked asked = worth.ask();
    asked.tell("/a", GB);
    worth.learn(asked, 0);
    assertEquals(0, worth.followed());
    assertFalse(worth.score().isLearnedInForce());
    assertEquals(0, worth.ask().lengths().size(), "nothing waits");
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
    LearnedAdmission worth = worth();
    plan(worth);
    assertTrue(worth.isNews(BEGIN));
    worth.told(BEGIN);
    assertFalse(worth.isNews(BEGIN));
    Path file = directory.resolve("heat");
    HeatCheckpoint.save(
        file, new Heat(SETTINGS, NAMESERVICE).freeze(), position(0), worth.freeze());
    LearnedAdmission restored = worth();
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
    double before = small.worth(1, now).chance();
    double price = small.worth(1, now).price();
    small.resize(40 * GB);
    assertEquals(40 * GB, small.capacity());
    assertEquals(before, small.worth(1, now).chance());
    double after = small.worth(1, now).price();
    double whole = large.worth(1, now).price();
    assertTrue(
        Math.abs(Math.log(after / whole)) < Math.abs(Math.log(price / whole)) + 1e-9,
        price + " became " + after + ", a tier of that size from the start has " + whole);
  }

  private static List<Long> saved(LearnedAdmission worth) {
    SavedNumbers numbers = new SavedNumbers();
    worth.freeze().writeTo(numbers);
    return numbers.all();
  }

  private static void learn(LearnedAdmission worth, String path, long fastBytes) {
    LearnedAdmission.Asked asked = worth.ask();
    asked.tell(path, GB);
    worth.learn(asked, fastBytes);
  }

  /** By up to a fiftieth it may change unheeded. */
  @Test
  void followsTheSizeOfTheTier() {
    LearnedAdmission worth = worth();
    worth.accept(read("/a", BEGIN));
    for (long[] sizes :
        new long[][] {
          {TIER, TIER}, {TIER / 100 * 102, TIER}, {TIER / 100 * 98, TIER}, {2 * TIER, 2 * TIER}
        }) {
      learn(worth, "/a", sizes[0]);
      // After what the journal told, the newest time, no reads that wait and one model.
      assertEquals(List.of(0L, 1L, sizes[1]), saved(worth).subList(2, 5));
    }
    learn(worth, "/a", 0);
    assertEquals(1, worth.followed(), "goes on where there is one again");
  }

  @Test
  void countsReadsOfItsNameserviceAndNoParts() {
    LearnedAdmission elsewhere = new LearnedAdmission("ns2", 300);
    elsewhere.accept(read("/a", BEGIN));
    assertEquals(0, elsewhere.ask().lengths().size());
    LearnedAdmission worth = worth();
    worth.accept(new Told(Access.Kind.READ, "/a", BEGIN, true));
    assertEquals(0, worth.ask().lengths().size());
  }

  @Test
  void whatIsMovedAndDisplacedReachesTheModel() {
    LearnedAdmission worth = worth();
    assertEquals(new ForecastScore(0, 0, 0, 0, false), worth.score());
    assertEquals(Worth.NONE, worth.worth("/a", BEGIN));
    worth.accept(read("/a", BEGIN));
    worth.accept(read("/a", BEGIN + 1_000));
    learn(worth, "/a", TIER);
    AdmissionModel model = new AdmissionModel(TIER, 300);
    model.read(PathKey.of(START, "/a"), GB, BEGIN / 1e3);
    model.read(PathKey.of(START, "/a"), GB, BEGIN / 1e3 + 1);
    assertEquals(numbers(model), saved(worth).subList(4, saved(worth).size()));

    worth.moved("/a");
    model.moved(PathKey.of(START, "/a"));
    worth.displaced("/a", BEGIN + 7_000);
    model.displaced(model.density(PathKey.of(START, "/a"), BEGIN / 1e3 + 7));
    assertEquals(numbers(model), saved(worth).subList(4, saved(worth).size()));
    // Of a time before the newest read nothing can be asked.
    assertEquals(worth.worth("/a", BEGIN + 1_000), worth.worth("/a", BEGIN));
    worth.displaced("/unknown", BEGIN);
    assertEquals(numbers(model), saved(worth).subList(4, saved(worth).size()));
  }

  private static List<Long> numbers(AdmissionModel model) {
    SavedNumbers numbers = new SavedNumbers();
    model.writeTo(numbers);
    return numbers.all();
  }
}
