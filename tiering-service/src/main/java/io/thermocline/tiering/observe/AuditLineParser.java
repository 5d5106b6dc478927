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
      int equals = line.indexOf('=', at);
      if (equals > 0 && equals < end) {
        int value = equals + 1;
        // The keys that matter differ in their first letter but for src, and all others are
        // skipped.
        if (line.startsWith("allowed", at)) {
          allowed = line.startsWith("true", value);
        } else if (line.startsWith("ugi", at)) {
          user = shortUser(line, value, end);
        } else if (line.startsWith("cmd", at)) {
          command = line.substring(value, end);
        } else if (line.startsWith("src", at)) {
          hasSource = true;
          source = path(line, value, end);
        } else if (line.startsWith("dst", at)) {
          destination = path(line, value, end);
        } else if (line.startsWith("callerContext", at)) {
          callerContext = line.substring(value, end);
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
    String raw = line.substring(from, to);
    if (raw.equals("null")) {
      return null;
    }
    return raw.indexOf('\\') < 0 ? raw : StringEscapeUtils.unescapeJava(raw);
  }
}
