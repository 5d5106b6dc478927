// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import io.thermocline.tiering.heat.FingerprintHotnessTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;

/**
 * What reading an audit log costs as far as each of its stages, with all of those before it:
 * which of them has slack shows in the differences. In the package of what it calls.
 */
public enum ObserveStages {
  /** The bytes of the file into the buffer of lines. */
  READ,
  /** And the ends of all lines. */
  LINES,
  /** And where the fields of each line stand, and its time. */
  FIELDS,
  /** And what each line says: hashes of its path, of who reads it and of what may be a pass. */
  PATHS,
  /**
   * And, for each read, one word at random of as many bytes as each structure has that must know it: recent opens,
   * profiles, and the hotness table twice, for file and partition. Nothing is decided or counted: what any program costs
   * that parses as we do and keeps as much.
   */
  UNAVOIDABLE,
  /** As far as paths, and whether a read counts: recent opens, scans. */
  WINDOWS,
  /** And a count for each key and partition in a hotness table, without renames or profiles. */
  TABLE;

  /** Reads the whole file. Returns a sum over what it found, so that all of it must be found. */
  public long run(Path log, AccessSettings settings, long tableBytes) throws IOException {
    AccessSettings windows =
        this == UNAVOIDABLE
            ? new AccessSettings(Duration.ZERO, 0, settings.scanWindow(), settings.ignored())
            : settings;
    AccessRules rules = new AccessRules(PathKey.nameservice("nameservice1"), windows);
    LineReader reader = new LineReader(rules, ZoneOffset.UTC);
    AuditLine line = new AuditLine();
    LogTime time = new LogTime(ZoneOffset.UTC);
    AccessSink sink =
        switch (this) {
          case TABLE -> new Counting(tableBytes);
          case UNAVOIDABLE -> new Touching(tableBytes);
          default -> access -> {};
        };
    LineBuffer lines = new LineBuffer();
    long sum = 0;
    try (LogFile file = LogFile.open(log)) {
      for (int count = lines.read(file); count > 0; count = lines.read(file)) {
        lines.add(count);
        sum += count;
        if (this == READ) {
          lines.reset(0);
        }
        while (this != READ && lines.takeLine()) {
          switch (this) {
            case LINES -> sum += lines.lineTo();
            case FIELDS -> {
              sum += parse(line, lines) ? 1 : 0;
              sum += time.parse(lines.bytes(), lines.lineFrom(), lines.lineTo());
            }
            case PATHS -> {
              reader.look(lines, 0);
              sum += reader.millis();
            }
            default -> {
              reader.look(lines, 0);
              reader.accept(sink);
            }
          }
        }
      }
    }
    return sum + reader.counts(0).parsed();
  }

  private static boolean parse(AuditLine line, LineBuffer lines) {
    return line.parse(lines.bytes(), lines.lineFrom(), lines.lineTo(), lines.tabs());
  }

  /** Reads what can't be spared, as early as it can be known. */
  private static final class Touching implements AccessSink {
    private static final int OPENS_BYTES = 4 << 20;
    private static final int PROFILES_BYTES = 100_000 * 128;

    private final long[] opens = new long[OPENS_BYTES / Long.BYTES];
    private final long[] profiles = new long[PROFILES_BYTES / Long.BYTES];
    private final long[] table;
    private long sum;

    Touching(long tableBytes) {
      table = new long[(int) (tableBytes / Long.BYTES)];
    }

    @Override
    public void expect(Access[] soon, int count) {
      for (int i = 0; i < count; i++) {
        if (soon[i].kind() == Access.Kind.READ) {
          long key = soon[i].key();
          sum += word(opens, soon[i].reader() ^ key) + word(profiles, key);
          sum += word(table, key) + word(table, soon[i].partitionKey());
        }
      }
    }

    private static long word(long[] words, long key) {
      return words[(int) Math.multiplyHigh(key >>> 1, 2L * words.length)];
    }

    @Override
    public void accept(Access access) {
      sum++;
    }
  }

  /** Counts each read under the keys of its path, and nothing else. */
  private static final class Counting implements AccessSink {
    private final FingerprintHotnessTable table;

    Counting(long bytes) {
      table = new FingerprintHotnessTable(bytes, 0, 1);
    }

    @Override
    public void accept(Access access) {
      if (access.kind() == Access.Kind.READ) {
        table.add(access.key(), 1);
        if (access.partitionKey() != 0) {
          table.add(access.partitionKey(), 1);
        }
      }
    }
  }
}
