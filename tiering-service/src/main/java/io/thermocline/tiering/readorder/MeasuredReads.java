// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.CandidateBlocks;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Adds up what each storage type served, as the DataNodes' clienttrace logs tell, from one taking to the next. Of the
 * blocks whose places aren't known, reads count among the others. Thread-safe.
 */
public final class MeasuredReads {

  private final Map<StorageType, Served> byType = new EnumMap<>(StorageType.class);

  /** All that ever logged a read; as many as there are DataNodes. */
  private final Set<String> dataNodes = new HashSet<>();

  private Served others = Served.NOTHING;
  private long withoutBytes;
  private long firstMillis = Long.MAX_VALUE;
  private long lastMillis = Long.MIN_VALUE;

  /**
   * Requests of clients, as DataNodes count them: a client may read a block with one or with many.
   *
   * @param bytes of data, without checksums
   */
  public record Served(long reads, long bytes) {

    static final Served NOTHING = new Served(0, 0);

    Served plus(Served other) {
      return new Served(reads + other.reads, bytes + other.bytes);
    }
  }

  /**
   * What was read.
   *
   * @param others of blocks of which it isn't known where they lay
   * @param withoutBytes of all these reads, those of files that the DataNode opened for a reader on its host: how much
   *     such a reader takes nobody logs
   * @param dataNodes that logged a read, now or before
   * @param firstMillis when the first of them ended, and the last, since 1970; without meaning where there was none
   */
  public record Taken(
      Map<StorageType, Served> byType,
      Served others,
      long withoutBytes,
      int dataNodes,
      long firstMillis,
      long lastMillis) {

    /** Nothing was read, or no log tells. */
    public static final Taken NOTHING = new Taken(Map.of(), Served.NOTHING, 0, 0, 0, 0);

    public Taken {
      byType = Map.copyOf(byType);
    }

    public boolean isNothing() {
      return byType.isEmpty() && others.reads() == 0;
    }
  }

  /** Counts it, where it is a read. */
  public synchronized void accept(BlockAccess access, CandidateBlocks blocks) {
    if (access.kind() == BlockAccess.Kind.WRITE || !blocks.isCounted(access)) {
      return;
    }
    Served read = new Served(1, Math.max(0, access.bytes()));
    Optional<StorageType> type = blocks.type(access);
    if (type.isPresent()) {
      byType.merge(type.get(), read, Served::plus);
    } else {
      others = others.plus(read);
    }
    withoutBytes += access.bytes() < 0 ? 1 : 0;
    dataNodes.add(access.dataNode());
    firstMillis = Math.min(firstMillis, access.timeMillis());
    lastMillis = Math.max(lastMillis, access.timeMillis());
  }

  /** What was read since the last time. */
  public synchronized Taken take() {
    Taken taken =
        new Taken(byType, others, withoutBytes, dataNodes.size(), firstMillis, lastMillis);
    byType.clear();
    others = Served.NOTHING;
    withoutBytes = 0;
    firstMillis = Long.MAX_VALUE;
    lastMillis = Long.MIN_VALUE;
    return taken;
  }
}
