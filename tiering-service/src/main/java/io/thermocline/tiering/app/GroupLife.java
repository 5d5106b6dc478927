// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.groups.GroupActs;
import io.thermocline.tiering.app.groups.GroupMining;
import io.thermocline.tiering.app.groups.GroupReconciler;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.GroupChange;
import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts into plans what is to be done for files that are read together: looks from time to time, and asks again with each
 * plan until it is done. By the thread that plans.
 */
final class GroupLife {

  private static final Logger LOG = LoggerFactory.getLogger(GroupLife.class);

  /**
   * From the first look to the second, at least. Later pauses double until they are as long as configured, as those of
   * plans do.
   */
  private static final long FIRST_PAUSE_MILLIS = 10_000;

  private final Parts parts;
  private List<GroupChange> wanted = List.of();
  private long lookMillis = Long.MIN_VALUE;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  /**
   * @param config empty where groups aren't configured: then those that there are end
   * @param mining null where they aren't
   * @param reconciler null where they aren't
   * @param acts null where nothing may be changed
   */
  record Parts(
      Optional<GroupsConfig> config,
      GroupMining mining,
      GroupReconciler reconciler,
      GroupActs acts,
      Journal journal,
      Budget budget,
      Clock clock) {}

  GroupLife(Parts parts) {
    this.parts = parts;
  }

  /** The plan, and what its budget allows of groups besides. */
  Plan addTo(PlanningRound.Outcome outcome, ExecutionControl control) {
    Plan plan = outcome.plan();
    if (parts.config().isEmpty() && parts.journal().groups().isEmpty()) {
      return plan;
    }
    if (parts.acts() == null || control.mayBegin()) {
      try {
        look(outcome);
      } catch (IOException | RuntimeException e) {
        LOG.warn("groups could not be looked at, trying again with the next plan", e);
        return plan;
      }
    }
    wanted = wanted.stream().filter(change -> !isBegun(change)).toList();
    return plan.withGroups(wanted, parts.budget().in(outcome.situation().cluster().nodes().size()));
  }

  private boolean isBegun(GroupChange change) {
    return change.kind() == GroupChange.Kind.DISSOLVE
        ? parts.journal().groups().stream()
            .noneMatch(group -> group.made().group() == change.group())
        : parts.acts() != null && parts.acts().isBegun(change.group());
  }

  private void look(PlanningRound.Outcome outcome) throws IOException {
    if (parts.config().isEmpty()) {
      wanted =
          parts.journal().groups().stream()
              .map(group -> GroupChange.end(group.made().group(), "groups aren't configured"))
              .toList();
      return;
    }
    GroupsConfig config = parts.config().get();
    long now = parts.clock().millis();
    long pause = Math.min(pauseMillis, config.every().toMillis());
    if (lookMillis != Long.MIN_VALUE
        && now - lookMillis < pause
        && !parts.reconciler().isAnyLeft()) {
      return;
    }
    Map<Set<String>, Long> went = parts.acts() == null ? Map.of() : parts.acts().repair();
    Map<String, FileView> files =
        outcome.listed().stream()
            .collect(Collectors.toMap(FileView::path, file -> file, (a, b) -> b));
    wanted =
        parts
            .reconciler()
            .look(
                parts
                    .mining()
                    .found(
                        blocks(outcome.listed())::get,
                        config.hotShare().orElseGet(() -> fastShare(outcome.cluster()))),
                new GroupReconciler.Scene(
                    outcome.cluster(), files, went, wanted, parts.clock().instant()));
    parts.mining().turn(now);
    pauseMillis = lookMillis == Long.MIN_VALUE ? pause : 2 * pause;
    lookMillis = now;
  }

  /** What fast devices have of the capacity of all. */
  private static double fastShare(ClusterView cluster) {
    double fast = 0;
    double all = 0;
    for (ClusterView.Node node : cluster.nodes().values()) {
      for (ClusterView.Storage storage : node.storages()) {
        fast += storage.type().isFast() ? storage.capacity() : 0;
        all += storage.capacity();
      }
    }
    return all == 0 ? 0 : fast / all;
  }

  private static Map<Long, FileView> blocks(List<FileView> files) {
    Map<Long, FileView> blocks = new HashMap<>();
    for (FileView file : files) {
      file.blocks().forEach(block -> blocks.put(block.id(), file));
    }
    return blocks;
  }
}
