// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathHashes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Which data a path stood for, and when: lets heat follow renames, of whole directories too, and lets
 * data that comes under an old name begin cold. One thread changes it; any may ask. Times are steps of
 * {@link Decay}.
 */
final class Lineage {

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

  /** Names in the filter for each entry of those that may be: what is deleted or replaced has one, not two. */
  private static final long NAMES_PER_ENTRY = 2;

  private static final Entry[] NONE = {};
  private static final int NOWHERE = -1;

  /** In one path, of as many bytes as a record may have. */
  private static final int MOST_NAMES = 1 << 20;

  /**
   * One line of the journal. Of paths it knows the hashes alone.
   *
   * @param fromDepth names in the old name's path
   * @param fromParent key of the directory of the old name
   * @param from key of the old name
   * @param fromNames hashes of the names in the old name's path; null where the data is gone
   * @param toParent key of the directory of the new name; 0 where the data is gone
   * @param to key of the new name; 0 where the data is gone
   * @param toDepth names in the new name's path; {@link #NOWHERE} where the data is gone
   */
  private record Entry(
      long number,
      long step,
      int fromDepth,
      long fromParent,
      long from,
      long[] fromNames,
      long toParent,
      long to,
      int toDepth) {

    static Entry gone(long number, long step, int depth, long parent, long path) {
      return new Entry(number, step, depth, parent, path, null, 0, 0, NOWHERE);
    }

    boolean isMove() {
      return toDepth != NOWHERE;
    }

    /** Whether it put there what the first so many names of a path make, or a directory above it. */
    boolean movedTo(PathHashes path, int depth) {
      return isMove() && toDepth <= depth && path.key(toDepth) == to;
    }
  }

  private final long nameservice;
  private final int most;
  private final KeyTable<NumberedLine<Entry>> byName = new KeyTable<>();
  private final TreeMap<Long, Entry> lasting = new TreeMap<>();
  private final TreeMap<Long, Entry> deletions = new TreeMap<>();
  private final KeyFilter filter;
  private final int removedBeforeRefill;
  private final List<Long> changed = new ArrayList<>();
  private int removedSinceRefill;

  /** Of the names in the filter; most of the directories above a path need not be asked for. */
  private int depths;

  /** The lowest number of an entry that may be in force: since those before it, IN_FORCE_STEPS have passed. */
  private long firstInForce = 1;

  private long next = 1;
  private volatile long step;
  private long droppedEarly;

  /**
   * @param nameservice as from {@link io.thermocline.tiering.observe.PathKey#nameservice}
   * @param most entries of renames and replaced data; deletions may be a quarter of it
   */
  Lineage(long nameservice, int most) {
    this.nameservice = nameservice;
    this.most = most;
    this.filter = new KeyFilter(NAMES_PER_ENTRY * most);
    this.removedBeforeRefill = Math.max(1_000, most);
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** Reads what tells whether a path has entries, so that it is in the cache then. */
  long fetch(PathHashes path) {
    long sum = 0;
    for (int i = 1; i <= path.depth(); i++) {
      sum += filter.fetch(path.key(i - 1), path.key(i));
    }
    return sum;
  }

  /** Reads what {@link #keyNow} asks of entries, so that it is in the cache then; after {@link #fetch} of many. */
  long fetchEntries(PathHashes path) {
    long sum = 0;
    for (int i = 1; i <= path.depth(); i++) {
      if (mayBeNamed(path, i)) {
        NumberedLine<Entry> entries = byName.first(path.key(i));
        sum += entries == null ? 0 : entries.last();
      }
    }
    return sum;
  }

  /** The key under which reads of a path are counted now. */
  long keyNow(PathHashes path) {
    return keyNow(path, path.depth());
  }

  /** The key under which reads of the directory are counted now that the first so many names make. */
  long keyNow(PathHashes path, int depth) {
    long number = 0;
    for (int i = 1; i <= depth; i++) {
      if (mayBeNamed(path, i)) {
        NumberedLine<Entry> entries = byName.get(path.key(i));
        number = Math.max(number, entries == null ? 0 : entries.last());
      }
    }
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
    Entry entry = latest(name, names, Long.MAX_VALUE);
    while (entry != null) {
      long ownKey = name.key(names);
      if (visitor.visit(ownKey, keyOf(ownKey, entry.number))
          || (until - entry.step >= IN_FORCE_STEPS && visitor.visit(ownKey, ownKey))) {
        return true;
      }
      if (!isFollowed(entry, name, names)) {
        return false;
      }
      names += entry.fromNames.length - entry.toDepth;
      name = name.moved(nameservice, entry.toDepth, entry.fromNames);
      until = entry.step;
      entry = latest(name, names, entry.number);
    }
    return visitor.visit(name.key(names), name.key(names));
  }

  /** Whether what was counted under the old name still belongs to the new one. */
  private boolean isFollowed(Entry entry, PathHashes name, int depth) {
    return entry.movedTo(name, depth) && step - entry.step < IN_FORCE_STEPS;
  }

  /** The data of a path, and below it, is now found under another one. */
  void renamed(PathHashes from, PathHashes to) {
    add(
        lasting,
        new Entry(
            next++,
            step,
            from.depth(),
            from.parentKey(),
            from.key(),
            from.names(),
            to.parentKey(),
            to.key(),
            to.depth()));
    dropBeyond(lasting, most);
  }

  /** The path stands for other data from now on. */
  void replaced(PathHashes path) {
    Entry inForce = latest(path, path.depth(), Long.MAX_VALUE);
    if (inForce != null && !inForce.isMove() && inForce.from == path.key()) {
      // Nothing happened to the name in between, so no line passes through the entry.
      drop(deletions.containsKey(inForce.number) ? deletions : lasting, inForce);
    }
    add(lasting, Entry.gone(next++, step, path.depth(), path.parentKey(), path.key()));
    dropBeyond(lasting, most);
  }

  void deleted(PathHashes path) {
    add(deletions, Entry.gone(next++, step, path.depth(), path.parentKey(), path.key()));
    dropBeyond(deletions, Math.max(1, most / 4));
  }

  /** Data is created at a path: where it or a directory above it was deleted, that must be remembered. */
  void promote(PathHashes path) {
    if (!deletions.isEmpty()) {
      Entry inForce = latest(path, path.depth(), Long.MAX_VALUE);
      if (inForce != null && deletions.remove(inForce.number) != null) {
        lasting.put(inForce.number, inForce);
        dropBeyond(lasting, most);
      }
    }
  }

  void coolTo(long newStep) {
    long oldStep = step;
    step = newStep;
    for (TreeMap<Long, Entry> entries : List.of(lasting, deletions)) {
      for (Entry entry : entries.values()) {
        if (newStep - entry.step < IN_FORCE_STEPS) {
          break;
        }
        firstInForce = Math.max(firstInForce, entry.number + 1);
        if (oldStep - entry.step < IN_FORCE_STEPS) {
          note(entry);
        }
      }
      while (!entries.isEmpty()
          && step - entries.firstEntry().getValue().step >= 2 * IN_FORCE_STEPS) {
        drop(entries, entries.firstEntry().getValue());
      }
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

  private void note(Entry entry) {
    changed.add(entry.from);
    if (entry.isMove()) {
      changed.add(entry.to);
    }
  }

  /** Entries now. */
  int size() {
    return lasting.size() + deletions.size();
  }

  /** Renames and replaced data that were forgotten before their time, because there were too many. */
  long droppedEarly() {
    return droppedEarly;
  }

  private static long keyOf(long ownKey, long number) {
    return Mix.of(ownKey + number * Mix.GAMMA);
  }

  /** The last entry, with a number below a given one, of those that name a path or a directory above it. */
  private Entry latest(PathHashes path, int depth, long before) {
    if (isEmpty()) {
      return null;
    }
    Entry found = null;
    for (int i = 1; i <= depth; i++) {
      if (mayBeNamed(path, i)) {
        NumberedLine<Entry> entries = byName.get(path.key(i));
        Entry last = entries == null ? null : entries.lastBefore(before);
        if (last != null && (found == null || last.number > found.number)) {
          found = last;
        }
      }
    }
    return found;
  }

  /** Whether an entry may name the directory that the first so many names make. */
  private boolean mayBeNamed(PathHashes path, int depth) {
    return (depths & depthBit(depth)) != 0
        && filter.mayContain(path.key(depth - 1), path.key(depth));
  }

  private void add(TreeMap<Long, Entry> entries, Entry entry) {
    entries.put(entry.number, entry);
    index(entry);
  }

  private void index(Entry entry) {
    index(entry.from, entry);
    if (entry.isMove()) {
      index(entry.to, entry);
    }
    addToFilter(entry);
  }

  private void addToFilter(Entry entry) {
    filter.add(entry.fromParent, entry.from);
    depths |= depthBit(entry.fromDepth);
    if (entry.isMove()) {
      filter.add(entry.toParent, entry.to);
      depths |= depthBit(entry.toDepth);
    }
  }

  private static int depthBit(int depth) {
    return 1 << Math.min(depth, Integer.SIZE - 1);
  }

  private void index(long name, Entry entry) {
    NumberedLine<Entry> entries = byName.get(name);
    if (entries == null) {
      entries = new NumberedLine<>();
      entries.add(entry.number, entry);
      byName.put(name, entries);
    } else {
      entries.add(entry.number, entry);
    }
  }

  private void dropBeyond(TreeMap<Long, Entry> entries, int limit) {
    while (entries.size() > limit) {
      if (entries == lasting) {
        droppedEarly++;
      }
      drop(entries, entries.firstEntry().getValue());
    }
  }

  private void drop(TreeMap<Long, Entry> entries, Entry entry) {
    if (step - entry.step < IN_FORCE_STEPS) {
      note(entry);
    }
    entries.remove(entry.number);
    unindex(entry.from, entry);
    if (entry.isMove()) {
      unindex(entry.to, entry);
    }
    if (++removedSinceRefill > removedBeforeRefill) {
      removedSinceRefill = 0;
      filter.clear();
      depths = 0;
      lasting.values().forEach(this::addToFilter);
      deletions.values().forEach(this::addToFilter);
    }
  }

  private void unindex(long name, Entry entry) {
    NumberedLine<Entry> entries = byName.get(name);
    if (entries != null) {
      entries.drop(entry.number);
      if (entries.isEmpty()) {
        byName.remove(name);
      }
    }
  }

  // --- saving ---

  SavedState freeze() {
    Entry[] kept = lasting.values().toArray(NONE);
    Entry[] gone = deletions.values().toArray(NONE);
    long[] numbers = {next, step, droppedEarly};
    return sink -> {
      for (long number : numbers) {
        sink.number(number);
      }
      write(sink, kept);
      write(sink, gone);
    };
  }

  private static void write(StateSink sink, Entry[] entries) {
    sink.number(entries.length);
    for (Entry entry : entries) {
      sink.number(entry.number);
      sink.number(entry.step);
      sink.number(entry.fromDepth);
      sink.number(entry.fromParent);
      sink.number(entry.from);
      sink.number(entry.isMove() ? 1 : 0);
      if (entry.isMove()) {
        sink.number(entry.toParent);
        sink.number(entry.to);
        sink.number(entry.toDepth);
        sink.number(entry.fromNames.length);
        sink.words(entry.fromNames);
      }
    }
  }

  /** Puts what {@link #freeze} saved into this one, which is new. */
  void restore(StateSource source) {
    next = source.number();
    step = source.number();
    droppedEarly = source.number();
    TreeMap<Long, Entry> all = new TreeMap<>();
    read(source, lasting, all);
    read(source, deletions, all);
    // In the order of their numbers, as latest() expects them under each name.
    all.values().forEach(this::index);
    for (Entry entry : all.values()) {
      if (step - entry.step >= IN_FORCE_STEPS) {
        firstInForce = entry.number + 1;
      }
    }
  }

  private static void read(
      StateSource source, TreeMap<Long, Entry> into, TreeMap<Long, Entry> all) {
    int count = source.size(Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      Entry entry = read(source);
      into.put(entry.number, entry);
      all.put(entry.number, entry);
    }
  }

  private static Entry read(StateSource source) {
    long number = source.number();
    long at = source.number();
    int fromDepth = source.size(MOST_NAMES);
    long fromParent = source.number();
    long from = source.number();
    if (source.number() == 0) {
      return Entry.gone(number, at, fromDepth, fromParent, from);
    }
    long toParent = source.number();
    long to = source.number();
    int toDepth = source.size(MOST_NAMES);
    long[] fromNames = new long[source.size(MOST_NAMES)];
    source.words(fromNames);
    return new Entry(number, at, fromDepth, fromParent, from, fromNames, toParent, to, toDepth);
  }
}
