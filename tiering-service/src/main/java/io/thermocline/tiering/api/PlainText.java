// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.hints.wire.OneLine;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;

/**
 * Answers for people: names with values, lists as tables. The names say the units: {@code
 * ...Bytes}, {@code ...Seconds} and {@code ...Share} are written as such, and lose that ending.
 */
public final class PlainText {

  private static final int GAP = 2;

  private final Help.ColorScheme colours;
  private final StringBuilder out = new StringBuilder();

  private PlainText(Ansi ansi) {
    this.colours = Help.defaultColorScheme(ansi);
  }

  /** Without colours. */
  static String of(JsonNode answer) {
    return of(answer, Ansi.OFF);
  }

  /** A part of an answer, or all of it; lines, each with its end. */
  public static String of(JsonNode answer, Ansi ansi) {
    PlainText text = new PlainText(ansi);
    if (answer.path("items").isArray()) {
      text.page(answer);
    } else if (answer.path("code").isTextual() && answer.has("whatToDo")) {
      text.line(
          answer.path("code").asText()
              + ": "
              + OneLine.of(answer.path("message").asText())
              + "; "
              + OneLine.of(answer.path("whatToDo").asText()));
    } else {
      text.object("", answer);
    }
    return text.out.toString();
  }

  private void page(JsonNode page) {
    JsonNode items = page.get("items");
    long total = page.path("total").asLong();
    if (items.isEmpty()) {
      line(total == 0 ? "none" : "none of " + total + " from " + page.path("offset"));
      return;
    }
    table(items);
    if (items.size() < total) {
      int offset = page.path("offset").asInt();
      line((offset + 1) + " to " + (offset + items.size()) + " of " + total);
    }
  }

  private void object(String title, JsonNode object) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, JsonNode> parts = new LinkedHashMap<>();
    flatten("", object, values, parts);
    if (!title.isEmpty()) {
      line("");
      heading(title);
    }
    int width = values.keySet().stream().mapToInt(String::length).max().orElse(0) + GAP;
    values.forEach((name, value) -> line(name + " ".repeat(width - name.length()) + value));
    parts.forEach(
        (name, part) -> {
          if (part.get(0).isObject()) {
            line("");
            heading(name);
            table(part);
          } else {
            line("");
            heading(name);
            part.forEach(item -> line("  " + value(name, item)));
          }
        });
  }

  /** Values by their dotted names; lists that take lines of their own apart. */
  private static void flatten(
      String prefix, JsonNode object, Map<String, String> values, Map<String, JsonNode> parts) {
    for (Iterator<Map.Entry<String, JsonNode>> fields = object.fields(); fields.hasNext(); ) {
      Map.Entry<String, JsonNode> field = fields.next();
      String name = prefix + words(field.getKey());
      JsonNode value = field.getValue();
      if (value.isObject()) {
        flatten(name + " ", value, values, parts);
      } else if (value.isArray() && !value.isEmpty()) {
        parts.put(name, value);
      } else if (!value.isArray() && !(value.isTextual() && value.asText().isEmpty())) {
        values.put(name, value(field.getKey(), value));
      }
    }
  }

  private void table(JsonNode rows) {
    List<Map<String, String>> lines = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    Set<String> numbers = new LinkedHashSet<>();
    for (JsonNode row : rows) {
      Map<String, String> cells = new LinkedHashMap<>();
      Map<String, JsonNode> parts = new LinkedHashMap<>();
      flatten("", row, cells, parts);
      parts.forEach((name, part) -> cells.put(name, cell(part)));
      row.fields()
          .forEachRemaining(
              field -> {
                if (field.getValue().isNumber()) {
                  numbers.add(words(field.getKey()));
                }
              });
      names.addAll(cells.keySet());
      lines.add(cells);
    }
    Column[] columns =
        names.stream()
            .map(name -> new Column(width(name, lines) + GAP, 0, Column.Overflow.SPAN))
            .toArray(Column[]::new);
    Help.TextTable table = Help.TextTable.forColumns(colours, columns);
    table.addRowValues(
        names.stream()
            .map(name -> bold(aligned(name, name, numbers, lines)))
            .toArray(Ansi.Text[]::new));
    for (Map<String, String> cells : lines) {
      table.addRowValues(
          names.stream()
              .map(name -> plain(aligned(cells.getOrDefault(name, ""), name, numbers, lines)))
              .toArray(Ansi.Text[]::new));
    }
    out.append(table.toString().replaceAll("(?m) +$", ""));
  }

  /** Names as they are, of others how many. */
  private static String cell(JsonNode list) {
    if (!list.get(0).isTextual()) {
      return Integer.toString(list.size());
    }
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(OneLine.of(item.asText())));
    return String.join(", ", texts);
  }

  private static int width(String name, List<Map<String, String>> lines) {
    return lines.stream()
        .mapToInt(cells -> cells.getOrDefault(name, "").length())
        .reduce(name.length(), Math::max);
  }

  private static String aligned(
      String cell, String name, Set<String> numbers, List<Map<String, String>> lines) {
    return numbers.contains(name) ? " ".repeat(width(name, lines) - cell.length()) + cell : cell;
  }

  /** Never as markup: values come from outside. */
  private Ansi.Text plain(String text) {
    return colours.apply(text, List.of());
  }

  private Ansi.Text bold(String text) {
    return colours.apply(text, List.of(Ansi.Style.bold));
  }

  private void heading(String text) {
    out.append(bold(text)).append('\n');
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  /** "lastPlanSeconds": "last plan". */
  private static String words(String name) {
    // Of a map's keys: what it is by, such as a path.
    String short1 = OneLine.of(name).replaceFirst("(?<=.)(Bytes|Seconds|Share)$", "");
    return short1.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
  }

  private static String value(String name, JsonNode value) {
    if (value.isNumber() && name.endsWith("Bytes")) {
      return Quantities.bytes(value.asDouble());
    }
    if (value.isNumber() && name.endsWith("Seconds")) {
      return Quantities.seconds(value.asDouble());
    }
    if (value.isNumber() && name.endsWith("Share")) {
      return Quantities.percent(value.asDouble());
    }
    if (value.isDouble()) {
      return Quantities.number(value.asDouble());
    }
    // A path may hold what a terminal would obey.
    return value.isBoolean() ? (value.asBoolean() ? "yes" : "no") : OneLine.of(value.asText());
  }
}
