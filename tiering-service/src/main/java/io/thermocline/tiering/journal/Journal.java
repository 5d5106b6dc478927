// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.journal;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was decided and done, one JSON object a line, appended and never changed. Thread-safe; one process writes.
 *
 * <p>What it keeps: every decision that became moves, every policy set and what was set before, every change of a move,
 * every action, and who paused or stopped the service. From it a restart knows which files' policies are its own, what was
 * under way, and the number of the next plan. Heat and the position in the audit logs are elsewhere.
 *
 * <p>From time to time a segment begins with a checkpoint, so that a restart reads what is since then, and not all.
 */
public final class Journal implements Closeable {
  /** How long the audit log has to say who changed a replication factor. */
  static final Duration LEFT_FACTORS = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final long BYTES_BETWEEN_CHECKPOINTS = 64L << 20;

  /** As long as there is. */
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  private final JournalStore store;
  private final JournalState state = new JournalState();

  /** Remembered, and still to be written. */
  private final NotedChanges noted = new NotedChanges();

  private final long bytesBetweenCheckpoints;
  private final Duration keep;
  private long bytesSinceCheckpoint;

  /** Checksum of the last line. */
  private int chain;

  private long appended;
  private long bytes;

  private Journal(JournalStore store, long bytesBetweenCheckpoints, Duration keep) {
    this.store = store;
    this.bytesBetweenCheckpoints = bytesBetweenCheckpoints;
    this.keep = keep;
  }

  /**
   * Opens the journal of a local directory, creating both where they are not there, and replays it.
   *
   * @throws IOException also where another process has it open, or a line in its middle is damaged;
   *     both with what to do
   */
  public static Journal open(Path directory) throws IOException {
    return open(LocalJournalStore.open(directory));
  }

  /** The same on a store, which is closed with it, and where it can't be replayed. */
  public static Journal open(JournalStore store) throws IOException {
    return open(store, FOR_EVER);
  }

  /**
   * The same, and with each checkpoint those segments are deleted that it makes superfluous.
   *
   * @param keep how old they have to be: as far back plans can be taken back
   */
  public static Journal open(JournalStore store, Duration keep) throws IOException {
    return open(store, BYTES_BETWEEN_CHECKPOINTS, keep);
  }

  static Journal open(JournalStore store, long bytesBetweenCheckpoints, Duration keep)
      throws IOException {
    try {
      Journal journal = new Journal(store, bytesBetweenCheckpoints, keep);
      journal.chain = JournalLines.replay(store, journal.state::remember);
      return journal;
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /**
   * Reads the journal of a local directory that another process may have open; nothing can be appended to it. One that
   * isn't there is empty.
   *
   * @throws IOException where a line in its middle is damaged
   */
  public static Journal read(Path directory) throws IOException {
    return open(LocalJournalStore.reading(directory));
  }

  /** What was planned and moved since this was last asked, or ever, in order. */
  public synchronized List<JournalEntry> takeMoves() {
    return state.takeMoves();
  }

  /**
   * Appends an entry; when this returns, it survives the end of this process.
   *
   * @throws FencedException where another process writes the journal by now
   */
  public void append(JournalEntry entry) throws IOException {
    append(List.of(entry));
  }

  /**
   * The same of several, in their order, for hardly more than what one takes. Where it fails,
   * none of them counts as appended; lines of some may stand there all the same
   * ({@link JournalStore#append}).
   */
  public synchronized void append(List<? extends JournalEntry> entries) throws IOException {
    if (entries.isEmpty() && noted.isEmpty()) {
      return;
    }
    List<JournalEntry> before = noted.entries();
    List<JournalEntry> all = new ArrayList<>(before);
    all.addAll(entries);
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    int last = JournalLines.add(all, chain, lines);
    store.append(lines.toByteArray());
    chain = last;
    noted.clear();
    before.forEach(state::count);
    entries.forEach(state::remember);
    appended += all.size();
    bytes += lines.size();
    bytesSinceCheckpoint += lines.size();
    // Between plans, of which a checkpoint keeps the order.
    if (bytesSinceCheckpoint > bytesBetweenCheckpoints && state.underWay().unfinished().isEmpty()) {
      checkpoint(Instant.parse(all.get(all.size() - 1).at()));
    }
  }

  /**
   * Remembers that somebody took something over, and writes it before the next entry, or with {@link #append} of none. Where
   * the same user repeats it and nothing of ours came between, it isn't written.
   */
  public synchronized void note(JournalEntry.TakenOver taken) {
    if (!state.isRepeated(taken)) {
      noted.add(taken);
    }
    state.apply(taken);
  }

  /** The same of a rename or a deletion. Those that cancel each other before they are written aren't written. */
  public synchronized void note(JournalEntry.Renamed renamed) {
    noted.add(renamed, !renamed.to().isEmpty() && isOnOrBelow(renamed.to()));
    state.apply(renamed);
    if (!renamed.to().isEmpty()) {
      noted.forget(renamed.to(), this::isOnOrBelow);
    }
  }

  /** Whether something was remembered that is still to be written. */
  public synchronized boolean hasNoted() {
    return !noted.isEmpty();
  }

  /** What was appended survives a power failure, too, when this returns. */
  public synchronized void sync() throws IOException {
    store.sync();
  }

  /** The entries themselves are safe by then, so all but being fenced is only said. */
  private void checkpoint(Instant now) throws FencedException {
    bytesSinceCheckpoint = 0;
    try {
      ByteArrayOutputStream lines = new ByteArrayOutputStream();
      int last = JournalLines.add(JournalLines.checkpoint(store, state, now), chain, lines);
      store.roll(lines.toByteArray());
      chain = last;
      for (String segment : JournalLines.expired(store, now.minus(keep))) {
        store.delete(segment);
        LOG.info("{} is deleted: it is older than {} days", segment, keep.toDays());
      }
    } catch (FencedException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn(
          "the journal goes on, but no checkpoint was made or old segments are still there", e);
    }
  }

  /** All there ever was, oldest first; from the files, not from memory. */
  public synchronized void history(Consumer<? super JournalEntry> sink) throws IOException {
    append(List.of());
    JournalLines.history(store, sink);
  }

  /**
   * What was added since it was opened.
   *
   * @param appended entries
   * @param bytes of them
   */
  public record Size(long appended, long bytes) {}

  /** By how much it grew. */
  public synchronized Size size() {
    return new Size(appended, bytes);
  }

  /**
   * Whether a file's storage policy may be of our setting: the last one recorded for the path or for a directory
   * above it, or the one before, as a crash can come between recording and setting; not where somebody set one since.
   */
  public synchronized boolean maySet(String path, String policy) {
    return state.policies().maySet(path, policy);
  }

  /** The last policy recorded for this very path. */
  public synchronized Optional<String> lastSet(String path) {
    return state.policies().lastSet(path).map(JournalEntry.PolicySet::policy);
  }

  /** The same, with what it was before. */
  public synchronized Optional<JournalEntry.PolicySet> lastPolicy(String path) {
    return state.policies().lastSet(path);
  }

  /**
   * The policy that somebody had set on this very path before the service's first one; empty where none was, or that isn't
   * known, or none of the service's is in force.
   *
   * @param inForce what HDFS shows on the path
   */
  public synchronized String originalPolicy(String path, String inForce) {
    return state.policies().original(path, inForce);
  }

  /** Whether a policy of ours was recorded for this very path, and nothing after it. */
  public synchronized boolean hasSet(String path) {
    return state.policies().lastSet(path).isPresent();
  }

  /**
   * Whether a policy or a replication factor that somebody sets on a path may replace one of ours: one on the path or above
   * it, or what the plan under way is about.
   */
  public synchronized boolean isConcerned(String path, JournalEntry.Taken what) {
    boolean isOurs =
        what == JournalEntry.Taken.REPLICATION
            ? state.actions().isConcerned(path)
            : state.policies().isConcerned(path);
    return isOurs || state.underWay().isAbout(path);
  }

  /**
   * When we set the policy of the directory that a file or directory was renamed into, from where none of ours is: one of its
   * own would pass for ours there. Empty where it wasn't.
   */
  public Optional<Instant> broughtInto(String path, String to) {
    if (!state.policies().isBelowAny(to)) {
      return Optional.empty();
    }
    synchronized (this) {
      return state.policies().isOurs(path)
          ? Optional.empty()
          : state.policies().oursAbove(to).flatMap(above -> lastSetAt(above, true));
    }
  }

  /** The directory with a policy of ours above the path, where so many paths below it were taken over that it is too. */
  public synchronized Optional<String> crowded(String path) {
    return state.policies().crowded(path);
  }

  /** Whether something that we set, or that was taken over, is on a path or below it. Waits for nobody. */
  public boolean isOnOrBelow(String path) {
    return state.policies().isOnOrBelow(path) || state.actions().isRaisedBelow(path);
  }

  /** Storage policies that are ours, by the paths that they are set on. */
  public synchronized Map<String, String> policies() {
    return state.policies().policies();
  }

  /** What somebody took back last at each path, and that nothing has released since. */
  public synchronized List<JournalEntry.TakenOver> takenBack() {
    return state.policies().takenBack();
  }

  /** How often somebody took over anything that was ours. */
  public synchronized long takeovers() {
    return state.policies().takeovers();
  }

  /**
   * Why a path isn't ours to change: somebody set a policy on it or above it, and we none after that, or did anything there
   * since.
   *
   * @param since a number of {@link #takeovers}
   */
  public synchronized Optional<JournalEntry.TakenOver> takenOver(String path, long since) {
    return state.policies().takenOver(path, since);
  }

  /** When we set a policy, or raised the replication factor, of this very path last; empty where that isn't ours. */
  public synchronized Optional<Instant> lastSetAt(String path, boolean isPolicy) {
    return (isPolicy ? state.policies().lastAt(path) : state.actions().changedAt(path))
        .map(Instant::parse);
  }

  /** What somebody took over last at this very path. */
  public synchronized Optional<JournalEntry.TakenOver> taken(String path, JournalEntry.Taken what) {
    return state.policies().taken(path, what);
  }

  /** The policy of ours that somebody took over at this very path, as long as we set none after it. */
  public synchronized Optional<JournalEntry.PolicySet> takenFrom(String path) {
    return state.policies().takenFrom(path);
  }

  /** The same of a replication factor; not known after a restart. */
  public synchronized Optional<Raised> factorTakenFrom(String path) {
    return state.actions().takenFrom(path);
  }

  /** Files that are cached by us, with how many copies of each block. */
  public synchronized Map<String, Integer> cached() {
    return state.actions().cached();
  }

  /** The directive by which we cached a path last; empty where we didn't, or took it back, or it isn't known. */
  public synchronized Optional<JournalEntry.CacheDirective> directive(String path) {
    return state.actions().directive(path);
  }

  /** The replication factor of a path as we raised it, also for a group; empty where it isn't ours. */
  public synchronized Optional<Raised> raised(String path) {
    return state.actions().raised(path);
  }

  /** Replication factors that we raised, by path, but for those of members of groups. */
  public synchronized Map<String, Raised> raised() {
    return state.actions().raised();
  }

  /** Files whose factor of ours HDFS showed changed, and when, while the audit log doesn't say yet who did that. */
  public synchronized Map<String, Instant> leftFactors(Instant now) {
    return state.actions().leftSince(now.minus(LEFT_FACTORS));
  }

  /** Groups of files that have copies by our doing, oldest first. */
  public synchronized List<Group> groups() {
    return state.groups().groups();
  }

  /**
   * A group.
   *
   * @param shown empty while its copies are being made
   */
  public record Group(JournalEntry.GroupMade made, Optional<JournalEntry.GroupShown> shown) {}

  /** When somebody had a group ended that a file was in, by the file's path. */
  public synchronized Map<String, String> unwantedGroups() {
    return state.groups().unwanted();
  }

  /** Hints that were given and have not ended, in their order. */
  public synchronized List<KeptHint> hints() {
    return state.hints().hints();
  }

  /** How often owners' hints came true, and how often not. */
  public synchronized Map<String, Judged> hintOwners() {
    return state.hints().owners();
  }

  /** Streams by path. */
  public synchronized Map<String, String> streams() {
    return state.hints().streams();
  }

  /** A hint, with how many reads were recorded of what it is about. */
  public record KeptHint(JournalEntry.HintGiven given, long reads) {}

  /** Hints of an owner that came true, and that did not. */
  public record Judged(long right, long wrong) {}

  /** Tasks that have not ended, and those that ended last, in no order. */
  public synchronized List<KeptTask> tasks() {
    return state.tasks().all();
  }

  /**
   * A task.
   *
   * @param ended empty while it has not, as far as was recorded
   */
  public record KeptTask(JournalEntry.TaskBegun begun, Optional<JournalEntry.TaskEnded> ended) {}

  /**
   * A replication factor.
   *
   * @param before what it was before we changed it first
   * @param now what we made it
   */
  public record Raised(int before, int now) {}

  /** What a request of an id was answered within the last day; empty where that isn't known. */
  public synchronized Optional<JournalEntry.Answered> answered(String id, Instant now) {
    return state.answers().of(id, now);
  }

  /** What somebody said last of whether the service may act; empty where nobody has. */
  public synchronized Optional<JournalEntry.Steered> steered() {
    return state.steered();
  }

  /** The last plans, oldest first. */
  public synchronized List<PastPlan> plans() {
    return state.plans().all();
  }

  /** What was begun of one of the last plans; nothing of others. */
  public synchronized List<JournalEntry.Planned> planned(long plan) {
    return state.plans().files(plan);
  }

  /**
   * What is recorded of a plan.
   *
   * @param changes in their order; the first is that it was made
   * @param files what was begun of it
   */
  public record PastPlan(
      long number, List<JournalEntry.PlanChanged> changes, List<JournalEntry.Planned> files) {}

  /**
   * A file that a plan left half-way.
   *
   * @param verified moves of it that HDFS showed done, fewer than were planned
   */
  public record HalfMoved(JournalEntry.Planned planned, int verified) {}

  /** Number of the last plan that was made; 0 where there is none. */
  public synchronized long lastPlan() {
    return state.lastPlan();
  }

  /** Whether nothing was ever recorded. */
  public synchronized boolean isEmpty() {
    return state.epoch() == 0 && state.lastPlan() == 0;
  }

  /** How often the journal was taken up by somebody who acts. */
  public synchronized long epoch() {
    return state.epoch();
  }

  /** When it began, which tells it from any other; empty where no line says that. */
  public synchronized Optional<String> began() {
    return state.began();
  }

  /** The entry that says that it is taken up. */
  public synchronized JournalEntry.Started started(String now, String mode) {
    return new JournalEntry.Started(now, mode, state.epoch() + 1, 0, state.began().orElse(now));
  }

  /**
   * Where the journal is there is still the one that is written.
   *
   * @throws IOException where it was removed or replaced, with what to do
   */
  public synchronized void requireInPlace() throws IOException {
    store.requireInPlace();
  }

  /**
   * How many entries there ever were that say whose something in HDFS is. An older copy of a journal has fewer.
   */
  public synchronized long changes() {
    return state.changes();
  }

  /** The last that was heard of each move that is not at its end. */
  public synchronized List<JournalEntry.Moved> open() {
    return state.open();
  }

  /** What the last plan was to do, where nothing says that it came to its end. */
  public synchronized List<JournalEntry.Planned> unfinished() {
    return state.underWay().unfinished();
  }

  /** What was done of it, as it stands now; what is appended later doesn't change it. */
  public synchronized PlanUnderWay underWay() {
    return state.underWay().copy();
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
