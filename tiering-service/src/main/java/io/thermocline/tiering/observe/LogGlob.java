// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;

/**
 * Log files by a pattern: an absolute path of which components may have * ? [abc] and {a,b}. Immutable.
 *
 * @param text as it was given
 */
public record LogGlob(String text) {

  private static final String SPECIAL = ".*[*?\\[{].*";

  /**
   * @throws IllegalArgumentException with what is wrong
   */
  public LogGlob {
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException("it doesn't begin with /");
    }
    if (text.contains("**") || text.endsWith("/")) {
      throw new IllegalArgumentException("it isn't the pattern of files, with * in a component");
    }
    for (String component : text.split("/")) {
      try {
        FileSystems.getDefault().getPathMatcher("glob:" + component);
      } catch (PatternSyntaxException e) {
        throw new IllegalArgumentException("'" + component + "' is no glob, " + e.getDescription());
      }
    }
  }

  /** The directory below which all of its files are. */
  public Path root() {
    Path root = Path.of("/");
    for (String component : components()) {
      if (component.matches(SPECIAL)) {
        return root;
      }
      root = root.resolve(component);
    }
    return root.getParent();
  }

  /**
   * The files that are there now, in the order of their paths; those without a * whether they are or not.
   *
   * @throws IOException where a directory can't be listed
   */
  public List<Path> files() throws IOException {
    List<Path> found = List.of(Path.of("/"));
    for (String component : components()) {
      List<Path> next = new ArrayList<>();
      for (Path directory : found) {
        if (component.matches(SPECIAL)) {
          list(directory, component, next);
        } else {
          next.add(directory.resolve(component));
        }
      }
      found = next;
    }
    boolean isPattern = text.matches(SPECIAL);
    return new TreeSet<>(found)
        .stream().filter(file -> !isPattern || Files.isRegularFile(file)).toList();
  }

  private List<String> components() {
    return List.of(text.substring(1).split("/+"));
  }

  private static void list(Path directory, String component, List<Path> into) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, component)) {
      entries.forEach(into::add);
    } catch (NoSuchFileException | NotDirectoryException e) {
      // It may come later, and need not be one.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
