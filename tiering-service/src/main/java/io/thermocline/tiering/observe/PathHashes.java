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

  /** Sets these to the hashes of a path that stands, unescaped and as UTF-8, in a buffer. */
  public void set(long nameservice, byte[] bytes, int from, int to) {
    begin(nameservice);
    int at = from < to && bytes[from] == '/' ? from + 1 : from;
    int block = at;
    long slashes = ByteSearch.mask(bytes, block, to, SLASHES);
    long equals = ByteSearch.mask(bytes, block, to, EQUALS);
    boolean more = at < to;
    while (more) {
      // Of both masks what stands before this name was dropped.
      boolean goesOn = slashes == 0 && block + Long.SIZE < to;
      while (slashes == 0 && block + Long.SIZE < to) {
        block += Long.SIZE;
        slashes = ByteSearch.mask(bytes, block, to, SLASHES);
      }
      int end = slashes == 0 ? to : block + Long.numberOfTrailingZeros(slashes);
      int equalsAt = equals == 0 ? to : block + Long.numberOfTrailingZeros(equals);
      if (goesOn) {
        // Of the last name, which mostly is the only one that ends in another block, nobody asks.
        int found = slashes == 0 ? -1 : ByteSearch.indexOf(bytes, at, end, '=');
        equalsAt = found < 0 ? to : found;
        equals = slashes == 0 ? 0 : ByteSearch.mask(bytes, block, to, EQUALS);
      }
      equals &= -(slashes & -slashes);
      slashes &= slashes - 1;
      more = end < to;
      add(name(bytes, at, end));
      if (more && equalsAt < end && equalsAt > at) {
        partitionDepth = depth;
      }
      at = end + 1;
    }
  }

  /** The hash of one name. */
  private static long name(byte[] bytes, int start, int end) {
    int length = end - start;
    if (start + 2 * Long.BYTES > bytes.length || length >= 2 * Long.BYTES) {
      return longName(bytes, start, end);
    }
    // Whether it has more than seven bytes can't be guessed, so both are calculated.
    long first = ByteSearch.longAt(bytes, start);
    long second = ByteSearch.longAt(bytes, start + Long.BYTES);
    long shorter = ByteHash.add(NAME, ByteSearch.head(first, length));
    long longer = ByteHash.add(ByteHash.add(NAME, first), ByteSearch.head(second, length));
    return (length < Long.BYTES ? shorter : longer) + length;
  }

  private static long longName(byte[] bytes, int start, int end) {
    long hash = NAME;
    int at = start;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      hash = ByteHash.add(hash, ByteSearch.longAt(bytes, at));
    }
    return ByteHash.add(hash, ByteSearch.wordAt(bytes, at, end)) + (end - start);
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
