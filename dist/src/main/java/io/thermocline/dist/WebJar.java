// SPDX-License-Identifier: Apache-2.0
package io.thermocline.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** A library for browsers, of whose many forms and source maps a package has only what the service sends. */
final class WebJar {

  private static final String FILES = "META-INF/resources/webjars/";

  private WebJar() {}

  /** Whether it is one, by its directory in Maven's repository. */
  static boolean isOne(Path jar) {
    return jar.toString().replace('\\', '/').contains("/org/webjars/");
  }

  /**
   * The jar with those files and what isn't for browsers, for instance its license.
   *
   * @param used as the service names them
   */
  static byte[] of(Path jar, Collection<String> used, Release release) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes);
        InputStream file = Files.newInputStream(jar);
        ZipInputStream in = new ZipInputStream(file)) {
      for (ZipEntry next = in.getNextEntry(); next != null; next = in.getNextEntry()) {
        String name = next.getName();
        if (!next.isDirectory() && isKept(name, used)) {
          out.putNextEntry(ClassesJar.entry(name, release.time()));
          in.transferTo(out);
        }
      }
    }
    return bytes.toByteArray();
  }

  private static boolean isKept(String name, Collection<String> used) {
    return !name.startsWith(FILES)
        || used.contains(name.substring(FILES.length()))
        || name.matches(".*/(LICENSE|NOTICE)[^/]*");
  }
}
