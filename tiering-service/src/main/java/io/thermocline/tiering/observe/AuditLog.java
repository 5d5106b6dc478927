// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.file.Path;
import java.time.ZoneId;

/**
 * The audit log of one NameNode.
 *
 * @param nameservice whose paths its lines name; part of every key
 * @param path of the file that is being written
 * @param zone of its times
 * @param page of that NameNode, whose counters tell how complete the log is; null:
 *     that isn't known
 */
public record AuditLog(String nameservice, Path path, ZoneId zone, JmxPage page) {

  /** What its position is saved under. */
  String name() {
    return nameservice + ":" + path;
  }
}
