// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.records;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.api.PlanResource;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentMovesTest {

  @Test
  void hasTheLastTenThousandHoweverManyThereWere() {
    RecentMoves recent =
        new RecentMoves(
            Clock.fixed(Instant.ofEpochMilli(1_000_000), ZoneOffset.UTC), uuid -> uuid + ".test:1");
    for (int i = 0; i < 35_000; i++) {
      recent.changed(move(i), MoveState.COPYING, "");
      recent.changed(move(i), MoveState.VERIFIED, "");
    }

    List<PlanResource.MoveState> all = recent.all();
    assertEquals(10_000, all.size());
    assertEquals("1-34999.0", all.get(0).id());
    assertEquals("VERIFIED", all.get(0).state());
    assertEquals("1-25000.0", all.get(9999).id());
    assertEquals("n1.test:1 DISK", all.get(0).from());
    assertEquals("n2.test:1 SSD", all.get(0).to());
  }

  private static Move move(int i) {
    FileView.Replica disk = new FileView.Replica("n1", "n1-DISK", StorageType.DISK);
    FileView.Block block = new FileView.Block("pool", i, 1, 10, List.of(disk));
    return new Move("1-" + i + ".0", "/d/f" + i, block, disk, "n2", "n2-SSD", StorageType.SSD);
  }
}
