// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShadowReportFilesTest {

  @TempDir Path directory;

  @Test
  void nothingStaysOfADayThatIsOver() throws IOException {
    for (String name :
        List.of(
            "report-2025-11-18.txt",
            "report-2025-11-18.html",
            "report-2025-11-19.txt",
            "report-2025-11-19.html.next",
            "report-2025-11-19.json.damaged",
            "report-2025-11-20.json",
            "report-2025-11-20.html",
            "report-2025-99-99.txt",
            "reports-2025-11-18.txt")) {
      Files.writeString(directory.resolve(name), "");
    }

    new ReportFiles(directory).deleteBefore(LocalDate.of(2025, 11, 20));

    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(
          List.of(
              "report-2025-11-20.html",
              "report-2025-11-20.json",
              "report-2025-99-99.txt",
              "reports-2025-11-18.txt"),
          left.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }
}
