// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pages for people lead to what is there: to each other, to headings, and to tests by name. */
class PagesTest {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
  private static final Path DECISIONS = Launched.ROOT.resolve("docs/decisions");

  /** Texts by where they stand. */
  private static final Map<Path, String> PAGES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    List<Path> files =
        new ArrayList<>(
            Stream.of("README.md", "CONTRIBUTING.md", "python/README.md")
                .map(Launched.ROOT::resolve)
                .toList());
    files.addAll(below(Launched.ROOT.resolve("docs"), ".md"));
    for (Path file : files) {
      PAGES.put(file, Files.readString(file));
    }
    assertTrue(PAGES.size() > 50, PAGES.keySet()::toString);
  }

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    PAGES.forEach(
        (page, text) ->
            LINK.matcher(text)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.matches("(https?|mailto):.*"))
                .filter(link -> !isThere(page, link))
                .forEach(link -> broken.add(page + ": " + link)));
    assertEquals(List.of(), broken);
  }

  private static boolean isThere(Path page, String link) {
    String[] parts = link.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(file)
        && (parts.length == 1
            || HEADING
                .matcher(PAGES.getOrDefault(file, ""))
                .results()
                .anyMatch(heading -> anchor(heading.group(1)).equals(parts[1])));
  }

  /** As GitHub makes one of a heading. */
  private static String anchor(String heading) {
    return heading
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\w\\- ]", "")
        .strip()
        .replace(' ', '-');
  }

  @Test
  void everyTestThatIsNamedIsThere() throws IOException {
    Map<String, String> tests = new TreeMap<>();
    try (DirectoryStream<Path> modules = Files.newDirectoryStream(Launched.ROOT)) {
      for (Path module : modules) {
        for (Path file : below(module.resolve("src/test/java"), "Test.java")) {
          String name = file.getFileName().toString().replace(".java", "");
          tests.merge(name, Files.readString(file), String::concat);
        }
      }
    }
    List<String> gone = new ArrayList<>();
    PAGES.forEach(
        (page, text) ->
            TEST.matcher(text)
                .results()
                .filter(
                    named ->
                        !tests.containsKey(named.group(1))
                            || named.group(2) != null
                                && !tests.get(named.group(1)).contains(" " + named.group(2) + "("))
                .forEach(named -> gone.add(page + ": " + named.group())));
    assertEquals(List.of(), gone);
  }

  @Test
  void everyDecisionIsListed() {
    String list = PAGES.get(DECISIONS.resolve("README.md"));
    Set<String> missing =
        PAGES.keySet().stream()
            .filter(page -> page.startsWith(DECISIONS))
            .map(page -> page.getFileName().toString())
            .filter(name -> name.matches("\\d.*") && !list.contains("(" + name + ")"))
            .collect(Collectors.toSet());
    assertEquals(Set.of(), missing);
  }

  private static List<Path> below(Path directory, String ending) throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).toList();
    }
  }
}
