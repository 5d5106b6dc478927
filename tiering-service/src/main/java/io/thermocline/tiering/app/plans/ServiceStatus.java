// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.readorder.NodeDifference;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the service has seen and done, at one moment.
 *
 * @param lines of audit logs and topics, by what became of them
 * @param reads of files, as counted into the hotness table
 * @param plans made so far, empty ones included
 * @param files managed at the last plan
 * @param leftAlone files whose storage policy somebody else set
 * @param occupancy at the last plan; empty before the first
 * @param limits by storage type, as configured
 * @param transfers of blocks, as DataNodes logged them
 * @param measured how far estimates of reads are off, by kind of reader
 * @param unknown what can't be known with the sources that are configured, a sentence each
 * @param rules what is wrong with the rules file as it is now, so that an earlier one is in force; empty for nothing
 * @param hindrance why nothing is begun in HDFS, or that the plan under way makes no progress; else empty
 * @param slowed why fewer copies are made at once than could be; empty where there aren't fewer
 * @param message what the last plan came to, or what keeps the service from planning
 * @param readOrder how much of its file's reads a fast copy serves, as a line; empty before the first plan
 * @param served how far DataNodes' counters are from the estimate; empty before there were reads enough to tell
 */
public record ServiceStatus(
    LineCounts lines,
    long reads,
    long plans,
    int files,
    int leftAlone,
    Map<StorageType, ClusterView.Occupancy> occupancy,
    Map<StorageType, TierLimits> limits,
    Moves moves,
    Transfers transfers,
    List<ReadCalibration.Measured> measured,
    List<String> unknown,
    String rules,
    String hindrance,
    String slowed,
    String message,
    String readOrder,
    Optional<NodeDifference.Known> served) {

  public ServiceStatus {
    measured = List.copyOf(measured);
    unknown = List.copyOf(unknown);
  }

  /**
   * @param known of the hottest files: in their profiles
   * @param others of files that have no profile
   * @param withoutBytes reads of the hottest files past the DataNode, whose bytes nobody logs
   * @param malformed lines that were no transfer
   */
  public record Transfers(long known, long others, long withoutBytes, long malformed) {}

  /**
   * @param planned since the start
   * @param running being copied or awaiting the NameNode's word
   * @param dropped obsolete before they began, or cancelled when the service stopped
   * @param bytes of the verified ones
   */
  public record Moves(
      long planned, long running, long verified, long failed, long dropped, long bytes) {

    public static final Moves NONE = new Moves(0, 0, 0, 0, 0, 0);
  }
}
