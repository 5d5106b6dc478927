// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.FileChange;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * All that moving does to HDFS. What is neither here nor in {@link ActionCalls}, the service
 * cannot do. Thread-safe.
 */
public interface HdfsCalls extends HdfsLook {

  /**
   * Sets the storage policy of a file or directory, and marks it as the service's own.
   *
   * @param policy empty: none of its own, so that it inherits one, and no mark
   */
  void setStoragePolicy(String path, String policy) throws IOException;

  /** What marks the policy of this very path as ours; empty where nothing does. */
  default Optional<PolicyMarks.Mark> mark(String path) throws IOException {
    return Optional.empty();
  }

  /** Removes that mark: the policy is somebody else's. */
  default void unmark(String path) throws IOException {
    // Nothing is marked.
  }

  /**
   * The same, where HDFS shows right before that nobody changed the file since it was planned for: its policy, its
   * blocks, its replication factor.
   *
   * @param path of the file, or of the directory that it inherits its policy from
   * @throws ChangedSinceException where somebody did; nothing is set then
   */
  default void setStoragePolicy(String path, String policy, FileView planned) throws IOException {
    MoveCheck.requireUnchanged(planned, file(planned.path()));
    setStoragePolicy(path, policy);
  }

  /**
   * Sets the policy that was in force before, and marks none, where HDFS shows right before that the policy in force is
   * still the service's own.
   *
   * @throws ChangedSinceException where it isn't; nothing is set then
   */
  default void setStoragePolicy(String path, String policy, Own own) throws IOException {
    own.requireUnchanged(own.block() == 0 ? null : file(path), storagePolicy(path));
    setStoragePolicy(path, policy);
    unmark(path);
  }

  /**
   * A policy that the service set.
   *
   * @param block one of the file that it was set on, so that another of the same name isn't taken for it; 0 for a directory, or where it isn't
   *     known
   */
  record Own(String policy, long block) {

    /**
     * @param file null where its block isn't known
     * @throws ChangedSinceException where this isn't what the service set
     */
    public void requireUnchanged(Optional<FileView> file, String now) throws ChangedSinceException {
      if (file != null
          && file.stream()
              .flatMap(found -> found.blocks().stream())
              .noneMatch(found -> found.id() == block)) {
        throw new ChangedSinceException("the file changed or went away");
      }
      if (!now.equals(policy)) {
        throw new ChangedSinceException(MoveCheck.POLICY_OF_OTHERS);
      }
    }
  }

  /**
   * Has the target DataNode copy the replica, and returns when it has it. The NameNode removes
   * the source replica when it hears of the copy.
   *
   * @throws BusyDataNodeException where the DataNode has no place for it now
   * @throws IOException with what the DataNode said
   */
  void copy(Move move) throws IOException;

  /**
   * The same.
   *
   * @param progress hears what is waited for, in words, and again each time that the DataNode says that it goes on
   */
  default void copy(Move move, Consumer<String> progress) throws IOException {
    copy(move);
  }

  /**
   * What was set on paths lately, by whomever: by path, oldest first, since the path stands for what it does now.
   *
   * @return empty where that can't be asked
   * @throws IOException where HDFS doesn't say
   */
  default Optional<Map<String, List<LayoutEdit>>> layoutEdits(Set<String> paths)
      throws IOException {
    return Optional.empty();
  }

  /**
   * A storage policy or a replication factor was set.
   *
   * @param value the policy's name, empty where it was unset; or the factor
   */
  record LayoutEdit(boolean isPolicy, String value) {}

  /** The user whose calls these are, where that is another than the service's own; else empty. */
  default String user() {
    return "";
  }

  /** Why nothing at this path would be done, whatever HDFS allows; empty where something may. */
  default Optional<String> objection(String path) {
    return Optional.empty();
  }

  /** The same of one change. */
  default Optional<String> objection(FileChange change) {
    return Optional.empty();
  }

  /**
   * The rack of a DataNode, by its UUID.
   *
   * @throws IOException where it isn't live
   */
  String rack(String node) throws IOException;

  /** Host and port of a DataNode, by its UUID, for people; the UUID where nothing else is known. */
  default String host(String node) {
    return node;
  }
}
