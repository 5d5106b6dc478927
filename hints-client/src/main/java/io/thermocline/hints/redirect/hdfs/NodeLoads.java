// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect.hdfs;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;

/**
 * What this client knows of how busy storages are: its own reads that are under way there, and
 * how long the last ones took. Safe for any thread.
 *
 * <p>Source: PRS, section 3.2.2: a replica on another device is read where one is overloaded.
 * The paper doesn't say what overloaded is; here it is that another is expected to answer in
 * less than half the time. So a device that doesn't answer at all gets no more readers.
 */
final class NodeLoads {

  /** A read costs as much as so many bytes more. */
  private static final long COST_OF_A_READ = 256 << 10;

  /** And a read of a piece as much as so many. */
  private static final double MOST_OF_A_READ = COST_OF_A_READ + LoadedGroup.PIECE;

  private static final double OVERLOADED = 2;
  private static final double NEWEST_WEIGHS = 0.25;
  private static final long FORGET_NANOS = 30_000_000_000L;

  private final LongSupplier nanos;
  private final Map<String, Storage> storages = new ConcurrentHashMap<>();

  private static final class Storage {
    private int underWay;

    /** When one began there alone, or ended. */
    private long aliveNanos;

    private double nanosPerByte;
    private long atNanos;

    private synchronized void begin(long now) {
      if (underWay++ == 0) {
        aliveNanos = now;
      }
    }

    private synchronized void end(long now) {
      underWay--;
      aliveNanos = now;
    }

    private synchronized void took(double newest, long now) {
      boolean isKnown = nanosPerByte > 0 && now - atNanos <= FORGET_NANOS;
      nanosPerByte += (isKnown ? NEWEST_WEIGHS : 1) * (newest - nanosPerByte);
      atNanos = now;
    }

    /** Where none ends, it takes at least as long as one waits there by now. */
    private synchronized double expected(long now, double otherwise) {
      boolean isKnown = nanosPerByte > 0 && now - atNanos <= FORGET_NANOS;
      double waited = underWay == 0 ? 0 : (double) (now - aliveNanos) / MOST_OF_A_READ;
      return Math.max(waited, (1 + underWay) * (isKnown ? nanosPerByte : otherwise));
    }
  }

  /** A read of one storage. */
  @FunctionalInterface
  interface Reading {
    int read() throws IOException;
  }

  /**
   * @param nanos monotonic clock
   */
  NodeLoads(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * Reads so many bytes, and remembers how long that took; what fails fast is no fast read, and
   * isn't remembered.
   */
  int read(DatanodeInfoWithStorage at, Reading reading) throws IOException {
    long began = nanos.getAsLong();
    int bytes = goOn(at, reading);
    long now = nanos.getAsLong();
    storage(at).took((double) (now - began) / (COST_OF_A_READ + Math.max(0, bytes)), now);
    return bytes;
  }

  /**
   * Goes on with what was begun there: counts as under way, but is no measure, as most of it
   * comes out of a buffer.
   */
  int goOn(DatanodeInfoWithStorage at, Reading reading) throws IOException {
    Storage storage = storage(at);
    storage.begin(nanos.getAsLong());
    try {
      return reading.read();
    } finally {
      storage.end(nanos.getAsLong());
    }
  }

  private Storage storage(DatanodeInfoWithStorage at) {
    return storages.computeIfAbsent(at.getStorageID(), id -> new Storage());
  }

  /**
   * The replica to read: the first, in the order in which the NameNode names them, unless its
   * storage is overloaded; then that which is expected to answer first.
   *
   * @param first at least one
   * @param others of the same bytes
   * @return index in the first and then the others
   */
  int choose(DatanodeInfoWithStorage[] first, DatanodeInfoWithStorage[] others) {
    long now = nanos.getAsLong();
    double least = expected(first[0], now) / OVERLOADED;
    int best = 0;
    for (int i = 1; i < first.length + others.length; i++) {
      double expected = expected(i < first.length ? first[i] : others[i - first.length], now);
      if (expected < least) {
        least = expected;
        best = i;
      }
    }
    return best;
  }

  /** Nanoseconds a byte, with those that wait there already. */
  private double expected(DatanodeInfoWithStorage at, long now) {
    double unknown = unknown(at.getStorageType());
    Storage storage = storages.get(at.getStorageID());
    return storage == null ? unknown : storage.expected(now, unknown);
  }

  /**
   * Of a storage that wasn't read lately: some 8 ms a read of a disk, a tenth of that of what is
   * faster.
   */
  private static double unknown(StorageType type) {
    return type == StorageType.DISK || type == StorageType.ARCHIVE ? 30 : 3;
  }
}
