// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A page of docs/evidence. */
public final class EvidencePage {

  private final String name;
  private final List<String> lines;

  private EvidencePage(String name, List<String> lines) {
    this.name = name;
    this.lines = lines;
  }

  public static EvidencePage of(String name) throws IOException {
    return new EvidencePage(name, Files.readAllLines(Path.of("..", "docs", "evidence", name)));
  }

  /** The other cells of the only row of a table that begins with these, without emphasis. */
  public List<String> row(String... first) {
    return row(first.length + 1, first);
  }

  /** The same of the tables with at least so many columns. */
  public List<String> row(int columns, String... first) {
    List<List<String>> found =
        lines.stream()
            .filter(line -> line.startsWith("| "))
            .map(EvidencePage::cells)
            .filter(cells -> cells.size() >= columns)
            .filter(cells -> cells.subList(0, first.length).equals(List.of(first)))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " rows of " + name + " begin with " + List.of(first));
    }
    return found.get(0).subList(first.length, found.get(0).size());
  }

  /** The words of the first line that begins with one, without it. */
  public List<String> words(String first) {
    return lines.stream()
        .map(line -> List.of(line.split(" +")))
        .filter(words -> words.get(0).equals(first))
        .findFirst()
        .map(words -> words.subList(1, words.size()))
        .orElseThrow(() -> new AssertionError("no line of " + name + " begins with " + first));
  }

  /** A cell has a figure, rounded as it is there. */
  public static void assertFigure(String cell, double figure, String what) {
    String digits = cell.replaceAll("[ ,%+]", "");
    int point = digits.indexOf('.');
    double unit = point < 0 ? 1 : Math.pow(10, point + 1 - digits.length());
    assertEquals(Double.parseDouble(digits), figure, 0.500001 * unit, what + ": " + cell);
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.substring(1, line.lastIndexOf('|')).split("\\|", -1))
        .map(cell -> cell.replace("*", "").strip())
        .toList();
  }
}
