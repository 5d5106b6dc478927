// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.testbed.workload.Zipf;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.apache.commons.text.StringEscapeUtils;

/**
 * Audit lines as a NameNode of Hadoop 3.4 writes them; the same from the same seed. docs/evidence/observe.md
 * describes them. Not thread-safe.
 */
final class AuditLines {

  /** Exponent of the paths' popularity: about what traces of HDFS clusters show. */
  private static final double EXPONENT = 1.0;

  /** One path in this many has a tab and letters beyond ASCII, which the NameNode escapes. */
  private static final int ESCAPED_ONE_IN = 50;

  private static final int USERS = 40;
  private static final int MILLIS_PER_DAY = 86_400_000;

  /** Commands with their share of the lines, in percent. */
  private enum Command {
    OPEN("open", 40),
    GETFILEINFO("getfileinfo", 33),
    LIST_STATUS("listStatus", 9),
    CREATE("create", 6),
    DELETE("delete", 4),
    RENAME("rename", 3),
    RENAME2("rename (options=[OVERWRITE])", 1),
    MKDIRS("mkdirs", 2),
    CONTENT_SUMMARY("contentSummary", 1),
    SET_PERMISSION("setPermission", 1);

    private final byte[] word;
    private final int percent;

    Command(String word, int percent) {
      this.word = bytes(word);
      this.percent = percent;
    }

    static Command draw(SplittableRandom random) {
      int point = random.nextInt(100);
      for (Command command : values()) {
        point -= command.percent;
        if (point < 0) {
          return command;
        }
      }
      throw new IllegalStateException("the shares are less than 100 %");
    }

    boolean changes() {
      return this != OPEN && this != GETFILEINFO && this != LIST_STATUS && this != CONTENT_SUMMARY;
    }
  }

  private static final int[] POWERS = {1, 10, 100, 1000, 10_000};
  private static final byte[] DAY = bytes("2026-11-");
  private static final byte[] LOGGER = bytes(" INFO FSNamesystem.audit: allowed=");
  private static final byte[] TRUE = bytes("true");
  private static final byte[] FALSE = bytes("false");
  private static final byte[] UGI = bytes("\tugi=user");
  private static final byte[] REALM = bytes("@EXAMPLE.COM (auth:KERBEROS)");
  private static final byte[] IP = bytes("\tip=/10.0.");
  private static final byte[] CMD = bytes("\tcmd=");
  private static final byte[] SRC = bytes("\tsrc=");
  private static final byte[] DST = bytes("\tdst=");
  private static final byte[] NULL = bytes("null");
  private static final byte[] PERM = bytes("\tperm=");
  private static final byte[] USER = bytes("user");
  private static final byte[] MODE = bytes(":hadoop:rw-r-----");
  private static final byte[] PROTO = bytes("\tproto=");
  private static final byte[] RPC = bytes("rpc");
  private static final byte[] WEBHDFS = bytes("webhdfs");
  private static final byte[] CONTEXT =
      bytes("\tcallerContext=SPARK_TASK_application_1795000000000_");
  private static final byte[] TASK = bytes("_JId_0_SId_1_0_TId_");

  private final SplittableRandom random;
  private final Zipf popularity;
  private final byte[][] paths;
  private final int linesPerSecond;
  private long line;
  private byte[] out;
  private int length;

  /** @param linesPerSecond by the times that the lines say */
  AuditLines(int distinctPaths, int linesPerSecond, long seed) {
    this.random = new SplittableRandom(seed);
    this.popularity = new Zipf(distinctPaths, EXPONENT);
    this.linesPerSecond = linesPerSecond;
    this.paths = new byte[distinctPaths][];
    for (int i = 0; i < distinctPaths; i++) {
      paths[i] = bytes(StringEscapeUtils.escapeJava(path(i)));
    }
  }

  /** Writes the next line, with its newline, behind the first so many bytes; returns how many then are there. */
  int append(byte[] buffer, int used) {
    out = buffer;
    length = used;
    Command command = Command.draw(random);
    int user = random.nextInt(USERS);
    boolean renames = command == Command.RENAME || command == Command.RENAME2;
    time();
    put(LOGGER);
    put(random.nextInt(200) > 0 ? TRUE : FALSE);
    put(UGI);
    number(user, 1);
    put(REALM);
    put(IP);
    number(random.nextInt(8), 1);
    out[length++] = '.';
    number(random.nextInt(256), 1);
    put(CMD);
    put(command.word);
    put(SRC);
    put(paths[popularity.draw(random)]);
    put(DST);
    put(renames ? paths[popularity.draw(random)] : NULL);
    put(PERM);
    if (command.changes()) {
      put(USER);
      number(user, 1);
      put(MODE);
    } else {
      put(NULL);
    }
    put(PROTO);
    put(random.nextInt(10) > 0 ? RPC : WEBHDFS);
    if (random.nextInt(3) > 0) {
      put(CONTEXT);
      number(random.nextInt(1000), 4);
      put(TASK);
      number(random.nextInt(1000), 1);
    }
    out[length++] = '\n';
    line++;
    return length;
  }

  private String path(int number) {
    String name =
        number % ESCAPED_ONE_IN == ESCAPED_ONE_IN - 1
            ? "Gr\u00f6\u00dfe\t" + number
            : "part-%05d-%016x.snappy.parquet".formatted(number % 1000, random.nextLong());
    return "/warehouse/tablespace/external/db%d/table%d/dt=2026-%02d-%02d/%s"
        .formatted(
            random.nextInt(20),
            random.nextInt(400),
            1 + random.nextInt(12),
            1 + random.nextInt(28),
            name);
  }

  /** From 2026-11-20 on; what is over after ten days begins again. */
  private void time() {
    long millis = line * 1000 / linesPerSecond;
    int day = (int) (millis / MILLIS_PER_DAY % 10);
    int ofDay = (int) (millis % MILLIS_PER_DAY);
    put(DAY);
    number(20 + day, 2);
    out[length++] = ' ';
    number(ofDay / 3_600_000, 2);
    out[length++] = ':';
    number(ofDay / 60_000 % 60, 2);
    out[length++] = ':';
    number(ofDay / 1000 % 60, 2);
    out[length++] = ',';
    number(ofDay % 1000, 3);
  }

  private void put(byte[] text) {
    System.arraycopy(text, 0, out, length, text.length);
    length += text.length;
  }

  private void number(int value, int digits) {
    int width = digits;
    for (int rest = value / POWERS[digits]; rest > 0; rest /= 10) {
      width++;
    }
    int rest = value;
    for (int i = length + width - 1; i >= length; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += width;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
