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

  /** From nothing to moves, to a secure cluster and back, as an administrator reads them. */
  private static final List<String> OPERATING =
      List.of(
          "docs/start/cluster.md",
          "docs/guides/placement-policy.md",
          "docs/guides/turn-on-moves.md",
          "docs/guides/reload.md",
          "docs/guides/secure-cluster.md",
          "docs/guides/separate-mover.md",
          "docs/guides/high-availability.md",
          "docs/guides/upgrade-and-remove.md");

  private Page() {}

  /**
   * Lines that stand together.
   *
   * @param page its name, without the directory
   * @param language "bash" of commands
   * @param kind what stands behind the language, such as "service" where they start the service, which goes on; mostly
   *     empty
   */
  record Block(String page, String language, String kind, String commands) {}

  /** Commands of the pages about operating the service, in order. */
  static List<Block> operating(Path root) throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (String page : OPERATING) {
      blocks.addAll(blocks(root.resolve(page)));
    }
    return blocks;
  }

  static boolean isOfOperating(String page) {
    return OPERATING.contains(page);
  }

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
      String[] info = block.group(1).split(" ", 2);
      blocks.add(
          new Block(
              file.getFileName().toString(),
              info[0],
              info.length > 1 ? info[1] : "",
              block.group(2)));
    }
    return blocks;
  }
}
