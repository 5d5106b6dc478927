// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.placement.suora.BucketSegments;
import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.DeviceSpace;
import io.thermocline.placement.suora.NumberLine;
import io.thermocline.placement.suora.SegmentLog;
import io.thermocline.placement.suora.SegmentOperation;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.SegmentTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NumberLinesTest {

  private static final int BLOCKS = 2000;
  private static final Map<StorageType, Long> NODE = Map.of(DISK, 1000L, SSD, 100L);

  private final ClusterView five = new Scene().nodes(5, NODE).cluster();
  private final NumberLines lines = NumberLines.empty().update(five, Map.of());

  @Test
  void movesBlocksOnlyToANodeThatJoins() {
    NumberLines six = lines.update(new Scene().nodes(6, NODE).cluster(), Map.of());
    int moved = 0;
    for (long block = 0; block < BLOCKS; block++) {
      String home = home(six, SSD, block);
      if (!home.equals(home(lines, SSD, block))) {
        assertEquals("n6-SSD", home, "block " + block);
        moved++;
      }
    }
    // A sixth of 2000 is 333, the standard deviation 17: five of them each way.
    assertEquals(BLOCKS / 6.0, moved, 85);
  }

  @Test
  void aStorageThatHoldsNothingIsNobodysHomeAndKeepsNoOtherFromBeingOne() {
    long much = 1L << 40;
    ClusterView cluster =
        new Scene().nodes(3, Map.of(SSD, much)).nodes(1, Map.of(SSD, 1L)).cluster();
    for (NumberLines with : List.of(NumberLines.empty(), lines)) {
      NumberLines updated = with.update(cluster, Map.of());
      assertEquals(3, updated.buckets().get(SSD).log().deviceIds().size());
      assertNotEquals("n4-SSD", home(updated, SSD, 1));
    }
  }

  @Test
  void aTypeWithoutAnyRoomHasNoHomes() {
    ClusterView empty = new Scene().nodes(2, Map.of(DISK, 1000L, SSD, 0L)).cluster();
    NumberLines without = NumberLines.empty().update(empty, Map.of());
    assertNull(without.home(SSD, 1, storage -> true));
    assertEquals(Set.of(DISK), without.buckets().keySet());
  }

  @Test
  void aBlockHasNoMoreHomesThanThereAreNodes() {
    Map<String, String> nodes = new HashMap<>();
    five.nodes().values().forEach(n -> n.storages().forEach(s -> nodes.put(s.id(), n.uuid())));
    List<String> homes = lines.homes(SSD, 1, 3, nodes);
    assertEquals(3, Set.copyOf(homes).size());
    assertEquals(homes, lines.homes(SSD, 1, 7, nodes).subList(0, 3));
    assertEquals(5, lines.homes(SSD, 1, 7, nodes).size());
  }

  @Test
  void findsTheHomesThatTheNameNodeHasWrittenDown(@TempDir Path directory) throws IOException {
    // Not in the order of the ids, and n3 and n5 unheard of.
    SegmentLog log =
        SegmentLog.empty("SSD")
            .with(
                SegmentOperation.assign(
                    List.of(
                        Device.of("n4-SSD", 100),
                        Device.of("n1-SSD", 100),
                        Device.of("n2-SSD", 100)),
                    100));
    Files.writeString(directory.resolve("SSD.segments"), log.text());
    SegmentTables tables = new SegmentTables(directory);
    NumberLines written = NumberLines.empty().update(five, tables.read());
    NumberLine theirs =
        BucketSegments.of(log)
            .follow(
                new TreeMap<>(
                    Map.of(
                        "n1-SSD", DeviceSpace.ofUnknownFill(100),
                        "n2-SSD", DeviceSpace.ofUnknownFill(100),
                        "n3-SSD", DeviceSpace.ofUnknownFill(100),
                        "n4-SSD", DeviceSpace.ofUnknownFill(100),
                        "n5-SSD", DeviceSpace.ofUnknownFill(100))),
                BucketSegments.Growth.APPEND)
            .numberLine();
    int otherThanOurs = 0;
    for (long block = 0; block < BLOCKS; block++) {
      String home = home(written, SSD, block);
      int device = theirs.selector(SSD.bucket()).select(block, any -> true, 1000);
      assertEquals(theirs.deviceId(device), home, "block " + block);
      otherThanOurs += home.equals(home(lines, SSD, block)) ? 0 : 1;
    }
    assertTrue(otherThanOurs > BLOCKS / 2, "homes that differ: " + otherThanOurs);
    // A damaged file leaves what was known.
    Files.writeString(directory.resolve("SSD.segments"), "nonsense\nand more\n");
    NumberLines after = NumberLines.empty().update(five, tables.read());
    for (long block = 0; block < BLOCKS; block++) {
      assertEquals(home(written, SSD, block), home(after, SSD, block), "block " + block);
    }
    assertEquals(Map.of(), new SegmentTables(null).read());
  }

  @Test
  void movesOnlyTheBlocksOfANodeThatLeaves() {
    Map<String, ClusterView.Node> nodes = new HashMap<>(five.nodes());
    nodes.remove("n2");
    NumberLines four = lines.update(new ClusterView(nodes, 1), Map.of());
    int moved = 0;
    for (long block = 0; block < BLOCKS; block++) {
      String before = home(lines, DISK, block);
      String after = home(four, DISK, block);
      if (before.equals("n2-DISK")) {
        assertNotEquals("n2-DISK", after, "block " + block);
        moved++;
      } else {
        assertEquals(before, after, "block " + block);
      }
    }
    assertTrue(moved > 0);
  }

  @Test
  void asksTheNextStorageWhereTheHomeDoesNotFit() {
    for (long block = 0; block < 100; block++) {
      String home = home(lines, SSD, block);
      String next = lines.home(SSD, block, storage -> !storage.equals(home));
      assertNotEquals(home, next);
    }
    assertNull(lines.home(SSD, 1, storage -> false));
    assertNull(lines.home(StorageType.NVDIMM, 1, storage -> true));
  }

  @Test
  void givesABlockHomesOnDifferentNodesOnDifferentTypes() {
    int same = 0;
    for (long block = 0; block < BLOCKS; block++) {
      String disk = home(lines, DISK, block).split("-")[0];
      same += disk.equals(home(lines, SSD, block).split("-")[0]) ? 1 : 0;
    }
    // By chance one in five, 400, standard deviation 18; with one sequence for both, all of them.
    assertEquals(BLOCKS / 5.0, same, 90);
  }

  private static String home(NumberLines lines, StorageType type, long block) {
    return lines.home(type, block, storage -> true);
  }
}
