// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.decide.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Moves in the order in which to begin them, with the decisions they carry out. Immutable.
 *
 * @param number counts the plans of a journal
 * @param actions what is done to files besides, in the order in which to begin it
 * @param groups what is done for files that are read together, after all else
 * @param unplaced what was decided and can't be done now, with the reason
 */
public record Plan(
    long number,
    List<FileMoves> files,
    List<ActionChange> actions,
    List<GroupChange> groups,
    List<Unplaced> unplaced) {

  public Plan {
    files = List.copyOf(files);
    actions = List.copyOf(actions);
    groups = List.copyOf(groups);
    unplaced = List.copyOf(unplaced);
  }

  /** Without groups. */
  public Plan(
      long number, List<FileMoves> files, List<ActionChange> actions, List<Unplaced> unplaced) {
    this(number, files, actions, List.of(), unplaced);
  }

  /** Of moves alone. */
  public Plan(long number, List<FileMoves> files, List<Unplaced> unplaced) {
    this(number, files, List.of(), unplaced);
  }

  /**
   * The moves of one file.
   *
   * @param storagePolicy name of the HDFS storage policy to set before moving, so that what HDFS would
   *     re-create agrees with where the copies are going; null: none is set
   * @param policyPath on which to set it: the file, or the directory that it inherits it from
   * @param policyFiles how many files there are that inherit it then; 1: the file itself
   */
  public record FileMoves(
      Decision decision, String storagePolicy, String policyPath, int policyFiles, List<Move> moves)
      implements FileChange {
    public FileMoves {
      moves = List.copyOf(moves);
    }

    /** Where it doesn't matter how many files the policy reaches. */
    public FileMoves(Decision decision, String storagePolicy, String policyPath, List<Move> moves) {
      this(decision, storagePolicy, policyPath, 1, moves);
    }

    /** With the policy on the file itself. */
    public FileMoves(Decision decision, String storagePolicy, List<Move> moves) {
      this(decision, storagePolicy, decision.hot().file().path(), moves);
    }

    /** With the policy on its directory, and a reason that says whom that reaches. */
    FileMoves withPolicyOn(String directory, int files) {
      String reach =
          "%s is set on %s, for its %d files and new ones"
              .formatted(storagePolicy, directory, files);
      return new FileMoves(
          decision.because(decision.reason() + "; " + reach),
          storagePolicy,
          directory,
          files,
          moves);
    }

    private FileMoves ofPlan(long number) {
      return new FileMoves(
          decision,
          storagePolicy,
          policyPath,
          policyFiles,
          moves.stream().map(move -> move.ofPlan(number)).toList());
    }
  }

  /**
   * A policy on a directory.
   *
   * @param files that are there, and inherit it, as new ones do
   */
  public record DirectoryPolicy(String path, String policy, int files) {}

  /** Those that it sets. */
  public List<DirectoryPolicy> directoryPolicies() {
    return files.stream()
        .filter(file -> file.storagePolicy() != null && !file.policyPath().equals(file.path()))
        .map(
            file ->
                new DirectoryPolicy(file.policyPath(), file.storagePolicy(), file.policyFiles()))
        .distinct()
        .toList();
  }

  /** A decision that no move could be found for. */
  public record Unplaced(Decision decision, String reason) {}

  public List<Move> moves() {
    return files.stream().flatMap(file -> file.moves().stream()).toList();
  }

  /** Of all copies that it makes. */
  public long bytes() {
    return moves().stream().mapToLong(Move::bytes).sum()
        + actions.stream().mapToLong(ActionChange::bytes).sum()
        + groups.stream().mapToLong(GroupChange::bytes).sum();
  }

  /** How many copies it makes, as replicas, in memory and of groups. */
  public int copies() {
    return moves().size()
        + actions.stream().mapToInt(ActionChange::copies).sum()
        + groups.stream().mapToInt(GroupChange::copies).sum();
  }

  /** The same under another number. */
  public Plan numbered(long other) {
    return new Plan(
        other, files.stream().map(file -> file.ofPlan(other)).toList(), actions, groups, unplaced);
  }

  /** The same, with the policies of its files set elsewhere. */
  Plan withFiles(List<FileMoves> others) {
    return new Plan(number, others, actions, groups, unplaced);
  }

  /** The same, with other words for what can't be done. */
  Plan withUnplaced(List<Unplaced> others) {
    return new Plan(number, files, actions, groups, others);
  }

  /** The same, and what the budget allows of this besides, in its order. */
  public Plan withGroups(List<GroupChange> changes, Budget budget) {
    List<GroupChange> allowed = new ArrayList<>();
    int copies = copies();
    long bytes = bytes();
    for (GroupChange change : changes) {
      boolean isFree = change.copies() == 0;
      if (isFree
          || copies + change.copies() <= budget.moves()
              && bytes + change.bytes() <= budget.bytes()) {
        allowed.add(change);
        copies += change.copies();
        bytes += change.bytes();
      }
    }
    return new Plan(number, files, actions, allowed, unplaced);
  }

  /**
   * The same without changes that nobody would make, which are unplaced.
   *
   * @param objection why a change would not be made; empty where it may
   */
  public Plan within(Function<FileChange, Optional<String>> objection) {
    List<Unplaced> left = new ArrayList<>(unplaced);
    List<FileMoves> moved = within(files, objection, left);
    List<ActionChange> current = within(actions, objection, left);
    return left.size() == unplaced.size() ? this : new Plan(number, moved, current, groups, left);
  }

  private static <T extends FileChange> List<T> within(
      List<T> changes, Function<FileChange, Optional<String>> objection, List<Unplaced> left) {
    List<T> allowed = new ArrayList<>();
    for (T change : changes) {
      objection
          .apply(change)
          .ifPresentOrElse(
              why -> left.add(new Unplaced(change.decision(), why)), () -> allowed.add(change));
    }
    return allowed;
  }

  public boolean isEmpty() {
    return files.isEmpty() && actions.isEmpty() && groups.isEmpty();
  }
}
