// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes accesses of the audit lines of one log, and counts each line as exactly one of parsed, ignored, malformed. Not
 * thread-safe.
 *
 * <p>A line that can't be parsed is counted, every so often shown in the log, and never fatal: the
 * log belongs to the NameNode, and one odd line must not cost the rest.
 */
final class LineReader {

  /*
   * Problem. A counted open touches a dozen places of tables that no core's cache holds, and each miss waits for the
   * one before, since a line is applied when the last one is done.
   *
   * So lines that are in the buffer already are looked at together: parsed and hashed, which depends on nothing but
   * the line. Then what all of them will ask for is read, table by table, in loops without branches, so that the
   * processor has many misses under way at once (Java has no prefetch). Then each is applied in its turn: what is
   * decided is decided there, of what the tables hold then, and is what it would be without any of this.
   */

  private static final Logger LOG = LoggerFactory.getLogger(LineReader.class);

  /** Of the malformed lines, the 1st, 2nd, 4th, 8th ... are shown, cut to this many bytes. */
  private static final int SAMPLE_BYTES = 300;

  /** log4j's AsyncAppender: "Discarded 12 messages due to full event buffer including: " and one of them. */
  private static final byte[] DISCARDED = "Discarded ".getBytes(StandardCharsets.US_ASCII);

  private static final byte[] MESSAGES =
      " messages due to full event buffer".getBytes(StandardCharsets.US_ASCII);

  private final LogTime time;
  private final AccessRules rules;
  private final long[] audited = new long[Operation.values().length];

  /** Lines that were looked at together. */
  private final LineAccess[] pending = new LineAccess[1 + LineBuffer.AHEAD];

  /** Of a line that is in no {@link LineBuffer}. */
  private final Separators single = new Separators();

  private byte[] buffer;

  /** Whose turn it is, among the pending, and how many of them are in use. */
  private int current;

  private int ahead;
  private long millis = LogTime.NONE;

  /** Of the last line that was looked at. */
  private long lastMillis = LogTime.NONE;

  private long lines;
  private long parsed;
  private long ignored;
  private long malformed;
  private long discarded;

  /** @param rules of the nameservice, which the readers of its other logs use too */
  LineReader(AccessRules rules, ZoneId zone) {
    this.time = new LogTime(zone);
    this.rules = rules;
    Arrays.setAll(pending, i -> new LineAccess());
  }

  /**
   * Looks at a line. Nothing is counted before {@link #accept}.
   *
   * @param otherwise its time where it and all lines before it say none
   */
  void look(byte[] bytes, int from, int to, long otherwise) {
    buffer = bytes;
    current = 0;
    ahead = 1;
    single.findTabs(bytes, from, to);
    look(pending[0], from, to, single, otherwise);
    turn();
  }

  /**
   * Looks at the line that a buffer gave last. At others behind it it may look, too, so that waiting for memory
   * overlaps: until it took as many, the buffer must not change.
   */
  void look(LineBuffer lines, long otherwise) {
    if (++current >= ahead) {
      buffer = lines.bytes();
      current = 0;
      ahead = 1 + Math.min(lines.ahead(), pending.length - 1);
      if (lines.isCut()) {
        lookAtCut(pending[0], lines.lineFrom(), lines.lineTo(), otherwise);
      } else {
        look(pending[0], lines.lineFrom(), lines.lineTo(), lines.tabs(), otherwise);
      }
      for (int i = 1; i < ahead; i++) {
        Separators tabs = lines.aheadTabs(i - 1);
        look(pending[i], lines.aheadFrom(i - 1), lines.aheadTo(i - 1), tabs, otherwise);
      }
    }
    turn();
  }

  /** Nothing is known of a line of which only the end is there. */
  private void lookAtCut(LineAccess access, int from, int to, long otherwise) {
    access.from = from;
    access.to = to;
    access.isRecord = false;
    access.isCut = true;
    setTime(access, LogTime.NONE, otherwise);
  }

  private void look(LineAccess access, int from, int to, Separators tabs, long otherwise) {
    access.from = from;
    access.to = to;
    access.isRecord = access.line.parse(buffer, from, to, tabs);
    access.isCut = false;
    setTime(access, time.parse(buffer, from, to), otherwise);
    if (access.isRecord) {
      rules.prepare(access);
    }
  }

  private void setTime(LineAccess access, long stated, long otherwise) {
    if (stated != LogTime.NONE) {
      lastMillis = stated;
    } else if (lastMillis == LogTime.NONE) {
      lastMillis = otherwise;
    }
    access.timeMillis = lastMillis;
  }

  private void turn() {
    millis = pending[current].timeMillis;
  }

  /** Time of the line that was looked at, or of the one before it where it says none. */
  long millis() {
    return millis;
  }

  /** Counts the line that was looked at, and hands on what it stands for. */
  void accept(AccessSink sink) {
    if (current == 0 && ahead > 1) {
      rules.expect(pending, ahead, sink);
    }
    lines++;
    LineAccess access = pending[current];
    if (access.isRecord) {
      AuditLine line = access.line;
      if (line.mayTellOfDiscarded()) {
        noteDiscarded(buffer, access.from, access.to);
      }
      if (line.allowed() || line.operation() == Operation.GET_FILE_INFO) {
        audited[line.operation().ordinal()]++;
      }
      if (rules.apply(access, sink) == AccessRules.Outcome.PARSED) {
        parsed++;
      } else {
        ignored++;
      }
    } else if (access.from == access.to && !access.isCut) {
      ignored++;
    } else {
      malformed++;
      if (Long.bitCount(malformed) == 1) {
        int shown = Math.min(access.to - access.from, SAMPLE_BYTES);
        LOG.warn(
            "{} audit lines so far could not be parsed, the last: {}",
            malformed,
            new String(buffer, access.from, shown, StandardCharsets.UTF_8));
      }
    }
  }

  /** One of the discarded records stands in the line itself, and was counted. */
  private void noteDiscarded(byte[] buffer, int from, int to) {
    int start = ByteSearch.indexOf(buffer, from, to, DISCARDED);
    if (start < 0) {
      return;
    }
    long number = 0;
    int at = start + DISCARDED.length;
    // The number has the separators of the logger's language.
    for (; at < to && (buffer[at] < 'A' && buffer[at] != ' ' || buffer[at] < 0); at++) {
      if (buffer[at] >= '0' && buffer[at] <= '9') {
        number = Math.min(Integer.MAX_VALUE, number * 10 + buffer[at] - '0');
      }
    }
    if (ByteSearch.startsWith(buffer, at, to, MESSAGES) && number > 0) {
      discarded += number - 1;
    }
  }

  /** What became of the lines so far; which of them were repeated or of scans, the rules know. */
  LineCounts counts(long gaps) {
    return new LineCounts(
        lines, parsed, ignored, malformed, LineCounts.Opens.NONE, 0, discarded, gaps);
  }

  /**
   * Records of an operation, as the NameNode counts it: a getfileinfo that it refused counts there too, others only
   * where they succeeded.
   */
  long audited(Operation operation) {
    return audited[operation.ordinal()];
  }

  /** Writes all that later lines of this log depend on, but for what the rules remember. */
  void write(DataOutput out) throws IOException {
    out.writeLong(millis);
    out.writeLong(lines);
    out.writeLong(parsed);
    out.writeLong(ignored);
    out.writeLong(malformed);
    out.writeLong(discarded);
  }

  void read(DataInput in) throws IOException {
    millis = in.readLong();
    lastMillis = millis;
    lines = in.readLong();
    parsed = in.readLong();
    ignored = in.readLong();
    malformed = in.readLong();
    discarded = in.readLong();
  }
}
