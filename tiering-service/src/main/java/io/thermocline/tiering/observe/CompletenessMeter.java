// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * Compares what a NameNode counted with what stands in its audit log, over a window that slides. Not thread-safe.
 *
 * <p>Compared are getfileinfo, delete and rename: the NameNode counts each exactly where it logs it, deletes and renames
 * where they succeeded. Opens are not: it counts those of missing files, and logs no line. A kind that never
 * stood in the log is left out, since an administrator may have silenced it
 * (dfs.namenode.audit.log.debug.cmdlist), unless nothing at all stands there. An appender drops without regard to kind, so
 * the share of these is that of opens.
 *
 * <p>What a NameNode's /jmx page says may be as old as the period of its metrics, by default {@link #STALE_MILLIS}: lines
 * of that much time before the window are credited, so that the share is at most too high, by that part of the window.
 */
final class CompletenessMeter {

  /** Operations of each kind so far, by whoever counts. */
  record Totals(Map<Operation, Long> byKind) {

    /** The kinds that are compared. */
    static final Operation[] KINDS = {Operation.GET_FILE_INFO, Operation.DELETE, Operation.RENAME};

    Totals {
      byKind = Map.copyOf(byKind);
    }

    long of(Operation kind) {
      return byKind.getOrDefault(kind, 0L);
    }
  }

  /**
   * What stood in the log so far.
   *
   * @param lines of any kind
   * @param discarded records that the NameNode's logger says it dropped
   */
  record Audited(Totals totals, long lines, long discarded) {

    static final Audited NONE = new Audited(new Totals(Map.of()), 0, 0);

    static Audited of(LineReader reader) {
      Map<Operation, Long> totals = new EnumMap<>(Operation.class);
      for (Operation kind : Operation.values()) {
        totals.put(kind, reader.audited(kind));
      }
      LineCounts counts = reader.counts(0);
      return new Audited(new Totals(totals), counts.lines(), counts.discarded());
    }

    Audited plus(Audited other) {
      Map<Operation, Long> sum = new EnumMap<>(Operation.class);
      for (Operation kind : Operation.values()) {
        sum.put(kind, of(kind) + other.of(kind));
      }
      return new Audited(new Totals(sum), lines + other.lines, discarded + other.discarded);
    }

    long of(Operation kind) {
      return totals.of(kind);
    }
  }

  private record Sample(long millis, Totals counted, Audited audited) {}

  static final long STALE_MILLIS = 10_000;

  /** Where none of their lines came: lines that don't arrive at all are told from clocks that differ. */
  static final long LEAST_WITHOUT_LINES = 50;

  private final long windowMillis;
  private final Deque<Sample> samples = new ArrayDeque<>();

  CompletenessMeter(long windowMillis) {
    this.windowMillis = windowMillis;
  }

  /** Begins a new window. */
  void restart() {
    samples.clear();
  }

  /**
   * Takes both totals of one moment: just after the log was read to its end.
   *
   * @param counted by the NameNode
   */
  Completeness add(long millis, Totals counted, Audited audited) {
    Sample last = samples.peekLast();
    if (last != null && wentBack(last.counted(), counted)) {
      // Restarted.
      restart();
    }
    samples.addLast(new Sample(millis, counted, audited));
    // The first one that stays is at least as old as the window.
    while (samples.size() > 2 && millis - second().millis() >= windowMillis + STALE_MILLIS) {
      samples.removeFirst();
    }
    Completeness measured = measured();
    return measured.audited() == 0 && measured.counted() < LEAST_WITHOUT_LINES
        ? Completeness.UNKNOWN
        : measured;
  }

  private Sample second() {
    return samples.stream().skip(1).findFirst().orElseThrow();
  }

  private Completeness measured() {
    Completeness mute = sinceTheLastLine();
    if (mute.counted() >= LEAST_WITHOUT_LINES) {
      return mute;
    }
    Sample credited = samples.getFirst();
    Sample first =
        samples.stream()
            .filter(sample -> sample.millis() - credited.millis() >= STALE_MILLIS)
            .findFirst()
            .orElse(samples.getLast());
    return between(credited.audited(), first.counted(), samples.getLast());
  }

  /**
   * What the NameNode counted while no line came at all: then few operations tell that the lines don't arrive. Lines that
   * come in batches are waited for twice as long as for those before.
   */
  private Completeness sinceTheLastLine() {
    Sample last = samples.getLast();
    Sample mute = samples.getFirst();
    Sample from = null;
    long patience = STALE_MILLIS;
    for (Sample sample : samples) {
      if (sample.audited().lines() != mute.audited().lines()) {
        if (from != null && counted(from, sample, last) > 0) {
          patience = Math.max(patience, 2 * (sample.millis() - mute.millis()));
        }
        mute = sample;
        from = null;
      } else if (from == null && sample.millis() - mute.millis() >= STALE_MILLIS) {
        // The page may count only by then what stood in the log before.
        from = sample;
      }
    }
    return from == null || last.millis() - mute.millis() < patience
        ? Completeness.UNKNOWN
        : new Completeness(counted(from, last, last), 0, 0);
  }

  /** Of kinds that have had lines by then, or of all where there were none. */
  private static long counted(Sample from, Sample to, Sample kinds) {
    long counted = 0;
    for (Operation kind : Totals.KINDS) {
      if (kinds.audited().lines() == 0 || kinds.audited().of(kind) > 0) {
        counted += to.counted().of(kind) - from.counted().of(kind);
      }
    }
    return counted;
  }

  private static boolean wentBack(Totals before, Totals after) {
    for (Operation kind : Totals.KINDS) {
      if (after.of(kind) < before.of(kind)) {
        return true;
      }
    }
    return false;
  }

  private static Completeness between(Audited credited, Totals first, Sample last) {
    long counted = 0;
    long audited = 0;
    boolean isMute = last.audited().lines() == credited.lines();
    for (Operation kind : Totals.KINDS) {
      if (isMute || last.audited().of(kind) > 0) {
        counted += last.counted().of(kind) - first.of(kind);
        audited += last.audited().of(kind) - credited.of(kind);
      }
    }
    return new Completeness(counted, audited, last.audited().discarded() - credited.discarded());
  }
}
