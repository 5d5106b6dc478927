// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;

/**
 * One line of a DataNode's clienttrace log, as Hadoop 0.20 to 3.5 write it, seen in the buffer it was read into.
 * One object serves all lines. Not thread-safe.
 *
 * <p>Fields are {@code key: value} with commas between them, in an order that changed over the versions. Reads are
 * logged at DEBUG, and their bytes are those on the wire: for each chunk of 512 bytes of data, 4 of checksum. That
 * the chunk is 512 is HDFS's default, and an assumption.
 */
final class ClientTraceLine implements BlockAccess {

  /** What a line was. */
  enum Outcome {
    PARSED,
    /** Of the same logger, but about no block: a shuffle, a released slot. */
    IGNORED,
    MALFORMED
  }

  private static final int CHUNK = 512;
  private static final int CHUNK_ON_THE_WIRE = 516;
  private static final byte[] BLOCK = ascii("blk_");

  private byte[] buffer;
  private int to;
  private Kind kind;
  private long timeMillis;
  private long blockId;
  private int poolFrom;
  private int poolTo;
  private long offset;
  private long bytes;
  private long duration;
  private int clientFrom;
  private int clientTo;
  private int nodeFrom;
  private int nodeTo;

  Outcome parse(byte[] line, int from, int end, long millis) {
    buffer = line;
    to = end;
    timeMillis = millis;
    int op = valueOf("op: ", from);
    if (op < 0) {
      return from == end ? Outcome.IGNORED : Outcome.MALFORMED;
    }
    int opEnd = endOfValue(op);
    if (is(op, opEnd, "HDFS_READ")) {
      kind = Kind.READ;
    } else if (is(op, opEnd, "HDFS_WRITE")) {
      kind = Kind.WRITE;
    } else if (is(op, opEnd, "REQUEST_SHORT_CIRCUIT_FDS")) {
      kind = Kind.SHORT_CIRCUIT;
    } else {
      return Outcome.IGNORED;
    }
    return fields(from) ? Outcome.PARSED : Outcome.MALFORMED;
  }

  private boolean fields(int from) {
    int block = valueOf("blockid: ", from);
    if (block < 0 || !blockId(block, endOfValue(block))) {
      return false;
    }
    bytes = -1;
    if (kind != Kind.SHORT_CIRCUIT) {
      int count = valueOf("bytes: ", from);
      long logged = count < 0 ? -1 : number(count, endOfValue(count));
      if (logged < 0) {
        return false;
      }
      bytes = kind == Kind.READ ? withoutChecksums(logged) : logged;
    }
    int at = valueOf("offset: ", from);
    offset = at < 0 ? 0 : Math.max(0, number(at, endOfValue(at)));
    int time = valueOf("duration(ns): ", from);
    if (time < 0) {
      time = valueOf("duration: ", from);
    }
    duration = time < 0 ? 0 : Math.max(0, number(time, endOfValue(time)));
    clientFrom = valueOf("cliID: ", from);
    clientTo = clientFrom < 0 ? clientFrom : endOfValue(clientFrom);
    nodeFrom = valueOf("srvID: ", from);
    nodeTo = nodeFrom < 0 ? nodeFrom : endOfValue(nodeFrom);
    return true;
  }

  private static long withoutChecksums(long wire) {
    long rest = wire % CHUNK_ON_THE_WIRE;
    return wire / CHUNK_ON_THE_WIRE * CHUNK + Math.max(0, rest - (CHUNK_ON_THE_WIRE - CHUNK));
  }

  /** {@code BP-1:blk_12_1001}, {@code blk_-12_1001} or, of a short-circuit read, the number alone. */
  private boolean blockId(int from, int end) {
    int name = ByteSearch.indexOf(buffer, from, end, BLOCK);
    poolFrom = from;
    poolTo = name > from ? name - 1 : from;
    int digits = name < 0 ? from : name + BLOCK.length;
    boolean negative = digits < end && buffer[digits] == '-';
    int first = negative ? digits + 1 : digits;
    int last = first;
    while (last < end && buffer[last] >= '0' && buffer[last] <= '9') {
      last++;
    }
    if (last == first || last - first > 19) {
      return false;
    }
    // As a number below zero: there is one more of them, and blocks of Hadoop 1 use all.
    long value = 0;
    for (int i = first; i < last; i++) {
      value = value * 10 - (buffer[i] - '0');
    }
    blockId = negative ? value : -value;
    return true;
  }

  /** Where the value of a key begins, or -1. The key begins a word. */
  private int valueOf(String key, int from) {
    byte[] wanted = ascii(key);
    int at = from;
    while (true) {
      at = ByteSearch.indexOf(buffer, at, to, wanted);
      if (at < 0) {
        return -1;
      }
      if (at == from || buffer[at - 1] == ' ') {
        return at + wanted.length;
      }
      at++;
    }
  }

  private int endOfValue(int from) {
    int comma = ByteSearch.indexOf(buffer, from, to, ',');
    return comma < 0 ? to : comma;
  }

  private boolean is(int from, int end, String word) {
    return end - from == word.length() && ByteSearch.startsWith(buffer, from, end, ascii(word));
  }

  /** -1 where it is none. */
  private long number(int from, int end) {
    if (end == from || end - from > 18) {
      return -1;
    }
    long value = 0;
    for (int i = from; i < end; i++) {
      int digit = buffer[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public long timeMillis() {
    return timeMillis;
  }

  @Override
  public long blockId() {
    return blockId;
  }

  @Override
  public String poolId() {
    return text(poolFrom, poolTo);
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long durationNanos() {
    return duration;
  }

  @Override
  public String client() {
    return text(clientFrom, clientTo);
  }

  @Override
  public String dataNode() {
    return text(nodeFrom, nodeTo);
  }

  private String text(int from, int end) {
    return end <= from ? "" : new String(buffer, from, end - from, StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
