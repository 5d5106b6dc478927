// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import io.thermocline.hints.wire.HintWire;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.app.groups.MinedReads;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** What of this process's class path is ours, and what is of others. */
final class OwnClasses {

  private OwnClasses() {}

  /** One of each module that workers run. */
  private static List<Path> places() {
    return Stream.of(OwnClasses.class, MinedReads.class, StorageType.class, HintWire.class)
        .map(each -> each.getProtectionDomain().getCodeSource())
        .map(CodeSource::getLocation)
        .map(
            location -> {
              try {
                return Path.of(location.toURI());
              } catch (URISyntaxException e) {
                throw new IllegalStateException(
                    "a class path can't be a URL that is no URI: " + location, e);
              }
            })
        .distinct()
        .toList();
  }

  /**
   * Jars of ours, by comma; directories of classes are put into some, which go when this process
   * ends.
   */
  static String jars() throws IOException {
    List<String> jars = new ArrayList<>();
    for (Path place : places()) {
      jars.add((Files.isDirectory(place) ? jar(place) : place).toString());
    }
    return String.join(",", jars);
  }

  /** The class path without ours. */
  static String others() {
    List<Path> ours = places();
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !ours.contains(Path.of(entry).toAbsolutePath().normalize()))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path jar(Path classes) throws IOException {
    Path jar = Files.createTempFile("thermocline-", ".jar");
    jar.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = classes.relativize(file).toString().replace(File.separatorChar, '/');
        entries.putNextEntry(new ZipEntry(name));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
    return jar;
  }
}
