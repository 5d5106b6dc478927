// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * How a log file begins: that many bytes, with that hash. Files of a log begin with different times.
 *
 * @param length at most {@link #MOST}; 0 says nothing
 */
record LogHead(int length, long hash) {

  static final int MOST = 1024;

  static LogHead of(byte[] bytes, int length) {
    int used = Math.min(length, MOST);
    return new LogHead(used, ByteHash.of(0, bytes, 0, used));
  }

  /** Of so many first bytes, how many tell the file from others: none before its first line is whole. */
  static int usable(byte[] bytes, int length) {
    return length >= MOST || ByteSearch.indexOf(bytes, 0, length, '\n') >= 0 ? length : 0;
  }

  /** Whether a file that begins with these bytes may be the one. */
  boolean matches(byte[] bytes, int count) {
    return length > 0 && count >= length && ByteHash.of(0, bytes, 0, length) == hash;
  }
}
