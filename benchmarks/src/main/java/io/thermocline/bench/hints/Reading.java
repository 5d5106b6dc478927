// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.hints;

import io.thermocline.tiering.sim.device.DeviceSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * A way to read what the thesis leaves open of figures 2.3 and 2.4.
 *
 * @param suffix of its keys in the report; the first one has none
 * @param metadataPercent of the metadata requests that operations have by our count
 * @param roundsPercent of the rounds that counted operations have by the rule of {@link Classification}
 * @param devices HDD, SSD and SCM
 */
record Reading(
    String suffix,
    Load load,
    Created created,
    int metadataPercent,
    int roundsPercent,
    List<DeviceSpec> devices) {

  /** Each load with each order, with all metadata and half of it; and beside them what else changes the figures. */
  static final List<Reading> ALL = all();

  /** What a run is, and whom the disk serves next. */
  enum Load {
    /** 500 seconds; the disk goes from one thread to the next with each MiB. */
    TIMED("", false, 1 << 20),
    /** And a disk that serves a thread's sequence for 100 ms, as CFQ of Linux 3.13 does. */
    TIMED_IN_TURNS("_turns", false, 14 << 20),
    /** "The same number of operations": each thread's, to their end. */
    COUNTED("_counted", true, 1 << 20),
    COUNTED_IN_TURNS("_counted_turns", true, 14 << 20);

    private final String suffix;
    private final boolean isCounted;
    private final long turn;

    Load(String suffix, boolean isCounted, long turn) {
      this.suffix = suffix;
      this.isCounted = isCounted;
      this.turn = turn;
    }

    boolean isCounted() {
      return isCounted;
    }

    /** Bytes of a request for data. */
    long turn() {
      return turn;
    }
  }

  /** In which order files were created: a volume without hints is filled by it. */
  enum Created {
    /** One size as soon as the other. */
    MIXED,
    /** As the thesis lists them: those of 1 GB, those of 100 MB, the rest. */
    AS_LISTED
  }

  /** All metadata, the devices of this project. */
  static Reading of(Load load, Created created) {
    String suffix = load.suffix + (created == Created.MIXED ? "" : "_as_listed");
    return new Reading(suffix, load, created, 100, 100, List.of(Volume.DEVICES));
  }

  private Reading metadata(int percent) {
    String name = suffix + "_metadata_" + percent + "_pct";
    return new Reading(name, load, created, percent, roundsPercent, devices);
  }

  private Reading rounds(int percent) {
    String name = suffix + "_rounds_" + percent + "_pct";
    return new Reading(name, load, created, metadataPercent, percent, devices);
  }

  private static List<Reading> all() {
    List<Reading> all = new ArrayList<>();
    for (Load load : Load.values()) {
      for (Created created : Created.values()) {
        Reading reading = of(load, created);
        all.add(reading);
        all.add(reading.metadata(50));
      }
    }
    Reading first = all.get(0);
    all.add(first.metadata(200));
    all.add(
        new Reading("_table_1_1", first.load, first.created, 100, 100, List.of(Volume.TABLE_1_1)));
    Reading turns = of(Load.COUNTED_IN_TURNS, Created.AS_LISTED);
    all.add(turns.rounds(50));
    all.add(turns.rounds(200));
    return List.copyOf(all);
  }
}
