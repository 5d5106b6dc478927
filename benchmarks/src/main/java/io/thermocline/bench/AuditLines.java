// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.testbed.workload.Zipf;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.text.StringEscapeUtils;

/** Audit lines as a NameNode of Hadoop 3.4 writes them; the same from the same seed. */
final class AuditLines {

  /** Exponent of the paths' popularity: about what traces of HDFS clusters show. */
  private static final double EXPONENT = 1.0;

  /** One path in this many has a tab and letters beyond ASCII, which the NameNode escapes. */
  private static final int ESCAPED_ONE_IN = 50;

  private static final int USERS = 40;

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

    private final String word;
    private final int percent;

    Command(String word, int percent) {
      this.word = word;
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

  private final SplittableRandom random;
  private final Zipf popularity;
  private final List<String> paths = new ArrayList<>();

  AuditLines(int distinctPaths, long seed) {
    random = new SplittableRandom(seed);
    popularity = new Zipf(distinctPaths, EXPONENT);
    for (int i = 0; i < distinctPaths; i++) {
      paths.add(path(i));
    }
  }

  List<String> next(int count) {
    List<String> lines = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      lines.add(line());
    }
    return lines;
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

  private String line() {
    Command command = Command.draw(random);
    int user = random.nextInt(USERS);
    boolean renames = command == Command.RENAME || command == Command.RENAME2;
    String source = drawPath();
    String destination = renames ? drawPath() : "null";
    return "2026-11-20 19:%02d:%02d,%03d INFO FSNamesystem.audit: allowed=%s\tugi=%s\tip=/10.0.%d.%d\tcmd=%s\tsrc=%s\tdst=%s\tperm=%s\tproto=%s%s"
        .formatted(
            random.nextInt(60),
            random.nextInt(60),
            random.nextInt(1000),
            random.nextInt(200) > 0,
            "user%d@EXAMPLE.COM (auth:KERBEROS)".formatted(user),
            random.nextInt(8),
            random.nextInt(256),
            command.word,
            source,
            destination,
            command.changes() ? "user%d:hadoop:rw-r-----".formatted(user) : "null",
            random.nextInt(10) > 0 ? "rpc" : "webhdfs",
            random.nextInt(3) > 0 ? "\tcallerContext=SPARK_TASK_" + random.nextInt(1000) : "");
  }

  private String drawPath() {
    return StringEscapeUtils.escapeJava(paths.get(popularity.draw(random)));
  }
}
