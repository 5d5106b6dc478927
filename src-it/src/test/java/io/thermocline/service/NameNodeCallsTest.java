// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/acting.md lists what the tests on clusters let the service ask, no more and no less. */
class NameNodeCallsTest {

  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| (?:always|moves|undo|levers|groups) \\| ([^|]*) \\|");
  private static final Pattern CALL = Pattern.compile("`([^`]*)`");

  @Test
  void thePageHasThemAll() throws IOException {
    Set<String> written = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "acting.md")));
    while (row.find()) {
      CALL.matcher(row.group(1)).results().forEach(call -> written.add(call.group(1)));
    }
    Set<String> allowed = new TreeSet<>();
    Stream.of(
            NameNodeCalls.LOOKS,
            NameNodeCalls.LEVERS,
            NameNodeCalls.GROUPS,
            NameNodeCalls.BESIDE_GROUPS)
        .map(Map::keySet)
        .forEach(allowed::addAll);
    assertEquals(allowed, written);
  }
}
