// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.util.SplittableRandom;

/** Commands of an audit log, with their share of the lines in percent. */
enum AuditCommand {
  OPEN("open", 40),
  GETFILEINFO("getfileinfo", 33),
  LIST_STATUS("listStatus", 9),
  CREATE("create", 6),
  DELETE("delete", 4),
  RENAME("rename", 3),
  RENAME2("rename (options=[OVERWRITE])", 1),
  MKDIRS("mkdirs", 2),
  CONTENT_SUMMARY("contentSummary", 1),
  SET_PERMISSION("setPermission", 1);

  final String word;
  private final int percent;

  AuditCommand(String word, int percent) {
    this.word = word;
    this.percent = percent;
  }

  static AuditCommand draw(SplittableRandom random) {
    int point = random.nextInt(100);
    for (AuditCommand command : values()) {
      point -= command.percent;
      if (point < 0) {
        return command;
      }
    }
    throw new IllegalStateException("the shares are less than 100 %");
  }

  boolean renames() {
    return this == RENAME || this == RENAME2;
  }

  boolean changes() {
    return this != OPEN && this != GETFILEINFO && this != LIST_STATUS && this != CONTENT_SUMMARY;
  }
}
