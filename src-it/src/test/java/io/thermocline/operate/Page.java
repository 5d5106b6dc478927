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
