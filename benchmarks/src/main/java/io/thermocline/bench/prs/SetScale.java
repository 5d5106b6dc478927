// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.time.Duration;

/**
 * How large the cluster run is.
 *
 * @param nodesOfARack on each of four racks
 * @param sets of eight files each
 * @param others single files
 * @param readers of sets; as many clients read anything
 * @param learning time before the first count of groups
 * @param window in which all readers of sets read in one way
 * @param rounds of one window of each way, in which times count
 * @param memory bytes of groups in the clients' JVM
 * @param planEvery the service's decide.every
 * @param lookEvery the service's decide.actions.groups.every
 */
record SetScale(
    int nodesOfARack,
    int sets,
    int others,
    int readers,
    Duration learning,
    Duration window,
    int rounds,
    int memory,
    String planEvery,
    String lookEvery) {

  static final int FILES = 8;
  static final int FILE_BYTES = 64 << 10;
  static final int RACKS = 4;

  /** Groups are looked for as often as by default, plans are made less often. */
  static final SetScale FULL =
      new SetScale(
          3,
          200,
          2000,
          32,
          Duration.ofMinutes(10),
          Duration.ofSeconds(10),
          6,
          64 << 20,
          "5m",
          "10m");

  /** Two minutes in all. */
  static final SetScale QUICK =
      new SetScale(
          1, 16, 1000, 8, Duration.ofSeconds(80), Duration.ofSeconds(4), 2, 4 << 20, "5s", "5s");

  /** Every other set is pinned, so that the service doesn't move its files. */
  static boolean isPinned(int set) {
    return set % 2 == 0;
  }

  static String set(int set) {
    return (isPinned(set) ? "/sets/pinned/set" : "/sets/free/set") + set;
  }

  static String file(int set, int file) {
    return set(set) + "/part-" + file;
  }

  static String other(int number) {
    return "/others/file-" + number;
  }
}
