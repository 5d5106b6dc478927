// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

/** What goes wrong. */
enum Fault {
  SERVICE_KILL,
  SERVICE_FREEZE,
  DATANODE_KILL,
  /** The active one is away for a moment, and nobody takes over. */
  NAMENODE_RESTART,
  /** The active one hands over to the standby. */
  NAMENODE_FAILOVER,
  /** The active one is away, the standby takes over, and the other comes back as the standby. */
  NAMENODE_LOSS,
  ZOOKEEPER_LOSS,
  JOURNAL_FULL,
  PARTITION,
  CLOCK_JUMP,
  DISK_FULL,
  PERMISSION_DENIED,
  QUOTA_EXCEEDED,
  RENAME,
  DELETE
}
