// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathHashes;
import java.util.ArrayList;
import java.util.List;

/**
 * Which data a path stood for, and when: lets heat follow renames, of whole directories too, and lets
 * data that comes under an old name begin cold. One thread changes it; any may ask. Times are steps of
 * {@link Decay}.
 */
final class RenameHistory {

  /*
   * Problem. The hotness table knows keys, hashes of paths. The files below a renamed directory can't be
   * listed from it, and taking counts away from one key can take another's.
   *
   * Structure. A journal of renames and of ends (data deleted, or replaced under its name), numbered in
   * their order. The entry with the highest number that names a directory above a path, or the path
   * itself, as old or as new name, is in force for the path: its reads are counted under a key of path and
   * number, not under the path's own. So each key stands for one path during one interval, and no counts are
   * ever moved or taken away. A path's heat is the sum over its line: what was counted under its name since the
   * entry in force; where that was a rename to this name, also what was counted under the old name before it;
   * and so on. Chains of renames, a rename back, and new data under an old name need nothing special.
   *
   * Age. After IN_FORCE_STEPS (six half-lives) an entry is no longer in force: reads count under the path's own
   * key again, whose older counts have cooled to under 2 % by then, and the old name no longer adds to the
   * sum. After as long again the entry is dropped, and with it under 2 % of what had been counted under its key.
   *
   * Number. Beyond the given number of entries the oldest is dropped before its time: what it held apart is
   * then learned again. droppedEarly() tells how often. Deletions have a share of their own, because nobody
   * asks for a path that is gone: one that turns out to have a successor (promote) counts with the rest.
   *
   * Limits. A rename into a directory that exists already goes, in HDFS, to a child of it that the audit log
   * doesn't name: it is taken by its word. Globs and trash are renames and deletions like others.
   */
  static final long IN_FORCE_STEPS = 6L * Decay.STEPS_PER_HALF_LIFE;

  private final long nameservice;
  private final int most;
  private final RenameIndex index;
  private final RenameLog journal = new RenameLog();
  private final int removedBeforeRefill;
  private final List<Long> changed = new ArrayList<>();
  private int removedSinceRefill;

  /** The lowest number of an entry that may be in force: since those before it, IN_FORCE_STEPS have passed. */
  private long firstInForce = 1;

  private long next = 1;
  private volatile long step;
  private long droppedEarly;

  /**
   * @param nameservice as from {@link io.thermocline.tiering.observe.PathKey#nameservice}
   * @param most entries of renames and replaced data; deletions may be a quarter of it
   */
  RenameHistory(long nameservice, int most) {
    this.nameservice = nameservice;
    this.most = most;
    this.index = new RenameIndex(most);
    this.removedBeforeRefill = Math.max(1_000, most);
  }

  boolean isEmpty() {
    return index.isEmpty();
  }

  /** Reads what tells whether a path has entries, so that it is in the cache then. */
  long fetch(PathHashes path) {
    return index.fetch(path);
  }

  /** Reads what a rename, an end or a creation asks of a name beyond that, so that it is in the cache then. */
  long fetchName(PathHashes path) {
    return index.fetch(path) + index.fetchName(path.key());
  }

  /** Reads what {@link #keyNow} asks of entries, so that it is in the cache then; after {@link #fetch} of many. */
  long fetchEntries(PathHashes path) {
    return index.fetchEntries(path);
  }

  /** The key under which reads of a path are counted now. */
  long keyNow(PathHashes path) {
    return keyNow(path, path.depth());
  }

  /** The key under which reads of the directory are counted now that the first so many names make. */
  long keyNow(PathHashes path, int depth) {
    long number = index.lastNumber(path, depth);
    return number < firstInForce ? path.key(depth) : keyOf(path.key(depth), number);
  }

  /** The names that data had, the present one first, each with the keys that its reads were counted under. */
  interface Visitor {
    /** Takes a name's own key and a key that reads were counted under; no further name is shown after true. */
    boolean visit(long nameKey, long countedKey);
  }

  /**
   * Shows what the first so many names of a path stand for now, under all its names.
   *
   * @return whether a visit said true
   */
  boolean trace(PathHashes path, int depth, Visitor visitor) {
    PathHashes name = path;
    int names = depth;
    long until = step;
    RenameEntry entry = index.last(name, names, Long.MAX_VALUE);
    while (entry != null) {
      long ownKey = name.key(names);
      if (visitor.visit(ownKey, keyOf(ownKey, entry.number()))
          || (until - entry.step() >= IN_FORCE_STEPS && visitor.visit(ownKey, ownKey))) {
        return true;
      }
      if (!isFollowed(entry, name, names)) {
        return false;
      }
      names += entry.fromNames().length - entry.toDepth();
      name = name.moved(nameservice, entry.toDepth(), entry.fromNames());
      until = entry.step();
      entry = index.last(name, names, entry.number());
    }
    return visitor.visit(name.key(names), name.key(names));
  }

  /** Whether what was counted under the old name still belongs to the new one. */
  private boolean isFollowed(RenameEntry entry, PathHashes name, int depth) {
    return entry.movedTo(name, depth) && step - entry.step() < IN_FORCE_STEPS;
  }

  /** The data of a path, and below it, is now found under another one. */
  void renamed(PathHashes from, PathHashes to) {
    add(RenameEntry.moved(next++, step, from, to), true);
  }

  /** The path stands for other data from now on. */
  void replaced(PathHashes path) {
    RenameEntry inForce = index.last(path, path.depth(), Long.MAX_VALUE);
    if (inForce != null && !inForce.isMove() && inForce.from() == path.key()) {
      // Nothing happened to the name in between, so no line passes through the entry.
      drop(inForce);
    }
    add(RenameEntry.gone(next++, step, path), true);
  }

  void deleted(PathHashes path) {
    add(RenameEntry.gone(next++, step, path), false);
  }

  /** Data is created at a path: where it or a directory above it was deleted, that must be remembered. */
  void promote(PathHashes path) {
    if (journal.size(false) > 0) {
      RenameEntry inForce = index.last(path, path.depth(), Long.MAX_VALUE);
      if (inForce != null && journal.promote(inForce.number())) {
        dropBeyond(true, most);
      }
    }
  }

  void coolTo(long newStep) {
    step = newStep;
    RenameEntry entry = journal.from(firstInForce);
    while (entry != null && newStep - entry.step() >= IN_FORCE_STEPS) {
      firstInForce = entry.number() + 1;
      note(entry);
      entry = journal.from(firstInForce);
    }
    dropForgotten(true);
    dropForgotten(false);
  }

  private void dropForgotten(boolean last) {
    RenameEntry oldest = journal.first(last);
    while (oldest != null && step - oldest.step() >= 2 * IN_FORCE_STEPS) {
      drop(oldest);
      oldest = journal.first(last);
    }
  }

  /** The keys of the paths at or below which {@link #keyNow} may answer otherwise since this was last asked. */
  List<Long> takeChanged() {
    if (changed.isEmpty()) {
      return List.of();
    }
    List<Long> taken = List.copyOf(changed);
    changed.clear();
    return taken;
  }

  private void note(RenameEntry entry) {
    changed.add(entry.from());
    if (entry.isMove()) {
      changed.add(entry.to());
    }
  }

  /** Entries now. */
  int size() {
    return journal.size();
  }

  /** Renames and replaced data that were forgotten before their time, because there were too many. */
  long droppedEarly() {
    return droppedEarly;
  }

  private static long keyOf(long ownKey, long number) {
    return Mix.of(ownKey + number * Mix.GAMMA);
  }

  private void add(RenameEntry entry, boolean lasts) {
    journal.add(entry, lasts);
    index.add(entry);
    dropBeyond(lasts, lasts ? most : Math.max(1, most / 4));
  }

  private void dropBeyond(boolean last, int limit) {
    while (journal.size(last) > limit) {
      if (last) {
        droppedEarly++;
      }
      drop(journal.first(last));
    }
  }

  private void drop(RenameEntry entry) {
    if (step - entry.step() < IN_FORCE_STEPS) {
      note(entry);
    }
    journal.drop(entry.number());
    index.remove(entry);
    if (++removedSinceRefill > removedBeforeRefill) {
      removedSinceRefill = 0;
      index.refill(journal.of(true), journal.of(false));
    }
  }

  // --- saving ---

  SavedState freeze() {
    RenameEntry[] kept = journal.of(true);
    RenameEntry[] gone = journal.of(false);
    long[] numbers = {next, step, droppedEarly};
    return sink -> {
      for (long number : numbers) {
        sink.number(number);
      }
      write(sink, kept);
      write(sink, gone);
    };
  }

  private static void write(StateSink sink, RenameEntry[] entries) {
    sink.number(entries.length);
    for (RenameEntry entry : entries) {
      entry.writeTo(sink);
    }
  }

  /** Puts what {@link #freeze} saved into this one, which is new. */
  void restore(StateSource source) {
    next = source.number();
    step = source.number();
    droppedEarly = source.number();
    RenameEntry[] kept = read(source);
    RenameEntry[] gone = read(source);
    // In the order of their numbers, as both were saved.
    int of = 0;
    int at = 0;
    while (of < kept.length || at < gone.length) {
      boolean lasts =
          at == gone.length || of < kept.length && kept[of].number() < gone[at].number();
      RenameEntry entry = lasts ? kept[of++] : gone[at++];
      journal.add(entry, lasts);
      index.add(entry);
      if (step - entry.step() >= IN_FORCE_STEPS) {
        firstInForce = entry.number() + 1;
      }
    }
  }

  private static RenameEntry[] read(StateSource source) {
    int count = source.size(Integer.MAX_VALUE);
    List<RenameEntry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      entries.add(RenameEntry.readFrom(source));
    }
    return entries.toArray(RenameEntry[]::new);
  }
}
