// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.bench.hints.Volume.Copy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * HintStor's heatmap of chunks, and its migration by a timer (thesis, chapter 2.3.2): the 1,000 most accessed chunks go to SCM, in the
 * place of the coldest there. One thread.
 */
final class TopChunks {

  static final long CHUNK = 1 << 20;

  private static final int TOP = 1000;

  private final Volume volume;
  private final int[] device;
  private final int[] used;
  private final int scm;
  private final int room;
  private final long[] counts;

  /**
   * @param device of each chunk, where 0 is the slowest; changed by what is migrated
   * @param used chunks on each device; changed too
   * @param room chunks that fit SCM, the last device
   */
  TopChunks(Volume volume, int[] device, int[] used, int room) {
    this.volume = volume;
    this.device = device;
    this.used = used;
    this.scm = used.length - 1;
    this.room = room;
    this.counts = new long[device.length];
  }

  /** Counts an access, and says where the chunk is. */
  int accessed(int chunk) {
    counts[chunk]++;
    return device[chunk];
  }

  /** From now on, each time after so many seconds. */
  void every(double seconds, double until) {
    for (double at = seconds; at < until; at += seconds) {
      volume.at(at, this::migrate);
    }
  }

  /** By all accesses so far. */
  private void migrate() {
    volume.dropCopies();
    int[] hottest =
        IntStream.range(0, counts.length)
            .boxed()
            .sorted(Comparator.comparingLong((Integer chunk) -> -counts[chunk]))
            .limit(TOP)
            .mapToInt(Integer::intValue)
            .toArray();
    List<Integer> residents =
        IntStream.range(0, counts.length)
            .filter(chunk -> device[chunk] == scm)
            .boxed()
            .sorted(Comparator.comparingLong((Integer chunk) -> counts[chunk]))
            .toList();
    int victim = 0;
    int left = room - used[scm];
    List<Copy> copies = new ArrayList<>();
    for (int chunk : hottest) {
      if (device[chunk] == scm) {
        continue;
      }
      if (left-- <= 0 && victim < residents.size()) {
        copies.add(copy(residents.get(victim++), 0));
      }
      copies.add(copy(chunk, scm));
    }
    volume.migrate(copies);
  }

  private Copy copy(int chunk, int to) {
    int from = device[chunk];
    return new Copy(
        from,
        to,
        chunk * CHUNK,
        CHUNK,
        () -> {
          if (device[chunk] == from) {
            device[chunk] = to;
            used[from]--;
            used[to]++;
          }
        });
  }
}
