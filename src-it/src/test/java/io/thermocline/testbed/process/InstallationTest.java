// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.dist.InstalledTree;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstallationTest {

  private static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();

  @TempDir Path temp;

  /** Else what is installed for tests would stay as it was when something of the rest changes. */
  @Test
  void thePackageIsMadeOfTheFilesThatMakeItStale() throws Exception {
    Path copy = temp.toRealPath().resolve("checkout");
    for (String each : Installation.PACKED) {
      Path to = copy.resolve(each);
      Files.createDirectories(to.getParent());
      if (Files.isDirectory(ROOT.resolve(each))) {
        copy(ROOT.resolve(each), to);
      } else {
        // Class paths name this checkout's directories.
        Files.writeString(to, Files.readString(ROOT.resolve(each)).replace(ROOT + "/", copy + "/"));
      }
    }
    Set<String> whole = packed(ROOT);
    assertTrue(whole.size() > 100, whole::toString);
    assertEquals(whole, packed(copy));
  }

  private static void copy(Path from, Path to) throws Exception {
    assertEquals(
        0,
        new ProcessBuilder("cp", "-r", from.toString(), to.toString())
            .inheritIO()
            .start()
            .waitFor());
  }

  private static Set<String> packed(Path root) throws IOException {
    Set<String> paths = new TreeSet<>();
    InstalledTree.tarGz(
        root,
        path -> {
          paths.add(path);
          return false;
        },
        OutputStream.nullOutputStream());
    return paths;
  }
}
