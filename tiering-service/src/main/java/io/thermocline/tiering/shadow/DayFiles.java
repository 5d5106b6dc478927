// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.observe.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.LocalDate;
import java.time.Period;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A value of each day in a directory, as JSON: NAME-2026-11-20.json. */
public final class DayFiles<T> {

  /** How long days are of use: a year ago is what people compare with. */
  public static final Period KEPT = Period.ofYears(1);

  private static final Logger LOG = LoggerFactory.getLogger(DayFiles.class);

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
      return Optional.of(JSON.readValue(RegularFiles.bytes(file), type));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new DamagedDayException(
          file
              + " is no report: "
              + e.getOriginalMessage()
              + ". Move it away; the day begins anew.",
          e);
    }
  }

  /**
   * As {@link #read}; but what is no report is renamed to NAME-DAY.json.damaged, and the day begins
   * anew.
   *
   * @throws IOException where its file can't be read at all, or renamed
   */
  public Optional<T> readOrSetAside(LocalDate day) throws IOException {
    try {
      return read(day);
    } catch (DamagedDayException e) {
      Path file = file(day.toString());
      Path aside = file.resolveSibling(file.getFileName() + ".damaged");
      Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
      LOG.warn("{} It is {} now.", e.getMessage(), aside);
      return Optional.empty();
    }
  }

  /** When a day was written last. */
  public FileTime modified(String day) throws IOException {
    return Files.getLastModifiedTime(file(day));
  }

  /** Deletes what there is of the days before one, whatever it ends in: .html, .json.damaged. */
  public void deleteBefore(LocalDate first) throws IOException {
    for (String file : named("\\..+")) {
      if (LocalDate.parse(day(file)).isBefore(first)) {
        Files.deleteIfExists(directory.resolve(file));
      }
    }
  }

  /** What there is of a day is no report. */
  public static final class DamagedDayException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedDayException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** In place of what there is of the day. */
  public void write(String day, T value) throws IOException {
    PrivateFiles.createDirectories(directory);
    replace(file(day), JSON.writeValueAsString(value) + "\n");
  }

  /** Whole or not at all. */
  static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    PrivateFiles.write(next, text.getBytes(StandardCharsets.UTF_8));
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The days that there are, in order. */
  public List<String> days() throws IOException {
    return named("\\.json").stream().map(this::day).toList();
  }

  /** The names of the files of days that end so, in order. */
  private List<String> named(String ending) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    String pattern = Pattern.quote(name) + "-\\d{4}-\\d\\d-\\d\\d" + ending;
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString())
          .filter(file -> file.matches(pattern))
          .filter(file -> isDate(day(file)))
          .sorted()
          .toList();
    }
  }

  private String day(String file) {
    return file.substring(name.length() + 1, name.length() + 1 + "2026-11-20".length());
  }

  private static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private Path file(String day) {
    return directory.resolve(name + "-" + day + ".json");
  }
}
