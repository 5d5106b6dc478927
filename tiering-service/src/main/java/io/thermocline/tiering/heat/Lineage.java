// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

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

  /** Of the filter, for each entry, which has up to two names: a path it doesn't know is seldom looked up. */
  private static final int BITS_PER_ENTRY = 32;

  private static final int MOST_FILTER_BITS = 1 << 28;
  private static final Entry[] NONE = {};

  /**
   * One line of the journal.
   *
   * @param to the new name, or null where the data is gone
   */
  private record Entry(long number, long step, String from, String to) {
    boolean names(String path) {
      return PathPrefixes.covers(from, path) || movedTo(path);
    }

    boolean movedTo(String path) {
      return to != null && PathPrefixes.covers(to, path);
    }
  }

  /** Takes one name of the data, and a key that reads were counted under while it had this name. */
  interface Visitor {
    void visit(String path, long key);
  }

  private final long nameservice;
  private final int most;
  private final Map<Long, Entry[]> byName = new ConcurrentHashMap<>();
  private final TreeMap<Long, Entry> lasting = new TreeMap<>();
  private final TreeMap<Long, Entry> deletions = new TreeMap<>();
  private final long[] filter;
  private final List<String> changed = new ArrayList<>();
  private int removedSinceFilter;
  private long next = 1;
  private volatile long step;
  private long droppedEarly;

  /**
   * @param nameservice as from {@link PathKey#nameservice}
   * @param most entries of renames and replaced data; deletions may be a quarter of it
   */
  Lineage(long nameservice, int most) {
    this.nameservice = nameservice;
    this.most = most;
    long bits = Math.min(MOST_FILTER_BITS, Math.max(1 << 16, (long) most * BITS_PER_ENTRY));
    this.filter = new long[(int) (Long.highestOneBit(bits) / Long.SIZE)];
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** The key under which reads of a path are counted now. */
  long keyNow(String path, long ownKey) {
    if (isEmpty()) {
      return ownKey;
    }
    Entry inForce = latest(path, Long.MAX_VALUE);
    return inForce == null || step - inForce.step >= IN_FORCE_STEPS
        ? ownKey
        : keyOf(ownKey, inForce.number);
  }

  /** Shows every key under which reads of the data were counted that a path stands for now. */
  void trace(String path, Visitor visitor) {
    String name = path;
    long before = Long.MAX_VALUE;
    long until = step;
    while (true) {
      long ownKey = PathKey.of(nameservice, name);
      Entry entry = isEmpty() ? null : latest(name, before);
      if (entry == null) {
        visitor.visit(name, ownKey);
        return;
      }
      visitor.visit(name, keyOf(ownKey, entry.number));
      if (until - entry.step >= IN_FORCE_STEPS) {
        visitor.visit(name, ownKey);
      }
      if (!entry.movedTo(name) || step - entry.step >= IN_FORCE_STEPS) {
        return;
      }
      name = entry.from + name.substring(entry.to.length());
      before = entry.number;
      until = entry.step;
    }
  }

  /** The data of a path, and below it, is now found under another one. */
  void renamed(String from, String to) {
    add(lasting, new Entry(next++, step, from, to));
    dropBeyond(lasting, most);
  }

  /** The path stands for other data from now on. */
  void replaced(String path) {
    Entry inForce = latest(path, Long.MAX_VALUE);
    if (inForce != null && inForce.to == null && inForce.from.equals(path)) {
      // Nothing happened to the name in between, so no line passes through the entry.
      drop(inForce);
    }
    add(lasting, new Entry(next++, step, path, null));
    dropBeyond(lasting, most);
  }

  void deleted(String path) {
    add(deletions, new Entry(next++, step, path, null));
    dropBeyond(deletions, Math.max(1, most / 4));
  }

  /** Data is created at a path: where it or a directory above it was deleted, that must be remembered. */
  void promote(String path) {
    if (!deletions.isEmpty()) {
      Entry inForce = latest(path, Long.MAX_VALUE);
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
        if (oldStep - entry.step < IN_FORCE_STEPS) {
          note(entry);
        }
      }
      while (!entries.isEmpty()
          && step - entries.firstEntry().getValue().step >= 2 * IN_FORCE_STEPS) {
        drop(entries.firstEntry().getValue());
      }
    }
  }

  /** The paths at or below which {@link #keyNow} may have another answer since this was last asked. */
  List<String> takeChanged() {
    if (changed.isEmpty()) {
      return List.of();
    }
    List<String> taken = List.copyOf(changed);
    changed.clear();
    return taken;
  }

  private void note(Entry entry) {
    changed.add(entry.from);
    if (entry.to != null) {
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

  private Entry latest(String path, long before) {
    Entry found = null;
    for (long hash : PathPrefixes.of(path)) {
      if ((filter[filterWord(hash)] & 1L << hash) == 0) {
        continue;
      }
      Entry[] entries = byName.getOrDefault(hash, NONE);
      for (int i = entries.length - 1; i >= 0; i--) {
        Entry entry = entries[i];
        if (entry.number < before && entry.names(path)) {
          if (found == null || entry.number > found.number) {
            found = entry;
          }
          break;
        }
      }
    }
    return found;
  }

  private void add(TreeMap<Long, Entry> entries, Entry entry) {
    entries.put(entry.number, entry);
    index(PathPrefixes.whole(entry.from), entry);
    if (entry.to != null) {
      index(PathPrefixes.whole(entry.to), entry);
    }
  }

  private void index(long hash, Entry entry) {
    byName.merge(
        hash,
        new Entry[] {entry},
        (old, added) -> {
          Entry[] longer = Arrays.copyOf(old, old.length + 1);
          longer[old.length] = added[0];
          return longer;
        });
    filter[filterWord(hash)] |= 1L << hash;
  }

  private void dropBeyond(TreeMap<Long, Entry> entries, int limit) {
    while (entries.size() > limit) {
      if (entries == lasting) {
        droppedEarly++;
      }
      drop(entries.firstEntry().getValue());
    }
  }

  private void drop(Entry entry) {
    if (step - entry.step < IN_FORCE_STEPS) {
      note(entry);
    }
    lasting.remove(entry.number);
    deletions.remove(entry.number);
    unindex(PathPrefixes.whole(entry.from), entry);
    if (entry.to != null) {
      unindex(PathPrefixes.whole(entry.to), entry);
    }
    if (++removedSinceFilter > filter.length * 2) {
      removedSinceFilter = 0;
      Arrays.fill(filter, 0);
      byName.keySet().forEach(hash -> filter[filterWord(hash)] |= 1L << hash);
    }
  }

  private void unindex(long hash, Entry entry) {
    byName.computeIfPresent(
        hash,
        (same, entries) -> {
          // Mostly the oldest, which is the first; a rename to its own name stands there twice.
          int at = 0;
          while (at < entries.length && entries[at].number != entry.number) {
            at++;
          }
          if (at == entries.length) {
            return entries;
          }
          if (entries.length == 1) {
            return null;
          }
          Entry[] rest = new Entry[entries.length - 1];
          System.arraycopy(entries, 0, rest, 0, at);
          System.arraycopy(entries, at + 1, rest, at, rest.length - at);
          return rest;
        });
  }

  private int filterWord(long hash) {
    return (int) (hash >>> 6) & filter.length - 1;
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
      sink.text(entry.from);
      sink.number(entry.to == null ? 0 : 1);
      if (entry.to != null) {
        sink.text(entry.to);
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
    for (Entry entry : all.values()) {
      index(PathPrefixes.whole(entry.from), entry);
      if (entry.to != null) {
        index(PathPrefixes.whole(entry.to), entry);
      }
    }
  }

  private static void read(
      StateSource source, TreeMap<Long, Entry> into, TreeMap<Long, Entry> all) {
    int count = source.size(Integer.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      long number = source.number();
      long at = source.number();
      String from = source.text();
      String to = source.number() == 0 ? null : source.text();
      Entry entry = new Entry(number, at, from, to);
      into.put(number, entry);
      all.put(number, entry);
    }
  }
}
