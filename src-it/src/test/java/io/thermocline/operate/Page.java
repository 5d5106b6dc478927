// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands on a page to be typed, in order. */
final class Page {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```([^\\n]*)\\n(.*?)^ *```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^## (.*)$");

  private Page() {}

  /**
   * Lines that stand together.
   *
   * @param section its heading
   * @param language "bash" of commands
   * @param kind what stands behind the language, such as "service" where they start the service, which goes on; mostly
   *     empty
   */
  record Block(String section, String language, String kind, String commands) {}

  /** Commands. */
  static List<Block> blocks(Path file) throws IOException {
    return all(file).stream().filter(block -> block.language().equals("bash")).toList();
  }

  /** Of a block each one by itself: a line, with those that it goes on in. Comments aside. */
  static List<String> commands(Block block) {
    List<String> commands = new ArrayList<>();
    StringBuilder command = new StringBuilder();
    for (String line : block.commands().stripTrailing().stripIndent().lines().toList()) {
      command.append(command.isEmpty() ? "" : "\n").append(line);
      if (!line.endsWith("\\") && !isInQuotes(command)) {
        if (!command.toString().isBlank() && command.charAt(0) != '#') {
          commands.add(command.toString());
        }
        command.setLength(0);
      }
    }
    return commands;
  }

  private static boolean isInQuotes(CharSequence text) {
    char open = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (open == 0 && (each == '\'' || each == '"')) {
        open = each;
      } else if (each == open) {
        open = 0;
      }
    }
    return open != 0;
  }

  static List<Block> all(Path file) throws IOException {
    String text = Files.readString(file);
    List<Block> blocks = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      String section = "";
      for (Matcher heading = HEADING.matcher(text.substring(0, block.start())); heading.find(); ) {
        section = heading.group(1);
      }
      String[] info = block.group(1).split(" ", 2);
      blocks.add(new Block(section, info[0], info.length > 1 ? info[1] : "", block.group(2)));
    }
    return blocks;
  }
}
