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
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The reports of a directory: report-2026-11-20.json, .txt and .html for each day, all of one content. */
public final class ReportFiles {

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private final Path directory;

  /** How a report is written. */
  public enum Format {
    TEXT("txt"),
    JSON("json"),
    HTML("html");

    private final String ending;

    Format(String ending) {
      this.ending = ending;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public ReportFiles(Path directory) {
    this.directory = directory;
  }

  /** What was reported of a day so far; empty where nothing was. */
  public Optional<ShadowReport> read(LocalDate day) throws IOException {
    Path file = file(day.toString(), Format.JSON);
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(file), ShadowReport.class));
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

  void write(ShadowReport report) throws IOException {
    replace(file(report.day(), Format.TEXT), ReportText.of(report));
    replace(file(report.day(), Format.HTML), ReportPage.of(report));
    replace(file(report.day(), Format.JSON), JSON.writeValueAsString(report) + "\n");
  }

  /** Whole or not at all. */
  private static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, text);
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The days that there are reports of, in order. */
  public List<String> days() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> name.matches("report-\\d{4}-\\d\\d-\\d\\d\\.json"))
          .map(name -> name.substring("report-".length(), name.length() - ".json".length()))
          .sorted()
          .toList();
    }
  }

  /** Where a day's report is. */
  public Path file(String day, Format format) {
    return directory.resolve("report-" + day + "." + format.ending);
  }
}
