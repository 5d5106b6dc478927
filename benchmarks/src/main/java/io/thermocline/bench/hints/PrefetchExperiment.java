// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.tiering.sim.device.DeviceSpec;
import io.thermocline.tiering.sim.device.SimDevice;
import java.util.SplittableRandom;

/**
 * Figure 2.11 of the thesis: {@code cp} of two files of 1 GB and 100 of 1 MB, from a volume of a local SSD (1 GB), a local
 * disk (10 GB) and a remote one (40 GB) behind a network.
 *
 * <p>A reader asks for 128 KB at a time and waits, as the kernel's read-ahead does; the prefetcher keeps the link busy.
 */
final class PrefetchExperiment {

  private static final long MIB = 1 << 20;
  private static final int LARGE = 1024;
  private static final int SMALL = 100;

  /** Of a file's lookup: directory, inode, extents. */
  private static final int METADATA_READS = 3;

  private static final double ROUND_TRIP_SECONDS = 0.0005;
  private static final int ORDERS = 200;
  private static final int ROUND_TRIPS_OF_A_MIB = 8;

  /** What is known of the files. */
  enum Hints {
    NONE,
    /** Metadata is on SSD, small files are on the local disk, large ones remote. */
    LEVEL2,
    /** And the large ones are prefetched, to SSD first: what the buffer holds is there when cp begins. */
    PREFETCH_BEFORE,
    /** The same, begun when cp begins. */
    PREFETCH_WITH_CP
  }

  private final SimDevice ssd = new SimDevice(Volume.SSD);
  private final SimDevice disk = new SimDevice(Volume.HDD);
  private final SimDevice link;
  private double now;

  /** Of the large files, pieces that were asked for ahead, and when each is here; 0: it is from the start. */
  private int prefetched;

  private final double[] arrivals = new double[2 * LARGE];
  private double linkFree;

  /** While the copying lasts. */
  private long remoteBytes;

  private PrefetchExperiment(double megabitsPerSecond) {
    double rate = megabitsPerSecond * 1e6 / 8 * 0.95;
    link = new SimDevice(new DeviceSpec(rate, rate, 0, 0, 0, 0));
  }

  /**
   * What copying takes, mean over orders.
   *
   * @param seconds until all is copied
   * @param remoteMib read from the remote disk while it lasts (figure 2.12): what lay in the buffer by then is not
   *     among it
   */
  record Result(double seconds, double remoteMib) {}

  /**
   * Copies in several orders: ext4 lists a directory in the order of hashes.
   *
   * @param bufferMib of room reserved for what is prefetched
   * @param files large ones that are hinted to be prefetched, those that are copied first
   */
  static Result run(Hints hints, double megabitsPerSecond, int bufferMib, int files, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double seconds = 0;
    double remote = 0;
    for (int i = 0; i < ORDERS; i++) {
      PrefetchExperiment one = new PrefetchExperiment(megabitsPerSecond);
      seconds += one.run(hints, bufferMib, files * LARGE, random);
      remote += one.remoteBytes;
    }
    return new Result(seconds / ORDERS, remote / ORDERS / MIB);
  }

  private double run(Hints hints, int bufferMib, int hinted, SplittableRandom random) {
    boolean[] isLarge = new boolean[SMALL + 2];
    isLarge[random.nextInt(isLarge.length)] = true;
    for (int other = random.nextInt(isLarge.length - 1), at = 0; at < isLarge.length; at++) {
      if (!isLarge[at] && other-- == 0) {
        isLarge[at] = true;
      }
    }
    if (hints == Hints.PREFETCH_BEFORE) {
      prefetched = Math.min(bufferMib, hinted);
    } else if (hints == Hints.PREFETCH_WITH_CP) {
      while (prefetched < Math.min(bufferMib, hinted)) {
        prefetchOne();
      }
    }
    int small = 0;
    int large = 0;
    for (boolean each : isLarge) {
      if (each) {
        large(large++, hints, bufferMib, hinted);
      } else {
        // Without hints as many lie remote as the remote disk is of the volume.
        small(hints == Hints.NONE && small++ % 51 < 40);
      }
    }
    return now;
  }

  private void large(int file, Hints hints, int bufferMib, int hinted) {
    metadata(hints == Hints.NONE);
    for (int at = file * LARGE; at < (file + 1) * LARGE; at++) {
      if (at >= prefetched) {
        remote(at * MIB);
        continue;
      }
      now = Math.max(now, arrivals[at]);
      boolean onSsd = at % 2 == 0 || bufferMib <= LARGE;
      now = (onSsd ? ssd : disk).serve(now, at * MIB, MIB, false);
      // What was read makes room for one more, which comes in while the copying goes on.
      if (prefetched < hinted) {
        prefetchOne();
      }
    }
  }

  /** Asks for the next piece, which comes after those asked for before. */
  private void prefetchOne() {
    linkFree = link.serve(Math.max(now, linkFree), 0, MIB, false);
    remoteBytes += MIB;
    arrivals[prefetched++] = linkFree;
  }

  private void small(boolean isRemote) {
    metadata(isRemote);
    if (isRemote) {
      now += Volume.HDD.seekSeconds();
      remote(0);
    } else {
      now = disk.serveApart(now, MIB, false);
    }
  }

  private void metadata(boolean isRemote) {
    for (int i = 0; i < METADATA_READS; i++) {
      now =
          isRemote
              ? link.serve(now, 0, 4096, false) + ROUND_TRIP_SECONDS + Volume.HDD.seekSeconds()
              : ssd.serve(now, 0, 4096, false);
    }
  }

  private void remote(long offset) {
    remoteBytes += MIB;
    now = link.serve(now, offset, MIB, false) + ROUND_TRIP_SECONDS * ROUND_TRIPS_OF_A_MIB;
  }
}
