// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What {@code bin/thermocline chaos --scenarios} names. */
enum Scenario {
  /** A directory with a quota of SSD is hot. */
  QUOTA,
  /** A user sets storage policies and replication of files that are being moved. */
  USER_CHANGES,
  /** A file that many read at once cools: its replicas come down again. */
  COLD_REPLICAS,
  /** Nobody reads any more: what was hot comes down. */
  IDLE,
  /** Files are renamed and deleted while they are moved. */
  RENAMES,
  /** A process that the service waits for is frozen. */
  SILENCE,
  /** A process that the service waits for is killed, or has no room. */
  FLOODS,
  /** The service is killed and started again. */
  KILLED,
  /** What is read often changes all the time; what the service takes of its host is measured. */
  LOAD,
  /** A user hints files. */
  HINTS,
  /** An operator takes a plan back. */
  UNDO,
  /** The mover allows less than the service manages. */
  REFUSED;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names, as users write them. */
  static String labels() {
    return Arrays.stream(values()).map(Scenario::label).collect(Collectors.joining(", "));
  }

  /** Faults of this one, in the order of a run; none where users act. */
  List<ProcessFault> faults() {
    return switch (this) {
      case SILENCE ->
          List.of(
              ProcessFault.MOVER_FROZEN,
              ProcessFault.NAMENODES_FROZEN,
              ProcessFault.DATANODE_FROZEN,
              ProcessFault.ZOOKEEPER_FROZEN);
      case FLOODS ->
          List.of(
              ProcessFault.STANDBY_DOWN,
              ProcessFault.NAMENODES_DOWN,
              ProcessFault.LEADER_FROZEN,
              ProcessFault.MOVER_DOWN,
              ProcessFault.ZOOKEEPER_DOWN,
              ProcessFault.JOURNAL_FULL);
      case KILLED -> List.of(ProcessFault.SERVICE_KILLED);
      default -> List.of();
    };
  }
}
