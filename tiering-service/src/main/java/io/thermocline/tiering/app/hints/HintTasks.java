// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.decide.ChunkOperation;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.Hints;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What was asked for by hints that name an operation, as tasks that people can follow: of the
 * files that a hint is the closest one of, how many are where it wants them. A task ends when
 * all are, or when two plans in a row, or the first one, do nothing about the others, or with the hint; that of a REDIRECT, which is about new
 * files, with the hint alone. Thread-safe.
 */
public final class HintTasks {

  private static final Set<Operation> OPERATIONS =
      EnumSet.of(Operation.REDIRECT, Operation.MIGRATE, Operation.REPLICATE, Operation.PREFETCH);

  /** Tuples of a task; the files of a directory may be millions. */
  private static final int MOST_OPERATIONS = 100;

  private final Tasks tasks;
  private final HintRegistry registry;
  private final Predicate<String> isWaitedFor;
  private final Map<String, TrackedFile> open = new LinkedHashMap<>();

  private static final class TrackedFile {
    private GivenHint hint;
    private final Map<String, List<ChunkOperation>> operations = new LinkedHashMap<>();
    private volatile Tasks.Progress progress = new Tasks.Progress(0, 0);
    private Tasks.Running task;

    /** Whether the plan before had something to do for it: HDFS may not show yet what came of that. */
    private boolean wentOn;

    TrackedFile(GivenHint hint) {
      this.hint = hint;
    }

    /**
     * Notes what a file needs, or where it came to.
     *
     * @param destination empty where that isn't known
     */
    void note(FileView file, Optional<StorageType> destination) {
      List<ChunkOperation> known = operations.get(file.path());
      if (known == null && operations.size() < MOST_OPERATIONS) {
        operations.put(file.path(), ChunkOperation.of(hint.hint().operation(), file, destination));
      } else if (known != null && destination.isPresent()) {
        operations.put(
            file.path(), known.stream().map(each -> each.to(destination.get())).toList());
      }
    }

    void came(FileView file) {
      if (operations.containsKey(file.path())) {
        file.blocks().stream()
            .flatMap(block -> block.types().stream())
            .max(StorageType::compareTo)
            .ifPresent(lead -> note(file, Optional.of(lead)));
      }
    }

    List<ChunkOperation> tuples() {
      return operations.values().stream().flatMap(List::stream).limit(MOST_OPERATIONS).toList();
    }
  }

  /** What a plan knows of the files of one hint. */
  private static final class Seen {
    private long files;
    private long there;
    private boolean goesOn;
    private String left = "";
  }

  /**
   * Goes on with those that hints asked for before a restart.
   *
   * @param isWaitedFor whether a path isn't planned for because its last move is under way or is tried again
   */
  public HintTasks(Tasks tasks, HintRegistry registry, Predicate<String> isWaitedFor) {
    this.tasks = tasks;
    this.registry = registry;
    this.isWaitedFor = isWaitedFor;
    for (Tasks.Running task : tasks.running()) {
      task.asked().hint().ifPresent(id -> resume(task, id));
    }
  }

  private void resume(Tasks.Running task, String id) {
    Optional<HintRegistry.Used> used = registry.hint(id);
    if (used.isEmpty()) {
      task.end(Tasks.State.FAILED, "the service was started anew, and the hint is over");
      return;
    }
    TrackedFile followed = new TrackedFile(used.get().hint());
    followed.task = task;
    task.goesOn(() -> followed.progress);
    open.put(id, followed);
  }

  /**
   * The task of a hint that was taken; none where there is nothing to follow.
   *
   * @throws IOException where it can't be recorded
   */
  public synchronized OptionalLong follow(GivenHint hint, String who) throws IOException {
    if (!Hints.isOperation(hint.hint())) {
      return OptionalLong.empty();
    }
    TrackedFile before = open.get(hint.id());
    if (before != null) {
      before.hint = hint;
      return OptionalLong.of(before.task.id());
    }
    TrackedFile followed = new TrackedFile(hint);
    followed.task =
        tasks.begin(
            new Tasks.Asked(
                hint.hint().operation()
                    + " "
                    + hint.hint().target()
                    + (hint.hint().startMillis() == 0
                        ? ""
                        : " from " + Instant.ofEpochMilli(hint.hint().startMillis())),
                who,
                "hint " + hint.id(),
                Optional.of(hint.id())),
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
  public synchronized void saw(
      List<HotFile> files,
      List<Decision> decisions,
      HintsInForce hints,
      Predicate<String> raised,
      long beganMillis) {
    if (open.isEmpty()) {
      return;
    }
    Map<String, Decision> decided = new HashMap<>();
    decisions.forEach(decision -> decided.put(decision.hot().file().path(), decision));
    Map<String, Seen> seen = new HashMap<>();
    open.keySet().forEach(id -> seen.put(id, new Seen()));
    for (HotFile hot : files) {
      for (Operation operation : OPERATIONS) {
        hints
            .of(hot.file().path(), operation)
            .filter(hint -> seen.containsKey(hint.id()))
            .ifPresent(
                hint -> {
                  Decision decision = decided.get(hot.file().path());
                  look(hot.file(), open.get(hint.id()), seen.get(hint.id()), decision, raised);
                });
      }
    }
    for (TrackedFile followed : List.copyOf(open.values())) {
      // Not when it was given: it is in force only once HDFS has been asked.
      if (followed.task.began().toEpochMilli() < beganMillis
          && followed.hint.hint().hasBegun(beganMillis)) {
        end(followed, seen.get(followed.hint.id()), beganMillis);
      }
    }
  }

  /**
   * @param decision null where nothing was decided of it
   */
  private void look(
      FileView file, TrackedFile followed, Seen seen, Decision decision, Predicate<String> raised) {
    seen.files++;
    if (isThere(file, followed.hint, raised)) {
      seen.there++;
      followed.came(file);
    } else {
      seen.goesOn |= decision != null || isBetweenStates(file) || isWaitedFor.test(file.path());
      seen.left = file.path();
      followed.note(file, Optional.ofNullable(decision).map(each -> each.target().lead()));
    }
  }

  /** Whether HDFS still has to delete a source of what was copied. */
  private static boolean isBetweenStates(FileView file) {
    return !file.isErasureCoded()
        && file.blocks().stream().anyMatch(block -> block.replicas().size() > file.replication());
  }

  private static boolean isThere(FileView file, GivenHint hint, Predicate<String> raised) {
    if (hint.hint().operation() == Operation.REPLICATE) {
      return raised.test(file.path());
    }
    boolean isCold = hint.temperature() == Temperature.COLD;
    // A prefetch goes to a fast type however warm; all else that is warm only not to ARCHIVE.
    boolean isWarm =
        hint.temperature() == Temperature.WARM && hint.hint().operation() != Operation.PREFETCH;
    return file.blocks().stream()
        .map(FileView.Block::types)
        .allMatch(
            types ->
                isCold
                    ? types.stream().allMatch(type -> type == StorageType.ARCHIVE)
                    : types.stream()
                        .anyMatch(type -> isWarm ? type != StorageType.ARCHIVE : type.isFast()));
  }

  private void end(TrackedFile followed, Seen seen, long nowMillis) {
    followed.progress = new Tasks.Progress(seen.there, seen.files, followed.tuples());
    String words = seen.there + " of " + seen.files + " files are where the hint wants them";
    boolean isOver =
        registry
            .hint(followed.hint.id())
            .filter(used -> used.hint().hint().isInForce(nowMillis))
            .isEmpty();
    boolean isAll = seen.files > 0 && seen.there == seen.files;
    boolean isOfNewFiles = followed.hint.hint().operation() == Operation.REDIRECT;
    if (isAll && (isOver || !isOfNewFiles)) {
      finish(followed, Tasks.State.DONE, words);
    } else if (isOver) {
      finish(followed, Tasks.State.FAILED, words + "; the hint is over");
    } else if (isOfNewFiles) {
      return;
    } else if (seen.files == 0) {
      finish(followed, Tasks.State.FAILED, "it is about no file that a plan looks at");
    } else if (!seen.goesOn && !followed.wentOn) {
      finish(
          followed,
          Tasks.State.FAILED,
          words + "; of the others, like " + seen.left + ", explain says why not");
    }
    followed.wentOn = seen.goesOn;
  }

  private void finish(TrackedFile followed, Tasks.State state, String words) {
    open.remove(followed.hint.id());
    followed.task.end(state, words);
  }
}
