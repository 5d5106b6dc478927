// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What an administrator copies to a NameNode: ours alone, and for Java 8. */
class PluginJarIT {
  private static final String BRIDGE =
      "org/apache/hadoop/hdfs/server/blockmanagement/ThermoclineBridge.class";
  private static final int JAVA_8 = 52;

  @Test
  void holdsOurClassesAndTheBridgeForJava8() throws IOException {
    List<String> strangers = new ArrayList<>();
    List<String> bridges = new ArrayList<>();
    int classes = 0;
    try (JarFile jar = new JarFile(System.getProperty("plugin.jar"))) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        String name = entry.getName();
        if (entry.isDirectory()) {
          continue;
        }
        if (name.startsWith("org/")) {
          bridges.add(name);
        } else if (!name.startsWith("io/thermocline/placement/") && !name.startsWith("META-INF/")) {
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
    assertEquals(List.of(BRIDGE), bridges);
    assertTrue(classes > 20, "classes: " + classes);
  }
}
