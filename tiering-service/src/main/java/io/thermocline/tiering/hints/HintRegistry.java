// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.Paths;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * All hints that hold, what was read of what they are about, and how often their owners were right. Told of each
 * access: reads are counted, renames followed, and what is deleted has no hints. Thread-safe.
 */
public final class HintRegistry {

  private final HintSettings settings;
  private final long nameservice;
  private final HintLog log;
  private final Map<String, Held> held = new LinkedHashMap<>();
  private final Map<String, OwnerReliability> reliabilities = new TreeMap<>();
  private final HintRoom room;

  /** Hints on files and directories by their paths, in order: an access of one path never looks at all of them. */
  private final NavigableMap<String, List<Held>> byPath = new TreeMap<>();

  /** The same by the keys of the paths, which an access has at hand. */
  private final Map<Long, List<Held>> byKey = new HashMap<>();

  private final Map<String, List<Held>> byStream = new HashMap<>();
  private final NavigableMap<String, String> tags = new TreeMap<>();
  private final Map<Long, String> tagsByKey = new HashMap<>();

  private final List<GivenHint> ended = new ArrayList<>();

  /** False where no access means anything, so that most services never wait for the lock. */
  private volatile boolean watches;

  /** A hint that holds. */
  private static final class Held {
    private GivenHint hint;
    private long reads;

    private Held(GivenHint hint, long reads) {
      this.hint = hint;
      this.reads = reads;
    }

    private Verdict verdict(HintEnd how, long nowMillis) {
      double elapsed = (double) (nowMillis - hint.sinceMillis()) / hint.leaseMillis();
      return how == HintEnd.UNANSWERED
          ? Verdict.WRONG
          : Verdict.of(hint.temperature(), reads, elapsed);
    }
  }

  /** A hint with what was read, since it is judged, of what it is about. */
  public record Used(GivenHint hint, long reads) {}

  /**
   * @param nameservice as {@link PathKey#nameservice}, of the accesses
   */
  public HintRegistry(HintSettings settings, long nameservice, HintLog log) {
    this(settings, nameservice, log, Set.of());
  }

  /**
   * @param nameservice as {@link PathKey#nameservice}, of the accesses
   * @param off operations of which nothing comes here: hints of these are advice
   */
  public HintRegistry(HintSettings settings, long nameservice, HintLog log, Set<Operation> off) {
    this.settings = settings;
    this.nameservice = nameservice;
    this.log = log;
    this.room = new HintRoom(settings, off);
  }

  public HintSettings settings() {
    return settings;
  }

  // --- what a log told before ---

  /** Takes what a log has as it is, without writing it again. */
  public synchronized void restore(
      List<Used> hints, Map<String, String> streams, Map<String, OwnerReliability> owners) {
    for (Used used : hints) {
      put(new Held(used.hint(), used.reads()));
    }
    streams.forEach(this::setTag);
    reliabilities.putAll(owners);
  }

  // --- giving and ending ---

  /** Whether the owner may have one more. */
  public synchronized boolean hasRoom(String owner) {
    return room.has(owner);
  }

  /**
   * An owner, or all owners together, have as many as they may.
   *
   * @param reason how many of what
   * @param limit what sets that number
   * @param remedy how an administrator allows more
   */
  public record Full(String reason, String limit, String remedy) {
    static Full of(String reason, String key) {
      return new Full(reason, key, "raise " + key);
    }
  }

  /**
   * Whether a hint is one too many of its owner, or of all; one in the place of one of theirs is not. How many operations
   * the service itself asks for is bounded by bytes alone ({@code hints.prefetch}).
   */
  public synchronized Optional<Full> full(GivenHint next) {
    Held before = held.get(next.id());
    return before == null && held.size() >= settings.maxTotal()
        ? Optional.of(fullOfAll("hints"))
        : room.full(next, Optional.ofNullable(before).map(each -> each.hint.hint()));
  }

  private Full fullOfAll(String what) {
    return new Full(
        "all owners together have " + settings.maxTotal() + " " + what,
        "the lower of hints.maxTotal and the number that fits into a quarter of the heap (-Xmx)",
        "raise hints.maxTotal and the heap (-Xmx)");
  }

  /** Whose hints hold, or were found right or wrong, in the order of their names. */
  public synchronized List<String> owners() {
    Set<String> owners = new TreeSet<>(room.owners());
    reliabilities.forEach(
        (owner, reliability) -> {
          if (reliability.right() + reliability.wrong() > 0) {
            owners.add(owner);
          }
        });
    return List.copyOf(owners);
  }

  /** Hints of an owner that hold. */
  public synchronized int hintsOf(String owner) {
    return room.hintsOf(owner);
  }

  /** Hints of an owner that hold and ask for an operation. */
  public synchronized int operationsOf(String owner) {
    return room.operationsOf(owner);
  }

  /**
   * Takes a hint; one that was given before of the same kind, for the same data, is judged and replaced. Nothing happens
   * where it is the same, or one too many.
   *
   * @return as {@link #full}; empty where it holds now
   */
  public synchronized Optional<Full> give(GivenHint hint, long nowMillis) {
    Held before = held.get(hint.id());
    if (before != null && before.hint.hint().equals(hint.hint())) {
      if (!before.hint.path().equals(hint.path())) {
        move(before, hint.path());
      }
      return Optional.empty();
    }
    Optional<Full> full = full(hint);
    if (full.isPresent()) {
      return full;
    }
    // Renewing early is no way round being judged.
    boolean goesOn =
        before != null
            && before.hint.hint().owner().equals(hint.hint().owner())
            && before.verdict(HintEnd.REPLACED, nowMillis) == Verdict.UNJUDGED;
    Held next = goesOn ? new Held(hint.since(before.hint), before.reads) : new Held(hint, 0);
    log.given(next.hint);
    if (before != null) {
      end(before, HintEnd.REPLACED, nowMillis);
    }
    if (next.reads > 0) {
      log.read(hint.id(), next.reads);
    }
    put(next);
    return Optional.empty();
  }

  /** Ends a hint; false where there is none. */
  public synchronized boolean end(String id, HintEnd how, long nowMillis) {
    Held found = held.get(id);
    if (found != null) {
      end(found, how, nowMillis);
    }
    return found != null;
  }

  /**
   * Sets the stream that what is at a path belongs to. Where its owner, or all owners together, have as many paths in
   * streams as may be, and this would be one more, the path belongs to none.
   *
   * @param stream as {@link GivenHint#streamOf} has it; empty for none
   * @return why it belongs to none; empty where it is as asked for
   */
  public synchronized Optional<Full> tag(String path, String stream) {
    String before = tags.getOrDefault(path, "");
    if (stream.equals(before)) {
      return Optional.empty();
    }
    String owner = GivenHint.ownerOf(stream);
    Optional<Full> full = stream.isEmpty() ? Optional.empty() : fullOfTags(owner, before);
    String next = full.isPresent() ? "" : stream;
    if (!next.equals(before)) {
      log.tagged(path, next);
      setTag(path, next);
    }
    return full;
  }

  private Optional<Full> fullOfTags(String owner, String before) {
    if (before.isEmpty() && tags.size() >= settings.maxTotal()) {
      return Optional.of(fullOfAll("paths in streams"));
    }
    return owner.equals(GivenHint.ownerOf(before)) ? Optional.empty() : room.fullOfTags(owner);
  }

  /** As {@link #tag}, unrecorded. */
  private void setTag(String path, String stream) {
    long key = PathKey.of(nameservice, path);
    String before = stream.isEmpty() ? tags.remove(path) : tags.put(path, stream);
    if (before != null) {
      room.tagged(GivenHint.ownerOf(before), -1);
    }
    if (stream.isEmpty()) {
      tagsByKey.remove(key);
    } else {
      room.tagged(GivenHint.ownerOf(stream), 1);
      tagsByKey.put(key, stream);
    }
    changed();
  }

  /** Ends what is over: leases, and questions that nobody answered. */
  public synchronized void tick(long nowMillis) {
    for (Held each : List.copyOf(held.values())) {
      if (!each.hint.hint().isInForce(nowMillis)) {
        end(each, HintEnd.EXPIRED, nowMillis);
      } else if (wakeup(each, nowMillis)
          .filter(asked -> asked.reason() == Wakeup.Reason.UNUSED)
          .filter(asked -> nowMillis >= asked.answerByMillis())
          .isPresent()) {
        end(each, HintEnd.UNANSWERED, nowMillis);
      }
    }
  }

  private void put(Held next) {
    Held before = held.put(next.hint.id(), next);
    if (before != null) {
      room.remove(before.hint.hint());
      unplace(before);
    }
    room.add(next.hint.hint());
    place(next);
  }

  private void end(Held over, HintEnd how, long nowMillis) {
    Verdict verdict = over.verdict(how, nowMillis);
    log.ended(over.hint, how, verdict);
    held.remove(over.hint.id());
    unplace(over);
    String owner = over.hint.hint().owner();
    room.remove(over.hint.hint());
    if (verdict != Verdict.UNJUDGED) {
      reliabilities.put(owner, reliability(owner).after(verdict));
    }
    if (how == HintEnd.EXPIRED || how == HintEnd.UNANSWERED) {
      ended.add(over.hint);
    }
  }

  // --- what happens to the data ---

  /** Takes an access of the nameservice. */
  public void accept(Access access) {
    if (!watches) {
      return;
    }
    switch (access.kind()) {
      case READ -> read(access.hashes(), access.timeMillis());
      case RENAME -> renamed(access.path(), access.newPath(), access.timeMillis());
      case CREATE, DELETE -> gone(access.path(), access.timeMillis());
      case SCANNED, WRITE, WITHDRAW, RESTORE, REPLICATION, POLICY, NO_POLICY, ATTRIBUTES -> {
        // Who sets attributes is asked for by others; the rest leaves a hint as it is.
      }
    }
  }

  private synchronized void read(PathHashes path, long atMillis) {
    for (int depth = 0; depth <= path.depth(); depth++) {
      long key = path.key(depth);
      read(byKey.getOrDefault(key, List.of()), atMillis);
      String stream = tagsByKey.get(key);
      if (stream != null) {
        read(byStream.getOrDefault(stream, List.of()), atMillis);
      }
    }
  }

  private void read(List<Held> hints, long atMillis) {
    for (Held each : hints) {
      // Logs are read behind what a hint was given by.
      if (atMillis < each.hint.sinceMillis()) {
        continue;
      }
      each.reads++;
      if (each.reads == 1 || each.reads == Verdict.COLD_READS + 1) {
        log.read(each.hint.id(), each.reads);
      }
    }
  }

  private synchronized void renamed(String from, String to, long nowMillis) {
    overwritten(from, to, nowMillis);
    for (Held each : atOrBelow(from)) {
      move(each, to + each.hint.path().substring(from.length()));
    }
    for (String path : Paths.atOrBelow(tags, from)) {
      String stream = tags.get(path);
      tag(path, "");
      tag(to + path.substring(from.length()), stream);
    }
  }

  /** A file that is renamed onto another one is in its place. */
  private void overwritten(String from, String to, long nowMillis) {
    List.copyOf(byPath.getOrDefault(to, List.of())).stream()
        .filter(each -> each.hint.hint().scope() == Scope.FILE)
        .filter(each -> !from.equals(to) && each.hint.givenMillis() <= nowMillis)
        .forEach(each -> end(each, HintEnd.GONE, nowMillis));
  }

  private void move(Held each, String path) {
    GivenHint now = each.hint.movedTo(path);
    log.given(now);
    if (!now.id().equals(each.hint.id())) {
      log.ended(each.hint, HintEnd.MOVED, Verdict.UNJUDGED);
      if (each.reads > 0) {
        log.read(now.id(), each.reads);
      }
    }
    held.remove(each.hint.id());
    unplace(each);
    each.hint = now;
    held.put(now.id(), each);
    place(each);
  }

  private synchronized void gone(String path, long nowMillis) {
    atOrBelow(path).stream()
        .filter(each -> each.hint.givenMillis() <= nowMillis)
        .forEach(each -> end(each, HintEnd.GONE, nowMillis));
    Paths.atOrBelow(tags, path).forEach(at -> tag(at, ""));
  }

  private List<Held> atOrBelow(String path) {
    return Paths.atOrBelow(byPath, path).stream().flatMap(at -> byPath.get(at).stream()).toList();
  }

  private void changed() {
    watches = !held.isEmpty() || !tags.isEmpty();
  }

  private void place(Held each) {
    if (each.hint.hint().scope() == Scope.STREAM) {
      add(byStream, each.hint.stream(), each);
    } else {
      add(byPath, each.hint.path(), each);
      add(byKey, PathKey.of(nameservice, each.hint.path()), each);
    }
    changed();
  }

  private void unplace(Held each) {
    if (each.hint.hint().scope() == Scope.STREAM) {
      remove(byStream, each.hint.stream(), each);
    } else {
      remove(byPath, each.hint.path(), each);
      remove(byKey, PathKey.of(nameservice, each.hint.path()), each);
    }
    changed();
  }

  private static <K> void add(Map<K, List<Held>> index, K key, Held each) {
    index.computeIfAbsent(key, first -> new ArrayList<>(1)).add(each);
  }

  private static <K> void remove(Map<K, List<Held>> index, K key, Held each) {
    index.computeIfPresent(
        key,
        (at, all) -> {
          all.remove(each);
          return all.isEmpty() ? null : all;
        });
  }

  // --- asking ---

  /** The hints that hold, with the owners' reliability as it is now. What is said to be cold and is read counts no more. */
  public synchronized HintsInForce inForce(long nowMillis) {
    List<GivenHint> hints = new ArrayList<>();
    for (Held each : held.values()) {
      boolean isRefuted =
          each.hint.temperature() == Temperature.COLD && each.reads > Verdict.COLD_READS;
      if (!isRefuted) {
        hints.add(each.hint);
      }
    }
    Map<String, OwnerReliability> known = Map.copyOf(reliabilities);
    return new HintsInForce(
        hints,
        Map.copyOf(tags),
        owner -> known.getOrDefault(owner, OwnerReliability.NEW),
        settings.rates(),
        nowMillis);
  }

  /** Whether a hint that asks for something began to hold after one moment and by another. */
  public synchronized boolean hasBegun(long afterMillis, long byMillis) {
    return held.values().stream()
        .map(each -> each.hint.hint())
        .filter(Hints::isOperation)
        .anyMatch(hint -> hint.startMillis() > afterMillis && hint.startMillis() <= byMillis);
  }

  /** Hints that hold, those given first first. */
  public synchronized List<Used> hints(Predicate<GivenHint> wanted) {
    return held.values().stream()
        .filter(each -> wanted.test(each.hint))
        .map(each -> new Used(each.hint, each.reads))
        .toList();
  }

  public synchronized Optional<Used> hint(String id) {
    return Optional.ofNullable(held.get(id)).map(each -> new Used(each.hint, each.reads));
  }

  /** What owners should be asked now. */
  public synchronized List<Wakeup> due(Predicate<String> owner, long nowMillis) {
    return held.values().stream()
        .filter(each -> owner.test(each.hint.hint().owner()))
        .flatMap(each -> wakeup(each, nowMillis).stream())
        .toList();
  }

  private Optional<Wakeup> wakeup(Held each, long nowMillis) {
    return Wakeup.of(each.hint, each.reads, settings, nowMillis);
  }

  public synchronized OwnerReliability reliability(String owner) {
    return reliabilities.getOrDefault(owner, OwnerReliability.NEW);
  }

  /** Paths with the stream that they, and all below them, belong to. */
  public synchronized Map<String, String> streams() {
    return Map.copyOf(tags);
  }

  /** Hints that ended by themselves since this was last asked: what stands on their inodes is of no use any more. */
  public synchronized List<GivenHint> takeEnded() {
    List<GivenHint> taken = List.copyOf(ended);
    ended.clear();
    return taken;
  }

  /** How many, and how true. */
  public synchronized HintTotals totals() {
    double reliability =
        held.values().stream()
            .mapToDouble(each -> reliability(each.hint.hint().owner()).weight())
            .average()
            .orElse(Double.NaN);
    long right = reliabilities.values().stream().mapToLong(OwnerReliability::right).sum();
    long wrong = reliabilities.values().stream().mapToLong(OwnerReliability::wrong).sum();
    return new HintTotals(held.size(), reliability, right, wrong);
  }
}
