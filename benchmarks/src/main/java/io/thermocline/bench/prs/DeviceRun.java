// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Figure 6: the devices by themselves, on one node, so that what they are taken for can be held
 * against what was measured.
 */
final class DeviceRun {
  private static final long FILE_BYTES = 10L << 30;
  private static final int REQUESTS = 2_000;
  private static final int MOST_AT_ONCE = 32;

  private final Figures figures;

  DeviceRun(Figures figures) {
    this.figures = figures;
  }

  void run() {
    for (int atOnce = 1; atOnce <= MOST_AT_ONCE; atOnce *= MOST_AT_ONCE) {
      for (long kib : new long[] {1, 128, 256, 4096}) {
        double disk = reading(new Events(), true, atOnce, kib << 10);
        double flash = reading(new Events(), false, atOnce, kib << 10);
        System.out.printf(
            Locale.ROOT,
            "random reads of %d KB, %d at once: disk %,.1f MB/s, SSD %,.1f MB/s, %.1f times%n",
            kib,
            atOnce,
            disk / 1e6,
            flash / 1e6,
            flash / disk);
        figures.put("ssd_by_disk_" + kib + "kb_" + atOnce + "_at_once", flash / disk);
      }
    }
    figures.put("published_ssd_by_disk_1kb", 84.2);
    figures.put("published_ssd_by_disk_128kb", 6.5);
    figures.put("published_ssd_by_disk_above_most", 3.7);
    figures.put("published_ssd_by_disk_above_least", 1.45);
  }

  /** Bytes a second. */
  private static double reading(Events events, boolean isDisk, int atOnce, long bytes) {
    Device device = isDisk ? new Disk(events) : new Flash(events);
    SplittableRandom random = new SplittableRandom(1);
    int[] left = {REQUESTS};
    Runnable[] next = new Runnable[1];
    next[0] =
        () -> {
          if (left[0]-- > 0) {
            device.ask(bytes * random.nextLong(FILE_BYTES / bytes), bytes, false, next[0]);
          }
        };
    for (int i = 0; i < atOnce; i++) {
      events.at(0, next[0]);
    }
    events.run();
    return REQUESTS * bytes / events.now();
  }
}
