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
  RENAME,
  DELETE
}
