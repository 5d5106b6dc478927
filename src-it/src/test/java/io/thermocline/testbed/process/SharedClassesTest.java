// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.process.inside.Tether;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedClassesTest {

  @TempDir private Path temp;

  /** Commands of a checkout run from jars, tests from directories. */
  @Test
  void findsThePackageInAJarAsInADirectory() throws IOException {
    Path code = Path.of(ProcessCluster.codeOf(Tether.class));
    Path of = code;
    if (Files.isDirectory(code)) {
      of = temp.resolve("code.jar");
      pack(code, of);
    }
    Path made = SharedClasses.inside(of, Files.createDirectory(temp.resolve("made")));

    try (JarFile jar = new JarFile(made.toFile())) {
      assertTrue(jar.getEntry(Tether.class.getName().replace('.', '/') + ".class") != null);
    }
    assertEquals(
        made.getFileName(),
        SharedClasses.inside(code, Files.createDirectory(temp.resolve("again"))).getFileName());
  }

  private static void pack(Path directory, Path jar) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("io/thermocline/testbed/process"));
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
  }
}
