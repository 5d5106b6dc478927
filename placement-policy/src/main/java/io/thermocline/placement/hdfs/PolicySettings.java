// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the policy reads from the NameNode's configuration. A bad value is logged and counted once and
 * the default used: a plugin never stops its host. Immutable.
 */
final class PolicySettings {
  /** Path of the node-attributes file; none by default. */
  static final String ATTRIBUTES_KEY = "thermocline.placement.node-attributes";

  /** Path of the file of hints on directories; none by default. */
  static final String DIRECTORY_HINTS_KEY = "thermocline.placement.directory-hints";

  /** Directory of the segment tables; in memory only by default. */
  static final String TABLE_DIR_KEY = "thermocline.placement.table.dir";

  /** For so long no storage must have come before a first table is written. */
  static final String SETTLE_KEY = "thermocline.placement.table.settle.ms";

  static final long SETTLE_DEFAULT = 30_000;

  /** For so long a storage that is away keeps its place in the table. */
  static final String FORGET_KEY = "thermocline.placement.table.forget.ms";

  static final long FORGET_DEFAULT = 86_400_000;

  /** The algorithm that chooses among the storages of one bucket. */
  static final String SELECTION_KEY = "thermocline.placement.selection";

  static final Selection SELECTION_DEFAULT = Selection.SUORA;

  /** What chooses among the storages of one bucket. */
  enum Selection {
    /** Number lines. */
    SUORA,
    /** Consistent hashing with attributes. */
    ATTRIBUTED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** DISKs of a host from which on its readers prefer a copy on one of them to SSD; 0 for never. */
  static final String OWN_DISKS_KEY = "thermocline.placement.read.own-disks";

  /** Where few tasks read, or an SSD is much faster than a disk, SSD is better: docs/evidence/reach.md. */
  static final long OWN_DISKS_DEFAULT = 0;

  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private static final long HOUR = 3_600_000;

  private final long refreshMillis;
  private final LayoutMode layout;
  private final ChoiceSettings choice;
  private final Path attributesFile;
  private final Path directoryHints;
  private final Path tableDirectory;
  private final long settleMillis;
  private final long forgetMillis;
  private final Selection selection;
  private final int ownDisks;

  private PolicySettings(Reader reader) {
    this.refreshMillis =
        reader.whole(
            ThermoclinePlacementPolicy.REFRESH_KEY,
            ThermoclinePlacementPolicy.REFRESH_DEFAULT,
            10,
            HOUR);
    this.layout = reader.layout(ThermoclinePlacementPolicy.LAYOUT_KEY);
    this.choice = reader.choice();
    this.attributesFile = reader.path(ATTRIBUTES_KEY);
    this.directoryHints = reader.path(DIRECTORY_HINTS_KEY);
    this.tableDirectory = reader.path(TABLE_DIR_KEY);
    this.settleMillis = reader.whole(SETTLE_KEY, SETTLE_DEFAULT, 0, HOUR);
    this.forgetMillis = reader.whole(FORGET_KEY, FORGET_DEFAULT, 0, 10_000 * HOUR);
    this.selection = reader.selection();
    this.ownDisks = (int) reader.whole(OWN_DISKS_KEY, OWN_DISKS_DEFAULT, 0, 1_000);
  }

  static PolicySettings of(Configuration conf, PlacementCounters counters) {
    return new PolicySettings(new Reader(conf, counters));
  }

  /** Milliseconds between two looks at the cluster. */
  long refreshMillis() {
    return refreshMillis;
  }

  LayoutMode layout() {
    return layout;
  }

  /** Whether and how candidate sets of replicas are compared. */
  ChoiceSettings choice() {
    return choice;
  }

  /** Null if there is none. */
  Path attributesFile() {
    return attributesFile;
  }

  /** Null if there is none. */
  Path directoryHints() {
    return directoryHints;
  }

  /** Null if tables are kept in memory only. */
  Path tableDirectory() {
    return tableDirectory;
  }

  long settleMillis() {
    return settleMillis;
  }

  long forgetMillis() {
    return forgetMillis;
  }

  Selection selection() {
    return selection;
  }

  /** DISKs of a host from which on its readers prefer a copy on one of them to SSD; 0 for never. */
  int ownDisks() {
    return ownDisks;
  }

  private static final class Reader {
    private final Configuration conf;
    private final PlacementCounters counters;

    Reader(Configuration conf, PlacementCounters counters) {
      this.conf = conf;
      this.counters = counters;
    }

    LayoutMode layout(String key) {
      String value = conf.getTrimmed(key);
      if (value == null || value.equals("policy")) {
        return LayoutMode.POLICY;
      }
      if (value.equals("suora")) {
        return LayoutMode.SUORA;
      }
      counters.count(PlacementCounters.Event.BAD_SETTING);
      LOG.error("{} = {} is neither policy nor suora; using policy", key, value);
      return LayoutMode.POLICY;
    }

    ChoiceSettings choice() {
      ChoiceSettings choice = ChoiceSettings.of(conf);
      for (String problem : choice.problems()) {
        counters.count(PlacementCounters.Event.BAD_SETTING);
        LOG.error(problem);
      }
      return choice;
    }

    long whole(String key, long byDefault, long least, long most) {
      String value = conf.getTrimmed(key);
      if (value == null) {
        return byDefault;
      }
      try {
        long number = Long.parseLong(value);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Said below, as for a number out of bounds.
      }
      bad(key, value, "a whole number from " + least + " to " + most, "" + byDefault);
      return byDefault;
    }

    Path path(String key) {
      String value = conf.getTrimmed(key, "");
      if (value.isEmpty()) {
        return null;
      }
      try {
        Path path = Paths.get(value);
        if (path.isAbsolute()) {
          return path;
        }
      } catch (InvalidPathException e) {
        // Said below, as for a relative one.
      }
      bad(key, value, "an absolute path on this host", "none");
      return null;
    }

    Selection selection() {
      String value = conf.getTrimmed(SELECTION_KEY, SELECTION_DEFAULT.word());
      for (Selection selection : Selection.values()) {
        if (selection.word().equals(value)) {
          return selection;
        }
      }
      String words = Selection.SUORA.word() + " or " + Selection.ATTRIBUTED.word();
      bad(SELECTION_KEY, value, words, SELECTION_DEFAULT.word());
      return SELECTION_DEFAULT;
    }

    private void bad(String key, String value, String wanted, String used) {
      counters.count(PlacementCounters.Event.BAD_SETTING);
      LOG.error("{} = {} is not {}; using {}", key, value, wanted, used);
    }
  }
}
