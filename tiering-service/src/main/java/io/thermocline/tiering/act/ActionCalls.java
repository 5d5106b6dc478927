// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All that actions do to HDFS, beside {@link HdfsCalls}, with marks on what is the service's own. What is not here, the
 * service cannot do.
 */
public interface ActionCalls {

  /**
   * @throws IOException where HDFS refuses, for instance for the sake of dfs.replication.max or a quota
   */
  void setReplication(String path, int factor) throws IOException;

  /**
   * The same, where HDFS shows right before that the file has the factor that it was planned with.
   *
   * @throws ChangedSinceException where somebody set another; nothing is set then
   */
  default void setReplication(String path, int factor, int planned) throws IOException {
    requireFactor(planned, file(path));
    setReplication(path, factor);
  }

  /**
   * @throws ChangedSinceException where the file is gone, or has another factor
   */
  static void requireFactor(int planned, Optional<FileView> now) throws ChangedSinceException {
    if (now.isEmpty()) {
      throw new ChangedSinceException("the file changed or went away");
    }
    if (now.get().replication() != planned) {
      throw new ChangedSinceException(
          "somebody made its replication factor " + now.get().replication() + " since the plan");
    }
  }

  /**
   * Has DataNodes keep copies of the file's blocks in memory.
   *
   * @param made hears of the directive, by which alone it can be told from those of others
   * @throws IOException where the pool is full, or not ours
   */
  void cache(String path, int copies, Consumer<Directive> made) throws IOException;

  /** Takes back what {@link #cache} did; nothing where that is over, or somebody changed the directive since. */
  void uncache(String path, Directive ours) throws IOException;

  /** How far DataNodes have come with that; empty where the directive isn't in force, or somebody changed it since. */
  Optional<Cached> cached(String path, Directive ours) throws IOException;

  /** Whether the directive is in force, and somebody changed it. */
  default boolean isAltered(String path, Directive ours) throws IOException {
    return false;
  }

  /** What marks the factor of a file, and what is cached of it, as the service's own. */
  default Marks marks(String path) throws IOException {
    return Marks.NONE;
  }

  /** Removes the mark of a replication factor: that is somebody else's. */
  default void unmarkReplication(String path) throws IOException {
    // Nothing is marked.
  }

  /** The file as HDFS shows it now; empty where it is gone or open for write. */
  Optional<FileView> file(String path) throws IOException;

  /**
   * A cache directive as it was made. Others may have any number of them for the same path in the same pool, and may change
   * ours; one that was changed has another number of copies or another end.
   *
   * @param id in HDFS, of which none is given twice
   * @param copies of each block
   * @param expires milliseconds since 1970, by the NameNode's clock
   */
  record Directive(long id, int copies, long expires) {}

  /**
   * What is marked.
   *
   * @param raised null: no replication factor
   * @param cached null: no cache directive
   */
  record Marks(Raised raised, Directive cached) {
    public static final Marks NONE = new Marks(null, null);
  }

  /**
   * A replication factor that the service raised.
   *
   * @param before what it was before the service changed it first
   * @param now what the service made it
   * @param atMillis when, since 1970
   */
  record Raised(int before, int now, long atMillis) {}

  /**
   * @param needed bytes that should be in memory, all copies counted; 0 while the NameNode hasn't looked yet
   * @param bytes of them that are
   */
  record Cached(long needed, long bytes) {
    boolean isWhole() {
      return needed > 0 && bytes >= needed;
    }
  }
}
