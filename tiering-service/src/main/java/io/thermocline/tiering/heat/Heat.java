// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSink;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How hot each path of a nameservice is: its opens, each weighing half as much after every half-life, and
 * exact profiles of the hottest files, with what an open reads of them. A partition directory has the reads of the files below it. Reads count by their own
 * times, however late they come; what is asked is as of the time of the last access, or of {@link #advance} where that is
 * later. One thread accepts and advances; any may ask.
 */
public final class Heat implements AccessSink {

  /*
   * State is a function of the accesses in the order in which they were handed in: clock, rounding and
   * sampling depend on nothing else. So a checkpoint and the accesses after it give what an uninterrupted
   * run gives, bit for bit. What passed since the last access is taken off when somebody asks, and is no part of
   * the state: so an access of that time that comes late still finds its step.
   *
   * The names of files don't say how many blocks they have. So opens are counted here, and for the hottest files what an
   * open reads on average; Opens estimates reads from both where the blocks are known.
   *
   * A read that is taken back (WITHDRAW) is exactly taken back while no step passed since it was counted, and else to
   * within the rounding of cooling, never below 0. Left in place is a read whose counts were lost for want of room, or
   * whose path had another key than its own, of which CountedKeys has forgotten; and in the heat of a profile, one of a
   * file that was renamed since.
   *
   * A file that is renamed into a partition, or out of it, takes its own heat along, not its share of the
   * partition's: that is learned, and cools.
   */
  private final HeatSettings settings;
  private final long nameservice;
  private final EventClock clock;
  private final FingerprintHotnessTable table;
  private final Candidates candidates;
  private final RenameHistory renames;
  private final ReadDirectories directories;
  private final CountedKeys countedKeys = new CountedKeys();
  private final AtomicLong reads = new AtomicLong();
  private final Decay decay;
  private long knownStep = Long.MIN_VALUE;
  private volatile long knownMillis = Long.MIN_VALUE;

  /** What is left of a read of the clock's step: 1 unless nothing happened since. */
  private volatile double idle = 1;

  /** Of what was fetched, so that it must be. */
  private long fetched;

  /** Of those that may come soon, those that ask for renames. */
  private Access[] ofRenames = new Access[64];

  /** Of those that may come soon, the records of their files. */
  private Candidate[] soonFound = new Candidate[64];

  private final RenameHistory.Visitor isReadBelow = (name, key) -> isReadBelow(name);
  private final RenameHistory.Visitor isRead = (name, key) -> isReadBelow(name) || isCounted(key);

  /**
   * @param nameservice part of every key, so that equal paths of two nameservices stay apart
   */
  public Heat(HeatSettings settings, String nameservice) {
    this.settings = settings;
    this.nameservice = PathKey.nameservice(nameservice);
    this.decay = new Decay(settings.halfLife());
    this.clock = new EventClock(decay);
    this.table = new FingerprintHotnessTable(settings.tableBytes(), 0, this.nameservice);
    this.candidates = new Candidates(this.nameservice, settings.candidates(), settings.pageCache());
    this.renames = new RenameHistory(this.nameservice, settings.renames());
    this.directories = new ReadDirectories(settings.directories(), 0);
  }

  /**
   * Counts a read or a write; carries heat along with a rename; forgets what is gone or made anew. What happened in
   * another nameservice is none of its business.
   */
  @Override
  public void accept(Access access) {
    if (access.nameservice() != nameservice && access.nameservice() != 0) {
      return;
    }
    long time = access.timeMillis();
    if (access.kind() == Access.Kind.WITHDRAW || access.kind() == Access.Kind.RESTORE) {
      // Of the past: says nothing of what time it is.
      change(access, time);
      return;
    }
    if (clock.observe(time)) {
      coolTo(clock.step());
    }
    switch (access.kind()) {
      case READ -> read(access, time);
      case WRITE -> {
        Candidate candidate = candidates.find(access.key());
        if (candidate != null) {
          candidates.appended(candidate, time);
        }
      }
      case CREATE -> created(access.hashes(), time);
      case RENAME -> renamed(access);
      case DELETE -> deleted(access.hashes());
      case SCANNED, WITHDRAW, RESTORE, REPLICATION, POLICY, NO_POLICY, ATTRIBUTES -> {
        // The second and third were handled above; the others say nothing of heat.
      }
    }
  }

  /** Accesses up to this time may come: what is later by much isn't believed at once. Milliseconds since 1970. */
  public void trust(long timeMillis) {
    clock.trust(timeMillis);
  }

  /**
   * All accesses up to this time were handed in: what is asked is as of then, though nothing happened since. May be
   * earlier than the one before, where a wall clock was set right.
   *
   * @param timeMillis milliseconds since 1970
   */
  public void advance(long timeMillis) {
    knownStep = decay.step(timeMillis);
    knownMillis = timeMillis;
    rest();
  }

  private void rest() {
    double left = Decay.factor(knownStep == Long.MIN_VALUE ? 0 : knownStep - clock.step());
    if (left != idle) {
      idle = left;
    }
  }

  @Override
  public void expect(Access[] soon, int count) {
    if (soonFound.length < count) {
      soonFound = new Candidate[2 * count];
      ofRenames = new Access[2 * count];
    }
    long sum = candidates.fetch(soon, count, soonFound) + table.fetch(soon, count);
    int asking = 0;
    for (int i = 0; i < count; i++) {
      Access access = soon[i];
      long key = access.key();
      sum += countedKeys.fetch(key) + countedKeys.fetch(access.partitionKey());
      if (access.kind() != Access.Kind.READ) {
        ofRenames[asking++] = access;
        sum += fetchChanged(access.hashes());
        PathHashes to = access.newHashes();
        if (to != null) {
          sum += fetchChanged(to) + table.fetch(to.key());
        }
      } else if (soonFound[i].pathKey != key) {
        // Of a candidate's read nobody asks for renames.
        ofRenames[asking++] = access;
        PathHashes path = access.hashes();
        sum += renames.fetch(path) + candidates.fetchDirectory(path.parentKey());
      }
    }
    for (int i = 0; i < asking; i++) {
      sum += renames.fetchEntries(ofRenames[i].hashes());
      PathHashes to = ofRenames[i].newHashes();
      sum += to == null ? 0 : renames.fetchEntries(to);
    }
    fetched += sum;
  }

  /** Reads what is asked first where something comes to a path, goes from it or is gone. */
  private long fetchChanged(PathHashes path) {
    return renames.fetchName(path)
        + directories.fetch(path.key())
        + candidates.fetchUnder(path.key());
  }

  /** Adds to the profile of a candidate how its bytes were moved; nothing for other files. */
  public void transferred(String path, Transfer transfer, long bytes) {
    Candidate candidate = candidates.find(PathKey.of(nameservice, path));
    if (candidate != null) {
      candidates.transferred(candidate, transfer, bytes);
    }
  }

  /**
   * Opens of a file, or of all files below a partition directory, cooled: 3.0 is three opens just now, or six of
   * them a half-life ago.
   */
  public double of(String path) {
    PathHashes hashes = PathHashes.of(nameservice, path);
    Candidate candidate = candidates.find(hashes.key());
    return idle * (candidate == null ? counted(hashes) : candidates.heat(candidate));
  }

  /** The opens of a file, cooled, by what they read of it. */
  public Opens opens(String path) {
    PathHashes hashes = PathHashes.of(nameservice, path);
    Candidate candidate = candidates.find(hashes.key());
    double all = candidate == null ? counted(hashes) : candidates.heat(candidate);
    return candidate == null ? Opens.shared(idle * all) : candidate.opens(idle * all);
  }

  /** What the keys of its nameservice start from. */
  public long nameservice() {
    return nameservice;
  }

  /** What is known exactly of a path, if it is one of the hottest. */
  public Optional<Profile> profile(String path) {
    return Optional.ofNullable(candidates.find(PathKey.of(nameservice, path)))
        .map(candidate -> candidates.profile(candidate, idle));
  }

  /**
   * Times of the last accesses of one of the hottest files, latest first, milliseconds since 1970: of those that still
   * count, which are at most two half-lives old. None of other files.
   */
  public List<Long> recent(String path) {
    long oldest = knownMillis - 2 * settings.halfLife().toMillis();
    return profile(path).map(Profile::recent).orElse(List.of()).stream()
        .filter(time -> knownMillis == Long.MIN_VALUE || time >= oldest)
        .toList();
  }

  /** What is known exactly of the hottest, in no order. */
  public List<Profile> profiles() {
    return candidates.profiles(idle);
  }

  /** Opens counted since the start and not taken back, not cooled. */
  public long reads() {
    return reads.get();
  }

  /** How full, and what was lost; asked of the accepting thread, or else of some moment near. */
  public HeatHealth health() {
    return new HeatHealth(
        table.items(),
        table.capacity(),
        table.evictions(),
        table.lost(),
        table.errorBound(),
        renames.size(),
        renames.droppedEarly());
  }

  private void coolTo(long step) {
    table.coolTo(step);
    candidates.coolTo(step);
    directories.coolTo(step);
    renames.coolTo(step);
    rekeyChanged();
    rest();
  }

  private void read(Access access, long time) {
    Candidate candidate = candidates.find(access.key());
    // What a candidate is counted under is known, without asking for the renames of its path.
    long key = candidate == null ? renames.keyNow(access.hashes()) : candidate.key;
    double heat = table.add(key, 1);
    readPartition(access, key);
    // Of one writer only, so that no atomic addition is needed.
    reads.lazySet(reads.getPlain() + 1);
    // Exactly 1 is what a file has that had nothing.
    if (heat == 1 || directories.samples()) {
      directories.addAbove(access.hashes());
    }
    if (candidate != null) {
      candidates.read(candidate, access);
    } else if (candidates.admits(heat)) {
      candidates.admit(key, access, renames.isEmpty() ? heat : counted(access.hashes()));
    }
  }

  /** Where the file's key is its own, so is that of the directory: what is in force for it is for the file. */
  private void readPartition(Access access, long fileKey) {
    long ownKey = access.partitionKey();
    boolean renamed = fileKey != access.key();
    if (!renames.isEmpty()) {
      countedKeys.note(access.key(), fileKey);
    }
    if (ownKey != 0) {
      long key =
          renamed ? renames.keyNow(access.hashes(), access.hashes().partitionDepth()) : ownKey;
      if (!renames.isEmpty()) {
        countedKeys.note(ownKey, key);
      }
      table.add(key, 1);
    }
  }

  /** Takes back a read of the past, or counts it. */
  private void change(Access access, long time) {
    long step = clock.stepOf(time);
    double left = Decay.factor(clock.step() - step);
    long key = countedKeys.of(access.key());
    boolean isRestored = access.kind() == Access.Kind.RESTORE;
    int opens = 1 + access.parts();
    if (left > 0) {
      change(key, isRestored, opens * left);
      if (access.partitionKey() != 0) {
        change(countedKeys.of(access.partitionKey()), isRestored, opens * left);
      }
    }
    reads.lazySet(reads.getPlain() + (isRestored ? opens : -opens));
    Candidate candidate = candidates.find(access.key());
    if (candidate != null && candidate.key == key) {
      if (isRestored) {
        candidates.restored(candidate, step);
      } else {
        for (int i = 0; i < opens; i++) {
          candidates.withdrawn(candidate, step, time);
        }
      }
    }
  }

  private void change(long key, boolean isRestored, double opens) {
    if (isRestored) {
      table.addCooled(key, opens);
    } else {
      table.withdraw(key, opens);
    }
  }

  private void created(PathHashes path, long time) {
    Candidate candidate = candidates.find(path.key());
    // A count alone may be another's; one below a directory where something is read is ours.
    if (candidate != null || (wasReadBeside(path) && counted(path) > 0)) {
      renames.replaced(path);
      candidates.rekey(path.key(), renames::keyNow);
    } else {
      renames.promote(path);
    }
    if (candidate != null) {
      candidates.replaced(candidate, time);
    }
    rekeyChanged();
  }

  private void renamed(Access rename) {
    PathHashes from = rename.hashes();
    PathHashes to = rename.newHashes();
    if (from.key() == to.key()) {
      return;
    }
    if (isWarm(from) || isWarm(to)) {
      renames.renamed(from, to);
      directories.add(to);
    }
    candidates.rename(rename, renames::keyNow);
    rekeyChanged();
  }

  private void deleted(PathHashes path) {
    if (isWarm(path)) {
      renames.deleted(path);
    }
    candidates.forget(path.key());
    rekeyChanged();
  }

  private void rekeyChanged() {
    for (long pathKey : renames.takeChanged()) {
      candidates.rekey(pathKey, renames::keyNow);
    }
  }

  private boolean isReadBelow(long name) {
    return directories.contains(name);
  }

  private boolean isCounted(long key) {
    return table.estimate(key) > 0;
  }

  /** Whether the path was read, or anything below it. */
  private boolean isWarm(PathHashes path) {
    return renames.trace(path, path.depth(), isRead);
  }

  private boolean wasReadBeside(PathHashes path) {
    return path.depth() < 2 || renames.trace(path, path.depth() - 1, isReadBelow);
  }

  private double counted(PathHashes path) {
    double[] sum = {0};
    renames.trace(
        path,
        path.depth(),
        (name, key) -> {
          sum[0] += table.estimate(key);
          return false;
        });
    return sum[0];
  }

  // --- saving ---

  /**
   * The state between two accesses, for {@link HeatCheckpoint}; asked of the accepting thread, which may go
   * on at once. Takes the time of copying the profiles and the directories; the counters are copied only
   * where they change before they are written.
   */
  public HeatState freeze() {
    List<SavedState> parts =
        List.of(
            clock.freeze(),
            table.freeze(),
            candidates.freeze(),
            directories.freeze(),
            renames.freeze(),
            countedKeys.freeze(),
            candidates.freezeExtents());
    long readsNow = reads.get();
    long[] numbers = {
      nameservice,
      settings.halfLife().toMillis(),
      readsNow,
      settings.tableBytes(),
      settings.candidates()
    };
    return new HeatState(
        sink -> {
          sink.words(numbers);
          parts.forEach(part -> part.writeTo(sink));
        });
  }

  private Heat(HeatSettings settings, String nameservice, StateSource source, Saved saved) {
    this.settings = settings;
    this.nameservice = PathKey.nameservice(nameservice);
    long[] numbers = new long[5];
    source.words(numbers);
    if (numbers[0] != this.nameservice) {
      throw new IllegalStateException("it is of another nameservice than " + nameservice);
    }
    if (numbers[1] != settings.halfLife().toMillis()) {
      throw new IllegalStateException(
          "heat.halfLife was %d s when it was saved, and is %d s now"
              .formatted(numbers[1] / 1000, settings.halfLife().toSeconds()));
    }
    if (numbers[3] != settings.tableBytes() || numbers[4] != settings.candidates()) {
      throw new IllegalStateException(
          "heat.files was another when it was saved: for %d bytes and %d candidates, now %d and %d"
              .formatted(numbers[3], numbers[4], settings.tableBytes(), settings.candidates()));
    }
    this.reads.set(numbers[2]);
    this.decay = new Decay(settings.halfLife());
    this.clock = new EventClock(decay);
    clock.restore(source);
    this.table = FingerprintHotnessTable.restore(source);
    this.candidates = Candidates.restore(source, this.nameservice, settings.pageCache());
    this.directories = ReadDirectories.restore(source);
    this.renames = new RenameHistory(this.nameservice, settings.renames());
    renames.restore(source);
    countedKeys.restore(source);
    if (saved.hasExtents()) {
      candidates.restoreExtents(source, saved.hasCached());
    }
  }

  /**
   * What was saved of each candidate beside its counts.
   *
   * @param hasExtents what readers read of it
   * @param hasCached what page caches leave to disks
   */
  record Saved(boolean hasExtents, boolean hasCached) {}

  static Heat restore(HeatSettings settings, String nameservice, StateSource source, Saved saved) {
    return new Heat(settings, nameservice, source, saved);
  }
}
