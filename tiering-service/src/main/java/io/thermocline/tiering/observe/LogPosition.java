// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * A place in one of the files of a log, all lines before which were read. The file is known by how it begins, since
 * it may have been renamed, copied or compressed meanwhile.
 *
 * @param head how it begins
 * @param inode of the file when it was read; tells apart files that begin alike, and empty ones
 * @param offset in bytes, of the file as it is when not compressed
 * @param lastMillis time of the last line that was read, {@link Long#MIN_VALUE} if none had a time
 */
record LogPosition(LogHead head, String inode, long offset, long lastMillis) {

  String toText() {
    return offset
        + " "
        + head.length()
        + " "
        + Long.toHexString(head.hash())
        + " "
        + lastMillis
        + " "
        + inode;
  }

  static LogPosition parse(String text) {
    String[] parts = text.split(" ", 5);
    try {
      return new LogPosition(
          new LogHead(Integer.parseInt(parts[1]), Long.parseUnsignedLong(parts[2], 16)),
          parts[4],
          Long.parseLong(parts[0]),
          Long.parseLong(parts[3]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not the position in a log: '" + text + "'", e);
    }
  }
}
