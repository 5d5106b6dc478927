// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.process.CommandLines;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the audit log for changes that others make to what the service had set: a storage policy or a replication
 * factor that somebody sets is theirs from then on, also where it is the same as ours. A policy that the service replaced
 * before it read of it is put back. One thread accepts, another settles.
 */
public final class LayoutOwners {

  private static final Logger LOG = LoggerFactory.getLogger(LayoutOwners.class);

  /** A line that is older than our own change by more was read when that was made, but for a log that is read anew. */
  private static final Duration LATEST = Duration.ofMinutes(10);

  /** Without caller contexts a change by the service's user is the service's, where it made one at that time. */
  private static final Duration SAME_CALL = Duration.ofMinutes(1);

  /** Before it sets a policy the service looks: whatever was set longer before than this it has seen. */
  private static final Duration WINDOW = Duration.ofMillis(100);

  private static final int MOST_REPAIRS = 100_000;

  /** Calls of {@link #settle} after one that had the edit log rolled: each roll leaves a segment with the NameNode. */
  private static final int REST = 10;

  private final Journal journal;
  private final Consumer<JournalEntry> record;
  private final ToDoubleFunction<String> heat;
  private final Supplier<String> mover;
  private boolean hasContexts;

  /** Guarded by itself. */
  private final Deque<Repair> repairs = new ArrayDeque<>();

  private int rest;

  /** Paths whose policy was ours, and is marked as such. Guarded by repairs. */
  private final Deque<String> marked = new ArrayDeque<>();

  private volatile long unknown;

  /**
   * A policy or factor of ours that stands for somebody's.
   *
   * @param ours what we set
   * @param before what we found before that; null where it isn't known
   * @param theirs what they did before it
   * @param gap by how much
   */
  private record Repair(String ours, String before, JournalEntry.TakenOver theirs, Duration gap) {
    String path() {
      return theirs.path();
    }

    Repair at(String path) {
      return new Repair(
          ours,
          before,
          new JournalEntry.TakenOver(theirs.at(), path, theirs.what(), theirs.who(), theirs.heat()),
          gap);
    }

    boolean isPolicy() {
      return theirs.what() != JournalEntry.Taken.REPLICATION;
    }
  }

  /**
   * @param record writes the journal
   * @param heat of a path now
   * @param mover the user of a mover apart; empty where there is none
   */
  public LayoutOwners(
      Journal journal,
      Consumer<JournalEntry> record,
      ToDoubleFunction<String> heat,
      Supplier<String> mover) {
    this.journal = journal;
    this.record = record;
    this.heat = heat;
    this.mover = mover;
  }

  /** Takes an access of the nameservice. */
  public void accept(Access access) {
    switch (access.kind()) {
      case POLICY -> changed(access, JournalEntry.Taken.POLICY);
      case NO_POLICY -> changed(access, JournalEntry.Taken.NO_POLICY);
      case REPLICATION -> changed(access, JournalEntry.Taken.REPLICATION);
      case CREATE, DELETE -> renamed(access, "");
      case RENAME -> renamed(access, access.newPath());
      case READ, WRITE, WITHDRAW, ATTRIBUTES -> {
        // They change neither.
      }
    }
  }

  private void changed(Access access, JournalEntry.Taken what) {
    hasContexts |= access.by() == Access.By.SERVICE;
    String path = access.path();
    if (!journal.isConcerned(path, what)) {
      return;
    }
    Instant at = Instant.ofEpochMilli(access.timeMillis());
    boolean isPolicy = what != JournalEntry.Taken.REPLICATION;
    Optional<Instant> ours = journal.lastSetAt(path, isPolicy);
    if (isOurs(access, at, ours)) {
      checkOverwritten(path, isPolicy, at);
      return;
    }
    Optional<JournalEntry.TakenOver> known = taken(path, isPolicy);
    boolean isOld =
        known.filter(before -> !at.isAfter(Instant.parse(before.at()))).isPresent()
            || ours.filter(set -> at.isBefore(set.minus(LATEST))).isPresent();
    if (!isOld) {
      boolean wasOurs = isPolicy && journal.hasSet(path);
      record.accept(
          new JournalEntry.TakenOver(
              at.toString(), path, what, access.user(), heat.applyAsDouble(path)));
      if (wasOurs) {
        removeMarkLater(path);
      }
    }
  }

  private boolean isOurs(Access access, Instant at, Optional<Instant> ours) {
    return access.by() == Access.By.SERVICE
        || (access.by() == Access.By.ITS_USER || access.user().equals(mover.get()))
            && !hasContexts
            && ours.filter(set -> Duration.between(set, at).abs().compareTo(SAME_CALL) < 0)
                .isPresent();
  }

  private Optional<JournalEntry.TakenOver> taken(String path, boolean isPolicy) {
    return isPolicy
        ? journal
            .taken(path, JournalEntry.Taken.POLICY)
            .or(() -> journal.taken(path, JournalEntry.Taken.NO_POLICY))
        : journal.taken(path, JournalEntry.Taken.REPLICATION);
  }

  /** The log has our own call behind somebody's that we hadn't read of when we made it. */
  private void checkOverwritten(String path, boolean isPolicy, Instant at) {
    Optional<JournalEntry.TakenOver> theirs = taken(path, isPolicy);
    if (theirs.isEmpty()) {
      return;
    }
    Duration gap = Duration.between(Instant.parse(theirs.get().at()), at);
    Optional<Repair> repair =
        isPolicy
            ? journal
                .takenFrom(path)
                .map(ours -> new Repair(ours.policy(), ours.before(), theirs.get(), gap))
            : journal
                .factorTakenFrom(path)
                .map(
                    ours ->
                        new Repair(
                            Integer.toString(ours.now()),
                            Integer.toString(ours.before()),
                            theirs.get(),
                            gap));
    synchronized (repairs) {
      if (repair.isPresent() && !gap.isNegative() && repairs.size() < MOST_REPAIRS) {
        repairs.add(repair.get());
        if (isPolicy) {
          removeMarkLater(path);
        }
      }
    }
  }

  private void renamed(Access access, String to) {
    String path = access.path();
    followRepairs(path, to);
    if (!journal.isOnOrBelow(path) && (to.isEmpty() || !journal.isOnOrBelow(to))) {
      return;
    }
    Instant at = Instant.ofEpochMilli(access.timeMillis());
    // Else what we set since we set on what is there now.
    boolean isOld =
        journal.lastSetAt(path, true).filter(at::isBefore).isPresent()
            || journal.lastSetAt(path, false).filter(at::isBefore).isPresent();
    if (!isOld) {
      record.accept(new JournalEntry.Renamed(at.toString(), path, to));
    }
  }

  private void removeMarkLater(String path) {
    synchronized (repairs) {
      if (marked.size() < MOST_REPAIRS) {
        marked.add(path);
      }
    }
  }

  /**
   * Removes the marks of what isn't ours any more: else it would count as ours where the journal is lost. To be called from
   * time to time, also where nothing may be begun.
   */
  public void unmark(HdfsActions hdfs) {
    for (String path = next(); path != null; path = next()) {
      try {
        hdfs.unmark(path);
      } catch (FileNotFoundException e) {
        LOG.debug("{} is gone", path);
      } catch (IOException e) {
        LOG.debug("{}: its mark can't be removed, trying again", path, e);
        removeMarkLater(path);
        return;
      }
    }
  }

  private String next() {
    synchronized (repairs) {
      return marked.poll();
    }
  }

  /** Puts back what was replaced and isn't ours; to be called each second or so, where changes may be made. */
  public void settle(HdfsActions hdfs, LeverActions levers) {
    if (rest > 0) {
      rest--;
      return;
    }
    List<Repair> inForce = new ArrayList<>();
    each(poll(), next -> isInForce(next, hdfs, levers) && inForce.add(next));
    if (!inForce.isEmpty()) {
      rest = REST;
      Map<String, List<HdfsActions.LayoutEdit>> edits = edits(hdfs, inForce);
      each(
          inForce, next -> putBack(next, edits.getOrDefault(next.path(), List.of()), hdfs, levers));
    }
  }

  /** Something that HDFS is asked about a repair. */
  @FunctionalInterface
  private interface Step {
    boolean take(Repair next) throws IOException;
  }

  /** What HDFS doesn't do now is tried again. */
  private void each(List<Repair> all, Step step) {
    for (int i = 0; i < all.size(); i++) {
      Repair next = all.get(i);
      try {
        step.take(next);
      } catch (FileNotFoundException | ChangedSinceException e) {
        LOG.debug("{} isn't what it was: {}", next.path(), e.getMessage());
      } catch (IOException e) {
        LOG.warn(
            "what {} set on {} can't be put back, trying again: {}",
            next.theirs().who(),
            next.path(),
            e.getMessage());
        synchronized (repairs) {
          repairs.addAll(all.subList(i, all.size()));
        }
        return;
      }
    }
  }

  /** Whether what the service set stands for what somebody did. */
  private static boolean isInForce(Repair repair, HdfsActions hdfs, LeverActions levers)
      throws IOException {
    String path = repair.path();
    String now =
        repair.isPolicy()
            ? hdfs.storagePolicy(path)
            : levers.file(path).map(file -> Integer.toString(file.replication())).orElse("");
    return now.equals(repair.ours());
  }

  private static Map<String, List<HdfsActions.LayoutEdit>> edits(
      HdfsActions hdfs, List<Repair> all) {
    try {
      return hdfs.layoutEdits(all.stream().map(Repair::path).collect(Collectors.toSet()))
          .orElse(Map.of());
    } catch (IOException e) {
      LOG.warn(
          "the NameNode's edit log can't be read, so what somebody set in the moment before the"
              + " service isn't known: {}",
          CommandLines.explain(e));
      return Map.of();
    }
  }

  /** What is to be put back follows what it was set on. */
  private void followRepairs(String path, String to) {
    synchronized (repairs) {
      for (int i = repairs.size(); i > 0; i--) {
        Repair next = repairs.poll();
        if (Paths.isAtOrBelow(next.path(), path) && !to.isEmpty()) {
          repairs.add(next.at(to + next.path().substring(path.length())));
        } else if (!Paths.isAtOrBelow(next.path(), path)
            && (to.isEmpty() || !Paths.isAtOrBelow(next.path(), to))) {
          repairs.add(next);
        }
      }
    }
  }

  private List<Repair> poll() {
    synchronized (repairs) {
      List<Repair> all = List.copyOf(repairs);
      repairs.clear();
      return all;
    }
  }

  /** What they set, as the edit log or our last look before the change has it; null where neither does. */
  private static String theirs(Repair repair, List<HdfsActions.LayoutEdit> edits) {
    List<String> values =
        edits.stream()
            .filter(edit -> edit.isPolicy() == repair.isPolicy())
            .map(HdfsActions.LayoutEdit::value)
            .toList();
    if (values.size() > 1 && values.get(values.size() - 1).equals(repair.ours())) {
      return values.get(values.size() - 2);
    }
    if (repair.theirs().what() == JournalEntry.Taken.NO_POLICY) {
      return "";
    }
    return repair.gap().compareTo(WINDOW) > 0 ? repair.before() : null;
  }

  private boolean putBack(
      Repair repair, List<HdfsActions.LayoutEdit> edits, HdfsActions hdfs, LeverActions levers)
      throws IOException {
    String path = repair.path();
    String who = repair.theirs().who();
    String theirs = theirs(repair, edits);
    if (theirs == null) {
      unknown++;
      LOG.warn(
          "{} set the {} of {} {} ms before the service made it {}: what they set isn't known. It"
              + " stays {}, and is theirs from now on",
          who,
          repair.isPolicy() ? "storage policy" : "replication factor",
          path,
          repair.gap().toMillis(),
          repair.ours(),
          repair.ours());
      return false;
    }
    if (!theirs.equals(repair.ours())) {
      if (repair.isPolicy()) {
        hdfs.setStoragePolicy(path, theirs, new HdfsActions.Own(repair.ours(), 0));
      } else {
        levers.setReplication(path, Integer.parseInt(theirs), Integer.parseInt(repair.ours()));
      }
      LOG.info("{}: what {} set is in force again: {}", path, who, theirs);
    }
    if (repair.isPolicy()) {
      record.accept(new JournalEntry.PolicyGivenBack(repair.theirs().at(), path, theirs));
    }
    return true;
  }

  /** Policies and factors that somebody set and the service replaced before it could see them. */
  public long unknown() {
    return unknown;
  }
}
