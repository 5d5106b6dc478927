// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.net.URI;
import java.nio.file.Path;
import java.time.ZoneId;

/**
 * The audit log of one NameNode.
 *
 * @param nameservice whose paths its lines name; part of every key
 * @param path of the file that is being written
 * @param zone of its times
 * @param web of that NameNode, for instance http://namenode:9870, whose counters tell how complete the log is; null:
 *     that isn't known
 */
public record AuditLog(String nameservice, Path path, ZoneId zone, URI web) {

  /** What its position is saved under. */
  String name() {
    return nameservice + ":" + path;
  }
}
