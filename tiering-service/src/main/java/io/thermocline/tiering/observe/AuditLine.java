// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.nio.charset.StandardCharsets;

/**
 * One line of a NameNode's audit log, as Hadoop 0.20 to 3.5 write it, seen in the buffer it was read into: where
 * its fields stand. One object serves all lines, and is valid until the buffer changes. Not thread-safe.
 *
 * <p>Fields are {@code key=value} with tabs between them, behind whatever prefix the log's layout gave. NameNodes
 * escape tabs and everything beyond ASCII in paths, so a tab is always a separator. Where a field stands twice
 * the first counts: what comes last, the caller context, is the client's text, and old versions don't escape it.
 */
final class AuditLine {

  private static final long ALLOWED = word("allowed=");
  private static final int ALLOWED_TRUE = "allowed=true".length();
  private static final int ALLO = (int) ALLOWED;
  private static final int UGI = (int) word("ugi=");
  private static final int IP = (int) word("ip=/");
  private static final int CMD = (int) word("cmd=");
  private static final int SRC = (int) word("src=");
  private static final int DST = (int) word("dst=");
  private static final int CALL = (int) word("call");
  private static final int PROTO = (int) word("prot");
  private static final int NULL = (int) word("null");
  private static final long SPACE = ByteSearch.pattern(' ');
  private static final long SLASH = ByteSearch.pattern('/');
  private static final long AT = ByteSearch.pattern('@');
  private static final long COMMA = ByteSearch.pattern(',');
  private static final byte[] CALLER_CONTEXT = ascii("callerContext=");
  private static final byte[] WEB_HDFS = ascii("proto=webhdfs");
  private static final byte[] PROXY = ascii("(auth:PROXY)");
  private static final byte[] RAW = ascii("/.reserved/raw/");
  private static final byte[] SPARK = ascii("SPARK_");

  private final Unescape unescape = new Unescape();
  private byte[] buffer;

  private int lineFrom;
  private int fieldsFrom;

  private boolean allowed;
  private int userFrom;
  private int userTo;
  private int ipFrom;
  private int ipTo;
  private Operation operation;
  private int sourceFrom;
  private int sourceTo;
  private int destinationFrom;
  private int destinationTo;
  private int contextFrom;
  private int contextTo;
  private boolean hasProtocol;
  private boolean isWebHdfs;

  /**
   * Finds the fields of a line.
   *
   * @param tabs with those of this line selected
   * @return false where it is no complete audit record: no user, no command or no source
   *     (operations on no path say src=null)
   */
  boolean parse(byte[] bytes, int from, int to, Separators tabs) {
    buffer = bytes;
    allowed = true;
    userFrom = userTo = -1;
    ipFrom = ipTo = -1;
    operation = null;
    hasProtocol = isWebHdfs = false;
    sourceFrom = destinationFrom = contextFrom = -1;
    int[] places = tabs.places();
    int tabsTo = tabs.tabsTo();
    int tab = tabs.firstTab();
    int at = startOfFields(from, to, tab < tabsTo ? places[tab] : to);
    if (at < 0) {
      return false;
    }
    lineFrom = from;
    fieldsFrom = at;
    while (tab < tabsTo && places[tab] < at) {
      tab++;
    }
    // Up to and with "src=".
    if (tabsTo - tab >= 4 && places[tab + 3] + 5 <= to && beginsAsUsual(at, places, tab)) {
      sourceTo = tab + 4 < tabsTo ? places[tab + 4] : to;
      if (operation == Operation.OTHER || operation == Operation.GET_FILE_INFO) {
        // Of a command that means nothing to us, the rest need not be looked at.
        return true;
      }
      tab += 5;
      at = sourceTo + 1;
    }
    for (; at < to; tab++) {
      int end = tab < tabsTo ? places[tab] : to;
      if (end - at >= 4) {
        field(at, end);
      }
      at = end + 1;
    }
    return userTo > userFrom && operation != null && sourceFrom >= 0;
  }

  /**
   * Takes what stands before the fifth tab, the end of the source left out, where that is what
   * NameNodes write: which name stands where need not be asked then. False, with nothing taken,
   * where it is something else.
   */
  private boolean beginsAsUsual(int at, int[] tabs, int tab) {
    int ugi = tabs[tab] + 1;
    int ip = tabs[tab + 1] + 1;
    int cmd = tabs[tab + 2] + 1;
    int src = tabs[tab + 3] + 1;
    boolean asUsual =
        tabs[tab] > at + 8
            && ByteSearch.longAt(buffer, at) == ALLOWED
            && ByteSearch.intAt(buffer, ugi) == UGI
            && ByteSearch.intAt(buffer, ip) == IP
            && ByteSearch.intAt(buffer, cmd) == CMD
            && ByteSearch.intAt(buffer, src) == SRC;
    if (!asUsual) {
      return false;
    }
    int name = ugi + 4;
    int nameTo = endOfShortName(name, ip - 1);
    if (nameTo == name || src - 1 == cmd + 4) {
      return false;
    }
    allowed = buffer[at + 8] == 't';
    userFrom = name;
    userTo = nameTo;
    ipFrom = ip + 4;
    ipTo = cmd - 1;
    operation = Operation.of(buffer, cmd + 4, src - 1);
    sourceFrom = src + 4;
    return true;
  }

  private void field(int at, int end) {
    int name = ByteSearch.intAt(buffer, at);
    if (name == SRC) {
      if (sourceFrom < 0) {
        sourceFrom = at + 4;
        sourceTo = end;
      }
    } else if (name == DST) {
      if (destinationFrom < 0) {
        destinationFrom = at + 4;
        destinationTo = end;
      }
    } else if (name == CMD) {
      if (operation == null && end > at + 4) {
        operation = Operation.of(buffer, at + 4, end);
      }
    } else if (name == UGI) {
      if (userFrom < 0) {
        userFrom = at + 4;
        userTo = endOfShortName(userFrom, end);
      }
    } else if (name == IP) {
      if (ipFrom < 0) {
        ipFrom = at + 4;
        ipTo = end;
      }
    } else if (name == ALLO) {
      if (end - at > 8 && ByteSearch.longAt(buffer, at) == ALLOWED && sourceFrom < 0) {
        allowed = buffer[at + 8] == 't';
      }
    } else if (name == CALL
        && contextFrom < 0
        && ByteSearch.startsWith(buffer, at, end, CALLER_CONTEXT)) {
      contextFrom = at + CALLER_CONTEXT.length;
      contextTo = end;
    } else if (name == PROTO && !hasProtocol) {
      hasProtocol = true;
      isWebHdfs = ByteSearch.startsWith(buffer, at, end, WEB_HDFS);
    }
    // Others: perm, trackingId, and what later versions may add.
  }

  /**
   * Of "allowed=true" before the first tab, where it stands in most lines; else of the first "allowed=" or "ugi=" that
   * begins a word. Hadoop 0.20 has no "allowed". Of this line alone: where fields were in another is no guide, or what
   * is read after a restart would come out otherwise.
   */
  private int startOfFields(int from, int to, int firstTab) {
    int usual = firstTab - ALLOWED_TRUE;
    if (usual >= from && ByteSearch.longAt(buffer, usual) == ALLOWED && beginsWord(usual, from)) {
      return usual;
    }
    for (int at = from; at + 4 <= to; at++) {
      int name = ByteSearch.intAt(buffer, at);
      boolean found =
          name == UGI || name == ALLO && at + 8 <= to && ByteSearch.longAt(buffer, at) == ALLOWED;
      if (found && beginsWord(at, from)) {
        return at;
      }
    }
    return -1;
  }

  /** Whether "including: " stands before the fields, as where a logger tells what it dropped. */
  boolean mayTellOfDiscarded() {
    return fieldsFrom >= lineFrom + 3 && buffer[fieldsFrom - 3] == 'g';
  }

  private boolean beginsWord(int at, int from) {
    return at == from || buffer[at - 1] == ' ' || buffer[at - 1] == '\t';
  }

  /** "hdfs/nn1@REALM (auth:KERBEROS) via svc (auth:..)" is hdfs: the one whose rights counted. */
  private int endOfShortName(int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      int end = ByteSearch.first(ByteSearch.longAt(buffer, at), SPACE, SLASH, AT, COMMA);
      if (end < Long.BYTES) {
        return at + end;
      }
    }
    for (; at < to; at++) {
      byte b = buffer[at];
      if (b == ' ' || b == '/' || b == '@' || b == ',') {
        break;
      }
    }
    return at;
  }

  /** Whether the NameNode let it through. Hadoop 0.20 doesn't say, and logged nothing else. */
  boolean allowed() {
    return allowed;
  }

  /**
   * Whether this is a client's request over WebHDFS, which the NameNode sends on to a DataNode. That DataNode reads for the
   * client, and opens the file by RPC, in a line of its own.
   */
  boolean isWebHdfs() {
    return isWebHdfs;
  }

  Operation operation() {
    return operation;
  }

  /** Whether the call was made in the name of this user by another; true where the line doesn't tell. */
  boolean isProxied() {
    return ipFrom <= userTo || ByteSearch.indexOf(buffer, userTo, ipFrom, PROXY) >= 0;
  }

  /** Short name: no realm, no proxy user. */
  String user() {
    return text(userFrom, userTo);
  }

  /** Hash of the short name, as {@link #hash(String)} gives it. */
  long userHash() {
    return ByteHash.of(0, buffer, userFrom, userTo);
  }

  static long hash(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return ByteHash.of(0, bytes, 0, bytes.length);
  }

  /** As the client set it, with its signature, or null. */
  String callerContext() {
    return contextFrom < 0 ? null : text(contextFrom, contextTo);
  }

  boolean hasContext() {
    return contextFrom >= 0;
  }

  /** Whether what the client itself set begins so. */
  boolean contextStartsWith(byte[] prefix) {
    return contextFrom >= 0
        && ByteSearch.startsWith(
            buffer, CallerContext.ownFrom(buffer, contextFrom, contextTo), contextTo, prefix);
  }

  /** Of the client: where a Router asked for it, its own address stands in the line, the client's in the context. */
  long addressHash() {
    long address = contextFrom < 0 ? 0 : CallerContext.addressHash(buffer, contextFrom, contextTo);
    return address != 0 || ipFrom < 0 ? address : ByteHash.of(0, buffer, ipFrom, ipTo);
  }

  /**
   * The application that the caller context names, by YARN's numbers (application_1700000000000_0001,
   * attempt_1700000000000_0001_m_...) or as Spark does elsewhere (SPARK_TASK_local-1700000000000_JId_1_...); 0 where it
   * names none.
   */
  long namedApplicationHash() {
    if (contextFrom < 0) {
      return 0;
    }
    int at = ByteSearch.indexOf(buffer, contextFrom, contextTo, '_');
    while (at >= 0) {
      int first = endOfDigits(at + 1);
      if (first - at > 10 && first < contextTo && buffer[first] == '_') {
        int second = endOfDigits(first + 1);
        if (second - first > 4) {
          return ByteHash.of(2, buffer, at + 1, second) | 1;
        }
      }
      at = ByteSearch.indexOf(buffer, Math.max(first, at + 1), contextTo, '_');
    }
    return sparkHash();
  }

  private long sparkHash() {
    int own = CallerContext.ownFrom(buffer, contextFrom, contextTo);
    if (!ByteSearch.startsWith(buffer, own, contextTo, SPARK)) {
      return 0;
    }
    // What comes first says whether a task or the driver calls.
    int from = ByteSearch.indexOf(buffer, own + SPARK.length, contextTo, '_') + 1;
    int to = from == 0 ? -1 : ByteSearch.indexOf(buffer, from, contextTo, '_');
    return from == 0 ? 0 : ByteHash.of(3, buffer, from, to < 0 ? contextTo : to) | 1;
  }

  /** Of the caller context without what differs from call to call; 0 where there is none. */
  long contextHash() {
    return contextFrom < 0 ? 0 : CallerContext.processHash(buffer, contextFrom, contextTo);
  }

  private int endOfDigits(int from) {
    int at = from;
    while (at < contextTo && buffer[at] >= '0' && buffer[at] <= '9') {
      at++;
    }
    return at;
  }

  /** The path the operation names, or null; cache operations put a description here. */
  String source() {
    return path(sourceFrom, sourceTo);
  }

  /** The second path, or null. */
  String destination() {
    return destinationFrom < 0 ? null : path(destinationFrom, destinationTo);
  }

  boolean hasSourcePath() {
    return isPath(sourceFrom, sourceTo);
  }

  boolean hasDestinationPath() {
    return destinationFrom >= 0 && isPath(destinationFrom, destinationTo);
  }

  /** Sets the cursor to the source, unescaped. */
  void source(PathCursor cursor) {
    point(cursor, sourceFrom, sourceTo);
  }

  void destination(PathCursor cursor) {
    point(cursor, destinationFrom, destinationTo);
  }

  private boolean isPath(int from, int to) {
    return to > from && buffer[from] == '/';
  }

  private void point(PathCursor cursor, int from, int to) {
    byte[] bytes = buffer;
    int start = from;
    int end = to;
    if (ByteSearch.indexOf(buffer, from, to, '\\') >= 0) {
      unescape.run(buffer, from, to);
      bytes = cursor.copy(unescape.bytes(), unescape.length());
      start = 0;
      end = unescape.length();
    }
    if (ByteSearch.startsWith(bytes, start, end, RAW)) {
      start += RAW.length - 1;
    }
    cursor.set(bytes, start, end);
  }

  private String path(int from, int to) {
    if (to - from == 4 && ByteSearch.intAt(buffer, from) == NULL) {
      return null;
    }
    PathCursor cursor = new PathCursor();
    point(cursor, from, to);
    return cursor.toString();
  }

  private String text(int from, int to) {
    return new String(buffer, from, to - from, StandardCharsets.UTF_8);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static long word(String text) {
    return ByteSearch.wordAt(ascii(text), 0, text.length());
  }
}
