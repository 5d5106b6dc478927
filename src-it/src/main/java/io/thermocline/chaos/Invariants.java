// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.tiering.journal.HdfsJournalStore;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/** What must hold, by the whole journal and by what HDFS shows. */
final class Invariants {

  private final List<JournalEntry> entries;

  private Invariants(List<JournalEntry> entries) {
    this.entries = entries;
  }

  static Invariants read(DistributedFileSystem hdfs) throws IOException {
    List<JournalEntry> entries = new ArrayList<>();
    try (Journal journal = journal(hdfs)) {
      journal.history(entries::add);
    }
    return new Invariants(entries);
  }

  private static Journal journal(DistributedFileSystem hdfs) throws IOException {
    return Journal.open(HdfsJournalStore.reading(hdfs, new Path(Chaos.JOURNAL)));
  }

  /** All entries as text. */
  List<String> lines() {
    return entries.stream().map(JournalEntry::toString).toList();
  }

  /** What plans did with files, in order. */
  List<JournalEntry.Planned> planned() {
    return entries.stream()
        .filter(JournalEntry.Planned.class::isInstance)
        .map(JournalEntry.Planned.class::cast)
        .toList();
  }

  /** Moves that HDFS showed done. */
  long finished() {
    return entries.stream()
        .filter(
            entry -> entry instanceof JournalEntry.Moved moved && moved.state().equals("VERIFIED"))
        .count();
  }

  /** Moves and plans that have no end in the journal, in words. */
  static List<String> stuck(DistributedFileSystem hdfs) throws IOException {
    try (Journal journal = journal(hdfs)) {
      List<String> stuck = new ArrayList<>();
      journal.open().forEach(move -> stuck.add("move " + move));
      journal.unfinished().forEach(plan -> stuck.add("plan " + plan));
      return stuck;
    }
  }

  /** What isn't at its end yet, in words; empty where all is. */
  static String unsettled(DistributedFileSystem hdfs, ChaosFiles files) throws IOException {
    List<String> stuck = stuck(hdfs);
    if (!stuck.isEmpty()) {
      return "no end in the journal: " + stuck;
    }
    for (int id : files.ids()) {
      if (files.misreplicated(id) > 0) {
        return files.name(id) + " has blocks with too few or too many replicas";
      }
    }
    return "";
  }

  /** What doesn't hold of moves and epochs. */
  List<String> check() {
    List<String> wrong = new ArrayList<>();
    moves(wrong);
    epochs(wrong);
    return wrong;
  }

  /** All that doesn't hold. */
  List<String> check(DistributedFileSystem hdfs, ChaosFiles files) throws IOException {
    List<String> wrong = check();
    Map<Integer, String> policies = new HashMap<>();
    for (BlockStoragePolicy policy : hdfs.getClient().getStoragePolicies()) {
      policies.put((int) policy.getId(), policy.getName());
    }
    Map<String, Set<String>> set = new HashMap<>();
    for (JournalEntry entry : entries) {
      if (entry instanceof JournalEntry.PolicySet change) {
        set.computeIfAbsent(change.path(), first -> new HashSet<>()).add(change.policy());
      }
    }
    for (int id : files.ids()) {
      if (!files.isWhole(id)) {
        wrong.add(files.name(id) + " has not what was written");
      }
      int policy = hdfs.getClient().getFileInfo(files.name(id)).getStoragePolicy();
      if (policy != 0 && !isJournalled(policies.get(policy), files.names(id), set)) {
        wrong.add(files.name(id) + " has policy " + policies.get(policy) + ", not journalled");
      }
    }
    return wrong;
  }

  private static boolean isJournalled(
      String policy, List<String> names, Map<String, Set<String>> set) {
    for (String name : names) {
      for (String up = name; !up.isEmpty(); up = up.substring(0, up.lastIndexOf('/'))) {
        if (set.getOrDefault(up, Set.of()).contains(policy)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A move has one end; a copy comes to a place once, unless it left it since. */
  private void moves(List<String> wrong) {
    Map<String, String> ends = new HashMap<>();
    Set<String> places = new HashSet<>();
    for (JournalEntry entry : entries) {
      if (entry instanceof JournalEntry.Moved moved && moved.isFinal()) {
        String before = ends.put(moved.move(), moved.state());
        if (before != null) {
          wrong.add("move " + moved.move() + " ended twice: " + before + ", " + moved.state());
        }
        if (moved.state().equals("VERIFIED")) {
          places.remove(moved.block() + " " + moved.from());
          if (!places.add(moved.block() + " " + moved.to())) {
            wrong.add("block " + moved.block() + " was moved twice to " + moved.to());
          }
        } else {
          // HDFS may have made it all the same, later than anybody waited.
          places.remove(moved.block() + " " + moved.from());
        }
      }
    }
  }

  private void epochs(List<String> wrong) {
    long epoch = 0;
    for (JournalEntry entry : entries) {
      if (entry instanceof JournalEntry.Started started) {
        if (started.epoch() <= epoch) {
          wrong.add("epoch " + started.epoch() + " after " + epoch);
        }
        epoch = started.epoch();
      }
    }
  }
}
