// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Hints on directories: by which storage policy new files below them should be placed, for how long, and below which
 * directories not. Immutable. As text a service writes it and NameNodes read it:
 *
 * <pre>
 * thermocline-directory-hints 1
 * good-until 2026-11-22T13:10:00Z
 * hint 2026-11-23T00:00:00Z ONE_SSD /warehouse/orders
 * usual /warehouse/orders/kept
 * end 2
 * </pre>
 *
 * <p>Of a path the innermost line counts. After {@code good-until} nothing does: whoever wrote the text isn't there
 * any more to take hints back. The last line has the number of those between, so that half a text isn't taken.
 */
public final class DirectoryHints {
  /** Longest text that is read, in bytes: room for as many lines as there may be, all of them long. */
  public static final int MOST_BYTES = 12 << 20;

  /** Most lines about directories. */
  public static final int MOST_LINES = 10_000;

  /** Longest path in it, in bytes of UTF-8. */
  public static final int LONGEST = 1_000;

  /** Names in a hinted path at most; so many look-ups has a path at most. */
  public static final int DEEPEST = 64;

  private static final String FIRST = "thermocline-directory-hints 1";
  private static final String GOOD_UNTIL = "good-until ";
  private static final String HINT = "hint ";
  private static final String USUAL = "usual ";
  private static final String END = "end ";

  private static final DirectoryHints NONE = new DirectoryHints(Long.MAX_VALUE, new ArrayList<>());

  /** What is said of one directory. Immutable. */
  public static final class Line {
    private final String directory;
    private final String policy;
    private final long untilMillis;

    private Line(String directory, String policy, long untilMillis) {
      this.directory = directory;
      this.policy = policy;
      this.untilMillis = untilMillis;
    }

    /**
     * A hint.
     *
     * @param policy name of a storage policy
     * @param untilMillis end of its lease, milliseconds since 1970
     */
    public static Line hint(String directory, String policy, long untilMillis) {
      return new Line(directory, policy, untilMillis);
    }

    /** That hints on what is above don't count below. */
    public static Line usual(String directory) {
      return new Line(directory, null, Long.MAX_VALUE);
    }

    /** Null where files are placed as ever. */
    public String policy() {
      return policy;
    }

    private String text() {
      return policy == null
          ? USUAL + directory
          : HINT + Instant.ofEpochMilli(untilMillis) + " " + policy + " " + directory;
    }
  }

  private final long goodUntilMillis;
  private final Map<String, Line> lines = new HashMap<>();

  /** Lengths of the directories' paths: most ancestors of a path have none of them. */
  private final BitSet lengths = new BitSet();

  private DirectoryHints(long goodUntilMillis, Collection<Line> given) {
    this.goodUntilMillis = goodUntilMillis;
    for (Line line : given) {
      lines.put(line.directory, line);
      lengths.set(line.directory.length());
    }
  }

  /** None, for good. */
  public static DirectoryHints none() {
    return NONE;
  }

  /** Whether a directory can stand in the text. */
  public static boolean takes(String directory) {
    return directory.startsWith("/")
        && directory.length() <= LONGEST
        && directory.getBytes(StandardCharsets.UTF_8).length <= LONGEST
        && (directory.length() == 1 || !directory.endsWith("/"))
        && directory.chars().filter(one -> one == '/').count() <= DEEPEST
        && directory.chars().noneMatch(Character::isISOControl);
  }

  /**
   * The text that {@link #parse} reads.
   *
   * @throws IllegalArgumentException for what it wouldn't take
   */
  public static String text(long goodUntilMillis, List<Line> lines) {
    StringBuilder text = new StringBuilder(FIRST).append('\n');
    text.append(GOOD_UNTIL).append(Instant.ofEpochMilli(goodUntilMillis)).append('\n');
    for (Line line : lines) {
      text.append(line.text()).append('\n');
    }
    text.append(END).append(lines.size()).append('\n');
    parse(text.toString());
    return text.toString();
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException where it isn't one; says the line and what is wrong with it
   */
  public static DirectoryHints parse(String text) {
    // Beside lines about directories there are two before, one after, and nothing after that. What
    // is
    // more than one line too many isn't taken apart.
    int others = 4;
    String[] rows = text.split("\n", MOST_LINES + others + 1);
    require(rows[0].equals(FIRST), 1, "expected '" + FIRST + "'");
    require(rows.length > 2 && rows[1].startsWith(GOOD_UNTIL), 2, "expected good-until and a time");
    long goodUntil = millis(rows[1].substring(GOOD_UNTIL.length()), 2);
    int count = Math.max(0, rows.length - others);
    require(count <= MOST_LINES, rows.length, "more than " + MOST_LINES + " directories");
    require(
        text.endsWith("\n") && rows[rows.length - 2].equals(END + count),
        rows.length,
        "expected '" + END + count + "': the text isn't whole");
    List<Line> lines = new ArrayList<>(count);
    for (int row = 2; row < count + 2; row++) {
      Line line = line(rows[row], row + 1);
      require(takes(line.directory), row + 1, "no directory that can be hinted");
      lines.add(line);
    }
    return new DirectoryHints(goodUntil, lines);
  }

  private static Line line(String row, int number) {
    if (row.startsWith(USUAL)) {
      return Line.usual(row.substring(USUAL.length()));
    }
    String[] words = row.split(" ", 4);
    require(row.startsWith(HINT) && words.length == 4, number, "expected hint or usual");
    return Line.hint(words[3], words[2], millis(words[1], number));
  }

  private static long millis(String time, int line) {
    try {
      return Instant.parse(time).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("line " + line + ": '" + time + "' is no time", e);
    }
  }

  private static void require(boolean isSo, int line, String otherwise) {
    if (!isSo) {
      throw new IllegalArgumentException("line " + line + ": " + otherwise);
    }
  }

  /** What is said of directories. */
  public Collection<Line> lines() {
    return Collections.unmodifiableCollection(lines.values());
  }

  /** Whether nobody has written it anew for too long. */
  public boolean isStale(long nowMillis) {
    return nowMillis >= goodUntilMillis;
  }

  /**
   * The hint that counts for a new file; null where none does. Looks up each ancestor of a path at most once, and at most
   * {@value #DEEPEST}; without hints nothing.
   */
  public Line of(String path, long nowMillis) {
    if (lines.isEmpty() || isStale(nowMillis)) {
      return null;
    }
    int looks = 0;
    for (int end = path.lastIndexOf('/');
        end >= 0 && looks < DEEPEST;
        end = path.lastIndexOf('/', end - 1)) {
      int length = Math.max(1, end);
      if (lengths.get(length)) {
        looks++;
        Line line = lines.get(path.substring(0, length));
        if (line != null && nowMillis < line.untilMillis) {
          return line.policy == null ? null : line;
        }
      }
    }
    return null;
  }
}
