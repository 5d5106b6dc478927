// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import static io.thermocline.tiering.classify.AccessClass.OVERWRITE;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_READ;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_WRITE;
import static io.thermocline.tiering.classify.AccessClass.SEQUENTIAL_READ;
import static io.thermocline.tiering.classify.AccessClass.SEQUENTIAL_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.classify.Taxonomy.Pattern;
import org.junit.jupiter.api.Test;

/** Table 3.2, and the dimensions of table 3.1. */
class TaxonomyTest {
  private static final Taxonomy RULES = Taxonomy.STANDARD;

  private static ChunkActivity chunk(Object... kindsAndRates) {
    return ChunkSamples.chunk("c", ChunkSamples.CHUNK, kindsAndRates);
  }

  @Test
  void ruleOneCountsAccessesInAWindow() {
    assertEquals(Pattern.NON_ACCESS, RULES.intensity(chunk()));
    assertEquals(Pattern.INACTIVE, RULES.intensity(chunk(RANDOM_READ, 0.01)));
    assertEquals(Pattern.ACTIVE, RULES.intensity(chunk(RANDOM_READ, 0.02)));
  }

  @Test
  void rulesTwoAndThreeTellSequentialFromRandom() {
    assertEquals(Pattern.SEQUENTIAL, RULES.sequentiality(chunk(SEQUENTIAL_READ, 6, OVERWRITE, 4)));
    assertEquals(Pattern.RANDOM, RULES.sequentiality(chunk(SEQUENTIAL_WRITE, 4, RANDOM_READ, 6)));
    assertEquals(Pattern.NONE, RULES.sequentiality(chunk()));
    assertEquals(Pattern.SEQUENTIAL, RULES.randomAccess(chunk(SEQUENTIAL_WRITE, 1)));
    assertEquals(Pattern.RANDOM_READ, RULES.randomAccess(chunk(RANDOM_READ, 6, RANDOM_WRITE, 4)));
    assertEquals(Pattern.RANDOM_WRITE, RULES.randomAccess(chunk(RANDOM_READ, 4, OVERWRITE, 6)));
  }

  @Test
  void ruleFourTellsWritesApart() {
    assertEquals(Pattern.NONE, RULES.writes(chunk(RANDOM_READ, 5)));
    assertEquals(
        Pattern.SEQUENTIAL_WRITE, RULES.writes(chunk(SEQUENTIAL_WRITE, 6, RANDOM_WRITE, 4)));
    assertEquals(
        Pattern.FULLY_RANDOM_WRITE, RULES.writes(chunk(SEQUENTIAL_WRITE, 3, RANDOM_WRITE, 7)));
    assertEquals(Pattern.OVERWRITTEN, RULES.writes(chunk(RANDOM_WRITE, 4, OVERWRITE, 6)));
  }

  @Test
  void rulesThatTheSourceCannotTellAreSkipped() {
    ChunkActivity block = chunk(RANDOM_READ, 5);
    ChunkActivity file =
        new ChunkActivity(
            block.chunk(), block.accesses(), ChunkActivity.Source.HDFS_AUDIT_ONLY, block.window());
    assertEquals(Pattern.SKIPPED, RULES.sequentiality(file));
    assertEquals(Pattern.SKIPPED, RULES.randomAccess(file));
  }

  @Test
  void measuresDimensions() {
    ChunkActivity chunk = chunk(SEQUENTIAL_READ, 1, RANDOM_READ, 4, RANDOM_WRITE, 2, OVERWRITE, 3);
    assertEquals(10, Dimension.INTENSITY.of(chunk), 1e-9);
    assertEquals(512, Dimension.IO_SIZE.of(chunk), 1e-9);
    assertEquals(0.5, Dimension.WRITES.of(chunk), 1e-9);
    assertEquals(0.9, Dimension.RANDOMNESS.of(chunk), 1e-9);
    assertEquals(0.6, Dimension.REWRITES.of(chunk), 1e-9);
    assertTrue(Double.isNaN(Dimension.WRITES.of(chunk())));
  }
}
