// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import java.util.BitSet;

/** Reads files as HDFS's client does: writes the lines, and counts what DataNodes serve. Not thread-safe. */
final class Readers {

  /** Locations of so many blocks are asked for at once: dfs.client.read.prefetch.size. */
  private static final int PREFETCH = 10;

  /** Bytes that one reader takes in a millisecond. */
  private static final long BYTES_PER_MILLI = 100_000;

  private final EventQueue events;
  private final AuditTrail trail;
  private final DataNodeTrail dataNodes;

  Readers(EventQueue events, AuditTrail trail, DataNodeTrail dataNodes) {
    this.events = events;
    this.trail = trail;
    this.dataNodes = dataNodes;
  }

  /** Reads bytes of any block through a stream that is open. */
  void get(DataFile file, long bytes) {
    dataNodes.anyPlace(events.now(), file, bytes);
  }

  Opened open(DataFile file, Caller caller) {
    return new Opened(file, caller);
  }

  /** An open file. */
  final class Opened {
    private final DataFile file;
    private final Caller caller;
    private final BitSet located = new BitSet();

    private Opened(DataFile file, Caller caller) {
      this.file = file;
      this.caller = caller;
      locate(0);
    }

    private void locate(int block) {
      trail.open(events.now(), caller, file.path);
      located.set(block, block + PREFETCH);
    }

    /** Reads bytes of a block at once, by so many requests. */
    long read(int block, long bytes, int requests) {
      if (!located.get(block)) {
        locate(block);
      }
      dataNodes.served(events.now(), file, block, requests, bytes);
      return bytes;
    }

    /** Reads the footer of a columnar file. */
    void footer() {
      if (file.length > 0) {
        int last = file.blocks() - 1;
        read(last, Math.min(32 << 10, file.bytesOf(last)), 1);
      }
    }

    /**
     * Reads blocks one after the other, as fast as a client is.
     *
     * @param share of the bytes of each block
     * @param requests for each block
     * @param then what the reader does afterwards
     */
    void scan(int from, int to, double share, int requests, Runnable then) {
      int until = Math.min(to, from + PREFETCH);
      long bytes = 0;
      for (int block = from; block < until; block++) {
        bytes += read(block, (long) (share * file.bytesOf(block)), requests);
      }
      events.in(
          1 + bytes / BYTES_PER_MILLI,
          until >= to ? then : () -> scan(until, to, share, requests, then));
    }

    /** Reads all of it. */
    void whole(Runnable then) {
      scan(0, file.blocks(), 1, 1, then);
    }
  }
}
