// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What an application gets: ours alone, and for Java 8. */
class HintsJarIT {
  private static final int JAVA_8 = 52;

  @Test
  void holdsOurClassesOnlyForJava8() throws IOException {
    List<String> strangers = new ArrayList<>();
    int classes = 0;
    try (JarFile jar = new JarFile(System.getProperty("hints.jar"))) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        String name = entry.getName();
        if (entry.isDirectory()) {
          continue;
        }
        if (!name.startsWith("io/thermocline/hints/") && !name.startsWith("META-INF/")) {
          strangers.add(name);
        }
        if (name.endsWith(".class")) {
          classes++;
          try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
            assertEquals(0xCAFEBABE, in.readInt(), name);
            in.readUnsignedShort();
            assertEquals(JAVA_8, in.readUnsignedShort(), name);
          }
        }
      }
    }
    assertEquals(List.of(), strangers);
    assertTrue(classes > 10, "classes: " + classes);
  }
}
