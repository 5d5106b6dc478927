// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordsTest {

  @Test
  void figuresAreOneFlatObjectInTheirOrder(@TempDir Path directory) throws IOException {
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("seed", 42L);
    figures.put("hadoop_version", "3.4.3");
    figures.put("interrupted", false);
    figures.put("fast_read_share_after", 0.5);
    Path file = directory.resolve("a/figures.json");

    JsonFigures.write(figures, file);

    assertEquals(
        """
        {
          "seed" : 42,
          "hadoop_version" : "3.4.3",
          "interrupted" : false,
          "fast_read_share_after" : 0.5
        }
        """,
        Files.readString(file));
  }

  @Test
  void nestedAndUnspeakableFiguresAreRejected() {
    for (Object value : List.of(List.of(1), Map.of("a", 1), Double.NaN, new Object[0])) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> JsonFigures.toJson(Map.of("k", value)));
      assertEquals(
          "figure 'k' is " + value + "; a string, a boolean or a finite number expected",
          e.getMessage());
    }
  }

  @Test
  void sharesAreOfTheWindow() {
    TierWindow disk = new TierWindow(StorageType.DISK, 30, 100);
    TierWindow ssd = new TierWindow(StorageType.SSD, 10, 300);
    List<TierWindow> window = List.of(disk, ssd);

    assertEquals(.75, disk.shareOfReads(window));
    assertEquals(.75, ssd.shareOfBytes(window));
    assertEquals(.25, TierWindow.fastShareOfReads(window));
    assertEquals(0, TierWindow.fastShareOfReads(List.of()));
  }

  @Test
  void whatCannotBeIsRejected() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new Sample.Tier(1, 1, 90, .7, 0, 0),
        "90 is no share");
    assertThrows(
        IllegalArgumentException.class,
        () -> new HeatMap(List.of("/a"), new double[1], new double[1][2]));
    assertThrows(
        IllegalArgumentException.class,
        () -> new HeatMap(List.of("/a"), new double[1], new double[][] {{Double.NaN}}));
    TierWindow ssd = new TierWindow(StorageType.SSD, 1, 1);
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new RunRecord(
                Map.of(), List.of(ssd, ssd), List.of(), List.of(), HeatMap.empty(), List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 %",
    "0.0213, 2.1 %",
    "0.02, 2 %",
    "0.0996, 10 %",
    "0.6123, 61 %",
    "1, 100 %",
    "0.0004, 0 %"
  })
  void percents(double share, String shown) {
    assertEquals(shown.replace(' ', '\u00a0'), Format.percent(share));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "999, 999 B",
    "1500, 1.5 kB",
    "999960, 1 MB",
    "38212334112, 38.2 GB",
    "4e11, 400 GB"
  })
  void sizes(double bytes, String shown) {
    assertEquals(shown.replace(' ', '\u00a0'), Format.bytes(bytes));
  }
}
