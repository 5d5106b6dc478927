// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintBook;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.observe.FileView;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What was asked for by hints that name an operation, as tasks that people can follow: of the
 * files that a hint is the closest one of, how many are where it wants them. A task ends when
 * all are, or when a plan does nothing more about the others, or with the hint. Thread-safe.
 */
final class HintTasks {

  /** The other operations move nothing. */
  static final Set<Operation> FOLLOWED =
      EnumSet.of(Operation.MIGRATE, Operation.REPLICATE, Operation.PREFETCH);

  private final Tasks tasks;
  private final HintBook book;
  private final Map<String, Followed> open = new LinkedHashMap<>();

  private static final class Followed {
    private final GivenHint hint;
    private volatile Tasks.Progress progress = new Tasks.Progress(0, 0);
    private Tasks.Running task;

    Followed(GivenHint hint) {
      this.hint = hint;
    }
  }

  /** What a plan knows of the files of one hint. */
  private static final class Seen {
    private long files;
    private long there;
    private boolean goesOn;
    private String left = "";
  }

  HintTasks(Tasks tasks, HintBook book) {
    this.tasks = tasks;
    this.book = book;
  }

  /** The task of a hint that was taken; none where there is nothing to follow. */
  synchronized OptionalLong follow(GivenHint hint, String who) {
    if (!FOLLOWED.contains(hint.hint().operation())) {
      return OptionalLong.empty();
    }
    Followed before = open.get(hint.id());
    if (before != null) {
      return OptionalLong.of(before.task.id());
    }
    Followed followed = new Followed(hint);
    followed.task =
        tasks.begin(
            hint.hint().operation() + " " + hint.hint().target(),
            who,
            "hint " + hint.id(),
            () -> followed.progress);
    open.put(hint.id(), followed);
    return OptionalLong.of(followed.task.id());
  }

  /**
   * Takes what a plan was made of.
   *
   * @param hints by which it was made
   * @param raised whether a path has more replicas than it asked for
   * @param beganMillis when its making began: later hints have no part in it
   */
  synchronized void saw(
      List<HotFile> files,
      List<Decision> decisions,
      HintsInForce hints,
      Predicate<String> raised,
      long beganMillis) {
    if (open.isEmpty()) {
      return;
    }
    Set<String> decided = new HashSet<>();
    decisions.forEach(decision -> decided.add(decision.hot().file().path()));
    Map<String, Seen> seen = new HashMap<>();
    open.keySet().forEach(id -> seen.put(id, new Seen()));
    for (HotFile hot : files) {
      for (Operation operation : FOLLOWED) {
        hints
            .of(hot.file().path(), operation)
            .filter(hint -> seen.containsKey(hint.id()))
            .ifPresent(
                hint -> look(hot.file(), hint, seen.get(hint.id()), decided::contains, raised));
      }
    }
    for (Followed followed : List.copyOf(open.values())) {
      if (followed.hint.givenMillis() < beganMillis) {
        end(followed, seen.get(followed.hint.id()));
      }
    }
  }

  private static void look(
      FileView file,
      GivenHint hint,
      Seen seen,
      Predicate<String> decided,
      Predicate<String> raised) {
    seen.files++;
    if (isThere(file, hint, raised)) {
      seen.there++;
    } else {
      seen.goesOn |= decided.test(file.path());
      seen.left = file.path();
    }
  }

  private static boolean isThere(FileView file, GivenHint hint, Predicate<String> raised) {
    if (hint.hint().operation() == Operation.REPLICATE) {
      return raised.test(file.path());
    }
    boolean isCold = hint.temperature() == Temperature.COLD;
    return file.blocks().stream()
        .map(FileView.Block::types)
        .allMatch(
            types ->
                isCold
                    ? types.stream().allMatch(type -> type == StorageType.ARCHIVE)
                    : types.stream().anyMatch(StorageType::isFast));
  }

  private void end(Followed followed, Seen seen) {
    followed.progress = new Tasks.Progress(seen.there, seen.files);
    String words = seen.there + " of " + seen.files + " files are where the hint wants them";
    boolean isOver = book.hint(followed.hint.id()).isEmpty();
    if (seen.files > 0 && seen.there == seen.files) {
      finish(followed, Tasks.State.DONE, words);
    } else if (isOver) {
      finish(followed, Tasks.State.FAILED, words + "; the hint is over");
    } else if (seen.files == 0) {
      finish(followed, Tasks.State.FAILED, "it is about no file that a plan looks at");
    } else if (!seen.goesOn) {
      finish(
          followed,
          Tasks.State.FAILED,
          words + "; of the others, like " + seen.left + ", explain says why not");
    }
  }

  private void finish(Followed followed, Tasks.State state, String words) {
    open.remove(followed.hint.id());
    followed.task.end(state, words);
  }
}
