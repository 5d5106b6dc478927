// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

/** What goes wrong. */
enum Fault {
  SERVICE_KILL,
  SERVICE_FREEZE,
  DATANODE_KILL,
  NAMENODE_RESTART,
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
