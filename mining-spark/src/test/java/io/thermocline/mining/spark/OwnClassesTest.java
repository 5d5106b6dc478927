// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OwnClassesTest {

  @Test
  void allOfOursIsInJarsAndNothingOfItElsewhere() throws IOException {
    List<String> shipped = new ArrayList<>();
    for (String jar : OwnClasses.jars().split(",")) {
      try (JarFile file = new JarFile(jar)) {
        file.stream().forEach(entry -> shipped.add(entry.getName()));
      }
    }
    for (Class<?> each : List.of(Meetings.class, io.thermocline.tiering.observe.PathKey.class)) {
      assertTrue(shipped.contains(each.getName().replace('.', '/') + ".class"), each.getName());
    }
    List<String> others = List.of(OwnClasses.others().split(File.pathSeparator));
    assertTrue(others.stream().anyMatch(entry -> entry.contains("spark-core")));
    for (String entry : others) {
      assertFalse(
          Stream.of("mining-spark", "tiering-service", "placement-policy", "hints-client")
              .anyMatch(module -> Path.of(entry).endsWith(Path.of(module, "target", "classes"))),
          entry);
    }
  }
}
