// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.workload.GeneratedWorkload.Settings;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GeneratedWorkloadTest {

  private static final long SEED = 20_261_120;

  /** Standard deviations that a binomial count may be off: once in 10^9 seeds. */
  private static final double SIGMAS = 6.1;

  @Test
  void theSameSeedGivesTheSameWorkload() {
    Workload first = GeneratedWorkload.of(Settings.defaults(), SEED);
    assertEquals(first, GeneratedWorkload.of(Settings.defaults(), SEED));
    assertNotEquals(first, GeneratedWorkload.of(Settings.defaults(), SEED + 1));
  }

  @Test
  void filesFillTheBudgetInTwentyFourDirectories() {
    Settings settings = Settings.defaults();
    List<WorkloadFile> files = GeneratedWorkload.of(settings, SEED).files();
    assertEquals(settings.files(), files.size());
    assertEquals(settings.files(), files.stream().map(WorkloadFile::path).distinct().count());
    assertEquals(24, files.stream().map(file -> directory(file.path())).distinct().count());
    long total = files.stream().mapToLong(WorkloadFile::bytes).sum();
    // Each size is rounded to a byte.
    assertEquals(settings.uniqueBytes(), total, settings.files());
    long[] sizes = files.stream().mapToLong(WorkloadFile::bytes).sorted().toArray();
    assertEquals(Fb2010Sizes.SMALLEST, sizes[0]);
    assertEquals(Fb2010Sizes.LARGEST, sizes[sizes.length - 1]);
    long topTenth = Arrays.stream(sizes).skip(sizes.length * 9L / 10).sum();
    assertTrue(topTenth > total / 2, "a tenth of the files holds most bytes: " + topTenth);
  }

  @Test
  void firstReadsFollowZipf() {
    int draws = 100_000;
    Zipf zipf = new Zipf(700, 1.1);
    SplittableRandom random = new SplittableRandom(SEED);
    int[] counts = new int[700];
    IntStream.range(0, draws).forEach(i -> counts[zipf.draw(random)]++);
    // H(700, 1.1) = 5.6398 by direct summation, so the first rank has 17.7 %.
    double harmonic = IntStream.rangeClosed(1, 700).mapToDouble(k -> Math.pow(k, -1.1)).sum();
    for (int rank : new int[] {0, 1, 9, 69, 699}) {
      assertBinomial(Math.pow(rank + 1, -1.1) / harmonic, counts[rank], draws);
    }
    assertEquals(1.0, zipf.shareOfFirst(700), 1e-12);
  }

  @Test
  void theHottestFilesTakeTheirZipfShareOfAWorkloadWithoutDrift() {
    Settings still = new Settings(700, 230_000_000L, 50_000, 1.1, 0);
    Workload workload = GeneratedWorkload.of(still, SEED);
    int[] counts = counts(workload.accesses(), 700);
    int top =
        Arrays.stream(counts)
            .boxed()
            .sorted(Comparator.reverseOrder())
            .limit(70)
            .mapToInt(Integer::intValue)
            .sum();
    // The reads of a burst are of one file: fewer independent draws than reads, about two thirds,
    // so the deviation is taken for half of them.
    int reads = workload.accesses().size();
    double share = new Zipf(700, 1.1).shareOfFirst(70);
    double deviation = SIGMAS * Math.sqrt(share * (1 - share) / (reads / 2.0));
    assertEquals(share, (double) top / reads, deviation, "seed " + SEED);
  }

  @Test
  void theHotSetMovesToTheNewestMonth() {
    Workload workload = GeneratedWorkload.of(Settings.defaults().withReads(50_000), SEED);
    double early = shareOf("2026-04", workload, workload.window(0, 0.1));
    double late = shareOf("2026-04", workload, workload.window(0.9, 1));
    assertTrue(early < 0.1, "April is cold at first: " + early);
    assertTrue(late > 0.25, "April is hot in the end: " + late);

    Settings still = new Settings(700, 230_000_000L, 50_000, 1.1, 0);
    Workload steady = GeneratedWorkload.of(still, SEED);
    assertTrue(
        shareOf("2026-04", steady, steady.window(0.9, 1)) < 0.1, "without drift it stays cold");
  }

  @Test
  void gapsHaveThePublishedQuantiles() {
    int draws = 100_000;
    SplittableRandom random = new SplittableRandom(SEED);
    double[] gaps =
        DoubleStream.generate(() -> GeneratedWorkload.GAPS.at(random.nextDouble()))
            .limit(draws)
            .toArray();
    assertBinomial(0.5, below(gaps, 60), draws);
    assertBinomial(0.9, below(gaps, 600), draws);
    assertBinomial(0.99, below(gaps, 5.6 * 3600), draws);
  }

  @Test
  void aThirdOfTheReadsOfAWorkloadAreReReads() {
    // So many files and so flat a popularity that hardly any file is chosen twice: what is read
    // twice is read twice by a burst.
    Settings sparse = new Settings(100_000, 1_000_000_000L, 1_500, 0, 0);
    Workload workload = GeneratedWorkload.of(sparse, SEED);
    int reads = workload.accesses().size();
    long first = workload.accesses().stream().mapToInt(Access::file).distinct().count();
    // 1,000 bursts on 100,000 files: 5 coincide. Bursts that the end cuts off lose under 2 %.
    double deviation = SIGMAS * Math.sqrt(2.0 / 9 / reads);
    assertEquals(1.0 / 3, 1 - (double) first / reads, deviation + 0.02, "seed " + SEED);
    double[] gaps = gaps(workload);
    double median = below(gaps, 60) / (double) gaps.length;
    assertEquals(0.5, median, SIGMAS * Math.sqrt(0.25 / gaps.length) + 0.02, "seed " + SEED);
  }

  @Test
  void impossibleSettingsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new Settings(23, 1, 1, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new Settings(24, 1, 1, 1, 1.5));
    Settings tooSmall = new Settings(700, 700 * 4_095L, 1, 1, 0);
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> GeneratedWorkload.of(tooSmall, SEED));
    assertTrue(e.getMessage().contains("700 files of at least 4096 bytes"), e.getMessage());
  }

  private static double[] gaps(Workload workload) {
    double[] last = new double[workload.files().size()];
    Arrays.fill(last, Double.NaN);
    DoubleStream.Builder gaps = DoubleStream.builder();
    for (Access access : workload.accesses()) {
      if (!Double.isNaN(last[access.file()])) {
        gaps.add(access.atSeconds() - last[access.file()]);
      }
      last[access.file()] = access.atSeconds();
    }
    return gaps.build().toArray();
  }

  private static void assertBinomial(double probability, long hits, int draws) {
    double deviation = SIGMAS * Math.sqrt(draws * probability * (1 - probability));
    assertEquals(draws * probability, hits, deviation, "seed " + SEED);
  }

  private static long below(double[] values, double limit) {
    return Arrays.stream(values).filter(value -> value <= limit).count();
  }

  private static int[] counts(List<Access> accesses, int files) {
    int[] counts = new int[files];
    accesses.forEach(access -> counts[access.file()]++);
    return counts;
  }

  private static double shareOf(String month, Workload workload, List<Access> window) {
    long hits =
        window.stream()
            .filter(access -> workload.files().get(access.file()).path().contains(month))
            .count();
    return (double) hits / window.size();
  }

  private static String directory(String path) {
    return path.substring(0, path.lastIndexOf('/'));
  }
}
