// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.content.FileKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowControllerTest {

  private static final long MINUTES = 60_000;
  private static final FlowKey TEXT = new FlowKey("app", "/logs", FileKind.TEXT, "gateway:1");
  private static final FlowKey PACKED = new FlowKey("app", "/logs", FileKind.PACKED, "gateway:1");

  private final List<FlowTable.Change> changes = new ArrayList<>();
  private final FlowTable table =
      new FlowTable(ControllerSettings.DEFAULT, 3, ChunkingRule::first, changes::add);
  private long now;

  @Test
  void warmUpMakesChunksSmallerUntilTheTargetIsReached() {
    assertEquals("content-defined, 4096 B, zstd", table.rule(TEXT, now).toString());

    interval(TEXT, 0.2, 1000);
    assertEquals(2048, table.rule(TEXT, now).expectedSize());
    interval(TEXT, 0.4, 900);
    assertEquals(1024, table.rule(TEXT, now).expectedSize());
    interval(TEXT, 0.6, 800);
    assertEquals(1024, table.rule(TEXT, now).expectedSize());
    assertEquals(
        List.of(
            "warm-up: chunks get smaller: RE 20.0 %, 1000 MB/s",
            "warm-up: chunks get smaller: RE 40.0 %, 900 MB/s",
            "warm-up reached its target: RE 60.0 %, 800 MB/s"),
        changes.stream().map(FlowTable.Change::reason).toList());
  }

  @Test
  void nothingChangesWithinAnIntervalNorForTooLittleData() {
    table.rule(TEXT, now);
    table.record(TEXT, measured(0.1, 100), now + 10 * MINUTES - 1);
    assertEquals(4096, table.rule(TEXT, now + 10 * MINUTES - 1).expectedSize());
    FlowTable few = new FlowTable(ControllerSettings.DEFAULT, 3, ChunkingRule::first, changes::add);
    few.rule(TEXT, 0);
    few.record(TEXT, new ChunkingRecord(1000, 1, 1000, 1000), 10 * MINUTES);
    assertEquals(4096, few.rule(TEXT, 30 * MINUTES).expectedSize());
    assertEquals(List.of(), changes);
  }

  @Test
  void aSlowFlowGetsLargerChunksAndAtLastFixedOnes() {
    reachSteady();
    for (int size = 8192; size <= 65536; size *= 2) {
      interval(TEXT, 0.6, 50);
      assertEquals(size, table.rule(TEXT, now).expectedSize());
    }
    interval(TEXT, 0.6, 50);
    assertEquals(ChunkingPolicy.FIXED, table.rule(TEXT, now).policy());
    assertEquals(
        "too slow: chunks of one size: RE 60.0 %, 50 MB/s",
        changes.get(5).reason(), changes::toString);
  }

  @Test
  void lowRedundancyMakesChunksSmallerOnlyWhereThereIsTime() {
    reachSteady();
    interval(TEXT, 0.3, 200);
    assertEquals(4096, table.rule(TEXT, now).expectedSize());
    interval(TEXT, 0.3, 251);
    assertEquals(2048, table.rule(TEXT, now).expectedSize());
  }

  @Test
  void aFlowWithoutRedundancyIsTurnedOffAndProbedAgainLaterAndLater() {
    reachSteady();
    interval(TEXT, 0.01, 500);
    assertEquals(ChunkingPolicy.NONE, table.rule(TEXT, now).policy());
    long off = now;
    assertEquals(ChunkingPolicy.NONE, table.rule(TEXT, off + 59 * MINUTES).policy());
    now = off + 70 * MINUTES;
    assertEquals(ChunkingPolicy.CONTENT_DEFINED, table.rule(TEXT, now).policy());
    interval(TEXT, 0.0, 500);
    assertEquals(ChunkingPolicy.NONE, table.rule(TEXT, now).policy());
    now += 100 * MINUTES;
    assertEquals(ChunkingPolicy.NONE, table.rule(TEXT, now).policy(), "twice as long");
    now += 30 * MINUTES;
    assertEquals(ChunkingPolicy.CONTENT_DEFINED, table.rule(TEXT, now).policy());
    interval(TEXT, 0.7, 500);
    assertEquals(ChunkingPolicy.CONTENT_DEFINED, table.rule(TEXT, now).policy());
    interval(TEXT, 0.7, 500);
    assertEquals("probe found redundancy: RE 70.0 %, 500 MB/s", changes.get(5).reason());
    assertEquals(6, changes.size());
  }

  @Test
  void packedDataPassesThroughAndIsProbedAsWell() {
    assertEquals("none", table.rule(PACKED, now).toString());
    now += 60 * MINUTES;
    assertEquals(ChunkingPolicy.CONTENT_DEFINED, table.rule(PACKED, now).policy());
  }

  @Test
  void warmUpWithoutRedundancyEndsAtTheSmallestSize() {
    table.rule(TEXT, now);
    for (int i = 0; i < 4; i++) {
      interval(TEXT, 0, 500);
    }
    assertEquals(ChunkingPolicy.NONE, table.rule(TEXT, now).policy());
    assertEquals("warm-up found no redundancy: RE 0.0 %, 500 MB/s", changes.get(3).reason());
  }

  @Test
  void theTableIsBoundedAndSumsWhatItSaw() {
    table.record(TEXT, new ChunkingRecord(100, 10, 60, 40), 0);
    table.record(TEXT, new ChunkingRecord(300, 30, 140, 60), 0);
    FlowTable.Flow flow = table.flows().get(0);
    assertEquals(1e10, flow.total().throughput());
    assertEquals(0.5, flow.total().chunkingRatio());
    assertEquals(0.75, flow.total().ratio());
    for (int i = 0; i < 5; i++) {
      table.rule(new FlowKey("app" + i, "/", FileKind.TEXT, "g"), 0);
    }
    assertEquals(3, table.flows().size());
    assertEquals(3, table.forgotten());
  }

  /** Whatever is measured, sizes stay within their bounds. */
  @Test
  void sizesStayWithinTheirBounds() {
    java.util.Random random = new java.util.Random(5);
    for (int i = 0; i < 2000; i++) {
      interval(TEXT, random.nextDouble() * random.nextInt(2), 10 + random.nextInt(600));
      now += random.nextInt(3) * 60 * MINUTES;
      int size = table.rule(TEXT, now).expectedSize();
      assertTrue(size >= 512 && size <= 65536, "size " + size);
    }
    assertTrue(changes.size() > 500);
  }

  @Test
  void policiesHaveTheStateBitsOfTheFlowTable() {
    assertEquals(0, ChunkingPolicy.NONE.stateBits());
    assertEquals(1, ChunkingPolicy.FIXED.stateBits());
    assertEquals(3, ChunkingPolicy.CONTENT_DEFINED.stateBits());
  }

  @Test
  void prefixesAreTheFirstDirectories() {
    assertEquals("/a/b", FlowKey.prefix("/a/b/c/d", 2));
    assertEquals("/a", FlowKey.prefix("/a/b", 2));
    assertEquals("", FlowKey.prefix("/a", 2));
  }

  private void reachSteady() {
    table.rule(TEXT, now);
    interval(TEXT, 0.9, 900);
    assertEquals("warm-up reached its target: RE 90.0 %, 900 MB/s", changes.get(0).reason());
  }

  private void interval(FlowKey flow, double ratio, double megabytesPerSecond) {
    now += 10 * MINUTES;
    table.record(flow, measured(ratio, megabytesPerSecond), now);
  }

  private static ChunkingRecord measured(double ratio, double megabytesPerSecond) {
    long data = 1_000_000_000;
    long sent = Math.round(data * (1 - ratio));
    return new ChunkingRecord(data, Math.round(data * 1e3 / megabytesPerSecond), sent, sent);
  }
}
