// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where commands that start a cluster find what an administrator copies: picocli's mixin. */
public final class ConfDirectory {

  @Option(
      names = "--conf",
      paramLabel = "DIRECTORY",
      hidden = true,
      description = "where hdfs-site.thermocline.xml and log4j-audit.properties are")
  private Path directory = Path.of(System.getProperty("thermocline.home", "."), "conf");

  public Path directory() {
    return directory;
  }
}
