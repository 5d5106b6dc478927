// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.cli;

import io.thermocline.hints.wire.OneLine;
import java.io.PrintStream;
import java.util.Map;

/**
 * What the service answers, to be read by people: as it is, so that what a later one adds is
 * shown too.
 */
final class Text {
  private Text() {}

  static void print(Object json, PrintStream out) {
    print(json, "", out);
  }

  private static void print(Object json, String indent, PrintStream out) {
    if (json instanceof Map) {
      for (Map.Entry<?, ?> field : ((Map<?, ?>) json).entrySet()) {
        out.print(indent + field.getKey() + ":");
        value(field.getValue(), indent, out);
      }
    } else if (json instanceof Iterable) {
      for (Object item : (Iterable<?>) json) {
        out.print(indent + "-");
        value(item, indent, out);
      }
    } else {
      out.println(indent + line(json));
    }
  }

  private static void value(Object value, String indent, PrintStream out) {
    if (value instanceof Map || value instanceof Iterable) {
      out.println();
      print(value, indent + "  ", out);
    } else {
      out.println(" " + line(value));
    }
  }

  /** On one line; a dash for nothing. */
  static String line(Object value) {
    return value == null ? "-" : OneLine.of(value.toString());
  }

  /**
   * A field of an answer, or of what is in it: {@code file.heat}; a dash where a service hasn't
   * got it.
   */
  static Object field(Object json, String path) {
    Object value = json;
    for (String name : path.split("\\.")) {
      value = value instanceof Map ? ((Map<?, ?>) value).get(name) : null;
    }
    return value instanceof String || value == null ? line(value) : value;
  }
}
