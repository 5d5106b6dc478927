// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How many of a window's block reads fast storage could serve at best.
 *
 * <p>A read of a block can be served fast only while one of its replicas lies on fast storage, where it
 * takes its whole length of the capacity. So a static placement is a choice of blocks whose lengths sum
 * to no more than the capacity, and what it serves fast is at most the reads of the chosen blocks: a
 * knapsack. Taking blocks by reads per byte, and of the last one the part that fits, solves the
 * knapsack in which blocks may be cut, which has no smaller optimum (Dantzig, Discrete-variable extremum
 * problems, Operations Research 5, 1957). It stays a bound where a placement is worse off: more than
 * one fast replica of a block, whole nodes and racks, reads that choose a slow replica.
 *
 * <p>The bound is on placements that stay as they are for the window, chosen with full knowledge of it.
 * One that changes within the window may exceed it.
 */
public final class Oracle {

  private final List<WorkloadFile> files;
  private final long blockSize;

  /**
   * @param files of the workload, which the accesses name by index
   * @param blockSize of the files in bytes
   */
  public Oracle(List<WorkloadFile> files, long blockSize) {
    this.files = List.copyOf(files);
    this.blockSize = blockSize;
  }

  /**
   * The bound for a window.
   *
   * @param fastBytes capacity of all fast storage
   * @return share of the block reads, 0 to 1; NaN if the window reads no block
   */
  public double bestFastShare(List<Access> window, long fastBytes) {
    long[] reads = new long[files.size()];
    window.forEach(access -> reads[access.file()]++);
    long total = 0;
    List<Blocks> items = new ArrayList<>();
    for (int file = 0; file < reads.length; file++) {
      long bytes = files.get(file).bytes();
      long full = bytes / blockSize;
      long last = bytes % blockSize;
      add(items, reads[file], full, blockSize);
      add(items, reads[file], last == 0 ? 0 : 1, last);
      total += reads[file] * (full + (last == 0 ? 0 : 1));
    }
    items.sort(Comparator.comparingDouble(Blocks::readsPerByte).reversed());
    return fill(items, fastBytes) / total;
  }

  private static void add(List<Blocks> items, long reads, long count, long bytes) {
    if (reads > 0 && count > 0) {
      items.add(new Blocks(reads, count, bytes));
    }
  }

  private static double fill(List<Blocks> items, long capacity) {
    double served = 0;
    long left = capacity;
    for (Blocks blocks : items) {
      long wanted = blocks.count() * blocks.bytes();
      if (wanted >= left) {
        return served + blocks.readsPerByte() * left;
      }
      served += blocks.count() * blocks.reads();
      left -= wanted;
    }
    return served;
  }

  /** Blocks of one file with the same length: each is read as often as the file. */
  private record Blocks(long reads, long count, long bytes) {
    double readsPerByte() {
      return (double) reads / bytes;
    }
  }
}
