// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MeasuredReadsTest {

  private static final StorageType DISK = StorageType.DISK;
  private static final StorageType SSD = StorageType.SSD;

  private final MeasuredReads reads = new MeasuredReads();
  private CandidateBlocks blocks = CandidateBlocks.NONE;

  @Test
  void addsUpWhatEachTypeServed() {
    plan(100, block(1, "n1 SSD", "n2 DISK", "n3 DISK"));
    plan(200, block(1, "n1 SSD", "n2 DISK", "n3 DISK"));
    read(1, "n1", 10, 110);
    read(1, "n2", 20, 120);
    read(1, "n3", 30, 130);
    read(1, "n1", 40, 200);
    written(1, "n2", 500, 150);
    assertEquals(
        new MeasuredReads.Taken(
            Map.of(
                SSD, new MeasuredReads.Served(2, 50),
                DISK, new MeasuredReads.Served(2, 50)),
            new MeasuredReads.Served(0, 0),
            0,
            3,
            110,
            200),
        reads.take());
    assertTrue(reads.take().isNothing(), "it begins anew");
  }

  @Test
  void whoseReplicaIsNotKnownCountsAmongTheOthers() {
    plan(100, block(1, "n1 SSD"));
    plan(200, block(1, "n1 SSD"));
    read(2, "n1", 1, 150);
    read(1, "n2", 2, 150);
    MeasuredReads.Taken taken = reads.take();
    assertEquals(Map.of(), taken.byType());
    assertEquals(new MeasuredReads.Served(2, 3), taken.others());
  }

  @Test
  void whatWasReadBeforeTheFirstPlanIsNotCounted() {
    read(1, "n1", 1, 50);
    plan(100, block(1, "n1 SSD"));
    read(1, "n1", 1, 100);
    assertTrue(reads.take().isNothing(), "another run of the service may have counted it");
  }

  @Test
  void aReplicaThatMovedToAnotherDataNodeIsKnownAtBothPlaces() {
    plan(100, block(1, "n1 DISK"));
    plan(200, block(1, "n2 SSD"));
    read(1, "n1", 1, 150);
    read(1, "n2", 2, 190);
    assertEquals(
        Map.of(DISK, new MeasuredReads.Served(1, 1), SSD, new MeasuredReads.Served(1, 2)),
        reads.take().byType());
  }

  /** Nobody knows whether it moved before or after the read; HDFS may have shown it late, too. */
  @Test
  void aReplicaThatMovedOnItsDataNodeIsOfNoTypeUntilItStaysThere() {
    plan(100, block(1, "n1 DISK"));
    plan(200, block(1, "n1 SSD"));
    read(1, "n1", 1, 150);
    plan(300, block(1, "n1 SSD"));
    read(1, "n1", 1, 250);
    plan(400, block(1, "n1 SSD"));
    read(1, "n1", 4, 350);
    MeasuredReads.Taken taken = reads.take();
    assertEquals(Map.of(SSD, new MeasuredReads.Served(1, 4)), taken.byType());
    assertEquals(new MeasuredReads.Served(2, 2), taken.others());
  }

  /** Logs may be shipped long after. */
  @Test
  void whatALogTellsLateIsOfTheTypeOfThen() {
    plan(100, block(1, "n1 DISK"));
    plan(200, block(1, "n1 DISK"));
    plan(300, block(1, "n1 SSD"));
    plan(400, block(1, "n1 SSD"));
    plan(500, block(1, "n1 SSD"));
    read(1, "n1", 1, 150);
    read(1, "n1", 2, 250);
    read(1, "n1", 4, 401);
    MeasuredReads.Taken taken = reads.take();
    assertEquals(
        Map.of(DISK, new MeasuredReads.Served(1, 1), SSD, new MeasuredReads.Served(1, 4)),
        taken.byType());
    assertEquals(new MeasuredReads.Served(1, 2), taken.others(), "while it moved");
  }

  @Test
  void readsPastTheDataNodeHaveNoBytes() {
    plan(100, block(1, "n1 SSD"));
    plan(200, block(1, "n1 SSD"));
    reads.accept(new Transfer(BlockAccess.Kind.SHORT_CIRCUIT, 1, "n1", -1, 150), blocks);
    MeasuredReads.Taken taken = reads.take();
    assertEquals(Map.of(SSD, new MeasuredReads.Served(1, 0)), taken.byType());
    assertEquals(1, taken.withoutBytes());
  }

  private void plan(long asOfMillis, FileView.Block... shown) {
    blocks =
        blocks.next(
            List.of(new FileView("/f", 1000, 3, 0, List.of(shown))), Integer.MAX_VALUE, asOfMillis);
  }

  private static FileView.Block block(long id, String... places) {
    return new FileView.Block(
        "BP",
        id,
        1,
        1000,
        Stream.of(places)
            .map(place -> place.split(" "))
            .map(
                place ->
                    new FileView.Replica(
                        place[0], place[0] + place[1], StorageType.valueOf(place[1])))
            .toList());
  }

  private void read(long blockId, String node, long bytes, long millis) {
    reads.accept(new Transfer(BlockAccess.Kind.READ, blockId, node, bytes, millis), blocks);
  }

  private void written(long blockId, String node, long bytes, long millis) {
    reads.accept(new Transfer(BlockAccess.Kind.WRITE, blockId, node, bytes, millis), blocks);
  }

  private record Transfer(Kind kind, long blockId, String dataNode, long bytes, long timeMillis)
      implements BlockAccess {
    @Override
    public String poolId() {
      return "BP";
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public long durationNanos() {
      return 0;
    }

    @Override
    public String client() {
      return "c";
    }
  }
}
