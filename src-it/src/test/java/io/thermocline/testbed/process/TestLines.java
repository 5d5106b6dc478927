// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.nio.file.Path;

/** Where tests on Hadoop's versions keep their files. */
public final class TestLines {

  private static final Path DATA =
      Path.of(System.getProperty("test.build.data", "target/test-data")).toAbsolutePath();

  /** Where tests keep what Maven said of the lines. */
  public static final Path DIRECTORY = DATA.resolve("hadoop-lines");

  private TestLines() {}

  /** Where the logs of the last run's processes are. */
  static Path logs(String version) {
    return DATA.resolve("process-logs").resolve(version);
  }
}
