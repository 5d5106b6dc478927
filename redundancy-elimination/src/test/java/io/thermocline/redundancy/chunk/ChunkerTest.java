// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.chunk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChunkerTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  static Stream<Chunker> contentDefined() {
    return Stream.of(128, 512, 4096, 8192).map(ChunkSize::of).map(GearChunker::new);
  }

  static Stream<Chunker> all() {
    return Stream.concat(contentDefined(), Stream.of(512, 8192).map(FixedChunker::new));
  }

  /** Other cuts would make every chunk that gateways know useless. */
  @Test
  void gearCutsWhereItDidBefore() {
    byte[] data = random(SEED_OF_GOLDEN, 100_000);

    int[] cuts = Cuts.of(new GearChunker(ChunkSize.of(1024)), data, data.length, true).lengths();

    assertArrayEquals(GOLDEN_GEAR, Arrays.copyOf(cuts, GOLDEN_GEAR.length));
  }

  @ParameterizedTest
  @MethodSource("all")
  void chunksCoverTheDataWithinTheBounds(Chunker chunker) {
    Random random = new Random(SEED);
    for (int length : new int[] {0, 1, 31, 32, 33, 127, 4096, 100_001}) {
      for (byte[] data : List.of(random(random.nextLong(), length), new byte[length])) {
        int[] cuts = Cuts.of(chunker, data, length, true).lengths();

        assertEquals(length, Arrays.stream(cuts).sum());
        for (int i = 0; i < cuts.length; i++) {
          assertTrue(cuts[i] >= 1 && cuts[i] <= chunker.size().max(), "chunk of " + cuts[i]);
          assertTrue(i == cuts.length - 1 || cuts[i] >= chunker.size().min(), "of " + cuts[i]);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("contentDefined")
  void randomDataHasChunksOfAboutTheExpectedSize(Chunker chunker) {
    byte[] data = random(SEED, 2 << 20);
    double mean = (double) data.length / Cuts.of(chunker, data, data.length, true).lengths().length;

    double ratio = mean / chunker.size().expected();
    assertTrue(ratio > 0.7 && ratio < 1.45, "mean over expected: " + ratio);
  }

  @ParameterizedTest
  @MethodSource("all")
  void buffersOfAnySizeGiveTheSameCuts(Chunker chunker) {
    byte[] data = random(SEED, 300_000);
    int[] whole = Cuts.of(chunker, data, data.length, true).lengths();
    Random random = new Random(SEED);

    for (int round = 0; round < 10; round++) {
      List<Integer> parts = new ArrayList<>();
      byte[] buffer = new byte[0];
      int read = 0;
      while (read < data.length || buffer.length > 0) {
        int more = Math.min(1 + random.nextInt(60_000), data.length - read);
        int kept = buffer.length;
        buffer = Arrays.copyOf(buffer, kept + more);
        System.arraycopy(data, read, buffer, kept, more);
        read += more;
        Cuts cuts = Cuts.of(chunker, buffer, buffer.length, read == data.length);
        Arrays.stream(cuts.lengths()).forEach(parts::add);
        buffer = Arrays.copyOfRange(buffer, cuts.end(), buffer.length);
      }
      assertArrayEquals(whole, parts.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  /** Behind an insertion cuts fall on the same bytes again, but for fixed-size chunks. */
  @ParameterizedTest
  @MethodSource("contentDefined")
  void cutsResynchronizeAfterAnInsertion(Chunker chunker) {
    Random random = new Random(SEED);
    for (int round = 0; round < 5; round++) {
      byte[] data = random(random.nextLong(), 600_000);
      int at = random.nextInt(100_000);
      byte[] more = random(random.nextLong(), 1 + random.nextInt(100));
      byte[] edited = new byte[data.length + more.length];
      System.arraycopy(data, 0, edited, 0, at);
      System.arraycopy(more, 0, edited, at, more.length);
      System.arraycopy(data, at, edited, at + more.length, data.length - at);

      Set<Integer> before = ends(chunker, data);
      Set<Integer> after =
          ends(chunker, edited).stream()
              .map(end -> end - more.length)
              .collect(Collectors.toCollection(TreeSet::new));

      int first =
          before.stream().filter(end -> end > at && after.contains(end)).findFirst().orElseThrow();
      assertTrue(first - at < 100 * chunker.size().expected(), "after " + (first - at));
      assertEquals(
          before.stream().filter(end -> end >= first).toList(),
          after.stream().filter(end -> end >= first).toList());
    }
  }

  @Test
  void fixedChunksDoNotResynchronize() {
    byte[] data = random(SEED, 100_000);
    byte[] edited = new byte[data.length + 1];
    System.arraycopy(data, 0, edited, 1, data.length);
    Chunker chunker = new FixedChunker(512);

    Set<Integer> common = ends(chunker, data);
    common.retainAll(
        ends(chunker, edited).stream().map(end -> end - 1).collect(Collectors.toSet()));

    assertEquals(Set.of(data.length), common);
  }

  @Test
  void sizesOutOfBoundsAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> ChunkSize.of(1000));
    assertThrows(IllegalArgumentException.class, () -> ChunkSize.of(64));
    assertThrows(IllegalArgumentException.class, () -> ChunkSize.of(1 << 20));
    assertThrows(IllegalArgumentException.class, () -> new ChunkSize(512, 256, 1024));
  }

  private static Set<Integer> ends(Chunker chunker, byte[] data) {
    int[] lengths = Cuts.of(chunker, data, data.length, true).lengths();
    Arrays.parallelPrefix(lengths, Integer::sum);
    return Arrays.stream(lengths).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  private static byte[] random(long seed, int length) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }

  private static final long SEED_OF_GOLDEN = 20_261_120;
  private static final int[] GOLDEN_GEAR = {
    2407, 1179, 1641, 1051, 1034, 1170, 1552, 487, 1478, 1093, 1577, 1094, 653, 1301, 1551, 1036
  };
}
