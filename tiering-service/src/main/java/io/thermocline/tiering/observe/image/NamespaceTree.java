// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Which directory each inode is in, and the names and storage policies of directories. What only snapshots still have
 * is in none that hangs from the root. Not thread-safe.
 *
 * <p>Four bytes an inode, about 30 and its name a directory, and a bit an id for each of the two {@link SparseIds}.
 */
final class NamespaceTree {
  private static final long ROOT = 16385;
  private static final int NOWHERE = 0;

  /** HDFS allows paths of 1000 names. */
  private static final int DEEPEST = 4096;

  private static final int NAME_CHUNK = 1 << 20;
  private static final int CACHED_PATHS = 1 << 13;

  private static final byte UNKNOWN = 0;
  private static final byte ATTACHED = 1;
  private static final byte DETACHED = 2;

  private final SparseIds inodes;

  /** Those that have children. */
  private final SparseIds directories;

  /** By rank among the inodes: the rank among the directories, and one more. */
  private final int[] parents;

  private final int[] above;
  private final byte[] policies;
  private final byte[] states;
  private final byte[][] pathCache = new byte[CACHED_PATHS][];
  private final int[] cachedPaths = new int[CACHED_PATHS];

  private final long[] names;
  private byte[][] nameChunks = new byte[16][];
  private int chunk = -1;
  private int chunkUsed = NAME_CHUNK;

  NamespaceTree(SparseIds inodes, SparseIds directories) {
    this.inodes = inodes;
    this.directories = directories;
    inodes.rankable();
    directories.rankable();
    parents = new int[inodes.size()];
    above = new int[directories.size()];
    policies = new byte[directories.size()];
    states = new byte[directories.size()];
    names = new long[directories.size()];
    Arrays.fill(names, -1);
    Arrays.fill(cachedPaths, -1);
  }

  /** What {@link #put} takes for the directory. */
  int handle(long directory) {
    return directories.rank(directory) + 1;
  }

  boolean has(long child) {
    int rank = inodes.rank(child);
    return rank >= 0 && parents[rank] != NOWHERE;
  }

  void put(long child, int handle) {
    parents[inodes.rank(child)] = handle;
  }

  /** A directory, read from the section INODE. */
  void name(InodeRecord directory) {
    int at = directories.rank(directory.id);
    if (at < 0) {
      return;
    }
    policies[at] = (byte) directory.policy;
    int rank = inodes.rank(directory.id);
    above[at] = rank < 0 ? NOWHERE : parents[rank];
    int needed = 2 + directory.nameLength;
    if (needed > NAME_CHUNK - chunkUsed) {
      if (++chunk == nameChunks.length) {
        nameChunks = Arrays.copyOf(nameChunks, 2 * chunk);
      }
      nameChunks[chunk] = new byte[NAME_CHUNK];
      chunkUsed = 0;
    }
    byte[] into = nameChunks[chunk];
    into[chunkUsed] = (byte) (directory.nameLength >> 8);
    into[chunkUsed + 1] = (byte) directory.nameLength;
    System.arraycopy(directory.name, 0, into, chunkUsed + 2, directory.nameLength);
    names[at] = (long) chunk << 32 | chunkUsed;
    chunkUsed += needed;
  }

  /** Hands policies down, and finds out what hangs from the root. After the last directory. */
  void settle(SectionInput in) throws IOException {
    int root = directories.rank(ROOT);
    if (root >= 0) {
      states[root] = ATTACHED;
      // Where a damaged image says otherwise, paths would have no beginning.
      above[root] = NOWHERE;
    }
    int[] chain = new int[DEEPEST];
    for (int directory = 0; directory < states.length; directory++) {
      int length = 0;
      int at = directory;
      byte state = DETACHED;
      byte policy = ImageFile.UNSPECIFIED;
      while (true) {
        if (states[at] != UNKNOWN) {
          state = states[at];
          policy = policies[at];
          break;
        }
        if (length == DEEPEST) {
          throw in.damaged("directories within each other without end");
        }
        chain[length++] = at;
        if (names[at] < 0 || above[at] == NOWHERE) {
          break;
        }
        at = above[at] - 1;
      }
      while (length > 0) {
        int child = chain[--length];
        policy = policies[child] != ImageFile.UNSPECIFIED ? policies[child] : policy;
        policies[child] = policy;
        states[child] = state;
      }
    }
  }

  /** The directory of a file, or -1 where it isn't below the root. */
  int directoryOf(long file) {
    int rank = inodes.rank(file);
    int directory = rank < 0 ? -1 : parents[rank] - 1;
    return directory >= 0 && states[directory] == ATTACHED ? directory : -1;
  }

  int policy(int directory) {
    return policies[directory];
  }

  String path(int directory, InodeRecord file) {
    byte[] prefix = prefix(directory);
    int length = prefix.length + file.nameLength;
    byte[] path = Arrays.copyOf(prefix, length);
    System.arraycopy(file.name, 0, path, prefix.length, file.nameLength);
    return new String(path, StandardCharsets.UTF_8);
  }

  /** The path, ending with a slash. */
  private byte[] prefix(int directory) {
    int slot = directory & (CACHED_PATHS - 1);
    if (cachedPaths[slot] == directory) {
      return pathCache[slot];
    }
    int length = 1;
    for (int at = directory; above[at] != NOWHERE; at = above[at] - 1) {
      length += nameLength(at) + 1;
    }
    byte[] path = new byte[length];
    int to = length;
    for (int at = directory; above[at] != NOWHERE; at = above[at] - 1) {
      path[--to] = '/';
      int bytes = nameLength(at);
      to -= bytes;
      System.arraycopy(nameChunks[(int) (names[at] >>> 32)], (int) names[at] + 2, path, to, bytes);
    }
    path[0] = '/';
    cachedPaths[slot] = directory;
    pathCache[slot] = path;
    return path;
  }

  private int nameLength(int directory) {
    byte[] bytes = nameChunks[(int) (names[directory] >>> 32)];
    int at = (int) names[directory];
    return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
  }
}
