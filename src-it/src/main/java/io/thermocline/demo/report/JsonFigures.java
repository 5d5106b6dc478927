// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Writes the figures of a run as one flat JSON object, for scripts: no nesting, no arrays, no null. */
public final class JsonFigures {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonFigures() {}

  /**
   * @return the object in the map's order, one key a line, with a newline at the end
   * @throws IllegalArgumentException naming the first value that is not a string, a boolean or a
   *     finite number
   */
  public static String toJson(Map<String, Object> figures) {
    requireFlat(figures);
    try {
      return JSON.writeValueAsString(figures) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a flat map has a JSON form", e);
    }
  }

  /** Writes {@link #toJson} in UTF-8, creating the directory where needed. */
  public static void write(Map<String, Object> figures, Path file) throws IOException {
    String json = toJson(figures);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, json);
  }

  static void requireFlat(Map<String, Object> figures) {
    figures.forEach(
        (key, value) -> {
          if (!isFlat(value)) {
            throw new IllegalArgumentException(
                "figure '"
                    + key
                    + "' is "
                    + value
                    + "; a string, a boolean or a finite number expected");
          }
        });
  }

  private static boolean isFlat(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return Double.isFinite(((Number) value).doubleValue());
    }
    return value instanceof Number || value instanceof String || value instanceof Boolean;
  }
}
