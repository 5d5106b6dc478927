// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.observe.AuditLogTailer;
import io.thermocline.tiering.plan.Budget;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * thermocline.yaml, typed and checked. {@link ServiceConfigFile} reads it; conf/thermocline.yaml explains
 * every key.
 */
public record ServiceConfig(
    Hdfs hdfs,
    Observe observe,
    HeatSettings heat,
    Manage manage,
    Decide decide,
    Act act,
    Path journal) {

  /** Whether the service moves data, or only says what it would move. */
  public enum Mode {
    SHADOW,
    APPLY
  }

  /**
   * @param nameNode which NameNode or nameservice; null: fs.defaultFS of the configuration
   * @param configuration directory with core-site.xml and hdfs-site.xml; null: from the class path
   */
  public record Hdfs(URI nameNode, Path configuration) {}

  /**
   * @param auditLogs one for each NameNode of the nameservice
   * @param ignoreUsers whose reads are no sign of heat, besides the service's own user
   */
  public record Observe(
      List<Path> auditLogs, AuditLogTailer.Start start, Duration poll, Set<String> ignoreUsers) {}

  /**
   * @param counters in each of the four rows of the hotness table
   */
  public record HeatSettings(Duration halfLife, int counters) {}

  /**
   * @param paths below which files may be moved
   * @param maxFiles above which the service says so and plans nothing, rather than use all memory
   */
  public record Manage(List<String> paths, int maxFiles) {}

  /**
   * @param every from one plan to the next
   * @param margin by how much hotter data must be than what it displaces
   */
  public record Decide(
      Duration every, double margin, Map<StorageType, TierLimits> tiers, Budget budget) {}

  /**
   * @param mutex path in HDFS of the file that keeps a second mover away
   */
  public record Act(Mode mode, ActLimits limits, String mutex) {}
}
