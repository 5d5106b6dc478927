// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * A warehouse that is read by Zipf's law while its hot set drifts. The same settings and seed give the
 * same workload.
 *
 * <p>Files lie in one directory for each team and month. March is hot, earlier months less so, April
 * has just landed and is cold; in the course of the trace files of April take the places of hot ones.
 *
 * <p>Reads come in bursts: a first read of a file that Zipf's law chooses at that moment, and re-reads
 * after gaps like those of Facebook's trace of 2010: half within 60 s, 90 % within 600 s, 99 % within
 * 5.6 h. As there, a third of the reads are re-reads. A burst that outlasts the trace is cut off.
 */
public final class GeneratedWorkload {

  /** Length of the trace in seconds of its own time, that of the Facebook trace's twelve hours. */
  public static final double SECONDS = 43_200;

  /** Share of the files that count as hot: the first ranks of Zipf's law. */
  static final double HOT_SHARE = 0.1;

  /** Probability that a read is followed by another of its burst. */
  static final double REREAD_PROBABILITY = 1.0 / 3;

  /** Seconds between two reads of a burst; the ends are those of the trace. */
  static final Quantiles GAPS =
      Quantiles.of(0, 1, 0.5, 60, 0.9, 600, 0.99, 5.6 * 3600, 1, 12 * 3600);

  private static final List<String> TEAMS =
      List.of("sales", "web", "ads", "finance", "logistics", "research");
  private static final List<String> MONTHS = List.of("2026-03", "2026-02", "2026-01", "2026-04");
  private static final int NEWEST_MONTH = 3;
  private static final int DIRECTORIES = TEAMS.size() * MONTHS.size();

  // In units of one month's lead: how much a team's popularity and a file's own luck count.
  private static final double TEAM_WEIGHT = 0.2;
  private static final double LUCK_WEIGHT = 1.5;

  private final Settings settings;
  private final SplittableRandom random;

  private GeneratedWorkload(Settings settings, long seed) {
    this.settings = settings;
    this.random = new SplittableRandom(seed);
  }

  /**
   * @param files how many, at least one for each of the 24 directories
   * @param uniqueBytes of all files together, one replica
   * @param reads about how many; bursts that are cut off make it a few less
   * @param exponent of Zipf's law, s
   * @param drift share of the hot files that are exchanged in the course of the trace, 0 to 1
   */
  public record Settings(int files, long uniqueBytes, int reads, double exponent, double drift) {
    public Settings {
      if (files < DIRECTORIES || reads < 1 || !(exponent >= 0) || !(drift >= 0 && drift <= 1)) {
        throw new IllegalArgumentException(
            "files=%d (at least %d), reads=%d (at least 1), exponent=%s (from 0), drift=%s (0 to 1)"
                .formatted(files, DIRECTORIES, reads, exponent, drift));
      }
    }

    /** 700 files of 230 MB together, 10,000 reads, s = 1.1, half of the hot files exchanged. */
    public static Settings defaults() {
      return new Settings(700, 230_000_000L, 10_000, 1.1, 0.5);
    }

    public Settings withReads(int value) {
      return new Settings(files, uniqueBytes, value, exponent, drift);
    }
  }

  public static Workload of(Settings settings, long seed) {
    GeneratedWorkload generator = new GeneratedWorkload(settings, seed);
    int[] ranking = generator.ranking();
    long[] sizes = generator.sizes(ranking);
    List<WorkloadFile> files = generator.files(sizes);
    List<Access> accesses = generator.accesses(ranking, sizes);
    return new Workload(
        "zipf",
        seed,
        ("%d files in %d directories, Zipf s = %s, %.0f %% of the hot files exchanged over %.0f h; "
                + "sizes and re-read gaps shaped after Facebook's trace of 2010. %s")
            .formatted(
                settings.files(),
                DIRECTORIES,
                settings.exponent(),
                100 * settings.drift(),
                SECONDS / 3600,
                Fb2010Sizes.DESCRIPTION),
        files,
        accesses);
  }

  private List<WorkloadFile> files(long[] sizes) {
    List<WorkloadFile> files = new ArrayList<>();
    for (int file = 0; file < settings.files(); file++) {
      String path =
          "/warehouse/%s/%s/part-%05d"
              .formatted(TEAMS.get(team(file)), MONTHS.get(month(file)), file / DIRECTORIES);
      files.add(new WorkloadFile(path, sizes[file], random.nextLong()));
    }
    return files;
  }

  /**
   * Sizes by file, spread over the ranks as evenly as can be: any few neighbouring ranks have small and
   * large files alike. A handful of files takes half of all reads, and drawn at random their sizes, and
   * with them the bytes of the whole run, would differ from seed to seed several times over.
   */
  private long[] sizes(int[] ranking) {
    long[] sorted = Fb2010Sizes.sizes(settings.files(), settings.uniqueBytes());
    int[] ranks = EvenOrder.of(sorted.length);
    long[] sizes = new long[sorted.length];
    for (int i = 0; i < sorted.length; i++) {
      sizes[ranking[ranks[i]]] = sorted[i];
    }
    return sizes;
  }

  /** Files from hot to cold at the start of the trace. */
  private int[] ranking() {
    double[] score = new double[settings.files()];
    for (int file = 0; file < score.length; file++) {
      score[file] = month(file) + TEAM_WEIGHT * team(file) + LUCK_WEIGHT * random.nextDouble();
    }
    return IntStream.range(0, score.length)
        .boxed()
        .sorted(Comparator.comparingDouble(file -> score[file]))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private List<Access> accesses(int[] ranking, long[] sizes) {
    Zipf zipf = new Zipf(settings.files(), settings.exponent());
    Drift drift =
        Drift.plan(ranking, sizes, settings.drift(), GeneratedWorkload::isNewest, random.split());
    int bursts = (int) Math.max(1, Math.round(settings.reads() * (1 - REREAD_PROBABILITY)));
    double[] starts = new double[bursts];
    Arrays.setAll(starts, burst -> random.nextDouble() * SECONDS);
    Arrays.sort(starts);
    List<Access> accesses = new ArrayList<>();
    for (double start : starts) {
      int file = drift.fileAt(zipf.draw(random), start / SECONDS);
      for (double at = start; at < SECONDS; at = next(at)) {
        accesses.add(new Access(at, file));
      }
    }
    accesses.sort(Comparator.comparingDouble(Access::atSeconds));
    return accesses;
  }

  /** Time of a burst's next read, infinite after its last. */
  private double next(double at) {
    return random.nextDouble() < REREAD_PROBABILITY
        ? at + GAPS.at(random.nextDouble())
        : Double.POSITIVE_INFINITY;
  }

  private static boolean isNewest(int file) {
    return month(file) == NEWEST_MONTH;
  }

  private static int team(int file) {
    return file % TEAMS.size();
  }

  private static int month(int file) {
    return file / TEAMS.size() % MONTHS.size();
  }
}
