// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import io.thermocline.placement.model.StorageType;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a DataNode counted since it started, as Hadoop 3.3 to 3.5 do. Immutable.
 *
 * @param bytes that it sent to clients, with checksums (BytesRead): of reads that clients took to their end, and of copies that
 *     other DataNodes take for moves and the Balancer. Not of replication, and not of short-circuit reads
 * @param reads by clients (ReadBlockOpNumOps)
 * @param copies that other DataNodes took for moves and the Balancer (CopyBlockOpNumOps)
 * @param requests of volumes by their type, each of about as many bytes (ReadIoRateNumOps and TransferIoRateNumOps): of
 *     a part of all, or none (dfs.datanode.fileio.profiling.sampling.percentage)
 */
public record ServedCounters(long bytes, long reads, long copies, Map<StorageType, Long> requests) {

  public ServedCounters {
    requests = Map.copyOf(requests);
  }

  /**
   * What came since.
   *
   * @param before null where that isn't known
   * @return null where that isn't known, also since the DataNode was started in between
   */
  public ServedCounters since(ServedCounters before) {
    if (before == null || bytes < before.bytes || reads < before.reads || copies < before.copies) {
      return null;
    }
    Map<StorageType, Long> more = new EnumMap<>(StorageType.class);
    requests.forEach(
        (type, count) ->
            more.put(type, Math.max(0, count - before.requests.getOrDefault(type, 0L))));
    return new ServedCounters(
        bytes - before.bytes, reads - before.reads, copies - before.copies, more);
  }
}
