// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.NamespaceView;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.ActionLimits;
import io.thermocline.tiering.decide.CurrentActions;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.journal.Journal;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What of the actions is up: what the journal says, as far as HDFS still shows it. One thread. */
final class ActionStates {

  private final ServiceConfig.Actions actions;
  private final NamespaceView reader;
  private final Heat heat;
  private final Journal journal;

  /**
   * @param left replication factors that were changed after us, as they are now: no longer ours to change
   */
  record Seen(CurrentActions current, Map<String, Integer> left) {}

  ActionStates(ServiceConfig.Actions actions, NamespaceView reader, Heat heat, Journal journal) {
    this.actions = actions;
    this.reader = reader;
    this.heat = heat;
    this.journal = journal;
  }

  /** Asks HDFS nothing where no action is on or up. */
  Seen look(List<HotFile> files, ClusterView cluster) throws IOException {
    Map<String, CurrentActions.Raised> raised = new HashMap<>();
    Map<String, Integer> left = new HashMap<>();
    Map<String, Journal.Raised> ours = journal.raised();
    for (HotFile hot : files) {
      Journal.Raised up = ours.get(hot.file().path());
      if (up != null && up.now() == hot.file().replication()) {
        raised.put(hot.file().path(), new CurrentActions.Raised(up.before(), up.now()));
      } else if (up != null) {
        left.put(hot.file().path(), hot.file().replication());
      }
    }
    Map<String, CurrentActions.Cached> cached = new HashMap<>();
    long memory = 0;
    ActionLimits.Cache cache = actions.limits().cache();
    if (cache != null || !journal.cached().isEmpty()) {
      long ourBytes = 0;
      for (NamespaceView.Directive directive : reader.cacheDirectives(actions.pool())) {
        ourBytes += directive.bytes();
        if (isOurs(directive)) {
          cached.put(
              directive.path(), new CurrentActions.Cached(directive.copies(), directive.needed()));
        }
      }
      memory = cache == null ? 0 : Math.min(cache.most(), memory(cluster) + ourBytes);
    }
    return new Seen(new CurrentActions(cached, raised, memory, this::recent), left);
  }

  /** One that somebody else made for the same file, or changed since, is theirs. */
  private boolean isOurs(NamespaceView.Directive found) {
    return journal
        .directive(found.path())
        .filter(
            ours ->
                ours.directive() == found.id()
                    && ours.copies() == found.copies()
                    && ours.expires() == found.expires())
        .isPresent();
  }

  /** Bytes that DataNodes have left for cached blocks. */
  private static long memory(ClusterView cluster) {
    return cluster.nodes().values().stream()
        .mapToLong(node -> Math.max(0, node.cacheCapacity() - node.cacheUsed()))
        .sum();
  }

  private List<Long> recent(String path) {
    return heat.recent(path);
  }
}
