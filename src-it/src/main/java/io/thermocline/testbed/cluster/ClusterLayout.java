// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The DataNodes of a cluster with their racks and storages. Immutable.
 *
 * @param nodes at least one
 * @param blockSize default block size of the cluster in bytes
 */
public record ClusterLayout(List<NodeLayout> nodes, long blockSize) {

  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;

  /** Block size of {@link #demo()}: small, so that files of a few hundred KB have several blocks,
   * and an NVDIMM holds several. */
  public static final long DEMO_BLOCK_SIZE = 256 * KIB;

  private static final int DEMO_RACKS = 3;
  private static final int DEMO_NODES_PER_RACK = 2;
  private static final long DEMO_DISK = 150 * MIB;
  private static final long DEMO_ARCHIVE = 200 * MIB;
  // Totals as in a real cluster: SSD under a tenth of DISK, NVDIMM a tenth of SSD. Only the first
  // node of a rack has an NVDIMM, or it would hold one or two blocks.
  private static final long DEMO_SSD = 8 * MIB;
  private static final long DEMO_NVDIMM = DEMO_SSD * DEMO_NODES_PER_RACK / 10;

  /**
   * @throws IllegalArgumentException if there is no node, two have the same name, or a storage is
   *     smaller than a block: the NameNode never uses a storage with less than a block of space left
   */
  public ClusterLayout {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("A layout needs at least one node");
    }
    if (nodes.stream().map(NodeLayout::host).distinct().count() != nodes.size()) {
      throw new IllegalArgumentException("Two nodes have the same name: " + nodes);
    }
    for (NodeLayout node : nodes) {
      for (Map.Entry<StorageType, Long> storage : node.capacities().entrySet()) {
        if (storage.getValue() < blockSize) {
          throw new IllegalArgumentException(
              "%s of %s has %d bytes, less than a block of %d"
                  .formatted(storage.getKey(), node.host(), storage.getValue(), blockSize));
        }
      }
    }
  }

  /** Six DataNodes on three racks: DISK, SSD and ARCHIVE on all, NVDIMM on one of each rack. */
  public static ClusterLayout demo() {
    List<NodeLayout> nodes = new ArrayList<>();
    for (int rack = 1; rack <= DEMO_RACKS; rack++) {
      for (int place = 1; place <= DEMO_NODES_PER_RACK; place++) {
        Map<StorageType, Long> capacities = new LinkedHashMap<>();
        capacities.put(StorageType.DISK, DEMO_DISK);
        capacities.put(StorageType.SSD, DEMO_SSD);
        if (place == 1) {
          capacities.put(StorageType.NVDIMM, DEMO_NVDIMM);
        }
        capacities.put(StorageType.ARCHIVE, DEMO_ARCHIVE);
        // ".test" is reserved (RFC 6761): the name can't be anybody's.
        String host = "dn%d.rack%d.test".formatted(nodes.size() + 1, rack);
        nodes.add(new NodeLayout(host, "/rack" + rack, capacities));
      }
    }
    return new ClusterLayout(nodes, DEMO_BLOCK_SIZE);
  }

  /** Bytes of all storages of this type. */
  public long capacity(StorageType type) {
    return nodes.stream().mapToLong(node -> node.capacities().getOrDefault(type, 0L)).sum();
  }

  /**
   * The same nodes with all capacities multiplied; the block size stays.
   *
   * @throws IllegalArgumentException if a storage becomes smaller than a block
   */
  public ClusterLayout scaled(double factor) {
    List<NodeLayout> scaled = new ArrayList<>();
    for (NodeLayout node : nodes) {
      Map<StorageType, Long> capacities = new LinkedHashMap<>(node.capacities());
      capacities.replaceAll((type, bytes) -> Math.round(bytes * factor));
      scaled.add(new NodeLayout(node.host(), node.rack(), capacities));
    }
    return new ClusterLayout(scaled, blockSize);
  }
}
