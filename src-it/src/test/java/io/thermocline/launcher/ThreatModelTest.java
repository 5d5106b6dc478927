// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each promise of docs/concepts/threat-model.md names tests that there are. */
class ThreatModelTest {

  /** A class, one of its tests, or one of those of the class that was named before. */
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*Test)?(?:\\.(\\w+))?`");

  @Test
  void everyPromiseNamesATestThatThereIs() throws IOException {
    String page = Files.readString(Launched.ROOT.resolve("docs/concepts/threat-model.md"));
    String promises = page.substring(page.indexOf("## Promises"), page.indexOf("## Not promised"));
    Map<String, String> sources = sources();
    List<String> missing = new ArrayList<>();
    List<String> rows =
        promises
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| promise |"))
            .toList();
    assertTrue(rows.size() > 8, promises);
    for (String row : rows) {
      Matcher test = TEST.matcher(row);
      int named = 0;
      String of = "";
      while (test.find()) {
        named++;
        of = test.group(1) == null ? of : test.group(1);
        String source = sources.getOrDefault(of, "");
        boolean there =
            source.contains("@Test") && (test.group(2) == null || isTest(test.group(2), source));
        if (!there) {
          missing.add(of + " " + test.group());
        }
      }
      assertFalse(named == 0, () -> "no test is named: " + row);
    }
    assertEquals(List.of(), missing);
  }

  /** Whether there is such a method, and it is run. */
  private static boolean isTest(String method, String source) {
    return Pattern.compile(
            "@(Parameterized)?Test\\b(?:(?!\\bvoid\\b).)*\\bvoid " + method + "\\(", Pattern.DOTALL)
        .matcher(source)
        .find();
  }

  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(Launched.ROOT)) {
      for (Path tests : modules.map(module -> module.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests)) {
          try (Stream<Path> files = Files.walk(tests)) {
            for (Path file : files.filter(each -> each.toString().endsWith("Test.java")).toList()) {
              sources.merge(
                  file.getFileName().toString().replace(".java", ""),
                  Files.readString(file),
                  String::concat);
            }
          }
        }
      }
    }
    return sources;
  }
}
