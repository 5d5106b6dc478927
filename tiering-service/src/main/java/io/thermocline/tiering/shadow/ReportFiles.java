// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The reports of a directory: report-2026-11-20.json, .txt and .html for each day, all of one content. */
public final class ReportFiles {

  private static final String NAME = "report";

  private final Path directory;
  private final DayFiles<ShadowReport> json;

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
    this.json = new DayFiles<>(directory, NAME, ShadowReport.class);
  }

  /** What was reported of a day so far; empty where nothing was. */
  public Optional<ShadowReport> read(LocalDate day) throws IOException {
    return json.read(day);
  }

  void write(ShadowReport report) throws IOException {
    DayFiles.replace(file(report.day(), Format.TEXT), ReportText.of(report));
    DayFiles.replace(file(report.day(), Format.HTML), ReportPage.of(report));
    json.write(report.day(), report);
  }

  /** The days that there are reports of, in order. */
  public List<String> days() throws IOException {
    return json.days();
  }

  /** The reports as values. */
  public DayFiles<ShadowReport> json() {
    return json;
  }

  /** Deletes those of the days before one, in all formats. */
  void deleteBefore(LocalDate first) throws IOException {
    json.deleteBefore(first);
  }

  /** Where a day's report is. */
  public Path file(String day, Format format) {
    return directory.resolve(NAME + "-" + day + "." + format.ending);
  }
}
