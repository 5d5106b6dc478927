// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.ReadExtent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Records of the hottest files, beside a list that is searched in full. */
class CandidatesTest {

  private static final long SEED = Long.getLong("test.seed", 0);
  private static final long START = PathKey.nameservice(Told.NAMESERVICE);
  private static final int MOST = 20;
  private static final int OPERATIONS = 3_000;

  /** As expected: cooled reads, and those of them that were there before the record. */
  private static final class Known {
    double heat;
    double inherited;
    long reads;

    Known(double heat) {
      this.heat = heat;
      this.inherited = Math.max(0, heat - 1);
      this.reads = 1;
    }
  }

  private final Map<String, Known> known = new HashMap<>();
  private final Candidates candidates = new Candidates(START, MOST, Duration.ZERO);
  private SplittableRandom random;
  private long step = 1_000;
  private int displaced;

  @Test
  void theColdestMakesRoomWhateverHappensToOthers() {
    random = new SplittableRandom(SEED);
    candidates.coolTo(step);
    for (int i = 0; i < OPERATIONS; i++) {
      operate();
      if (i % 10 == 0) {
        compare("seed " + SEED + ", operation " + i);
      }
    }
    assertTrue(displaced > OPERATIONS / 30, displaced + " were displaced");
  }

  private void operate() {
    String path = path();
    Candidate candidate = candidates.find(PathKey.of(START, path));
    assertEquals(known.containsKey(path), candidate != null, path);
    Known one = known.get(path);
    int kind = random.nextInt(100);
    if (candidate == null && kind < 90) {
      enter(path);
    } else if (kind < 50) {
      candidates.read(candidate, Told.read(path, 0));
      one.heat++;
      one.reads++;
    } else if (kind < 60 && candidate != null) {
      long back = random.nextInt(20);
      double taken = Math.min(one.heat, Decay.factor(back));
      candidates.withdrawn(candidate, step - back, 0);
      one.heat -= taken;
      if (one.reads > 0) {
        one.reads--;
      } else {
        one.inherited = Math.max(0, one.inherited - taken);
      }
    } else if (kind < 64 && candidate != null) {
      long back = random.nextInt(20);
      candidates.restored(candidate, step - back);
      one.heat += Decay.factor(back);
      one.reads++;
    } else if (kind < 66 && candidate != null) {
      candidates.replaced(candidate, 0);
      one.heat = 0;
      one.inherited = 0;
      one.reads = 0;
    } else if (kind < 88) {
      cool(1);
    } else if (kind < 91) {
      String gone = directory();
      candidates.forget(PathKey.of(START, gone));
      known.keySet().removeIf(each -> covers(gone, each));
    } else if (kind < 94) {
      rename(directory(), directory());
    } else if (kind == 99 && random.nextInt(4) == 0) {
      // Further than scores are left to grow.
      cool(2_001);
    }
  }

  private void enter(String path) {
    double coldest = known.values().stream().mapToDouble(each -> each.heat).min().orElse(0);
    double border = 1.1 * coldest + 1;
    double heat =
        switch (random.nextInt(4)) {
          case 0 -> border * (1 - 1e-9);
          case 1 -> border * (1 + 1e-9);
          default -> border * 2 * random.nextDouble();
        };
    boolean enters = known.size() < MOST || heat > border;
    assertEquals(enters, candidates.admits(heat), heat + ", the coldest has " + coldest);
    if (enters) {
      List<String> before = List.copyOf(known.keySet());
      candidates.admit(PathKey.of(START, path), Told.read(path, 0), heat);
      for (String each : before) {
        if (candidates.find(PathKey.of(START, each)) == null) {
          displaced++;
          assertEquals(coldest, known.remove(each).heat, tolerance(coldest));
        }
      }
      known.put(path, new Known(heat));
      assertTrue(known.size() <= MOST);
    }
  }

  private void cool(long steps) {
    step += steps;
    candidates.coolTo(step);
    for (Known one : known.values()) {
      double factor = Math.pow(0.5, steps / 8.0);
      one.heat *= factor;
      one.inherited *= factor;
    }
  }

  private void rename(String from, String to) {
    if (from.startsWith(to) || to.startsWith(from)) {
      return;
    }
    candidates.rename(Told.rename(from, to, 0), PathHashes::key);
    known.keySet().removeIf(each -> covers(to, each));
    for (String each : List.copyOf(known.keySet())) {
      if (covers(from, each)) {
        known.put(to + each.substring(from.length()), known.remove(each));
      }
    }
  }

  private void compare(String message) {
    List<Profile> profiles = candidates.profiles(0.5);
    assertEquals(known.size(), profiles.size(), message);
    for (Profile profile : profiles) {
      Known one = known.get(profile.path());
      assertEquals(one.heat / 2, profile.heat(), tolerance(one.heat), message);
      assertEquals(one.inherited / 2, profile.inherited(), tolerance(one.heat), message);
      assertEquals(one.reads, profile.reads(), message);
      Candidate candidate = candidates.find(PathKey.of(START, profile.path()));
      assertEquals(candidate.key, PathKey.of(START, profile.path()));
      assertEquals(one.heat, candidates.heat(candidate), tolerance(one.heat), message);
    }
  }

  /** What is left of a difference of numbers up to a hundred is not exact. */
  private static double tolerance(double heat) {
    return 1e-9 * heat + 1e-12;
  }

  private String path() {
    return directory() + "/f" + random.nextInt(6);
  }

  private String directory() {
    String top = "/r" + random.nextInt(2);
    return random.nextBoolean() ? top : top + "/d" + random.nextInt(3);
  }

  private static boolean covers(String directory, String path) {
    return path.equals(directory) || path.startsWith(directory + '/');
  }

  // --- what an open reads ---

  /** An open of /f. */
  private record Open(long timeMillis, boolean isPart, boolean isAgain, ReadExtent extent)
      implements Access {
    @Override
    public Kind kind() {
      return Kind.READ;
    }

    @Override
    public long key() {
      return PathKey.of(START, path());
    }

    @Override
    public String path() {
      return "/f";
    }

    @Override
    public String newPath() {
      return null;
    }

    @Override
    public PathHashes hashes() {
      return PathHashes.of(START, path());
    }

    @Override
    public PathHashes newHashes() {
      return null;
    }
  }

  private static Candidate candidate() {
    return new Candidate(1, 1, "/f");
  }

  private static void assertOpens(Opens expected, Opens seen) {
    assertEquals(expected.whole(), seen.whole(), 1e-6);
    assertEquals(expected.parts(), seen.parts(), 1e-6);
    assertEquals(expected.again(), seen.again(), 1e-6);
    assertEquals(expected.requests(), seen.requests(), 1e-6);
    assertEquals(expected.share(), seen.share(), 1e-6);
  }

  @Test
  void opensAreTheMeanOfWhatWasSeen() {
    Candidate candidate = candidate();
    candidate.read(new Open(0, false, false, ReadExtent.WHOLE), 0, 0);
    candidate.read(new Open(1, true, true, ReadExtent.WHOLE), 0, 0);
    candidate.read(new Open(2, true, false, ReadExtent.COLUMNS), 0, 0);
    candidate.read(new Open(3, true, true, ReadExtent.WHOLE), 0, 0);
    assertOpens(
        new Opens(2, 6, 4, (1 + 1 + 4 + 1) / 4.0, (1 + 1 + 0.3 + 1) / 4), candidate.opens(8));
    // Who goes on doesn't read at the same time as itself.
    assertEquals(List.of(2L, 0L), candidate.profile(1).recent());
    assertEquals(4, candidate.profile(1).reads());

    // An open that is half of the heat is half of the mean.
    candidate.read(new Open(4, false, false, ReadExtent.WHOLE), 0.5, 0);
    assertOpens(new Opens(5, 3, 2, (1.75 + 1) / 2, (3.3 / 4 + 1) / 2), candidate.opens(8));
  }

  @Test
  void forAMinuteAfterAnAppendReadersFollowTheEnd() {
    Candidate candidate = candidate();
    candidate.appended(1_000);
    candidate.read(new Open(60_999, false, false, ReadExtent.WHOLE), 0, 0);
    assertOpens(new Opens(1, 0, 0, 0.5, 0), candidate.opens(1));
    candidate.read(new Open(61_000, false, false, ReadExtent.WHOLE), 0, 0);
    assertOpens(new Opens(1, 0, 0, 0.75, 0.5), candidate.opens(1));
    assertEquals(1, candidate.profile(1).writes());
  }

  @Test
  void dataThatIsMadeAnewIsWrittenAndNothingElseIsKnownOfIt() {
    Candidate candidate = candidate();
    candidate.appended(1_000);
    candidate.read(new Open(2_000, false, false, ReadExtent.WHOLE), 0, 0);
    candidate.transferred(Transfer.SEQUENTIAL_READ, 7);
    candidate.transferred(Transfer.WRITE, 7);
    candidate.replaced(3_000);
    assertEquals(
        new Profile("/f", 0, 0, 3_000, 0, 2, 1, 0, 0, 0, List.of(3_000L)), candidate.profile(1));
    candidate.read(new Open(4_000, false, false, ReadExtent.WHOLE), 1, 0);
    assertOpens(new Opens(1, 0, 0, 1, 1), candidate.opens(1));
  }

  /** A second reader leaves two of three replicas to the disks, of columns half of a reader's. */
  @Test
  void readersOfColumnsLeaveHalfInMemory() {
    Map<ReadExtent, Double> left = new HashMap<>();
    for (ReadExtent extent : ReadExtent.values()) {
      Candidate candidate = candidate();
      for (int i = 0; i < 2; i++) {
        candidate.read(new Open(1_000_000, false, false, extent), 0, 600_000);
      }
      left.put(extent, candidate.opens(1).ofDisks(2));
    }
    double whole = (1 + 2 / 3.0) / 2;
    double columns = (1 + Math.sqrt(2 / 3.0)) / 2;
    assertEquals(whole, left.get(ReadExtent.WHOLE), 1e-6);
    assertEquals(whole, left.get(ReadExtent.TAIL), 1e-6);
    assertEquals(columns, left.get(ReadExtent.COLUMNS), 1e-6);
  }

  @Test
  void whatWasCountedOfABlockAddsUp() {
    assertEquals(
        new BlockReads(11, 22, 33, 44),
        new BlockReads(1, 2, 3, 4).plus(new BlockReads(10, 20, 30, 40)));
  }
}
