// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands of docs/operate.md, in order. */
final class Page {

  private static final Pattern BLOCK = Pattern.compile("(?ms)^```bash ?([a-z]*)\\n(.*?)^```$");
  private static final Pattern HEADING = Pattern.compile("(?m)^## (.*)$");

  private Page() {}

  /**
   * Commands that stand together.
   *
   * @param section its heading
   * @param kind "service" where they start the service, which goes on; else empty
   */
  record Block(String section, String kind, String commands) {}

  static List<Block> blocks(Path file) throws IOException {
    String text = Files.readString(file);
    List<Block> blocks = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      String section = "";
      for (Matcher heading = HEADING.matcher(text.substring(0, block.start())); heading.find(); ) {
        section = heading.group(1);
      }
      blocks.add(new Block(section, block.group(1), block.group(2)));
    }
    return blocks;
  }
}
