// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.groups;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.groups.AuditedGroups;
import io.thermocline.tiering.act.groups.GroupExecutor;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.act.groups.GroupWriter;
import io.thermocline.tiering.act.groups.RaisedGroups;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.config.ServiceConfig;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What makes groups, as configured; also where they aren't, so that those that there are can end. Wiring only. */
public final class GroupExecutorFactory {

  private GroupExecutorFactory() {}

  /**
   * @param calls of the NameNode that may be made
   * @param bytes that may be written
   */
  public record Parts(
      HdfsCalls hdfs,
      ActionCalls actions,
      OperationBudget calls,
      OperationBudget bytes,
      AuditTrail audit) {}

  public static GroupActs.Hands of(ServiceConfig config, DistributedFileSystem fs, Parts parts) {
    Optional<GroupsConfig> groups = config.decide().actions().groups();
    GroupStore store = GroupStore.of(fs, new Path(directory(config)), parts.calls());
    return (machinery, mover, record, factors, moves) ->
        new GroupExecutor(
            store,
            new GroupWriter(store, groups.map(GroupsConfig::largestFile).orElse(0L)),
            new RaisedGroups(
                parts.hdfs(),
                parts.actions(),
                config.act().limits(),
                machinery,
                mover.exact(),
                factors,
                moves),
            machinery.control(),
            parts.bytes(),
            new AuditedGroups(record, parts.audit()));
  }

  /** Of group files, also where none are configured any more. */
  public static String directory(ServiceConfig config) {
    return config
        .decide()
        .actions()
        .groups()
        .map(GroupsConfig::directory)
        .orElse(GroupsConfig.DEFAULT_DIRECTORY);
  }
}
