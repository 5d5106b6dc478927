// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What sections have to say, in their order: tables and notes as markdown, fields by name for the JSON
 * line. Not thread-safe.
 */
final class PaperReport {
  private final StringBuilder markdown = new StringBuilder();
  private final Map<String, Object> fields = new TreeMap<>();

  /** Starts a section. */
  void section(String title) {
    markdown.append("## ").append(title).append("\n\n");
  }

  /**
   * A table.
   *
   * @param caption stands above it
   * @param rows each as long as the header
   * @throws IllegalArgumentException if a row isn't
   */
  void table(String caption, List<String> header, List<List<String>> rows) {
    markdown.append("**").append(caption).append("**\n\n");
    row(header);
    row(Collections.nCopies(header.size(), "---"));
    for (List<String> cells : rows) {
      if (cells.size() != header.size()) {
        throw new IllegalArgumentException(
            "table '" + caption + "' has " + header.size() + " columns, its row " + cells);
      }
      row(cells);
    }
    markdown.append('\n');
  }

  /** A paragraph. */
  void note(String text) {
    markdown.append(text).append("\n\n");
  }

  /**
   * A number, boolean or string of the JSON line.
   *
   * @throws IllegalArgumentException if the name was used before
   */
  void field(String name, Object value) {
    if (fields.put(name, value) != null) {
      throw new IllegalArgumentException("field " + name + " is given twice");
    }
  }

  String markdown() {
    return markdown.toString();
  }

  Map<String, Object> fields() {
    return Collections.unmodifiableMap(fields);
  }

  private void row(List<String> cells) {
    markdown.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
