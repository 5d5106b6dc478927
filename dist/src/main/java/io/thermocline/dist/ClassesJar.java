// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** A jar of a directory of classes: the same classes give the same bytes. */
final class ClassesJar {

  private ClassesJar() {}

  static byte[] of(Path classes, Release release) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes);
        Stream<Path> all = Files.walk(classes)) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, release.version());
      jar.putNextEntry(entry("META-INF/MANIFEST.MF", release.time()));
      manifest.write(jar);
      List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
      for (Path file : files) {
        jar.putNextEntry(
            entry(classes.relativize(file).toString().replace('\\', '/'), release.time()));
        Files.copy(file, jar);
      }
    }
    return bytes.toByteArray();
  }

  /** In UTC wherever it is built. */
  static ZipEntry entry(String name, Instant time) {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(time.atZone(ZoneOffset.UTC).toLocalDateTime());
    return entry;
  }
}
