// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TransfersTest {

  private static final int MIB = 1 << 20;
  private static final int KIB = 1 << 10;

  private final Heat heat =
      new Heat(new HeatSettings(Duration.ofHours(1), 1 << 16, 50, 1_000, 100), Told.NAMESERVICE);
  private final Transfers transfers = new Transfers(heat);
  private final CandidateBlocks blocks =
      CandidateBlocks.NONE.next(
          List.of(
              file("/hot", new FileView.Block("BP-1", 1, 1, 128 * MIB, List.of())),
              file("/small", new FileView.Block("BP-1", 2, 1, 10 * KIB, List.of()))),
          10,
          0);

  @BeforeEach
  void readOnce() {
    heat.accept(Told.read("/hot", 0));
    heat.accept(Told.read("/small", 0));
  }

  @Test
  void aStreamIsSequentialInWhateverPiecesItIsRead() {
    read("a", 1, 0, 4 * MIB);
    read("a", 1, 4 * MIB, 64 * KIB);
    read("a", 1, 4 * MIB + 64 * KIB, 64 * KIB);
    // Past a gap that a device reads over.
    read("a", 1, 4 * MIB + 500 * KIB, 64 * KIB);

    assertEquals(1, profile("/hot").sequentialShare());
    assertEquals(4 * MIB + 3 * 64 * KIB, profile("/hot").bytesRead());
  }

  @Test
  void shortReadsHereAndThereAreRandom() {
    for (int i = 0; i < 8; i++) {
      read("a", 1, i % 2 == 0 ? i * MIB : 100 * MIB - i * MIB, 64 * KIB);
    }

    assertEquals(0, profile("/hot").sequentialShare());
    assertEquals(8 * 64 * KIB, profile("/hot").bytesRead());
  }

  @Test
  void aReadGoesOnWithin512KilobytesOfTheLast() {
    int near = (int) Transfers.NEAR;
    read("a", 1, 60 * MIB, KIB);
    read("a", 1, 60 * MIB + KIB + near, KIB);
    assertEquals(KIB, sequentialBytes(), "ahead");
    read("a", 1, 60 * MIB + 2 * KIB, KIB);
    assertEquals(2 * KIB, sequentialBytes(), "and back");
    read("a", 1, 60 * MIB + 3 * KIB + near + 1, KIB);
    read("a", 1, 60 * MIB, KIB);
    assertEquals(2 * KIB, sequentialBytes(), "no further");
    read("b", 1, near - KIB, KIB);
    assertEquals(2 * KIB, sequentialBytes(), "what is read first goes on from nothing");
  }

  @Test
  void aLongReadIsSequentialByItself() {
    int near = (int) Transfers.NEAR;
    read("a", 1, 60 * MIB, near - 1);
    assertEquals(0, sequentialBytes());
    read("b", 1, 60 * MIB, near);
    assertEquals(near, sequentialBytes());
  }

  /** DataNodes log whole checksum chunks. */
  @Test
  void aWholeBlockIsKnownToWithinAChunk() {
    read("a", 2, 0, 10 * KIB - 513);
    read("b", 2, 1, 10 * KIB - 1);
    assertEquals(0, profile("/small").sequentialBytes());
    read("c", 2, 0, 10 * KIB - 512);
    assertEquals(10 * KIB - 512, profile("/small").sequentialBytes());
  }

  private long sequentialBytes() {
    return profile("/hot").sequentialBytes();
  }

  @Test
  void countsRequestsByBlockWhereSomebodyTakesThem() {
    BlockTally tally = new BlockTally();
    Transfers counted = new Transfers(heat, tally);
    BlockAccess.Kind kind = BlockAccess.Kind.READ;
    counted.accept(new Seen(kind, "a", 1, "BP-1", 0, 4 * MIB), blocks);
    counted.accept(new Seen(kind, "a", 1, "BP-1", 60 * MIB, 64 * KIB), blocks);
    counted.accept(new Seen(kind, "a", 1, "BP-1", 0, 64 * KIB), blocks);
    counted.accept(new Seen(kind, "a", 9, "BP-1", 0, KIB), blocks);

    assertEquals(Map.of(1L, new BlockReads(1, 4 * MIB, 2, 2 * 64 * KIB)), tally.take());
    assertEquals(Map.of(), tally.take());
  }

  @Test
  void clientsAreToldApart() {
    read("a", 1, 60 * MIB, KIB);
    read("b", 1, 60 * MIB + KIB, KIB);
    assertEquals(0, profile("/hot").sequentialShare());
    read("a", 1, 60 * MIB + KIB, KIB);
    read("b", 1, 60 * MIB + 2 * KIB, KIB);
    assertEquals(0.5, profile("/hot").sequentialShare());
  }

  @Test
  void aWholeSmallBlockIsSequential() {
    read("a", 2, 0, 10 * KIB);
    assertEquals(1, profile("/small").sequentialShare());
    read("b", 2, 0, KIB);
    assertEquals(11 * KIB, profile("/small").bytesRead());
    assertEquals(10.0 / 11, profile("/small").sequentialShare(), 1e-9);
  }

  @Test
  void replicasOfAWriteCountOnce() {
    for (int replica = 0; replica < 3; replica++) {
      transfers.accept(new Seen(BlockAccess.Kind.WRITE, "w", 1, "BP-1", 0, 5 * MIB), blocks);
    }
    // Appended to.
    transfers.accept(new Seen(BlockAccess.Kind.WRITE, "w", 1, "BP-1", 0, 6 * MIB), blocks);

    assertEquals(11 * MIB, profile("/hot").bytesWritten());
    assertTrue(Double.isNaN(profile("/hot").sequentialShare()), "nothing was read");
  }

  @Test
  void countsWhatItCanNotUse() {
    read("a", 3, 0, KIB);
    transfers.accept(new Seen(BlockAccess.Kind.READ, "a", 1, "BP-2", 0, KIB), blocks);
    transfers.accept(new Seen(BlockAccess.Kind.SHORT_CIRCUIT, "a", 1, "BP-1", 0, -1), blocks);
    transfers.accept(new Seen(BlockAccess.Kind.READ, "a", 1, "", 0, KIB), blocks);

    assertEquals(2, transfers.unknown(), "another file, another nameservice's block");
    assertEquals(1, transfers.withoutBytes());
    assertEquals(1, transfers.known(), "of an old log without pools");
    assertEquals(KIB, profile("/hot").bytesRead());
  }

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Boolean.getBoolean("test.short") ? 1 : 4);
  }

  /** Streams and random reads of several clients, with crashes between checkpoints at random: as without any. */
  @ParameterizedTest
  @MethodSource("seeds")
  void isAsIfThereHadBeenNoCrash(long seed, @TempDir Path directory) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Seen> log = new ArrayList<>();
    long[] at = new long[3];
    for (int i = 0; i < 2_000; i++) {
      int client = random.nextInt(at.length);
      if (random.nextInt(5) == 0) {
        at[client] = random.nextLong(127 * MIB);
      }
      boolean write = random.nextInt(10) == 0;
      BlockAccess.Kind kind = write ? BlockAccess.Kind.WRITE : BlockAccess.Kind.READ;
      long offset = write ? 0 : at[client];
      long bytes = write ? (1 + random.nextInt(2)) * KIB : 64 * KIB;
      log.add(new Seen(kind, "c" + client, 1, "BP-1", offset, bytes));
      at[client] = (at[client] + 64 * KIB) % (127 * MIB);
    }
    log.forEach(access -> transfers.accept(access, blocks));

    HeatSettings settings = new HeatSettings(Duration.ofHours(1), 1 << 16, 50, 1_000, 100);
    Path file = directory.resolve("heat");
    Heat other = new Heat(settings, Told.NAMESERVICE);
    other.accept(Told.read("/hot", 0));
    Transfers others = new Transfers(other);
    HeatCheckpoint.save(file, other.freeze(), new byte[0]);
    long[] windows = others.windows();
    int saved = 0;
    int crashes = 0;
    for (int next = 0; next < log.size(); ) {
      others.accept(log.get(next++), blocks);
      int event = random.nextInt(100);
      if (event < 3) {
        HeatCheckpoint.save(file, other.freeze(), new byte[0]);
        windows = others.windows();
        saved = next;
      } else if (event == 3) {
        other = HeatCheckpoint.load(file, settings, Told.NAMESERVICE).orElseThrow().heat();
        others = new Transfers(other);
        others.restore(windows);
        next = saved;
        crashes++;
      }
    }
    assertTrue(crashes > 5, "seed " + seed);
    assertEquals(profile("/hot"), other.profile("/hot").orElseThrow(), "seed " + seed);
  }

  @Test
  void keepsNoMoreBlocksThanItMay() {
    CandidateBlocks one =
        CandidateBlocks.NONE.next(
            List.of(
                file("/hot", new FileView.Block("BP-1", 1, 1, MIB, List.of())),
                file("/small", new FileView.Block("BP-1", 2, 1, MIB, List.of()))),
            1,
            7);
    assertEquals(1, one.size());
    assertEquals(1, one.leftOut());
    assertEquals(7, one.asOfMillis());
    assertEquals("/hot", one.of(new Seen(BlockAccess.Kind.READ, "a", 1, "BP-1", 0, 1)).path());
  }

  private void read(String client, long block, long offset, long bytes) {
    transfers.accept(new Seen(BlockAccess.Kind.READ, client, block, "BP-1", offset, bytes), blocks);
  }

  private Profile profile(String path) {
    return heat.profile(path).orElseThrow();
  }

  private static FileView file(String path, FileView.Block block) {
    return new FileView(path, block.length(), 3, 0, List.of(block));
  }

  private record Seen(
      Kind kind, String client, long blockId, String poolId, long offset, long bytes)
      implements BlockAccess {
    @Override
    public long timeMillis() {
      return 0;
    }

    @Override
    public long durationNanos() {
      return 0;
    }

    @Override
    public String dataNode() {
      return "";
    }
  }
}
