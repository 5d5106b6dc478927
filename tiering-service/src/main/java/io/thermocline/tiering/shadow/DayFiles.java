// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A value of each day in a directory, as JSON: NAME-2026-11-20.json. */
public final class DayFiles<T> {

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private final Path directory;
  private final String name;
  private final Class<T> type;

  public DayFiles(Path directory, String name, Class<T> type) {
    this.directory = directory;
    this.name = name;
    this.type = type;
  }

  /**
   * What was written of a day last; empty where nothing was.
   *
   * @throws IOException where its file can't be read, with what to do
   */
  public Optional<T> read(LocalDate day) throws IOException {
    Path file = file(day.toString());
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(file), type));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new IOException(
          file
              + " is no report: "
              + e.getOriginalMessage()
              + ". Move it away; the day begins anew.",
          e);
    }
  }

  /** In place of what there is of the day. */
  public void write(String day, T value) throws IOException {
    Files.createDirectories(directory);
    replace(file(day), JSON.writeValueAsString(value) + "\n");
  }

  /** Whole or not at all. */
  static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The days that there are, in order. */
  public List<String> days() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    String pattern = Pattern.quote(name) + "-\\d{4}-\\d\\d-\\d\\d\\.json";
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString())
          .filter(file -> file.matches(pattern))
          .map(file -> file.substring(name.length() + 1, file.length() - ".json".length()))
          .sorted()
          .toList();
    }
  }

  private Path file(String day) {
    return directory.resolve(name + "-" + day + ".json");
  }
}
