// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.util.List;

/**
 * Files and the order in which they are read. Immutable.
 *
 * @param name short, for example {@code zipf} or {@code fb2010}
 * @param seed that the workload was made from
 * @param description one paragraph for people: where the numbers come from, and what was clamped
 * @param files all files
 * @param accesses in the order of time
 */
public record Workload(
    String name, long seed, String description, List<WorkloadFile> files, List<Access> accesses) {

  /**
   * @throws IllegalArgumentException if an access names no file, or comes before its predecessor
   */
  public Workload {
    files = List.copyOf(files);
    accesses = List.copyOf(accesses);
    double last = 0;
    for (Access access : accesses) {
      if (access.file() < 0 || access.file() >= files.size()) {
        throw new IllegalArgumentException(access + " names none of " + files.size() + " files");
      }
      if (!(access.atSeconds() >= last)) {
        throw new IllegalArgumentException(access + " is before " + last + " s");
      }
      last = access.atSeconds();
    }
  }

  /** Bytes of all files, one replica. */
  public long uniqueBytes() {
    return files.stream().mapToLong(WorkloadFile::bytes).sum();
  }

  /**
   * A part of the accesses by their number, not by time.
   *
   * @param from share of the accesses before it, 0 to 1
   * @param to share of the accesses before its end, at least {@code from}
   */
  public List<Access> window(double from, double to) {
    if (!(from >= 0 && from <= to && to <= 1)) {
      throw new IllegalArgumentException("Not a window: " + from + " to " + to);
    }
    int size = accesses.size();
    return accesses.subList((int) Math.round(from * size), (int) Math.round(to * size));
  }
}
