// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.classify.PatternLibrary;
import io.thermocline.tiering.config.ChewConfig;
import io.thermocline.tiering.config.ChewFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredLibraryTest {
  private static final double MB = 1 << 20;
  private static final ProbeLimits LIMITS = new ProbeLimits(Duration.ofSeconds(60), 1L << 30);

  @TempDir Path directory;

  /** 64 KB are a sixteenth of a MB: 10 ms in sequence, 20 ms written, 30 ms anew, 40 ms at random. */
  private static TypeSpeed speed(StorageType type) {
    return new TypeSpeed(
        type,
        "HOT",
        1 << 29,
        100 * MB / 32,
        100 * MB / 48,
        100 * MB / 16,
        25,
        0.1,
        Instant.parse("2026-11-20T10:00:00Z"));
  }

  private static String text(Map<StorageType, String> unmeasured, StorageType... types)
      throws IOException {
    return new MeasuredLibrary(
            new Probed(Arrays.stream(types).map(MeasuredLibraryTest::speed).toList(), unmeasured),
            LIMITS)
        .text();
  }

  private ChewConfig read(StorageType... types) throws Exception {
    return ChewFile.read(Files.writeString(directory.resolve("chew.yaml"), text(Map.of(), types)));
  }

  private static Map<String, List<String>> pools(PatternLibrary library) {
    return library.levels().stream()
        .flatMap(level -> level.groups().stream())
        .collect(Collectors.toMap(group -> group.name(), group -> group.pools()));
  }

  @Test
  void putsWhatWasMeasuredIntoTheExample() throws Exception {
    ChewConfig example = ChewFile.read(Path.of("../conf/chew.yaml"));
    ChewConfig read = read(StorageType.NVDIMM, StorageType.SSD, StorageType.DISK);
    assertEquals(example.library().levels(), read.library().levels());
    assertEquals(example.library().fit(), read.library().fit());
    assertEquals(example.library().weighedOn(), read.library().weighedOn());
    assertEquals(example.split(), read.split());
    var weights = read.library().weights().get("DISK");
    assertEquals(1, weights.read());
    assertEquals(2, weights.write(), 1e-3);
    assertEquals(4, weights.random(), 1e-3);
    assertEquals(1.5, weights.overwrite(), 1e-3);
    assertEquals(25, read.volumes().get("SSD").requests());
    assertEquals(6.25 * MB, read.volumes().get("SSD").bytes());
  }

  @Test
  void makesThePatternsFitThePoolsThatThereAre() throws Exception {
    PatternLibrary two = read(StorageType.SSD, StorageType.DISK).library();
    assertEquals(List.of("SSD", "DISK"), two.pools());
    assertEquals(List.of("SSD"), pools(two).get("very-intensive"));
    assertEquals(List.of("DISK"), pools(two).get("sequential-access"));
    assertEquals(Set.of("SSD"), two.fit().orElseThrow().anchors().keySet());

    PatternLibrary four =
        read(StorageType.NVDIMM, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE).library();
    assertEquals(List.of("DISK"), pools(four).get("low"));
    assertEquals(List.of("ARCHIVE"), pools(four).get("idle"));
    PatternLibrary slow = read(StorageType.DISK, StorageType.ARCHIVE).library();
    assertEquals(List.of("DISK"), pools(slow).get("top"));
    assertEquals(List.of("ARCHIVE"), pools(slow).get("idle"));
  }

  @Test
  void saysHowAndWhenAndWhatIsMissing() throws Exception {
    String text =
        text(Map.of(StorageType.ARCHIVE, "no volume has room"), StorageType.SSD, StorageType.DISK);
    assertTrue(text.contains("# SSD, 2026-11-20T10:00:00Z, a file of 536870912 bytes under HOT:"));
    assertTrue(text.contains("read in sequence at 6.25 MB/s; 25.0 reads of 64 KB a second"), text);
    assertTrue(
        text.contains("# ARCHIVE was not measured, and is no pool here: no volume has room"));
    assertThrows(IOException.class, () -> text(Map.of(), StorageType.DISK));
  }
}
