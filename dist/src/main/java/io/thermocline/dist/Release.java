// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a checkout calls what it builds. Immutable.
 *
 * @param version as in the POM, for instance 0.1.0-SNAPSHOT
 * @param time of every file in a package: the POM's, so that two builds are the same
 */
record Release(String version, Instant time) {

  /**
   * @param root of the checkout
   */
  static Release of(Path root) throws IOException {
    String pom = Files.readString(root.resolve("pom.xml"));
    return new Release(
        first("<version>([^<]+)</version>", pom),
        Instant.parse(
            first("<project.build.outputTimestamp>([^<]+)</project.build.outputTimestamp>", pom)));
  }

  private static String first(String pattern, String pom) throws IOException {
    Matcher found = Pattern.compile(pattern).matcher(pom);
    if (!found.find()) {
      throw new IOException("pom.xml has nothing like " + pattern);
    }
    return found.group(1);
  }

  /** A version that Debian sorts before the release that it leads to. */
  String debian() {
    return version.replace("-SNAPSHOT", "~snapshot");
  }
}
