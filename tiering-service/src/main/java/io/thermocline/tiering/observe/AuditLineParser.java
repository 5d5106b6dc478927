// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import org.apache.commons.text.StringEscapeUtils;

/**
 * Parses one line of a NameNode audit log, as Hadoop 0.20 to 3.5 write it. Stateless and thread-safe.
 *
 * <p>The fields are {@code key=value} pairs with tabs between them behind whatever prefix the log
 * layout gave. NameNodes escape tabs and non-ASCII characters in paths the Java way, so a tab in a
 * line is always a separator.
 */
public final class AuditLineParser {

  private AuditLineParser() {}

  /**
   * The event of a line.
   *
   * @return null where the line is no complete audit record: no user, no command or no source
   *     (operations on no path say src=null)
   */
  public static AuditEvent parse(String line) {
    int start = startOfFields(line);
    if (start < 0) {
      return null;
    }
    boolean allowed = true;
    String user = null;
    String command = null;
    boolean hasSource = false;
    String source = null;
    String destination = null;
    String callerContext = null;
    int length = line.length();
    for (int at = start; at < length; ) {
      int end = line.indexOf('\t', at);
      if (end < 0) {
        end = length;
      }
      switch (line.charAt(at)) {
        case 'a' -> {
          if (line.startsWith("allowed=", at)) {
            allowed = line.startsWith("true", at + 8);
          }
        }
        case 'u' -> {
          if (line.startsWith("ugi=", at)) {
            user = shortUser(line, at + 4, end);
          }
        }
        case 'c' -> {
          if (line.startsWith("cmd=", at)) {
            command = line.substring(at + 4, end);
          } else if (line.startsWith("callerContext=", at)) {
            callerContext = line.substring(at + 14, end);
          }
        }
        case 's' -> {
          if (line.startsWith("src=", at)) {
            hasSource = true;
            source = path(line, at + 4, end);
          }
        }
        case 'd' -> {
          if (line.startsWith("dst=", at)) {
            destination = path(line, at + 4, end);
          }
        }
        default -> {
          // ip, perm, proto, trackingId, and what later versions may add.
        }
      }
      at = end + 1;
    }
    if (user == null || user.isEmpty() || command == null || command.isEmpty() || !hasSource) {
      return null;
    }
    return new AuditEvent(allowed, user, command, source, destination, callerContext);
  }

  private static int startOfFields(String line) {
    int allowed = line.indexOf("allowed=");
    if (allowed >= 0) {
      return allowed;
    }
    return line.indexOf("ugi=");
  }

  /** "hdfs/nn1@REALM (auth:KERBEROS) via svc (auth:..)" is hdfs: the one whose rights counted. */
  private static String shortUser(String line, int from, int to) {
    int end = from;
    while (end < to) {
      char c = line.charAt(end);
      if (c == ' ' || c == '/' || c == '@' || c == ',') {
        break;
      }
      end++;
    }
    return line.substring(from, end);
  }

  private static String path(String line, int from, int to) {
    if (to - from == 4 && line.startsWith("null", from)) {
      return null;
    }
    String raw = line.substring(from, to);
    return raw.indexOf('\\') < 0 ? raw : StringEscapeUtils.unescapeJava(raw);
  }
}
