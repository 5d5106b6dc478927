// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.savings;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.observe.Access;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Files that were moved of late, and whether they were read since: a misprediction is known only then.
 * Bounded: with each plan, of too many the oldest go. Thread-safe.
 */
final class MoveOutcomeTracker {

  static final int MOST = 10_000;

  /** Of less than half a read it is more probable that there was none. */
  private static final double LEAST = 0.5;

  private final Stability stability;
  private final TreeMap<String, SavingsDay.TrackedFile> files = new TreeMap<>();

  /** Mispredictions of files that aren't followed any more. */
  private final List<SavingsDay.Misprediction> ended = new ArrayList<>();

  /**
   * @param stability how long a move is to stand at least, and how long it is looked at
   */
  MoveOutcomeTracker(Stability stability, List<SavingsDay.TrackedFile> begun) {
    this.stability = stability;
    begun.forEach(file -> files.put(file.path(), file));
  }

  /** A copy is there. Several of one file and one way are one move. */
  synchronized void moved(
      String path, StorageType from, StorageType to, long bytes, Instant at, String why) {
    if (from == to) {
      return;
    }
    boolean up = to.compareTo(from) > 0;
    SavingsDay.TrackedFile before = files.get(path);
    if (before != null && before.up() == up) {
      files.put(path, before.with(bytes));
      return;
    }
    end(path, at);
    files.put(
        path,
        new SavingsDay.TrackedFile(path, up, at.toString(), from.name(), to.name(), bytes, 0, why));
  }

  /** Somebody brought the file elsewhere, which isn't followed. */
  synchronized void ended(String path, Instant at) {
    end(path, at);
  }

  /**
   * @param reads below zero where some were no reads after all
   */
  synchronized void read(String path, double reads) {
    files.computeIfPresent(path, (same, file) -> file.read(reads));
  }

  /** Follows names, and no longer what was deleted or made anew. */
  void accept(Access access) {
    switch (access.kind()) {
      case RENAME -> renamed(access.path(), access.newPath());
      case DELETE, CREATE -> gone(access.path(), Instant.ofEpochMilli(access.timeMillis()));
      // Most are reads, which needn't wait for anybody.
      default -> {}
    }
  }

  private synchronized void gone(String path, Instant at) {
    each(path, file -> end(file.path(), at));
  }

  private synchronized void renamed(String path, String newPath) {
    each(
        path,
        file -> {
          files.remove(file.path());
          String name = newPath + file.path().substring(path.length());
          files.put(name, file.named(name));
        });
  }

  /** The file, or those below the directory; with a copy, as it changes them. */
  private void each(String path, Consumer<SavingsDay.TrackedFile> what) {
    if (files.isEmpty()) {
      return;
    }
    SavingsDay.TrackedFile file = files.get(path);
    if (file != null) {
      what.accept(file);
    }
    // The slash is followed by the zero.
    SortedMap<String, SavingsDay.TrackedFile> below = files.subMap(path + "/", path + "0");
    if (!below.isEmpty()) {
      List.copyOf(below.values()).forEach(what);
    }
  }

  private void end(String path, Instant at) {
    SavingsDay.TrackedFile file = files.remove(path);
    if (file != null) {
      misprediction(file, at).ifPresent(ended::add);
    }
  }

  /** What moved so long ago that nobody asks any more is not followed on, nor what is too much. */
  synchronized void trim(Instant now) {
    Instant horizon = now.minus(stability.window());
    files.values().removeIf(file -> Instant.parse(file.at()).isBefore(horizon));
    files.values().stream()
        .sorted(Comparator.comparing(file -> Instant.parse(file.at())))
        .limit(Math.max(0, files.size() - MOST))
        .toList()
        .forEach(oldest -> files.remove(oldest.path()));
  }

  private Optional<SavingsDay.Misprediction> misprediction(
      SavingsDay.TrackedFile file, Instant now) {
    boolean isMisprediction =
        file.up()
            ? file.reads() < LEAST
                && !now.isBefore(Instant.parse(file.at()).plus(stability.residency()))
            : file.reads() >= LEAST;
    return isMisprediction
        ? Optional.of(
            new SavingsDay.Misprediction(
                file.up() ? SavingsDay.Kind.UP_AND_NOT_READ : SavingsDay.Kind.DOWN_AND_READ,
                file.path(),
                file.at(),
                file.from(),
                file.to(),
                file.bytes(),
                Math.round(file.reads()),
                file.why()))
        : Optional.empty();
  }

  /** Of files that are followed. */
  synchronized List<SavingsDay.Misprediction> mispredictions(Instant now) {
    return files.values().stream().flatMap(file -> misprediction(file, now).stream()).toList();
  }

  /** Mispredictions of files that aren't followed any more, once. */
  synchronized List<SavingsDay.Misprediction> takeEnded() {
    List<SavingsDay.Misprediction> taken = List.copyOf(ended);
    ended.clear();
    return taken;
  }

  synchronized List<SavingsDay.TrackedFile> all() {
    return List.copyOf(files.values());
  }
}
