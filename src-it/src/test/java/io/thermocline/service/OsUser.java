// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A user of this host that processes of a test run as. They may read what root may, since the
 * libraries of a build are often in a home directory; whose they are, and what they may write,
 * is as for that user's.
 */
record OsUser(String name) {

  private static final Path SETPRIV = Path.of("/usr/bin/setpriv");

  /** Skips the test where it may not start processes of others. */
  static void assumeThatOthersCanBe(String... names) {
    Assumptions.assumeTrue(
        System.getProperty("user.name").equals("root") && Files.isExecutable(SETPRIV),
        "only root starts processes of other users, by /usr/bin/setpriv");
    for (String name : names) {
      Assumptions.assumeTrue(exists(name), "no user " + name + " on this host");
    }
  }

  private static boolean exists(String name) {
    try {
      return user(name) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private static UserPrincipal user(String name) throws IOException {
    return Path.of("/").getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(name);
  }

  /** What stands before a command line. */
  List<String> prefix() {
    return List.of(
        SETPRIV.toString(),
        "--reuid",
        name,
        "--clear-groups",
        "--inh-caps",
        "+dac_read_search",
        "--ambient-caps",
        "+dac_read_search");
  }

  /** Makes the directory theirs, with all that is in it. */
  Path own(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.toList()) {
        Files.setOwner(each, user(name));
      }
    }
    return directory;
  }
}
