// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Looks at what HDFS shows of copies that were made. Thread-safe. */
final class Verifier {

  private final HdfsCalls hdfs;
  private final Duration within;
  private final LongSupplier nanos;

  /**
   * @param within how long the NameNode has for either: to show the copy, and to have the source
   *     gone
   */
  Verifier(HdfsCalls hdfs, Duration within, LongSupplier nanos) {
    this.hdfs = hdfs;
    this.within = within;
    this.nanos = nanos;
  }

  /** Files as HDFS shows them now; without those that it can't be asked for. */
  Map<String, Optional<FileView>> files(Collection<FileTask> tasks) {
    return hdfs.views(tasks.stream().map(FileTask::path).distinct().toList());
  }

  /**
   * Takes the moves of these tasks to where HDFS shows them.
   *
   * @return whether any of them went on
   */
  boolean look(Collection<FileTask> tasks) {
    List<FileTask> copied = new ArrayList<>(tasks);
    copied.removeIf(task -> task.copied().isEmpty());
    if (copied.isEmpty()) {
      return false;
    }
    Map<String, Optional<FileView>> files = files(copied);
    Map<MoveListener, List<MoveListener.Change>> seen = new HashMap<>();
    List<Runnable> told = new ArrayList<>();
    try {
      for (FileTask task : copied) {
        for (Move move : task.copied()) {
          Optional<MoveListener.Change> change =
              look(task, move, files.get(task.path())).filter(task::take);
          if (change.isPresent()) {
            told.add(() -> task.told(move));
            seen.computeIfAbsent(task.listener(), first -> new ArrayList<>()).add(change.get());
          }
        }
      }
    } finally {
      // All that one look shows is recorded in one go; also where it breaks off: what was taken has
      // happened.
      try {
        seen.forEach(MoveListener::changed);
      } finally {
        told.forEach(Runnable::run);
      }
    }
    return !seen.isEmpty();
  }

  /**
   * @param now null where HDFS can't be asked
   */
  private Optional<MoveListener.Change> look(FileTask task, Move move, Optional<FileView> now) {
    String missing = "HDFS could not be asked";
    boolean isVisibleAlready = task.in(MoveState.VISIBLE).contains(move);
    if (now != null) {
      if (now.isEmpty() || !MoveCheck.hasBlock(move, now.get())) {
        return change(move, MoveState.OBSOLETE, "the file changed or went away");
      }
      missing = MoveCheck.missing(move, now.get()).orElse("");
      if (missing.isEmpty()) {
        return end(task, move, now.get());
      }
      if (!isVisibleAlready && MoveCheck.isShown(move, now.get())) {
        return change(move, MoveState.VISIBLE, "");
      }
    }
    if (nanos.getAsLong() - task.copiedAtNanos() > within.toNanos()) {
      return change(move, MoveState.FAILED, missing + " after " + within.toSeconds() + " s");
    }
    return Optional.empty();
  }

  private Optional<MoveListener.Change> end(FileTask task, Move move, FileView now) {
    try {
      int racks = MoveCheck.racks(move, now, hdfs::rack);
      if (racks < task.racks(move)) {
        String fewer = racks + " racks have it, " + task.racks(move) + " had";
        return change(move, MoveState.FAILED, fewer);
      }
    } catch (IOException e) {
      // A DataNode of another replica went away meanwhile: the NameNode makes that good, by its
      // own rules.
      return change(move, MoveState.VERIFIED, "racks not known: " + e.getMessage());
    }
    return change(move, MoveState.VERIFIED, "");
  }

  private static Optional<MoveListener.Change> change(Move move, MoveState state, String detail) {
    return Optional.of(new MoveListener.Change(move, state, detail));
  }
}
