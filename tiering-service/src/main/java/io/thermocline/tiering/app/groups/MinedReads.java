// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.heat.Mix;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.ClientTraceSource;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.SourceCheckpoint;
import io.thermocline.tiering.sim.trace.TraceFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The reads that logs tell, in the order of time, 40 bytes each: of files from audit logs, of blocks from clienttrace
 * logs. Reads at the same time keep the order of the logs and of their lines. Not thread-safe.
 */
public final class MinedReads {
  private static final long BYTES_AT_ONCE = 1 << 20;
  private static final String BLOCK = "/blk_";

  private final Map<Long, String> names = new HashMap<>();
  private long[] keys = new long[1 << 12];
  private long[] readers = new long[1 << 12];
  private long[] millis = new long[1 << 12];
  private long[] offsets = new long[1 << 12];
  private long[] bytes = new long[1 << 12];
  private int size;

  /** What is done with each read. */
  public interface Each {
    void read(long key, long reader, long millis, long offset, long bytes);
  }

  /**
   * Adds a log.
   *
   * @param zone of its times
   * @return which it is
   * @throws IOException if it can't be read, or is another trace than an audit or clienttrace log
   */
  public TraceFormat add(Path log, ZoneId zone) throws IOException {
    TraceFormat format = TraceFormat.of(log);
    switch (format) {
      case AUDIT -> addAudit(log, zone);
      case CLIENTTRACE -> addClientTrace(log, zone);
      default ->
          throw new IOException(
              log + " is a trace of jobs or of a block device; give audit or clienttrace logs");
    }
    return format;
  }

  private void addAudit(Path log, ZoneId zone) throws IOException {
    AccessSettings.Ignored nobody = AccessSettings.Ignored.nothing();
    AccessSettings defaults = AccessSettings.defaults(nobody);
    AccessSettings settings =
        new AccessSettings(defaults.openWindow(), 0, defaults.scanWindow(), nobody);
    try (AuditSource source =
        new AuditSource(
            List.of(new AuditLog("", log, zone, null)),
            LogStart.BEGINNING,
            settings,
            SourceCheckpoint.none(),
            // Lines before the first that says its time count as at its beginning.
            Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))) {
      boolean more = true;
      while (more) {
        more = source.poll(this::opened, BYTES_AT_ONCE);
      }
    }
  }

  private void opened(Access access) {
    if (access.kind() == Access.Kind.READ) {
      // How much of the file is read the log doesn't say.
      add(access.key(), access.path(), access.reader(), access.timeMillis(), 0, 0);
    }
  }

  private void addClientTrace(Path log, ZoneId zone) throws IOException {
    try (ClientTraceSource source =
        new ClientTraceSource(log, LogStart.BEGINNING, LogPositions.none(), zone)) {
      boolean more = true;
      while (more) {
        more = source.poll(this::transferred, BYTES_AT_ONCE, Long.MAX_VALUE);
      }
    }
  }

  /** Pool and name of the block. */
  static String nameOf(BlockAccess access) {
    return access.poolId() + BLOCK + access.blockId();
  }

  /** Who reads a block: the client's process, by its name. */
  static long readerOf(BlockAccess access) {
    return Mix.of(access.client().hashCode());
  }

  /** Id of the block of such a name. */
  static long blockOf(String name) {
    return Long.parseLong(name.substring(name.lastIndexOf(BLOCK) + BLOCK.length()));
  }

  private void transferred(BlockAccess access) {
    if (access.kind() == BlockAccess.Kind.READ) {
      String name = nameOf(access);
      add(
          PathKey.of(0, name),
          name,
          readerOf(access),
          access.timeMillis(),
          access.offset(),
          access.bytes());
    }
  }

  private void add(long key, String name, long reader, long atMillis, long offset, long count) {
    names.putIfAbsent(key, name);
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      readers = Arrays.copyOf(readers, 2 * size);
      millis = Arrays.copyOf(millis, 2 * size);
      offsets = Arrays.copyOf(offsets, 2 * size);
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    keys[size] = key;
    readers[size] = reader;
    millis[size] = atMillis;
    offsets[size] = offset;
    bytes[size++] = count;
  }

  public int size() {
    return size;
  }

  /** Path of a file, or pool and name of a block. */
  public String name(long key) {
    return names.get(key);
  }

  /** Name by key, of all objects. */
  public Map<Long, String> names() {
    return names;
  }

  /** What a miner that was given them finds, with the sets that it knows by other dates. */
  public List<ObjectGroup> groups(CorrelationMiner miner) {
    return DatedSets.groups(miner, names);
  }

  /**
   * All of them in order.
   *
   * @throws IOException if the times are too far apart to be of one cluster's logs
   */
  public void inOrder(Each each) throws IOException {
    long[] order = order();
    for (long value : order) {
      int i = (int) value;
      each.read(keys[i], readers[i], millis[i], offsets[i], bytes[i]);
    }
  }

  /** All of them into a miner, in order. */
  public void into(CorrelationMiner miner) throws IOException {
    inOrder(miner::read);
  }

  private long[] order() throws IOException {
    long first = Arrays.stream(millis, 0, size).min().orElse(0);
    long last = Arrays.stream(millis, 0, size).max().orElse(0);
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(size);
    if (last - first >= 1L << (Long.SIZE - 1 - bits)) {
      throw new IOException(
          "the logs span " + (last - first) / 86_400_000 + " days; mine the parts one by one");
    }
    long[] order = new long[size];
    for (int i = 0; i < size; i++) {
      order[i] = (millis[i] - first) << bits | i;
    }
    Arrays.sort(order);
    long mask = (1L << bits) - 1;
    for (int i = 0; i < size; i++) {
      order[i] &= mask;
    }
    return order;
  }
}
