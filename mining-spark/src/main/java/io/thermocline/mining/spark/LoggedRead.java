// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import java.io.Serializable;
import java.util.Comparator;

/**
 * One read, in the order in which one machine would see those of its reader: by time, then by log and line.
 *
 * @param reader hash of who reads
 * @param log number of the log
 * @param line number of the read in the log
 */
record LoggedRead(long reader, long millis, int log, int line, long key, long offset, long bytes)
    implements Serializable, Comparable<LoggedRead> {

  private static final Comparator<LoggedRead> ORDER =
      Comparator.comparingLong(LoggedRead::reader)
          .thenComparingLong(LoggedRead::millis)
          .thenComparingInt(LoggedRead::log)
          .thenComparingInt(LoggedRead::line);

  @Override
  public int compareTo(LoggedRead other) {
    return ORDER.compare(this, other);
  }
}
