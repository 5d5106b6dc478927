// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.NodeAttributesException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/** The lines of a node-attributes text that an administrator wrote. Immutable. */
public final class HandWritten {

  private final String text;
  private final Map<String, Set<String>> keysOfHost = new HashMap<>();

  private HandWritten(String text) {
    this.text = text;
    // As the parser takes lines and words apart, a byte order mark aside.
    for (String line : text.replaceFirst("^\uFEFF", "").split("\r\n|\n|\r")) {
      int comment = line.indexOf('#');
      StringTokenizer words =
          new StringTokenizer(comment < 0 ? line : line.substring(0, comment), " \t");
      String host = words.hasMoreTokens() ? words.nextToken().toLowerCase(Locale.ROOT) : "";
      while (words.hasMoreTokens()) {
        String word = words.nextToken();
        int equals = word.indexOf('=');
        if (equals < 0) {
          // A type or a storage id, or a declaration of classes: nothing that is polled.
          break;
        }
        keysOfHost.computeIfAbsent(host, any -> new HashSet<>()).add(word.substring(0, equals));
      }
    }
  }

  /**
   * A text that may be empty.
   *
   * @throws NodeAttributesException if a NameNode would reject it
   */
  public static HandWritten parse(String text) throws NodeAttributesException {
    NodeAttributes.parse(text);
    return new HandWritten(text);
  }

  String text() {
    return text;
  }

  /** Whether a line says this of the host by its full name: a second one would be a mistake. */
  boolean gives(String host, String key) {
    return keysOfHost.getOrDefault(host.toLowerCase(Locale.ROOT), Set.of()).contains(key);
  }
}
