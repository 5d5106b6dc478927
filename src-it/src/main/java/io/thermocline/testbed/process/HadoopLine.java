// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One version of Hadoop with the jars it runs with, as its own POM names them. Immutable.
 *
 * @param version for example 3.4.3
 * @param jars its class path, in order
 */
public record HadoopLine(String version, List<Path> jars) {

  public HadoopLine {
    jars = List.copyOf(jars);
  }

  /**
   * As {@link PublishedJars#resolve}.
   *
   * @throws UnresolvedHadoopException if there is no Maven, or it can't get the jars
   */
  public static HadoopLine resolve(String version, Path directory)
      throws IOException, UnresolvedHadoopException {
    return new HadoopLine(
        version,
        PublishedJars.resolve(
            HadoopLine.class.getResource("hadoop-line.xml"),
            "Hadoop " + version,
            version,
            directory));
  }

  /** The same with jars that everybody can read: Maven's repository is often in a home directory. */
  public HadoopLine readable() throws IOException {
    return new HadoopLine(version, ReadableFiles.of(jars));
  }

  /** Its jars as a class path. */
  String classPath() {
    return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
  }
}
