// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Audit lines as a NameNode of Hadoop 3.4 writes them; the same from the same seed. docs/evidence/observe.md
 * describes them. Not thread-safe.
 */
final class AuditLines {

  private static final int MILLIS_PER_DAY = 86_400_000;
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
  private final AuditPaths paths;
  private final int linesPerSecond;
  private long line;
  private byte[] out;
  private int length;

  /** @param linesPerSecond by the times that the lines say */
  AuditLines(AuditPaths paths, int linesPerSecond, SplittableRandom random) {
    this.random = random;
    this.paths = paths;
    this.linesPerSecond = linesPerSecond;
  }

  /** Writes the next line, with its newline, behind the first so many bytes; returns how many then are there. */
  int append(byte[] buffer, int used) {
    out = buffer;
    length = used;
    AuditCommand command = AuditCommand.draw(random);
    paths.choose(command);
    int user = paths.user();
    time();
    put(LOGGER);
    put(command.changes() || random.nextInt(150) > 0 ? TRUE : FALSE);
    put(UGI);
    number(user, 1);
    put(REALM);
    put(IP);
    number(random.nextInt(8), 1);
    out[length++] = '.';
    number(random.nextInt(256), 1);
    put(CMD);
    text(command.word);
    put(SRC);
    text(paths.source());
    put(DST);
    if (command.renames()) {
      text(paths.destination());
    } else {
      put(NULL);
    }
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
      number(paths.application(), 4);
      put(TASK);
      number(random.nextInt(1000), 1);
    }
    out[length++] = '\n';
    line++;
    return length;
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

  /** Letters of ASCII alone. */
  @SuppressWarnings("deprecation")
  private void text(String text) {
    text.getBytes(0, text.length(), out, length);
    length += text.length();
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
