// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.HeldBackException;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.process.CommandLines;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
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

  /**
   * Before it sets a policy the service looks: whatever was set longer before than this it has seen. The NameNode writes the
   * audit log after it released its lock, so lines of calls that are closer than this may be in the wrong order.
   */
  private static final Duration WINDOW = Duration.ofMillis(100);

  /** A change of ours that was made longer ago isn't the one that a line of the log is about, but an earlier one. */
  private static final Duration JUST_MADE = Duration.ofMinutes(1);

  /** Calls take less than this more than others; where the clock is that much less ahead, it was set. */
  private static final Duration SET_RIGHT = Duration.ofSeconds(5);

  private static final int MAX_REPAIRS = 100_000;

  /** Of paths on which others set a policy, where none of ours is; the oldest ones are forgotten. */
  private static final int MAX_THEIRS = 10_000;

  /** Of what HDFS refuses for one path, within nine minutes. */
  private static final int MAX_TRIES = 10;

  /** After that what is left waits for the next call: the same thread reads logs. */
  private static final Duration TURN = Duration.ofSeconds(1);

  /** Calls of {@link #settle} after one that had the edit log rolled: each roll leaves a segment with the NameNode. */
  private static final int REST = 10;

  private final Journal journal;
  private final Consumer<JournalEntry> record;
  private final Runnable writeNoted;
  private final ToDoubleFunction<String> heat;
  private final Supplier<String> mover;
  private final InstantSource clock;
  private boolean hasContexts;

  /**
   * How far this host's clock is before the NameNode's, by which the log goes, as our own changes have it. Of the thread that
   * accepts.
   */
  private Duration ahead = Duration.ZERO;

  /** Guarded by itself. */
  private final Map<Layout, Repair> repairs = new LinkedHashMap<>();

  private int rest;

  /** The service's own calls within the last WINDOW of the log, oldest first. Of the thread that accepts. */
  private final Map<Layout, OwnCall> ownCalls = new LinkedHashMap<>();

  /** What was ours, and is marked as such. Guarded by repairs. */
  private final Deque<Marked> marked = new ArrayDeque<>();

  /** Paths on which others set a policy since the start, and didn't unset it. Of the thread that accepts. */
  private final NavigableMap<String, Boolean> theirPolicies = new TreeMap<>();

  private final Deque<String> theirPoliciesInOrder = new ArrayDeque<>();
  private boolean isForgettingTold;

  private final LongAdder unrestored = new LongAdder();
  private final LongAdder stillMarked = new LongAdder();

  /**
   * How often HDFS refused something.
   *
   * @param next when it is asked again
   */
  private record Tries(int refused, Instant next) {
    static final Tries NONE = new Tries(0, Instant.MIN);

    boolean isDue(Instant now) {
      return !now.isBefore(next);
    }

    boolean isOver() {
      return refused >= MAX_TRIES;
    }

    /** With a pause that doubles. */
    Tries refused(Instant now) {
      return new Tries(refused + 1, now.plusSeconds(1L << refused));
    }
  }

  private record Marked(Layout layout, Tries tries) {}

  /** The storage policy or the replication factor of a path. */
  private record Layout(String path, boolean isPolicy) {}

  /**
   * @param after how many changes by others the log has after it
   */
  private record OwnCall(Instant at, int after) {}

  /**
   * A policy or factor of ours that stands for somebody's.
   *
   * @param ours what we set
   * @param before what we found before that; null where it isn't known
   * @param theirs what they did last
   * @param gap how far both lines are apart
   * @param after how many of their lines the log has after ours; 0 where ours is the last
   * @param tries of putting theirs back
   */
  private record Repair(
      String ours,
      String before,
      JournalEntry.TakenOver theirs,
      Duration gap,
      int after,
      Tries tries) {

    Repair(String ours, String before, JournalEntry.TakenOver theirs, Duration gap, int after) {
      this(ours, before, theirs, gap, after, Tries.NONE);
    }

    Repair refused(Instant now) {
      return new Repair(ours, before, theirs, gap, after, tries.refused(now));
    }

    String path() {
      return theirs.path();
    }

    Repair at(String path) {
      return new Repair(
          ours,
          before,
          new JournalEntry.TakenOver(theirs.at(), path, theirs.what(), theirs.who(), theirs.heat()),
          gap,
          after,
          tries);
    }

    Layout layout() {
      return new Layout(path(), isPolicy());
    }

    boolean isPolicy() {
      return theirs.what() != JournalEntry.Taken.REPLICATION;
    }
  }

  /**
   * @param record writes the journal
   * @param writeNoted has the journal write what it noted
   * @param heat of a path now
   * @param mover the user of a mover apart; empty where there is none
   * @param clock by which the journal has what we did
   */
  public LayoutOwners(
      Journal journal,
      Consumer<JournalEntry> record,
      Runnable writeNoted,
      ToDoubleFunction<String> heat,
      Supplier<String> mover,
      InstantSource clock) {
    this.journal = journal;
    this.record = record;
    this.writeNoted = writeNoted;
    this.heat = heat;
    this.mover = mover;
    this.clock = clock;
  }

  /** Takes an access of the nameservice. */
  public void accept(Access access) {
    switch (access.kind()) {
      case POLICY -> changed(access, JournalEntry.Taken.POLICY);
      case NO_POLICY -> changed(access, JournalEntry.Taken.NO_POLICY);
      case REPLICATION -> changed(access, JournalEntry.Taken.REPLICATION);
      case CREATE, DELETE -> renamed(access, "");
      case RENAME -> renamed(access, access.newPath());
      case READ, SCANNED, WRITE, WITHDRAW, RESTORE, ATTRIBUTES -> {
        // They change neither.
      }
    }
  }

  private void changed(Access access, JournalEntry.Taken what) {
    hasContexts |= access.by() == Access.By.SERVICE;
    String path = access.path();
    if (!journal.isConcerned(path, what)) {
      noteTheirs(access, what);
      return;
    }
    Instant at = Instant.ofEpochMilli(access.timeMillis());
    boolean isPolicy = what != JournalEntry.Taken.REPLICATION;
    Optional<Instant> ours = journal.lastSetAt(path, isPolicy);
    if (isOurs(access, at, ours)) {
      ours.ifPresent(set -> compareClocks(set, at));
      ownCalls.values().removeIf(own -> own.at().isBefore(at.minus(WINDOW)));
      ownCalls.put(new Layout(path, isPolicy), new OwnCall(at, 0));
      checkOverwritten(path, isPolicy, at, 0);
      return;
    }
    noteTheirs(access, what);
    Optional<JournalEntry.TakenOver> known = taken(path, isPolicy);
    boolean isOld =
        known.filter(before -> !at.isAfter(Instant.parse(before.at()))).isPresent()
            || ours.filter(set -> at.plus(ahead).isBefore(set.minus(LATEST))).isPresent();
    if (!isOld) {
      boolean wasOurs =
          isPolicy ? journal.hasSet(path) : journal.lastSetAt(path, false).isPresent();
      journal.note(takenOver(access, path, what));
      noteCrowded(path, access);
      if (wasOurs) {
        removeMarkLater(new Layout(path, isPolicy));
      }
    }
    OwnCall own =
        ownCalls.computeIfPresent(
            new Layout(path, isPolicy),
            (layout, last) ->
                Duration.between(last.at(), at).abs().compareTo(WINDOW) <= 0
                    ? new OwnCall(last.at(), last.after() + 1)
                    : null);
    if (own != null) {
      checkOverwritten(path, isPolicy, own.at(), own.after());
    }
  }

  /**
   * Of a change of ours.
   *
   * @param set when we made it
   * @param at when the NameNode did
   */
  private void compareClocks(Instant set, Instant at) {
    if (!isJustMade(set)) {
      return;
    }
    Duration difference = Duration.between(at, set);
    if (difference.compareTo(ahead) > 0 || difference.plus(SET_RIGHT).compareTo(ahead) < 0) {
      ahead = difference.isNegative() ? Duration.ZERO : difference;
    }
  }

  private boolean isJustMade(Instant set) {
    return Duration.between(set, clock.instant()).abs().compareTo(JUST_MADE) <= 0;
  }

  private boolean isOurs(Access access, Instant at, Optional<Instant> ours) {
    return access.by() == Access.By.SERVICE
        || (access.by() == Access.By.ITS_USER || access.user().equals(mover.get()))
            && !hasContexts
            && ours.filter(
                    set ->
                        Duration.between(set, at.plus(ahead)).abs().compareTo(SAME_CALL) < 0
                            || isJustMade(set))
                .isPresent();
  }

  private Optional<JournalEntry.TakenOver> taken(String path, boolean isPolicy) {
    return isPolicy
        ? journal
            .taken(path, JournalEntry.Taken.POLICY)
            .or(() -> journal.taken(path, JournalEntry.Taken.NO_POLICY))
        : journal.taken(path, JournalEntry.Taken.REPLICATION);
  }

  /** Somebody made a change that we hadn't read of when we made ours at that time. */
  private void checkOverwritten(String path, boolean isPolicy, Instant at, int after) {
    Optional<JournalEntry.TakenOver> theirs = taken(path, isPolicy);
    if (theirs.isEmpty()) {
      return;
    }
    Duration since = Duration.between(Instant.parse(theirs.get().at()), at);
    if (since.plus(WINDOW).isNegative()) {
      // A log that is read again.
      return;
    }
    Duration gap = since.abs();
    Optional<Repair> repair =
        isPolicy
            ? journal
                .takenFrom(path)
                .map(ours -> new Repair(ours.policy(), ours.before(), theirs.get(), gap, after))
            : journal
                .factorTakenFrom(path)
                .map(
                    ours ->
                        new Repair(
                            Integer.toString(ours.now()),
                            Integer.toString(ours.before()),
                            theirs.get(),
                            gap,
                            after));
    repair.ifPresent(this::add);
  }

  private void add(Repair repair) {
    synchronized (repairs) {
      if (repairs.size() < MAX_REPAIRS || repairs.containsKey(repair.layout())) {
        repairs.put(repair.layout(), repair);
      } else {
        warnUnknown(repair, "it is one of more than " + MAX_REPAIRS + " such paths at once");
      }
    }
    removeMarkLater(repair.layout());
  }

  private void noteTheirs(Access access, JournalEntry.Taken what) {
    if (what == JournalEntry.Taken.NO_POLICY) {
      theirPolicies.remove(access.path());
    } else if (what == JournalEntry.Taken.POLICY
        && access.by() != Access.By.SERVICE
        && theirPolicies.put(access.path(), true) == null) {
      theirPoliciesInOrder.add(access.path());
      while (theirPolicies.size() > MAX_THEIRS || theirPoliciesInOrder.size() > 2 * MAX_THEIRS) {
        theirPolicies.remove(theirPoliciesInOrder.remove());
        tellForgotten();
      }
    }
  }

  private void tellForgotten() {
    if (!isForgettingTold) {
      isForgettingTold = true;
      LOG.warn(
          "others set storage policies on more than {} paths: the oldest are forgotten. One that equals the service's,"
              + " and is renamed into a directory with it, passes for the service's",
          MAX_THEIRS);
    }
  }

  private void renamed(Access access, String to) {
    String path = access.path();
    followRepairs(path, to);
    boolean hasTheirs = followTheirs(path, to);
    Instant at = Instant.ofEpochMilli(access.timeMillis()).plus(ahead);
    // Before what is known of the old path goes to the new one.
    boolean isBroughtIn = hasTheirs && !to.isEmpty() && isBroughtIn(path, to, at);
    if (journal.isOnOrBelow(path) || !to.isEmpty() && journal.isOnOrBelow(to)) {
      // Else what we set since we set on what is there now.
      boolean isOld =
          journal.lastSetAt(path, true).filter(at::isBefore).isPresent()
              || journal.lastSetAt(path, false).filter(at::isBefore).isPresent();
      if (isOld) {
        return;
      }
      journal.note(
          new JournalEntry.Renamed(Instant.ofEpochMilli(access.timeMillis()).toString(), path, to));
    }
    if (isBroughtIn) {
      // Its own policy would pass for ours there, since HDFS shows one like an inherited one.
      journal.note(takenOver(access, to, JournalEntry.Taken.BROUGHT_IN));
    }
    noteCrowded(to, access);
  }

  /** Whether somebody's policy is on a path or below it, which goes along. Most lines of a log come by here. */
  private boolean followTheirs(String path, String to) {
    if (theirPolicies.isEmpty()) {
      return false;
    }
    boolean hasTheirs = Paths.hasAtOrBelow(theirPolicies, path);
    Paths.rename(theirPolicies, path, to);
    return hasTheirs;
  }

  /** Whether somebody's policy would pass for ours there. */
  private boolean isBroughtIn(String path, String to, Instant at) {
    return journal.broughtInto(path, to).filter(set -> !at.isBefore(set.minus(LATEST))).isPresent()
        && journal.lastSetAt(to, true).filter(at::isBefore).isEmpty();
  }

  /** So that what is remembered stays small, and a user who sets policies on many files is left alone wholly. */
  private void noteCrowded(String path, Access access) {
    journal
        .crowded(path)
        .ifPresent(
            directory -> {
              LOG.warn(
                  "{}: others set policies on so many files there that it counts as theirs",
                  directory);
              journal.note(takenOver(access, directory, JournalEntry.Taken.POLICY));
              removeMarkLater(new Layout(directory, true));
            });
  }

  private JournalEntry.TakenOver takenOver(Access access, String path, JournalEntry.Taken what) {
    return new JournalEntry.TakenOver(
        Instant.ofEpochMilli(access.timeMillis()).toString(),
        path,
        what,
        access.user(),
        heat.applyAsDouble(path));
  }

  /** To be called when what there is of the logs was accepted: it is written all at once. */
  public void endOfPoll() {
    if (journal.hasNoted()) {
      writeNoted.run();
    }
  }

  private void removeMarkLater(Layout layout) {
    synchronized (repairs) {
      if (marked.size() < MAX_REPAIRS) {
        marked.add(new Marked(layout, Tries.NONE));
      }
    }
  }

  /**
   * Removes the marks of what isn't ours any more: else it would count as ours where the journal is lost. To be called from
   * time to time, also where nothing may be begun.
   */
  public void unmark(HdfsCalls hdfs, ActionCalls actions) {
    List<Marked> due = dueMarks();
    Instant end = clock.instant().plus(TURN);
    for (int i = 0; i < due.size(); i++) {
      if (i > 0 && clock.instant().isAfter(end)) {
        keepMarks(due.subList(i, due.size()));
        return;
      }
      Layout next = due.get(i).layout();
      try {
        if (next.isPolicy()) {
          hdfs.unmark(next.path());
        } else {
          actions.unmarkReplication(next.path());
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} is gone", next.path());
      } catch (IOException e) {
        if (isOfAllPaths(e)) {
          LOG.debug("no mark can be removed now", e);
          keepMarks(due.subList(i, due.size()));
          return;
        }
        LOG.debug("{}: its mark can't be removed", next.path(), e);
        Tries tries = due.get(i).tries().refused(clock.instant());
        if (tries.isOver()) {
          stillMarked.increment();
          LOG.warn(
              "{} stays marked as the service's own, though somebody set it since, after {} tries: {}. If the"
                  + " journal is lost, it counts as the service's",
              next.path(),
              MAX_TRIES,
              e.getMessage());
        } else {
          keepMarks(List.of(new Marked(next, tries)));
        }
      }
    }
  }

  private List<Marked> dueMarks() {
    Instant now = clock.instant();
    synchronized (repairs) {
      List<Marked> due = marked.stream().filter(each -> each.tries().isDue(now)).toList();
      marked.removeIf(each -> each.tries().isDue(now));
      return due;
    }
  }

  private void keepMarks(List<Marked> left) {
    synchronized (repairs) {
      marked.addAll(left);
    }
  }

  /** Whether HDFS, or the mover, can't be asked at all now, or changes nothing. */
  private static boolean isOfAllPaths(IOException e) {
    IOException said = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    return said instanceof HeldBackException
        || said instanceof SafeModeException
        || said instanceof StandbyException
        || said instanceof RetriableException
        || said instanceof SocketException
        || said instanceof SocketTimeoutException
        || said instanceof UnknownHostException
        || said instanceof EOFException;
  }

  /** Puts back what was replaced and isn't ours; to be called each second or so, where changes may be made. */
  public void settle(HdfsCalls hdfs, ActionCalls actions) {
    if (rest > 0) {
      rest--;
      return;
    }
    List<Repair> inForce = new ArrayList<>();
    each(poll(), next -> isInForce(next, hdfs, actions) && inForce.add(next));
    if (!inForce.isEmpty()) {
      rest = REST;
      Map<String, List<HdfsCalls.LayoutEdit>> edits = edits(hdfs, inForce);
      each(
          inForce,
          next -> putBack(next, edits.getOrDefault(next.path(), List.of()), hdfs, actions));
    }
  }

  /** Something that HDFS is asked about a repair. */
  @FunctionalInterface
  private interface Step {
    boolean take(Repair next) throws IOException;
  }

  /** What HDFS doesn't do now is tried again; what it refuses for one path holds up no other. */
  private void each(List<Repair> all, Step step) {
    Instant end = clock.instant().plus(TURN);
    for (int i = 0; i < all.size(); i++) {
      if (i > 0 && clock.instant().isAfter(end)) {
        keep(all.subList(i, all.size()));
        return;
      }
      Repair next = all.get(i);
      try {
        step.take(next);
      } catch (FileNotFoundException | ChangedSinceException e) {
        LOG.debug("{} isn't what it was: {}", next.path(), e.getMessage());
      } catch (IOException e) {
        if (isOfAllPaths(e)) {
          LOG.debug("nothing can be put back now", e);
          keep(all.subList(i, all.size()));
          return;
        }
        refused(next.refused(clock.instant()), e);
      }
    }
  }

  private void refused(Repair next, IOException e) {
    if (next.tries().isOver()) {
      unrestored.increment();
      LOG.warn(
          "what {} set on {} can't be put back after {} tries: {}. What the service set stays, {}, and is theirs from"
              + " now on",
          next.theirs().who(),
          next.path(),
          MAX_TRIES,
          e.getMessage(),
          next.ours());
      return;
    }
    if (next.tries().refused() == 1) {
      LOG.warn(
          "what {} set on {} can't be put back, trying again: {}",
          next.theirs().who(),
          next.path(),
          e.getMessage());
    }
    keep(List.of(next));
  }

  private void keep(List<Repair> left) {
    synchronized (repairs) {
      left.forEach(each -> repairs.putIfAbsent(each.layout(), each));
    }
  }

  /** Whether what the service set stands for what somebody did. */
  private static boolean isInForce(Repair repair, HdfsCalls hdfs, ActionCalls actions)
      throws IOException {
    String path = repair.path();
    String now =
        repair.isPolicy()
            ? hdfs.storagePolicy(path)
            : actions.file(path).map(file -> Integer.toString(file.replication())).orElse("");
    return now.equals(repair.ours());
  }

  private static Map<String, List<HdfsCalls.LayoutEdit>> edits(HdfsCalls hdfs, List<Repair> all) {
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
      List<Repair> moved =
          repairs.values().stream()
              .filter(next -> !to.isEmpty() && Paths.isAtOrBelow(next.path(), path))
              .map(next -> next.at(to + next.path().substring(path.length())))
              .toList();
      repairs
          .keySet()
          .removeIf(
              layout ->
                  Paths.isAtOrBelow(layout.path(), path)
                      || !to.isEmpty() && Paths.isAtOrBelow(layout.path(), to));
      moved.forEach(next -> repairs.put(next.layout(), next));
    }
  }

  private List<Repair> poll() {
    synchronized (repairs) {
      Instant now = clock.instant();
      List<Repair> due = repairs.values().stream().filter(each -> each.tries().isDue(now)).toList();
      due.forEach(each -> repairs.remove(each.layout()));
      return due;
    }
  }

  /** What they set, as the edit log or our last look before the change has it; null where neither does. */
  private static String theirs(Repair repair, List<HdfsCalls.LayoutEdit> edits) {
    List<String> values =
        edits.stream()
            .filter(edit -> edit.isPolicy() == repair.isPolicy())
            .map(HdfsCalls.LayoutEdit::value)
            .toList();
    int size = values.size();
    if (size > 1 && values.get(size - 1).equals(repair.ours())) {
      // Where theirs include our value and the log has them after ours, the last of the edits is
      // theirs.
      List<String> last = values.subList(Math.max(0, size - repair.after() - 1), size);
      boolean isOursLast = repair.after() == 0 || last.indexOf(repair.ours()) == last.size() - 1;
      return isOursLast ? values.get(size - 2) : repair.ours();
    }
    if (repair.theirs().what() == JournalEntry.Taken.NO_POLICY) {
      return "";
    }
    return repair.gap().compareTo(WINDOW) > 0 ? repair.before() : null;
  }

  private boolean putBack(
      Repair repair, List<HdfsCalls.LayoutEdit> edits, HdfsCalls hdfs, ActionCalls actions)
      throws IOException {
    String path = repair.path();
    String who = repair.theirs().who();
    String theirs = theirs(repair, edits);
    if (theirs == null) {
      warnUnknown(repair, "the edit log doesn't have it");
      return false;
    }
    if (!theirs.equals(repair.ours())) {
      if (repair.isPolicy()) {
        hdfs.setStoragePolicy(path, theirs, new HdfsCalls.Own(repair.ours(), 0));
      } else {
        actions.setReplication(path, Integer.parseInt(theirs), Integer.parseInt(repair.ours()));
        // That marked it again.
        removeMarkLater(repair.layout());
      }
      LOG.info("{}: what {} set is in force again: {}", path, who, theirs);
    }
    if (repair.isPolicy()) {
      record.accept(new JournalEntry.PolicyGivenBack(repair.theirs().at(), path, theirs));
    }
    return true;
  }

  private void warnUnknown(Repair repair, String why) {
    unrestored.increment();
    LOG.warn(
        "{} set the {} of {} within {} ms of the service, which made it {}: what they set isn't"
            + " known, {}. It stays, and is theirs from now on",
        repair.theirs().who(),
        repair.isPolicy() ? "storage policy" : "replication factor",
        repair.path(),
        repair.gap().toMillis(),
        repair.ours(),
        why);
  }

  /** Policies and factors that somebody set, and the service replaced and can't put back. */
  public long unrestored() {
    return unrestored.sum();
  }

  /** Paths that stay marked as the service's own, though somebody set what is on them. */
  public long stillMarked() {
    return stillMarked.sum();
  }
}
