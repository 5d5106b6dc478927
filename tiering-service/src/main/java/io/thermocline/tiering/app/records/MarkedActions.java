// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.mover.UnknownRequestException;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.NamespaceView;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where the journal was lost: replication factors and cache directives that HDFS shows to be the service's own. Stateless. */
public final class MarkedActions {

  private static final Logger LOG = LoggerFactory.getLogger(MarkedActions.class);

  private MarkedActions() {}

  /** Of the factors that an older copy of the journal has as ours: each one without a mark is somebody's. */
  public static void disown(Journal journal, ActionCalls actions, Instant now) throws IOException {
    Map<String, Journal.Raised> all = new HashMap<>(journal.raised());
    journal.groups().stream()
        .flatMap(group -> group.made().members().stream())
        .map(JournalEntry.GroupMember::path)
        .forEach(path -> journal.raised(path).ifPresent(ours -> all.put(path, ours)));
    for (Map.Entry<String, Journal.Raised> known : all.entrySet()) {
      ActionCalls.Raised mark = marks(actions, known.getKey()).raised();
      if (mark == null || mark.now() != known.getValue().now()) {
        journal.append(
            new JournalEntry.TakenOver(
                now.toString(), known.getKey(), JournalEntry.Taken.REPLICATION, "somebody", 0));
      }
    }
  }

  /** What is marked as ours and in force, and the journal doesn't know. Changes nothing. */
  public static List<JournalEntry> find(
      Journal journal,
      ActionCalls actions,
      HdfsReader reader,
      List<String> roots,
      Predicate<String> ignored,
      String pool,
      Instant now)
      throws IOException {
    List<JournalEntry> found = new ArrayList<>();
    Set<String> known =
        journal.groups().stream()
            .flatMap(group -> group.made().members().stream())
            .map(JournalEntry.GroupMember::path)
            .collect(Collectors.toSet());
    known.addAll(journal.raised().keySet());
    reader.moreReplicated(
        roots,
        ignored,
        (path, factor) -> {
          ActionCalls.Raised mark = marks(actions, path).raised();
          if (mark != null
              && mark.now() == factor
              && !known.contains(path)
              && journal.taken(path, JournalEntry.Taken.REPLICATION).isEmpty()) {
            found.add(
                new JournalEntry.ReplicationSet(
                    Instant.ofEpochMilli(mark.atMillis()).toString(), path, mark.before(), factor));
          }
        });
    for (NamespaceView.Directive directive : reader.cacheDirectives(pool)) {
      String path = directive.path();
      ActionCalls.Directive ours =
          new ActionCalls.Directive(directive.id(), directive.copies(), directive.expires());
      Optional<Long> journaled =
          journal.directive(path).map(JournalEntry.CacheDirective::directive);
      if (ours.equals(marks(actions, path).cached()) && !journaled.equals(Optional.of(ours.id()))) {
        found.add(new JournalEntry.CacheSet(now.toString(), path, pool, 0, ours.copies()));
        found.add(
            new JournalEntry.CacheDirective(
                now.toString(), path, ours.id(), ours.copies(), ours.expires()));
      }
    }
    return found;
  }

  private static ActionCalls.Marks marks(ActionCalls actions, String path) throws IOException {
    try {
      return actions.marks(path);
    } catch (FileNotFoundException e) {
      return ActionCalls.Marks.NONE;
    } catch (UnknownRequestException e) {
      LOG.debug("a mover of this version marks nothing", e);
      return ActionCalls.Marks.NONE;
    }
  }
}
