// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.plan.GroupChange;
import java.io.IOException;
import java.util.List;

/** Keeps groups where another does, with a line in the audit log for each. */
public final class AuditedGroups implements GroupRecord {

  private final GroupRecord record;
  private final AuditTrail trail;

  public AuditedGroups(GroupRecord record, AuditTrail trail) {
    this.record = record;
    this.trail = trail;
  }

  @Override
  public void willMake(long plan, GroupChange change, String file) throws IOException {
    record.willMake(plan, change, file);
    trail.done(
        "beginGroup", file.isEmpty() ? change.name() : file, change.words(), change.reason());
  }

  @Override
  public void shown(long group, List<String> places) {
    record.shown(group, places);
    trail.done("groupComplete", name(group), String.join(", ", places), "");
  }

  @Override
  public void ended(long plan, long group, String who, String why) {
    record.ended(plan, group, who, why);
    trail.done("endGroup", name(group), who.isEmpty() ? "" : "asked for by " + who, why);
  }

  private static String name(long group) {
    return "group " + group;
  }
}
