// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.ReadExtent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@link Candidates} keeps of one file. One thread changes it, between {@link #begin} and {@link
 * #end}; any may take a {@link #profile}, which is of one moment.
 */
final class Candidate {
  private static final VarHandle VERSION;

  /** Of a read among those before, so that what readers read of a very hot file is learned anew. */
  private static final double LEAST_WEIGHT = 0.001;

  /** Of the columns that a reader reads, those that others read. */
  private static final float IN_COMMON = 0.5f;

  /** So long after an append a file is one that grows, and those who read it follow its end. */
  private static final long GROWING_MILLIS = 60_000;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(Candidate.class, "version", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  // First what each read changes, so that it lies in one or two lines of the cache.

  /** By which it is found. */
  long pathKey;

  /** Where its reads are counted in the hotness table. */
  long key;

  double score;
  private long reads;
  private long accesses;

  /** Of an open on average, as {@link ReadExtent} has both. */
  private float requests = 1;

  private float share = 1;

  /** Share of the opens that share the file with others. */
  private float parts;

  /** Share of the opens by a client that opened it just before. */
  private float again;

  /** Odd while it is being changed. */
  private int version;

  /** In the heap of scores. */
  int place;

  private final long[] recent = new long[Profile.RECENT];

  String path;
  double inheritedScore;
  long since;
  private long writes;
  private long rewrites;
  private long bytesRead;
  private long bytesWritten;
  private long sequentialBytes;

  /** What page caches leave to disks; null where they aren't modeled. */
  private CachedReads cached;

  /** When it was last appended to, milliseconds since 1970. */
  private long appended = Long.MIN_VALUE;

  /** Of its directory, and its neighbours there: {@link CandidateTree}. */
  long parentKey;

  Candidate before;
  Candidate after;

  Candidate(long key, long pathKey, String path) {
    this.key = key;
    this.pathKey = pathKey;
    this.path = path;
  }

  void begin() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.storeStoreFence();
  }

  void end() {
    VERSION.setRelease(this, version + 1);
  }

  /** Reads where the next access is noted, so that it is in the cache then. */
  long fetch() {
    return recent[(int) (accesses % Profile.RECENT)];
  }

  /**
   * @param shareOfHeat of this read in the heat, 0 to 1
   * @param keptMillis how long page caches keep what was read; 0 where they aren't modeled
   */
  void read(Access read, double shareOfHeat, long keptMillis) {
    // What the record inherited is taken to be as what was seen.
    double weight = Math.max(LEAST_WEIGHT, Math.max(shareOfHeat, 1.0 / (reads + 1)));
    long timeMillis = read.timeMillis();
    ReadExtent extent = isAppended(timeMillis) ? ReadExtent.TAIL : read.extent();
    requests += (float) ((extent.requests() - requests) * weight);
    share += (float) ((extent.share() - share) * weight);
    parts += (float) (((read.isPart() ? 1 : 0) - parts) * weight);
    again += (float) (((read.isAgain() ? 1 : 0) - again) * weight);
    if (keptMillis > 0) {
      cached = cached == null ? new CachedReads() : cached;
      cached.read(timeMillis, read.isPart(), leaves(extent), weight, keptMillis);
    }
    reads++;
    if (!read.isAgain()) {
      // Who goes on, or begins again, doesn't read at the same time as itself.
      accessed(timeMillis);
    }
  }

  /** Of a block, what later readers find in memory of what they read. */
  private static float leaves(ReadExtent extent) {
    boolean isOfColumns = extent.share() > 0 && extent.share() < 1;
    return isOfColumns ? IN_COMMON : 1;
  }

  private boolean isAppended(long timeMillis) {
    return appended != Long.MIN_VALUE && timeMillis - appended < GROWING_MILLIS;
  }

  /** So many opens, by what those seen here read. */
  Opens opens(double all) {
    Opens opens = new Opens(all * (1 - parts), all * parts, all * again, requests, share);
    return cached == null
        ? opens
        : opens.withPageCaches(cached.fromDisk(), cached.fromDiskAtBlock());
  }

  /** A read that was of a scan; its time stays among the recent ones. */
  void withdrawn(double readScore, long timeMillis) {
    if (timeMillis >= since && reads > 0) {
      reads--;
    } else {
      inheritedScore = Math.max(0, inheritedScore - readScore);
    }
  }

  /** A read that counts after all; its time is not among the recent ones. */
  void restored() {
    reads++;
  }

  void appended(long timeMillis) {
    appended = timeMillis;
    written(timeMillis);
  }

  private void written(long timeMillis) {
    writes++;
    accessed(timeMillis);
  }

  /** Other data under the same name: only that it was made anew is known of it. */
  void replaced(long timeMillis) {
    score = 0;
    inheritedScore = 0;
    since = timeMillis;
    reads = 0;
    bytesRead = 0;
    bytesWritten = 0;
    sequentialBytes = 0;
    accesses = 0;
    rewrites++;
    appended = Long.MIN_VALUE;
    written(timeMillis);
  }

  void transferred(Transfer transfer, long bytes) {
    switch (transfer) {
      case SEQUENTIAL_READ -> {
        bytesRead += bytes;
        sequentialBytes += bytes;
      }
      case RANDOM_READ -> bytesRead += bytes;
      case WRITE -> bytesWritten += bytes;
    }
  }

  private void accessed(long timeMillis) {
    recent[(int) (accesses++ % Profile.RECENT)] = timeMillis;
  }

  /**
   * @param heatOfScore cooled reads that a score of 1 is now
   */
  Profile profile(double heatOfScore) {
    while (true) {
      int before = (int) VERSION.getAcquire(this);
      if ((before & 1) == 0) {
        List<Long> latestFirst = new ArrayList<>();
        for (long i = accesses - 1; i >= Math.max(0, accesses - Profile.RECENT); i--) {
          latestFirst.add(recent[(int) (i % Profile.RECENT)]);
        }
        Profile seen =
            new Profile(
                path,
                score * heatOfScore,
                inheritedScore * heatOfScore,
                since,
                reads,
                writes,
                rewrites,
                bytesRead,
                bytesWritten,
                sequentialBytes,
                latestFirst);
        VarHandle.acquireFence();
        if ((int) VERSION.getOpaque(this) == before) {
          return seen;
        }
      }
      Thread.onSpinWait();
    }
  }

  void writeTo(StateSink sink) {
    long[] numbers = {
      key, since, reads, writes, rewrites, bytesRead, bytesWritten, sequentialBytes, accesses
    };
    sink.text(path);
    sink.real(score);
    sink.real(inheritedScore);
    sink.words(numbers);
    sink.words(recent);
  }

  /** What its readers read, which older checkpoints don't have: five words. */
  void writeExtentsTo(StateSink sink) {
    sink.real(requests);
    sink.real(share);
    sink.real(parts);
    sink.real(again);
    sink.number(appended);
  }

  /** Takes what {@link #writeExtentsTo} wrote. */
  void readExtentsFrom(StateSource source) {
    requests = (float) source.real();
    share = (float) source.real();
    parts = (float) source.real();
    again = (float) source.real();
    appended = source.number();
  }

  /** What page caches leave to disks, which older checkpoints don't have. */
  void writeCachedTo(StateSink sink) {
    sink.number(cached == null ? 0 : 1);
    if (cached != null) {
      cached.writeTo(sink);
    }
  }

  /** Takes what {@link #writeCachedTo} wrote. */
  void readCachedFrom(StateSource source) {
    cached = source.number() == 0 ? null : CachedReads.readFrom(source);
  }

  /** Page caches aren't modeled any more. */
  void forgetCached() {
    cached = null;
  }

  /** Not yet seen by another thread. */
  Candidate copy() {
    Candidate copy = new Candidate(key, pathKey, path);
    copy.score = score;
    copy.inheritedScore = inheritedScore;
    copy.since = since;
    copy.reads = reads;
    copy.writes = writes;
    copy.rewrites = rewrites;
    copy.bytesRead = bytesRead;
    copy.bytesWritten = bytesWritten;
    copy.sequentialBytes = sequentialBytes;
    copy.accesses = accesses;
    copy.requests = requests;
    copy.share = share;
    copy.parts = parts;
    copy.again = again;
    copy.appended = appended;
    copy.cached = cached == null ? null : cached.copy();
    System.arraycopy(recent, 0, copy.recent, 0, recent.length);
    return copy;
  }

  static Candidate readFrom(StateSource source, long nameservice) {
    String path = source.text();
    Candidate read = new Candidate(0, PathKey.of(nameservice, path), path);
    read.score = source.real();
    read.inheritedScore = source.real();
    long[] numbers = new long[9];
    source.words(numbers);
    read.key = numbers[0];
    read.since = numbers[1];
    read.reads = numbers[2];
    read.writes = numbers[3];
    read.rewrites = numbers[4];
    read.bytesRead = numbers[5];
    read.bytesWritten = numbers[6];
    read.sequentialBytes = numbers[7];
    read.accesses = numbers[8];
    source.words(read.recent);
    return read;
  }
}
