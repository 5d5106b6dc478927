// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;

/**
 * The caller context of an audit line, as it stands in the buffer: fields with commas between them. Stateless.
 *
 * <p>A Router of a federation puts what it knows of its client before the client's own text
 * ({@code clientIp:10.0.0.1,clientPort:4711,clientId:0f..,clientCallId:3,realUser:svc,}), Routers before Hadoop
 * 3.3.5 behind it (HDFS-16495), and NameNodes with dfs.namenode.audit.log.with.remote.port add ports at the end. Ports and call
 * ids change from call to call of one client, so they don't tell clients apart.
 */
final class CallerContext {

  private static final byte[] CLIENT_IP = ascii("clientIp:");
  private static final byte[] CLIENT_ID = ascii("clientId:");
  private static final byte[] REAL_USER = ascii("realUser:");
  private static final byte[][] OF_A_CALL = {
    ascii("clientPort:"), ascii("clientCallId:"), ascii("proxyUserPort:")
  };

  private CallerContext() {}

  /** Where the client's own text begins. */
  static int ownFrom(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isOfRouter(bytes, at, to)) {
      at = endOfField(bytes, at, to) + 1;
    }
    return Math.min(at, to);
  }

  /** Hash of the address that the Router gave; 0 where there is none. */
  static long addressHash(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at = endOfField(bytes, at, to) + 1) {
      if (ByteSearch.startsWith(bytes, at, to, CLIENT_IP)) {
        return ByteHash.of(0, bytes, at + CLIENT_IP.length, endOfField(bytes, at, to));
      }
    }
    return 0;
  }

  /** Hash of all that is the same in each call of a client process, but for its address. */
  static long processHash(byte[] bytes, int from, int to) {
    long hash = 0;
    for (int at = from; at < to; ) {
      int end = endOfField(bytes, at, to);
      if (!ByteSearch.startsWith(bytes, at, to, CLIENT_IP) && !isOfACall(bytes, at, to)) {
        hash = 31 * hash + ByteHash.of(1, bytes, at, end);
      }
      at = end + 1;
    }
    return hash;
  }

  private static int endOfField(byte[] bytes, int from, int to) {
    int comma = ByteSearch.indexOf(bytes, from, to, ',');
    return comma < 0 ? to : comma;
  }

  private static boolean isOfRouter(byte[] bytes, int at, int to) {
    return ByteSearch.startsWith(bytes, at, to, CLIENT_IP)
        || ByteSearch.startsWith(bytes, at, to, CLIENT_ID)
        || ByteSearch.startsWith(bytes, at, to, REAL_USER)
        || isOfACall(bytes, at, to);
  }

  private static boolean isOfACall(byte[] bytes, int at, int to) {
    for (byte[] name : OF_A_CALL) {
      if (ByteSearch.startsWith(bytes, at, to, name)) {
        return true;
      }
    }
    return false;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
