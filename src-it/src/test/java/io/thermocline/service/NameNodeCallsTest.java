// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/concepts/acting.md lists, by what makes them, what the tests on clusters let the service ask, no more and no less. */
class NameNodeCallsTest {

  private static final Pattern TABLE =
      Pattern.compile("(?m)^\\| \\| calls \\| on \\|\n\\|---\\|---\\|---\\|\n((?:\\|.*\n)+)");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| ([^|]*) \\| ([^|]*) \\|");
  private static final Pattern CALL = Pattern.compile("`([^`]*)`");

  @Test
  void thePageHasThemAll() throws IOException {
    Matcher table = TABLE.matcher(Files.readString(Path.of("..", "docs", "concepts", "acting.md")));
    assertTrue(table.find());
    Map<String, Set<String>> written = new TreeMap<>();
    Matcher row = ROW.matcher(table.group(1));
    while (row.find()) {
      Set<String> calls = written.computeIfAbsent(row.group(1), first -> new TreeSet<>());
      CALL.matcher(row.group(2)).results().forEach(call -> calls.add(call.group(1)));
    }
    Map<String, Set<String>> allowed = new TreeMap<>();
    NameNodeCalls.ROWS.forEach(
        (name, calls) ->
            calls.forEach(
                each ->
                    allowed.computeIfAbsent(name, first -> new TreeSet<>()).addAll(each.keySet())));
    assertEquals(allowed, written);
  }
}
