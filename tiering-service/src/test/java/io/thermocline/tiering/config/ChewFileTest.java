// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.classify.Dimension;
import io.thermocline.tiering.classify.Level;
import io.thermocline.tiering.classify.RequestWeights;
import io.thermocline.tiering.decide.pools.SplitLimits;
import io.thermocline.tiering.decide.pools.VolumeSpeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChewFileTest {
  private static final Path SHIPPED = Path.of("../conf/chew.yaml");

  @TempDir private Path directory;

  private ConfigException problems(String from, String to) throws IOException {
    String text = Files.readString(SHIPPED);
    assertTrue(text.contains(from), from);
    Path file = directory.resolve("chew.yaml");
    Files.writeString(file, text.replace(from, to));
    return assertThrows(ConfigException.class, () -> ChewFile.read(file));
  }

  private void assertProblem(String from, String to, String expected) throws IOException {
    String message = problems(from, to).getMessage();
    assertTrue(message.contains(expected), message);
  }

  @Test
  void readsTheShippedFile() throws ConfigException {
    ChewConfig config = ChewFile.read(SHIPPED);
    assertEquals(List.of("NVDIMM", "SSD", "DISK"), config.library().pools());
    assertEquals(new RequestWeights(1, 2, 1, 1.5, 1.5, 1), config.library().weights().get("SSD"));
    assertEquals(
        List.of(Dimension.INTENSITY, Dimension.WRITES, Dimension.RANDOMNESS, Dimension.REWRITES),
        config.library().levels().stream().map(Level::dimension).toList());
    assertEquals(new SplitLimits(64L << 20, 4, 6), config.split());
    assertEquals(16L << 20, config.smallBelow());
    assertEquals(new VolumeSpeed(100, 150 << 20), config.volumes().get("DISK"));
  }

  @Test
  void saysWhatIsWrongAndWhere() throws IOException {
    assertProblem("weighedOn: SSD", "weighedOn: TAPE", "weighedOn names pool 'TAPE'");
    assertProblem("write: 2,", "write: 0,", "weights.SSD.write must be above 0");
    assertProblem("parts: 4", "parts: 1", "chunks.parts expected a whole number from 2");
    assertProblem("stay: 50 %", "stays: 50 %", "stays is no key: did you mean stay?");
    assertProblem("minPart:", "leastPart:", "chunks.leastPart was renamed: use chunks.minPart");
    assertProblem("dimension: writes", "dimension: hue", "levels[2].dimension expected one of");
    assertProblem(
        "low: {weight: {below: 10}", "low: {weight: {below: 9}", "has chunks of weight 9.0");
    assertProblem("of: [intensive-read]", "of: [intense]", "is of 'intense', which no level above");
    assertProblem("{from: 10, below: 300}, pools", "{from: 300, below: 10}, pools", "is empty");
    assertProblem("pools: [DISK]}", "pools: []}", "low.pools is missing");
    assertProblem("{requests: 4000, bytes: 450 MB}", "{requests: 4000}", "volumes.SSD is missing");
    assertProblem("levels:\n", "levels: none\nold:\n", "levels expected a list of sections");
  }
}
