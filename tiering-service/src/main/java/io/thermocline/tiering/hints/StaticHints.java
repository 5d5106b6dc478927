// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Hints that nobody has to give: metadata or data, the range of sizes, and the type of a file. Pure; in the time of a
 * few comparisons.
 */
public final class StaticHints {

  /** Which of them count (thesis, chapter 2.4.1). */
  public enum Level {
    OFF,
    /** Metadata is wanted on a fast type. */
    LEVEL1,
    /** And so are the smallest files. */
    LEVEL2
  }

  /** Upper ends of table 2.2's ranges of sizes, in bytes; what is no less than the last is in one more. */
  public static final List<Long> TABLE_2_2 =
      List.of(256L << 10, 1L << 20, 10L << 20, 100L << 20, 1L << 30);

  private static final Set<String> METADATA_NAMES =
      Set.of(
          "_success",
          "_metadata",
          "_common_metadata",
          "_delta_log",
          "_last_checkpoint",
          "hoodie.properties",
          "version-hint.text",
          "_orc_acid_version",
          "_partition_metadata",
          ".hoodie_partition_metadata",
          ".tableinfo",
          ".regioninfo");
  private static final Set<String> METADATA_SUFFIXES =
      Set.of("metadata.json", "manifest", "index", "idx", "crc", "schema", "avsc");

  /** What all below directories of these names is. */
  private static final Map<String, FileClass.Type> DIRECTORIES = new HashMap<>();

  /** First letters with lengths of these names: most others are none of them by that alone. */
  private static final BitSet SHAPES = new BitSet();

  static {
    directories(
        FileClass.Type.TABLE_METADATA,
        "_delta_log",
        ".hoodie",
        "metadata",
        ".tabledesc",
        "_spark_metadata");
    directories(FileClass.Type.WRITE_AHEAD_LOG, "wals", "oldwals", "recovered.edits");
    directories(
        FileClass.Type.TEMPORARY,
        "_temporary",
        ".hive-staging",
        ".staging",
        ".tmp",
        "_tmp",
        ".spark-staging");
    directories(
        FileClass.Type.CHECKPOINT, "checkpoints", "checkpoint", "savepoints", "_checkpoints");
  }

  private static void directories(FileClass.Type type, String... names) {
    for (String name : names) {
      DIRECTORIES.put(name, type);
      SHAPES.set(shape(name.charAt(0), name.length()));
    }
  }

  private static int shape(char first, int length) {
    return Math.min(length, 31) << Byte.SIZE | first & 0xff;
  }

  private final Level level;
  private final List<Long> sizes;
  private final int small;

  /**
   * @param sizes upper ends of the ranges, ascending, in bytes
   * @param smallBelow bytes: data of less is small, at level 2
   */
  public StaticHints(Level level, List<Long> sizes, long smallBelow) {
    this.level = level;
    this.sizes = List.copyOf(sizes);
    this.small = size(smallBelow);
    for (int i = 1; i < sizes.size(); i++) {
      if (sizes.get(i) <= sizes.get(i - 1)) {
        throw new IllegalArgumentException("sizes " + sizes + ": expected them to ascend");
      }
    }
  }

  /** What a file is. */
  public FileClass of(String path, long length) {
    FileClass.Type type = type(path);
    return new FileClass(
        type == FileClass.Type.TABLE_METADATA ? FileClass.Role.METADATA : FileClass.Role.DATA,
        size(length),
        type);
  }

  private int size(long length) {
    int at = 0;
    while (at < sizes.size() && length >= sizes.get(at)) {
      at++;
    }
    return at;
  }

  /** Whether it is wanted on a fast type: metadata, and at level 2 what is small and neither a log nor soon gone. */
  public boolean isWanted(FileClass file) {
    return switch (level) {
      case OFF -> false;
      case LEVEL1 -> file.role() == FileClass.Role.METADATA;
      case LEVEL2 ->
          file.role() == FileClass.Role.METADATA || file.size() < small && !isUnread(file.type());
    };
  }

  private static boolean isUnread(FileClass.Type type) {
    return switch (type) {
      case WRITE_AHEAD_LOG, TEMPORARY, CHECKPOINT -> true;
      case OTHER, TABLE_METADATA, ORC, PARQUET -> false;
    };
  }

  /** What decisions make of it where no hint was given; empty where it isn't wanted anywhere. */
  public Optional<Expectation> expectation(String path, long length, HintRates rates) {
    if (level == Level.OFF) {
      return Optional.empty();
    }
    FileClass file = of(path, length);
    if (!isWanted(file)) {
      return Optional.empty();
    }
    return Optional.of(
        new Expectation(
            "static",
            file.role() == FileClass.Role.METADATA ? "its name (metadata)" : "its size",
            Operation.ADVISE,
            Temperature.WARM,
            rates.of(Temperature.WARM),
            1,
            Long.MAX_VALUE,
            Long.MAX_VALUE));
  }

  private static FileClass.Type type(String asWritten) {
    String path = asWritten.toLowerCase(Locale.ROOT);
    String name = path.substring(path.lastIndexOf('/') + 1);
    for (int from = 1; from < path.length(); ) {
      int end = path.indexOf('/', from);
      if (end < 0) {
        break;
      }
      FileClass.Type type = ofDirectory(path, from, end);
      if (type != FileClass.Type.OTHER) {
        return type;
      }
      from = end + 1;
    }
    if (METADATA_NAMES.contains(name)) {
      return FileClass.Type.TABLE_METADATA;
    }
    if (name.startsWith("_tmp.") || name.endsWith("._copying_") || name.endsWith(".tmp")) {
      return FileClass.Type.TEMPORARY;
    }
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      if (METADATA_SUFFIXES.contains(name.substring(dot + 1))) {
        return FileClass.Type.TABLE_METADATA;
      }
    }
    if (name.endsWith(".orc")) {
      return FileClass.Type.ORC;
    }
    if (name.endsWith(".parquet") || name.endsWith(".parq")) {
      return FileClass.Type.PARQUET;
    }
    return name.endsWith(".wal") ? FileClass.Type.WRITE_AHEAD_LOG : FileClass.Type.OTHER;
  }

  private static FileClass.Type ofDirectory(String path, int from, int end) {
    if (SHAPES.get(shape(path.charAt(from), end - from))) {
      FileClass.Type type = DIRECTORIES.get(path.substring(from, end));
      if (type != null) {
        return type;
      }
    }
    if (path.startsWith(".hive-staging_", from)) {
      return FileClass.Type.TEMPORARY;
    }
    return path.startsWith("chk-", from) ? FileClass.Type.CHECKPOINT : FileClass.Type.OTHER;
  }
}
