// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.GB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FakeDatanode;
import org.junit.jupiter.api.Test;

class BucketTableTest {
  private static final int KEYS = 5000;

  private final long[] nanos = {0};
  private final PolicyHost host = new PolicyHost(() -> nanos[0], () -> 0, Thread::sleep);
  private final BucketTable table = table(new Configuration(false));
  private final SortedMap<String, DatanodeStorageInfo> present = new TreeMap<>();
  private final Map<String, FakeDatanode> nodes = new HashMap<>();

  @Test
  void unchangedClusterKeepsItsLine() {
    put("a", 100 * GB);
    put("b", 100 * GB);
    BucketLine line = table.refresh(present, Set.of());
    assertSame(line, table.refresh(present, Set.of()));
    // As on file systems whose capacity wavers.
    put("a", 100 * GB - GB / 2);
    assertSame(line, table.refresh(present, Set.of()));
    put("a", 110 * GB);
    assertNotSame(line, table.refresh(present, Set.of()));
  }

  @Test
  void emptyBucketHasNoLineAndStartsAnew() {
    assertNull(table.refresh(present, Set.of()));
    put("a", 100 * GB);
    assertEquals("a", homes(table.refresh(present, Set.of())).get(0L));
    present.clear();
    assertNull(table.refresh(present, Set.of()));
    put("b", 100 * GB);
    assertEquals("b", homes(table.refresh(present, Set.of())).get(0L));
  }

  @Test
  void storageThatJoinsTakesFromAllAndMovesNothingBetweenOldOnes() {
    for (char id = 'b'; id <= 'j'; id++) {
      put("" + id, 100 * GB);
    }
    Map<Long, String> before = homes(table.refresh(present, Set.of()));
    // First by id, and yet last on the line.
    put("a", 100 * GB);
    Map<Long, String> after = homes(table.refresh(present, Set.of()));
    int moved = 0;
    for (long key = 0; key < KEYS; key++) {
      if (!before.get(key).equals(after.get(key))) {
        assertEquals("a", after.get(key));
        moved++;
      }
    }
    double share = 1 / 10.0;
    assertEquals(KEYS * share, moved, 5 * Math.sqrt(KEYS * share * (1 - share)));
  }

  @Test
  void storageThatLeavesMovesOnlyItsOwn() {
    for (char id = 'a'; id <= 'j'; id++) {
      put("" + id, (100 + id) * GB);
    }
    Map<Long, String> before = homes(table.refresh(present, Set.of()));
    present.remove("d");
    Map<Long, String> after = homes(table.refresh(present, Set.of()));
    for (long key = 0; key < KEYS; key++) {
      assertTrue(before.get(key).equals("d") || before.get(key).equals(after.get(key)));
    }
  }

  @Test
  void laterStorageIsMeasuredByTheFirstP() {
    put("a", 100 * GB);
    put("b", 100 * GB);
    table.refresh(present, Set.of());
    put("c", 400 * GB);
    Map<Long, String> homes = homes(table.refresh(present, Set.of()));
    long large = homes.values().stream().filter("c"::equals).count();
    double share = 400 / 600.0;
    assertEquals(KEYS * share, large, 5 * Math.sqrt(KEYS * share * (1 - share)));
  }

  @Test
  void oddFirstStorageDoesNotSpoilTheLine() {
    put("a", GB / 100);
    put("b", GB / 100);
    table.refresh(present, Set.of());
    // Alone it fits in no line measured by the first two.
    put("c", 16_000 * GB);
    Map<Long, String> homes = homes(table.refresh(present, Set.of()));
    assertEquals(KEYS, homes.values().stream().filter("c"::equals).count(), 1);
  }

  @Test
  void restartsOfNodesDoNotFillTheLineWithHoles() {
    for (int i = 0; i < 20; i++) {
      put("s" + i, 100 * GB);
    }
    table.refresh(present, Set.of());
    // 200 storages leave and come back, each with the line refreshed in between.
    for (int i = 0; i < 200; i++) {
      DatanodeStorageInfo gone = present.remove("s" + i % 20);
      table.refresh(present, Set.of());
      present.put("s" + i % 20, gone);
      BucketLine line = table.refresh(present, Set.of());
      // Bounded draws still find a home for every key.
      assertTrue(homes(line).values().stream().noneMatch("nowhere"::equals));
    }
    assertTrue(table.figures().cells() <= 20 * 4, "cells: " + table.figures().cells());
  }

  @Test
  void newObjectsForOldIdsReplaceTheOldOnes() {
    put("a", 100 * GB);
    table.refresh(present, Set.of());
    nodes.clear();
    put("a", 100 * GB);
    BucketLine line = table.refresh(present, Set.of());
    assertSame(present.get("a"), line.place(1, storage -> true));
  }

  private BucketTable table(Configuration conf) {
    TableKeeping keeping = new TableKeeping(host, PolicySettings.of(conf, host.counters()));
    return new BucketTable(StorageType.DISK, keeping, new LineSelection());
  }

  private void put(String id, long capacity) {
    FakeDatanode node = nodes.computeIfAbsent(id, key -> new FakeDatanode(nodes.size(), "/rack"));
    node.with(org.apache.hadoop.fs.StorageType.DISK, id, capacity);
    present.put(id, node.node().getStorageInfo(id));
  }

  private static Map<Long, String> homes(BucketLine line) {
    Map<Long, String> homes = new HashMap<>();
    for (long key = 0; key < KEYS; key++) {
      DatanodeStorageInfo storage = line.place(key, any -> true);
      homes.put(key, storage == null ? "nowhere" : storage.getStorageID());
    }
    return homes;
  }
}
