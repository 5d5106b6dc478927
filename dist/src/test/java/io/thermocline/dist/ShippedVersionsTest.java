// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Maven picks versions for each module anew, and the module that ships has no Hadoop beside it that asks for newer ones. */
class ShippedVersionsTest {

  @Test
  void areThoseThatTheServiceIsTestedWith() throws IOException {
    Map<Path, Path> tested = versions("../tiering-service/target/classpath");
    Map<Path, Path> shipped = versions("target/classpath");
    assertTrue(shipped.size() > 20, shipped::toString);
    Map<Path, Path> other = new TreeMap<>();
    shipped.forEach(
        (library, version) -> {
          if (!version.equals(tested.getOrDefault(library, version))) {
            other.put(library, version);
          }
        });
    assertEquals(Map.of(), other, "shipped in a version that no test of the service has");
  }

  /** Of the directories of group and artifact in Maven's repository. */
  private static Map<Path, Path> versions(String list) throws IOException {
    Map<Path, Path> versions = new TreeMap<>();
    for (String jar : Files.readString(Path.of(list)).strip().split(File.pathSeparator)) {
      Path version = Path.of(jar).getParent();
      versions.put(version.getParent(), version.getFileName());
    }
    return versions;
  }
}
