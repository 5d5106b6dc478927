// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/** The commands of an audit log that mean something to us. */
enum Operation {
  OPEN,
  CREATE,
  APPEND,
  TRUNCATE,
  CONCAT,
  /** With or without options: {@code rename (options=[TO_TRASH])}. */
  RENAME,
  DELETE,
  SET_REPLICATION,
  SET_STORAGE_POLICY,
  UNSET_STORAGE_POLICY,
  /** Or removed: {@code setXAttr}, {@code removeXAttr}. */
  SET_ATTRIBUTE,
  /** Told apart from the rest only since NameNodes count it: see {@link CompletenessMeter}. */
  GET_FILE_INFO,
  /** All others: they name no data, or only look at names. */
  OTHER;

  private static final long OPEN_WORD = word("open");
  private static final long CREATE_WORD = word("create");
  private static final long APPEND_WORD = word("append");
  private static final long TRUNCATE_WORD = word("truncate");
  private static final long CONCAT_WORD = word("concat");
  private static final long RENAME_WORD = word("rename");
  private static final long RENAME_OPTIONS_WORD = word("rename (");
  private static final long DELETE_WORD = word("delete");
  private static final long SET_ATTRIBUTE_WORD = word("setXAttr");
  private static final byte[] REMOVE_ATTRIBUTE = bytes("removeXAttr");
  private static final byte[] FILE_INFO = bytes("getfileinfo");
  private static final byte[] REPLICATION = bytes("setReplication");
  private static final byte[] POLICY = bytes("setStoragePolicy");
  private static final byte[] NO_POLICY = bytes("unsetStoragePolicy");

  static Operation of(byte[] bytes, int from, int to) {
    int length = to - from;
    long word = ByteSearch.wordAt(bytes, from, to);
    if (length == 4) {
      return word == OPEN_WORD ? OPEN : OTHER;
    }
    if (length == 11) {
      return is(bytes, from, to, FILE_INFO)
          ? GET_FILE_INFO
          : is(bytes, from, to, REMOVE_ATTRIBUTE) ? SET_ATTRIBUTE : OTHER;
    }
    if (length == 6) {
      return word == CREATE_WORD
          ? CREATE
          : word == DELETE_WORD
              ? DELETE
              : word == RENAME_WORD
                  ? RENAME
                  : word == APPEND_WORD ? APPEND : word == CONCAT_WORD ? CONCAT : OTHER;
    }
    if (length >= 8 && word == RENAME_OPTIONS_WORD) {
      return RENAME;
    }
    if (length == 8) {
      return word == TRUNCATE_WORD ? TRUNCATE : word == SET_ATTRIBUTE_WORD ? SET_ATTRIBUTE : OTHER;
    }
    if (is(bytes, from, to, REPLICATION)) {
      return SET_REPLICATION;
    }
    if (is(bytes, from, to, POLICY)) {
      return SET_STORAGE_POLICY;
    }
    if (is(bytes, from, to, NO_POLICY)) {
      return UNSET_STORAGE_POLICY;
    }
    return OTHER;
  }

  private static boolean is(byte[] bytes, int from, int to, byte[] word) {
    return to - from == word.length && ByteSearch.startsWith(bytes, from, to, word);
  }

  private static byte[] bytes(String word) {
    return word.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  private static long word(String word) {
    byte[] bytes = bytes(word);
    return ByteSearch.wordAt(bytes, 0, bytes.length);
  }
}
