// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * conf/mover.yaml and the file that tests of the service begin with have every key that is read, and no other; where one
 * stands behind #, too. The readers say it themselves: each section is given a key that is near to none, and its refusal
 * lists those there are. What is shown as {} is told in words.
 */
class ExampleKeysTest {

  private static final String STRANGE = "zzzzzzzzzzzzzzzzzzzz";

  private static final Pattern COMMENTED = Pattern.compile("(?m)^( *)# ( *)(\\w+):(?= |$)");
  private static final Pattern FLOW = Pattern.compile("(?m)^(?! *#)(.*: )\\{(?!})");
  private static final Pattern BLOCK = Pattern.compile("(?m)^( *)\\w+: *$");
  private static final Pattern REFUSAL =
      Pattern.compile("(\\S*)" + STRANGE + " is no key: expected one of (.*)$");

  @TempDir Path directory;

  private interface Reader {
    Object read(Path file) throws ConfigException;
  }

  @Test
  void ofTheService() throws IOException {
    compare(ConfigFileCase.EXAMPLE, ServiceConfigFile::read);
  }

  @Test
  void ofTheMover() throws IOException {
    compare(ConfigFileCase.ROOT.resolve("conf/mover.yaml"), MoverConfig::read);
  }

  private void compare(Path example, Reader reader) throws IOException {
    String shown = uncommented(Files.readString(example));
    Object keys = new Load(LoadSettings.builder().build()).loadFromString(shown);

    List<String> missing = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    int sections = 0;
    for (String problem : problems(withStrangeKeys(shown), reader)) {
      Matcher refusal = REFUSAL.matcher(problem);
      if (refusal.find()) {
        sections++;
        Set<?> there = section(keys, refusal.group(1)).keySet();
        for (String key : refusal.group(2).split(", ")) {
          if (!there.contains(key)) {
            missing.add(refusal.group(1) + key);
          }
        }
      } else if (problem.contains(" is no key")) {
        unknown.add(problem);
      }
    }
    assertEquals(List.of(), missing, "read, and not in " + example);
    assertEquals(List.of(), unknown, "in " + example + ", and not read");
    assertEquals(withStrangeKeys(shown).split(STRANGE).length - 1, sections, "sections");
  }

  private static String uncommented(String text) {
    return COMMENTED.matcher(text).replaceAll("$1$2$3:");
  }

  private static String withStrangeKeys(String text) {
    String flow = FLOW.matcher(text).replaceAll("$1{" + STRANGE + ": 1, ");
    return BLOCK.matcher(flow).replaceAll("$0\n$1  " + STRANGE + ": 1") + STRANGE + ": 1\n";
  }

  private List<String> problems(String text, Reader reader) throws IOException {
    assertFalse(text.isEmpty());
    Path file = Files.writeString(directory.resolve("example.yaml"), text);
    return assertThrows(ConfigException.class, () -> reader.read(file)).problems();
  }

  private static Map<?, ?> section(Object keys, String name) {
    Object at = keys;
    for (String part : name.isEmpty() ? new String[0] : name.split("\\.")) {
      at = ((Map<?, ?>) at).get(part);
    }
    return (Map<?, ?>) at;
  }
}
