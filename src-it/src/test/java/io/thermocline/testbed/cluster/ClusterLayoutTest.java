// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterLayoutTest {

  @Test
  void theDemoHasRealisticShares() {
    ClusterLayout demo = ClusterLayout.demo();
    assertEquals(6, demo.nodes().size());
    assertEquals(3, demo.nodes().stream().map(NodeLayout::rack).distinct().count());
    assertTrue(demo.capacity(StorageType.SSD) * 10 <= demo.capacity(StorageType.DISK));
    assertTrue(demo.capacity(StorageType.NVDIMM) * 10 <= demo.capacity(StorageType.SSD));
    List<String> nvdimmRacks =
        demo.nodes().stream()
            .filter(node -> node.capacities().containsKey(StorageType.NVDIMM))
            .map(NodeLayout::rack)
            .toList();
    assertEquals(List.of("/rack1", "/rack2", "/rack3"), nvdimmRacks);
  }

  @Test
  void scalingMultipliesCapacities() {
    ClusterLayout demo = ClusterLayout.demo();
    ClusterLayout twice = demo.scaled(2);
    assertEquals(2 * demo.capacity(StorageType.NVDIMM), twice.capacity(StorageType.NVDIMM));
    assertEquals(demo.blockSize(), twice.blockSize());
  }

  @Test
  void aStorageSmallerThanABlockIsRefused() {
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> ClusterLayout.demo().scaled(0.1));
    assertTrue(e.getMessage().contains("NVDIMM of dn1.rack1.test"), e.getMessage());
  }

  @Test
  void twoNodesOfOneNameAreRefused() {
    NodeLayout node = new NodeLayout("dn1.test", "/r", Map.of(StorageType.DISK, 1L));
    assertThrows(IllegalArgumentException.class, () -> new ClusterLayout(List.of(node, node), 1));
  }
}
