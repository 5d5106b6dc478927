// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.PathHashes;

/**
 * One line of the journal of {@link RenameHistory}: a rename, or data that is gone from its name. Of paths it knows the hashes
 * alone.
 *
 * @param number in the order of the journal
 * @param step of {@link Decay} when it happened
 * @param fromDepth names in the old name's path
 * @param fromParent key of the directory of the old name
 * @param from key of the old name
 * @param fromNames hashes of the names in the old name's path; null where the data is gone
 * @param toParent key of the directory of the new name; 0 where the data is gone
 * @param to key of the new name; 0 where the data is gone
 * @param toDepth names in the new name's path; {@link #NOWHERE} where the data is gone
 */
record RenameEntry(
    long number,
    long step,
    int fromDepth,
    long fromParent,
    long from,
    long[] fromNames,
    long toParent,
    long to,
    int toDepth) {

  private static final int NOWHERE = -1;

  /** In one path, of as many bytes as a record may have. */
  private static final int MOST_NAMES = 1 << 20;

  static RenameEntry moved(long number, long step, PathHashes from, PathHashes to) {
    return new RenameEntry(
        number,
        step,
        from.depth(),
        from.parentKey(),
        from.key(),
        from.names(),
        to.parentKey(),
        to.key(),
        to.depth());
  }

  static RenameEntry gone(long number, long step, PathHashes path) {
    return gone(number, step, path.depth(), path.parentKey(), path.key());
  }

  private static RenameEntry gone(long number, long step, int depth, long parent, long path) {
    return new RenameEntry(number, step, depth, parent, path, null, 0, 0, NOWHERE);
  }

  boolean isMove() {
    return toDepth != NOWHERE;
  }

  /** Whether it put there what the first so many names of a path make, or a directory above it. */
  boolean movedTo(PathHashes path, int depth) {
    return isMove() && toDepth <= depth && path.key(toDepth) == to;
  }

  void writeTo(StateSink sink) {
    sink.number(number);
    sink.number(step);
    sink.number(fromDepth);
    sink.number(fromParent);
    sink.number(from);
    sink.number(isMove() ? 1 : 0);
    if (isMove()) {
      sink.number(toParent);
      sink.number(to);
      sink.number(toDepth);
      sink.number(fromNames.length);
      sink.words(fromNames);
    }
  }

  static RenameEntry readFrom(StateSource source) {
    long number = source.number();
    long step = source.number();
    int fromDepth = source.size(MOST_NAMES);
    long fromParent = source.number();
    long from = source.number();
    if (source.number() == 0) {
      return gone(number, step, fromDepth, fromParent, from);
    }
    long toParent = source.number();
    long to = source.number();
    int toDepth = source.size(MOST_NAMES);
    long[] fromNames = new long[source.size(MOST_NAMES)];
    source.words(fromNames);
    return new RenameEntry(
        number, step, fromDepth, fromParent, from, fromNames, toParent, to, toDepth);
  }
}
