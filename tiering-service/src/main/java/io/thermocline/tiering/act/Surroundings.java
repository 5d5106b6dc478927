// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What else goes on in the cluster, at one moment. Immutable.
 *
 * @param isInSafeMode the NameNode changes nothing
 * @param isUpgrading an upgrade isn't finalised
 * @param leaving DataNodes that are being decommissioned or enter maintenance, by name
 * @param lowRedundancy blocks with fewer replicas than they should have, and one at least
 * @param movers who holds which file, of those that keep other movers away
 * @param transfers threads that serve transfers, of each live DataNode by its UUID
 * @param slow DataNodes that others find slow, or that have a slow disk, by UUID
 * @param silent DataNodes that count as live and send no heartbeat, by UUID, each in words
 * @param rpcQueueMillis that calls wait on average at the NameNode; NaN where it isn't known
 * @param reads by clients, of each DataNode that was asked and answered, by its UUID
 */
public record Surroundings(
    boolean isInSafeMode,
    boolean isUpgrading,
    List<String> leaving,
    LowRedundancy lowRedundancy,
    List<String> movers,
    Map<String, Integer> transfers,
    Set<String> slow,
    Map<String, String> silent,
    double rpcQueueMillis,
    Map<String, ReadTimes.Reads> reads) {

  public Surroundings {
    leaving = List.copyOf(leaving);
    movers = List.copyOf(movers);
    transfers = Map.copyOf(transfers);
    slow = Set.copyOf(slow);
    silent = Map.copyOf(silent);
    reads = Map.copyOf(reads);
  }

  /**
   * Blocks with fewer replicas than they should have, and one at least.
   *
   * @param blocks all of them
   * @param urgent those that the next failure may take the last live replica of
   */
  public record LowRedundancy(long blocks, long urgent) {}

  /**
   * What is too much.
   *
   * @param lowRedundancy blocks up to which moves still begin, whatever HDFS does about them
   * @param transfers threads of a DataNode from which on it takes one copy at a time
   * @param rpcQueueMillis from which on fewer copies run at once
   * @param readFactor times what clients' reads take without copies, from which on fewer copies run
   *     at once; infinite: readers aren't minded
   */
  public record Bounds(
      long lowRedundancy, int transfers, double rpcQueueMillis, double readFactor) {}

  /** Why no move may begin, in words; empty where it may. Not for the sake of blocks with too few replicas. */
  String hindrance() {
    List<String> reasons = new ArrayList<>();
    if (isInSafeMode) {
      reasons.add("the NameNode is in safe mode");
    }
    if (isUpgrading) {
      reasons.add("an upgrade of HDFS isn't finalised");
    }
    if (!leaving.isEmpty()) {
      reasons.add(
          "DataNodes are being decommissioned or enter maintenance: " + String.join(", ", leaving));
    }
    movers.forEach(mover -> reasons.add(mover));
    return String.join("; ", reasons);
  }

  /** Threads that serve transfers, of a DataNode on average; 0 where there is none. */
  public double meanTransfers() {
    return transfers.values().stream().mapToInt(Integer::intValue).average().orElse(0);
  }

  /** DataNodes that have enough to do. */
  Set<String> busy(Bounds bounds) {
    Set<String> busy = new TreeSet<>(slow);
    transfers.forEach(
        (node, threads) -> {
          if (threads >= bounds.transfers()) {
            busy.add(node);
          }
        });
    return busy;
  }
}
