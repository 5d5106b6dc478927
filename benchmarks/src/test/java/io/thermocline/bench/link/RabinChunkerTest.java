// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.chunk.ChunkSize;
import io.thermocline.redundancy.chunk.Cuts;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RabinChunkerTest {

  private static final long SEED = Long.getLong("test.seed", 1);
  private static final long SEED_OF_GOLDEN = 20_261_120;
  private static final int[] GOLDEN_RABIN = {
    1688, 826, 3849, 1486, 1318, 650, 1258, 745, 286, 460, 1007, 630, 315, 1648, 638, 290
  };

  /** Equation 4.1 for each window, with numbers of any size; the first cuts are written down as well. */
  @Test
  void rabinCutsWhereTheEquationsDo() {
    byte[] data = random(SEED_OF_GOLDEN, 100_000);
    ChunkSize size = ChunkSize.of(1024);

    int[] cuts = Cuts.of(new RabinChunker(size), data, data.length, true).lengths();

    assertArrayEquals(byEquation(data, size), cuts);
    assertArrayEquals(GOLDEN_RABIN, Arrays.copyOf(cuts, GOLDEN_RABIN.length));
  }

  @Test
  void rabinAgreesWithTheEquationsOnExtremeBytes() {
    byte[] data = new byte[20_000];
    Random random = new Random(SEED);
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (random.nextBoolean() ? 0xff : random.nextInt(3));
    }
    ChunkSize size = ChunkSize.of(128);

    assertArrayEquals(
        byEquation(data, size), Cuts.of(new RabinChunker(size), data, data.length, true).lengths());
  }

  @Test
  void chunksOfLessThanAWindowAreRejected() {
    assertThrows(
        IllegalArgumentException.class, () -> new RabinChunker(new ChunkSize(16, 128, 512)));
  }

  private static int[] byEquation(byte[] data, ChunkSize size) {
    BigInteger q = new BigInteger("18446744073709551557");
    assertTrue(q.isProbablePrime(50));
    BigInteger[] powers =
        IntStream.range(0, 32)
            .mapToObj(i -> BigInteger.valueOf(16).pow(31 - i))
            .toArray(BigInteger[]::new);
    List<Integer> lengths = new ArrayList<>();
    int from = 0;
    for (int end = 1; end <= data.length; end++) {
      boolean isCut = end == data.length || end - from == size.max();
      if (!isCut && end - from >= size.min()) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < 32; i++) {
          sum = sum.add(powers[i].multiply(BigInteger.valueOf(data[end - 32 + i] & 0xff)));
        }
        isCut = (sum.mod(q).longValue() & (size.expected() - 1)) == 1;
      }
      if (isCut) {
        lengths.add(end - from);
        from = end;
      }
    }
    return lengths.stream().mapToInt(Integer::intValue).toArray();
  }

  private static byte[] random(long seed, int length) {
    byte[] data = new byte[length];
    new Random(seed).nextBytes(data);
    return data;
  }
}
