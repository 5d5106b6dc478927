// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify;

import static io.thermocline.tiering.classify.AccessClass.OVERWRITE;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_READ;
import static io.thermocline.tiering.classify.AccessClass.RANDOM_WRITE;
import static io.thermocline.tiering.classify.AccessClass.SEQUENTIAL_READ;
import static io.thermocline.tiering.classify.AccessClass.SEQUENTIAL_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Figure 3.5 and the numbers of section 3.4, from the file that is shipped, its thresholds as they stand. */
class Figure35Test {

  private final HierarchicalClassifier classifier;

  Figure35Test() throws ConfigException {
    PatternLibrary shipped = ChewFile.read(Path.of("../conf/chew.yaml")).library();
    classifier = new HierarchicalClassifier(shipped.withFit(Optional.empty()));
  }

  private Classified of(int levels, Object... kindsAndRates) {
    return classifier.classify(
        ChunkSamples.chunk("c", ChunkSamples.CHUNK, kindsAndRates),
        levels,
        WeightScale.AS_OBSERVED,
        Optional.empty());
  }

  private void assertPattern(String pattern, List<String> pools, Classified found) {
    assertEquals(pattern, found.group().name());
    assertEquals(pools, found.group().pools());
  }

  @Test
  void groupsByRequestsASecondFirst() {
    assertPattern("top", List.of("NVDIMM"), of(1, RANDOM_READ, 300));
    assertPattern("second-high", List.of("SSD"), of(1, RANDOM_READ, 299.99));
    assertPattern("second-high", List.of("SSD"), of(1, RANDOM_WRITE, 10));
    assertPattern("low", List.of("DISK"), of(1, OVERWRITE, 9.99));
    assertPattern("low", List.of("DISK"), of(1));
  }

  @Test
  void countsAWriteTwiceOnTheSecondLevel() {
    Classified writes = of(2, OVERWRITE, 250);
    assertPattern("very-intensive", List.of("NVDIMM", "SSD"), writes);
    assertEquals(500, writes.weight());
    assertPattern("intensive-write", List.of("NVDIMM"), of(2, RANDOM_WRITE, 249.99));
    assertPattern("intensive-read", List.of("SSD"), of(2, RANDOM_READ, 499.99));
    assertPattern("very-intensive", List.of("NVDIMM", "SSD"), of(2, RANDOM_READ, 500));
    // 100 + 2 * 110 = 320, 52 % writes; 120 + 2 * 100 = 320, 45 %.
    assertPattern("intensive-write", List.of("NVDIMM"), of(2, RANDOM_READ, 100, RANDOM_WRITE, 110));
    assertPattern("intensive-read", List.of("SSD"), of(2, RANDOM_READ, 120, RANDOM_WRITE, 100));
    assertPattern("moderate", List.of("SSD"), of(2, RANDOM_READ, 299.99));
    // What is low isn't looked at again, although its weight would now be 19.98.
    assertPattern("low", List.of("DISK"), of(2, RANDOM_WRITE, 9.99));
  }

  @Test
  void sendsWhatIsSequentialToDiskOnTheThird() {
    assertPattern("sequential-access", List.of("DISK"), of(3, SEQUENTIAL_READ, 400));
    assertPattern("sequential-access", List.of("DISK"), of(3, SEQUENTIAL_WRITE, 200));
    assertPattern("intensive-random-read", List.of("SSD"), of(3, RANDOM_READ, 400));
    assertPattern("intensive-random-write", List.of("NVDIMM"), of(3, RANDOM_WRITE, 200));
    // Only the two intensive groups are split.
    assertPattern("very-intensive", List.of("NVDIMM", "SSD"), of(3, SEQUENTIAL_READ, 600));
    assertPattern("moderate", List.of("SSD"), of(3, SEQUENTIAL_READ, 100));
  }

  @Test
  void tellsOverwrittenFromFullyRandomOnTheFourth() {
    assertPattern("overwritten", List.of("NVDIMM"), of(4, OVERWRITE, 120, RANDOM_WRITE, 80));
    assertPattern(
        "fully-random-write", List.of("NVDIMM", "SSD"), of(4, OVERWRITE, 80, RANDOM_WRITE, 120));
    assertPattern("intensive-random-read", List.of("SSD"), of(4, RANDOM_READ, 400));
  }

  @Test
  void combinesTheFactorsOfAllLevels() {
    // On SSD: 1 a read, 2 a write, 1.5 at random, 1.5 overwriting.
    Object[] mixed = {SEQUENTIAL_READ, 100, RANDOM_READ, 100, RANDOM_WRITE, 30, OVERWRITE, 10};
    assertEquals(240, of(1, mixed).weight(), 1e-9);
    assertEquals(280, of(2, mixed).weight(), 1e-9);
    assertEquals(100 + 150 + 90 + 30, of(3, mixed).weight(), 1e-9);
    assertEquals(100 + 150 + 90 + 45, of(4, mixed).weight(), 1e-9);
  }

  @Test
  void amplifiesWritesByWear() {
    ChunkActivity chunk =
        ChunkSamples.chunk("c", ChunkSamples.CHUNK, RANDOM_READ, 10, RANDOM_WRITE, 10);
    RequestWeights weights = new RequestWeights(1, 2, 1, 1, 1, 1.5);
    // Equation 3.2: 2 * w0.
    assertEquals(10 + 10 * 3.0, weights.of(chunk, Set.of(Dimension.WRITES), 0), 1e-9);
    assertEquals(20, weights.of(chunk, Set.of(Dimension.INTENSITY), 0), 1e-9);
  }

  @Test
  void ranksByWeightAByte() {
    ChunkActivity small = ChunkSamples.chunk("s", ChunkSamples.CHUNK / 4, RANDOM_READ, 75);
    assertEquals(300, classifier.weight(small, 1), 1e-9);
    assertEquals(
        "top",
        classifier.classify(small, 1, WeightScale.AS_OBSERVED, Optional.empty()).group().name());
  }

  @Test
  void leavesWhatIsNearAThresholdWhereItIs() {
    ChunkActivity less = ChunkSamples.chunk("c", ChunkSamples.CHUNK, RANDOM_READ, 210);
    Optional<String> there = Optional.of("NVDIMM");
    assertEquals(
        "top", classifier.classify(less, 1, WeightScale.AS_OBSERVED, there).group().name());
    ChunkActivity muchLess = ChunkSamples.chunk("c", ChunkSamples.CHUNK, RANDOM_READ, 190);
    assertEquals(
        "second-high",
        classifier.classify(muchLess, 1, WeightScale.AS_OBSERVED, there).group().name());
  }

  @Test
  void skipsTheBranchOfRandomWritesOnHdfs() {
    ChunkActivity block = ChunkSamples.chunk("f", ChunkSamples.CHUNK, OVERWRITE, 200);
    ChunkActivity file =
        new ChunkActivity(
            block.chunk(), block.accesses(), ChunkActivity.Source.HDFS, block.window());
    Classified third = classifier.classify(file, 3, WeightScale.AS_OBSERVED, Optional.empty());
    assertEquals("intensive-write", third.group().name());
    assertEquals(Set.of(Dimension.RANDOMNESS), third.skipped());
    Classified fourth = classifier.classify(file, 4, WeightScale.AS_OBSERVED, Optional.empty());
    assertEquals("overwritten", fourth.group().name());
  }

  @Test
  void skipsSequentialityWhereNobodyTellsIt() {
    ChunkActivity block = ChunkSamples.chunk("f", ChunkSamples.CHUNK, RANDOM_READ, 400);
    ChunkActivity file =
        new ChunkActivity(
            block.chunk(), block.accesses(), ChunkActivity.Source.HDFS_AUDIT_ONLY, block.window());
    Classified found = classifier.classify(file, 4, WeightScale.AS_OBSERVED, Optional.empty());
    assertEquals("intensive-read", found.group().name());
    assertEquals(Set.of(Dimension.RANDOMNESS), found.skipped());
    assertEquals(400, found.weight(), 1e-9);
  }
}
