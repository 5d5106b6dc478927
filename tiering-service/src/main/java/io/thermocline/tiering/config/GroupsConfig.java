// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.classify.groups.MiningSettings;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * decide.actions.groups of thermocline.yaml: copies of small files, and of blocks, that are read together, in files of
 * their own.
 *
 * @param mining what is together, of files
 * @param blockWindow the window of blocks, where clienttrace is read
 * @param directory of the group files in HDFS
 * @param every from one look at what is read together to the next
 * @param forget after this time, groups are found from newer reads only
 * @param most bytes of all group files, all replicas
 * @param perLook bytes of the group files that are written at a time
 * @param largestFile bytes of what may be in a group: a file of one block, or a block of a larger one
 * @param replicas of a group file
 * @param free share of a device's capacity that group files leave free
 * @param hotShare of what was read; empty: the share that fast devices have of the capacity (PRS, section 3.2.1)
 * @param raise of files that are too large for a group file
 */
public record GroupsConfig(
    MiningSettings mining,
    OptionalDouble hotShare,
    Duration blockWindow,
    String directory,
    Duration every,
    Duration forget,
    long most,
    long perLook,
    long largestFile,
    int replicas,
    double free,
    Raise raise) {

  /**
   * One more replica of each file of a group, at the group's place.
   *
   * @param most bytes of all these replicas; 0: none
   * @param reads that each file has at least, since the period began
   */
  public record Raise(long most, int reads) {
    static final Raise OFF = new Raise(0, 1);

    private static Raise read(YamlSection section) {
      Raise raise =
          new Raise(
              Math.max(1, section.bytes("maxBytes", 1L << 40)),
              section.integer("reads", 10, 1, 1_000_000));
      section.rejectUnknown();
      return raise;
    }
  }

  private static final String BY_CAPACITY = "by capacity";

  public static final String DEFAULT_DIRECTORY = "/system/thermocline/groups";

  static GroupsConfig read(YamlSection section) {
    long most = section.bytes("maxBytes", 0);
    if (most < 1) {
      section.reject(
          "maxBytes", "is missing: expected how much space to take, for instance 100 GB");
    }
    String directory = section.text("directory", DEFAULT_DIRECTORY);
    if (!directory.startsWith("/") || directory.equals("/")) {
      section.reject("directory", "expected an absolute path in HDFS, found '" + directory + "'");
    }
    MiningSettings mining =
        MiningSettings.ofFiles()
            .withWindow(section.duration("window", MiningSettings.ofFiles().window()))
            .withDistance(
                section.percent("distance", MiningSettings.ofFiles().distance()),
                0.01,
                section.integer("files", 10, 2, 1000))
            .withPeriod(section.durationOrZero("period", Duration.ofMinutes(1)));
    GroupsConfig config =
        new GroupsConfig(
            mining,
            section.text("hotShare", BY_CAPACITY).equals(BY_CAPACITY)
                ? OptionalDouble.empty()
                : OptionalDouble.of(section.percent("hotShare", 0.1)),
            section.duration("blockWindow", MiningSettings.defaults().window()),
            directory,
            section.duration("every", Duration.ofMinutes(10)),
            section.duration("forget", Duration.ofDays(1)),
            most,
            Math.max(1, section.bytes("perLook", 1L << 30)),
            Math.max(1, section.bytes("largestFile", 8L << 20)),
            section.integer("replicas", 1, 1, 512),
            section.percent("free", 0.1),
            section.optionalSection("raise").map(Raise::read).orElse(Raise.OFF));
    section.rejectUnknown();
    return config;
  }
}
