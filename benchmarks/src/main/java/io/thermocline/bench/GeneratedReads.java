// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.testbed.workload.Zipf;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Reads that are drawn so that their marginals match published ones. What files have to do with each other isn't:
 * each is drawn for itself.
 */
final class GeneratedReads {

  private static final long MICROS = 1_000_000;
  private static final double HOUR = 3_600;

  // --- Facebook 2010 (SWIM; Chen, Alspaugh and Katz, VLDB 2012), twelve hours ---

  private static final double FACEBOOK_SECONDS = 12 * HOUR;
  private static final int FACEBOOK_FILES = 9_056;

  /** The files that are read more than once; the most read one so often, the others by their rank to the power of -5/6. */
  private static final int READ_AGAIN = 730;

  private static final double MOST_READ = 400;
  private static final double SLOPE = 5.0 / 6;

  /** Shares of values up to those beside them, between which they are spread by their logarithm. */
  private static final double[] SHARES = {0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1};

  /** Seconds from one read of a file to the next. */
  private static final double[] GAPS = {0.5, 1, 4, 50, 270, 590, 1_070, 6_800, 41_600};

  /** Bytes of files that are read once, and of those that are read again. */
  private static final double[] ONCE = {1, 302, 2e3, 3.7e5, 1.5e8, 1.2e10, 7.1e10, 1.1e12, 5.1e12};

  private static final double[] AGAIN = {1, 720, 4e4, 2e7, 2e9, 4e10, 1.6e11, 6e11, 1.1e12};

  /** What is kept of a file's time for each read that it has yet to get, in seconds. */
  private static final double KEPT = 60;

  private static final int TRIES = 100;

  // --- Uber 2023 (local SSD cache of HDFS): the top 10,000 blocks serve 90 % of an hour's reads
  // ---

  private static final int UBER_HOURS = 4;
  private static final int UBER_BLOCKS = 40_000;
  private static final int UBER_READS_AN_HOUR = 60_000;
  private static final double UBER_SLOPE = 0.9;
  private static final long UBER_BLOCK_BYTES = 256L << 20;

  /** Share of the ranks that pass to other blocks from hour to hour. */
  private static final double NEW_EVERY_HOUR = 0.1;

  private GeneratedReads() {}

  /** What is known of a workload. */
  enum Workload {
    FACEBOOK(1024) {
      @Override
      Trace trace(long seed) {
        return facebook(new SplittableRandom(seed));
      }
    },
    UBER(256) {
      @Override
      Trace trace(long seed) {
        return uber(new SplittableRandom(seed));
      }
    };

    private final int blockMebibytes;

    Workload(int blockMebibytes) {
      this.blockMebibytes = blockMebibytes;
    }

    abstract Trace trace(long seed);

    /** Of the files. */
    int blockMebibytes() {
      return blockMebibytes;
    }
  }

  private static Trace facebook(SplittableRandom random) {
    int[] reads = new int[FACEBOOK_FILES];
    for (int file = 0; file < reads.length; file++) {
      reads[file] =
          file < READ_AGAIN
              ? Math.max(2, (int) Math.round(MOST_READ * Math.pow(file + 1, -SLOPE)))
              : 1;
    }
    List<List<Double>> gaps = gaps(reads, random);
    List<TracedFile> files = new ArrayList<>();
    List<FileAccess> accesses = new ArrayList<>();
    for (int file = 0; file < reads.length; file++) {
      long bytes = (long) draw(file < READ_AGAIN ? AGAIN : ONCE, random.nextDouble());
      files.add(new TracedFile("/jobs/input" + file, bytes));
      List<Double> own = gaps.get(file);
      double sum = own.stream().mapToDouble(gap -> gap).sum();
      double second = random.nextDouble() * Math.max(0, FACEBOOK_SECONDS - sum);
      accesses.add(read(second, file, bytes));
      while (!own.isEmpty()) {
        second += own.remove(random.nextInt(own.size()));
        accesses.add(read(second, file, bytes));
      }
    }
    return trace("generated after Facebook 2010", files, accesses);
  }

  /** Longest first, each to a file that has the time for it. */
  private static List<List<Double>> gaps(int[] reads, SplittableRandom random) {
    List<List<Double>> gaps = new ArrayList<>();
    int[] left = new int[reads.length];
    double[] seconds = new double[reads.length];
    int all = 0;
    for (int file = 0; file < reads.length; file++) {
      gaps.add(new ArrayList<>());
      left[file] = reads[file] - 1;
      seconds[file] = FACEBOOK_SECONDS;
      all += left[file];
    }
    for (int i = all - 1; i >= 0; i--) {
      double gap = draw(GAPS, (i + random.nextDouble()) / all);
      int file = drawLeft(left, i + 1, random);
      for (int t = 0; t < TRIES && gap + KEPT * (left[file] - 1) > seconds[file]; t++) {
        file = drawLeft(left, i + 1, random);
      }
      left[file]--;
      seconds[file] -= gap;
      gaps.get(file).add(gap);
    }
    return gaps;
  }

  /** A file, by the gaps that it has yet to get. */
  private static int drawLeft(int[] left, int sum, SplittableRandom random) {
    int at = random.nextInt(sum);
    int file = 0;
    while (at >= left[file]) {
      at -= left[file++];
    }
    return file;
  }

  private static double draw(double[] values, double share) {
    int above = 1;
    while (share > SHARES[above]) {
      above++;
    }
    double within = (share - SHARES[above - 1]) / (SHARES[above] - SHARES[above - 1]);
    return values[above - 1] * Math.pow(values[above] / values[above - 1], within);
  }

  private static Trace uber(SplittableRandom random) {
    Zipf popularity = new Zipf(UBER_BLOCKS, UBER_SLOPE);
    int[] atRank = new int[UBER_BLOCKS];
    Arrays.setAll(atRank, rank -> rank);
    List<FileAccess> accesses = new ArrayList<>();
    for (int hour = 0; hour < UBER_HOURS; hour++) {
      for (int read = 0; read < UBER_READS_AN_HOUR; read++) {
        accesses.add(
            read(
                HOUR * (hour + random.nextDouble()),
                atRank[popularity.draw(random)],
                UBER_BLOCK_BYTES));
      }
      for (int rank = 0; rank < atRank.length; rank++) {
        if (random.nextDouble() < NEW_EVERY_HOUR) {
          int other = random.nextInt(atRank.length);
          int block = atRank[rank];
          atRank[rank] = atRank[other];
          atRank[other] = block;
        }
      }
    }
    List<TracedFile> files = new ArrayList<>();
    for (int block = 0; block < UBER_BLOCKS; block++) {
      files.add(new TracedFile("/blocks/b" + block, UBER_BLOCK_BYTES));
    }
    return trace("generated after Uber 2023", files, accesses);
  }

  private static FileAccess read(double second, int file, long bytes) {
    return new FileAccess((long) (second * MICROS), file, bytes, false);
  }

  private static Trace trace(String name, List<TracedFile> files, List<FileAccess> accesses) {
    accesses.sort(Comparator.comparingLong(FileAccess::atMicros));
    return new Trace(name, files, accesses);
  }
}
