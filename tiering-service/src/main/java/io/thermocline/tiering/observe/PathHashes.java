// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A path as hashes of 64 bits: of each of its names, and of each directory above it, from one pass over its
 * bytes. A source may reuse the object for the next path. Not thread-safe.
 */
public final class PathHashes {

  /*
   * The key of a path is made of the key of its directory and the hash of its last name. So what lies
   * below a directory that was renamed gets its new keys from the hashes of the names, without the names.
   */
  private static final long NAME = 0x2545f4914f6cdd1dL;
  private static final long SLASHES = ByteSearch.pattern('/');
  private static final long EQUALS = ByteSearch.pattern('=');

  private long[] names = new long[16];
  private long[] keys = new long[17];
  private int depth;
  private int partitionDepth;
  private int scannedDepth;

  /** Of an absolute path of a nameservice, given what {@link PathKey#nameservice} said. */
  public static PathHashes of(long nameservice, String path) {
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    PathHashes hashes = new PathHashes();
    hashes.set(nameservice, bytes, 0, bytes.length);
    return hashes;
  }

  /** Of names that {@link #names} gave. */
  public static PathHashes of(long nameservice, long[] names) {
    PathHashes hashes = new PathHashes();
    hashes.begin(nameservice);
    for (long name : names) {
      hashes.add(name);
    }
    return hashes;
  }

  /** Names in the path: 0 of the root, 1 right below it. */
  public int depth() {
    return depth;
  }

  /** The path's key, well mixed. */
  public long key() {
    return keys[depth];
  }

  /** The key of the directory that the path lies in; the root is in itself. */
  public long parentKey() {
    return keys[Math.max(0, depth - 1)];
  }

  /** The key of the directory that the first so many names make. */
  public long key(int names) {
    return keys[names];
  }

  /** The hashes of all names. */
  public long[] names() {
    return Arrays.copyOf(names, depth);
  }

  /**
   * Names of the innermost directory above the path that looks like a partition, {@code name=value}; 0 where
   * none does.
   */
  public int partitionDepth() {
    return partitionDepth;
  }

  /**
   * Names of the directory whose files one pass reads: the one above the first name with an equals sign, else
   * the parent.
   */
  int scannedDepth() {
    return scannedDepth;
  }

  /** Sets these to the hashes of a path that stands, unescaped and as UTF-8, in a buffer. */
  public void set(long nameservice, byte[] bytes, int from, int to) {
    begin(nameservice);
    int firstEquals = -1;
    int at = from < to && bytes[from] == '/' ? from + 1 : from;
    boolean more = at < to;
    while (more) {
      int start = at;
      int equals = -1;
      int length = Long.BYTES;
      long hash = NAME;
      while (length == Long.BYTES) {
        long word =
            at + Long.BYTES <= bytes.length
                ? ByteSearch.longAt(bytes, at)
                : ByteSearch.wordAt(bytes, at, to);
        length = Math.min(to - at, ByteSearch.first(word, SLASHES));
        int equalsAt = ByteSearch.first(word, EQUALS);
        if (equalsAt < length && equals < 0) {
          equals = at + equalsAt;
        }
        hash = ByteHash.add(hash, length == Long.BYTES ? word : ByteSearch.head(word, length));
        at += length;
      }
      if (equals >= 0 && firstEquals < 0) {
        firstEquals = depth;
      }
      add(hash + (at - start));
      more = at < to;
      if (more && equals > start) {
        partitionDepth = depth;
      }
      at++;
    }
    scannedDepth = firstEquals < 0 ? Math.max(0, depth - 1) : firstEquals;
  }

  private void begin(long nameservice) {
    depth = 0;
    partitionDepth = 0;
    keys[0] = nameservice;
  }

  private void add(long name) {
    if (depth == names.length) {
      names = Arrays.copyOf(names, 2 * depth);
      keys = Arrays.copyOf(keys, 2 * depth + 1);
    }
    names[depth] = name;
    keys[depth + 1] = ByteHash.mix(keys[depth] + name);
    depth++;
  }

  /**
   * The hashes that a path below a directory had, or has, under another name of the directory.
   *
   * @param nameservice of both
   * @param directory names of the directory that is in the path, as many as it has
   * @param other the hashes of the names of the directory's other path
   */
  public PathHashes moved(long nameservice, int directory, long[] other) {
    PathHashes moved = of(nameservice, other);
    for (int i = directory; i < depth; i++) {
      moved.add(names[i]);
    }
    return moved;
  }
}
