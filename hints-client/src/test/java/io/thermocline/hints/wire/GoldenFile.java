// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What was written by the first version of something, and is to be understood for ever. */
public final class GoldenFile {
  private GoldenFile() {}

  /** Its text, without blanks at its ends. */
  public static String text(String name) throws IOException {
    try (InputStream in = GoldenFile.class.getResourceAsStream("/golden/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
    }
  }
}
