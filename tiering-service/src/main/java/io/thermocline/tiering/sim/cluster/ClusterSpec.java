// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.cluster;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import io.thermocline.tiering.sim.SimTier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A cluster of equal nodes.
 *
 * @param racks from 1
 * @param nodesPerRack from 1
 * @param network between them
 * @param blockBytes files are cut into blocks of this size, each on a device of its own
 * @param tiers slowest first
 * @param home index of the tier where files begin
 * @param readOrder by which a reader gets one of a block's copies
 */
public record ClusterSpec(
    int racks,
    int nodesPerRack,
    Network network,
    long blockBytes,
    List<TierSpec> tiers,
    int home,
    ReadOrder readOrder) {

  /** With HDFS's own read order. */
  public ClusterSpec(
      int racks,
      int nodesPerRack,
      Network network,
      long blockBytes,
      List<TierSpec> tiers,
      int home) {
    this(racks, nodesPerRack, network, blockBytes, tiers, home, ReadOrder.NEAREST);
  }

  /**
   * What a read pays beside the device.
   *
   * @param bytesPerSecond of a node's link, above 0
   * @param rackLatencySeconds within a rack
   * @param crossRackLatencySeconds between racks
   */
  public record Network(
      double bytesPerSecond, double rackLatencySeconds, double crossRackLatencySeconds) {}

  public ClusterSpec {
    tiers = List.copyOf(tiers);
    if (racks < 1 || nodesPerRack < 1 || blockBytes < 1) {
      throw new IllegalArgumentException(
          "%d racks, %d nodes in each, blocks of %d bytes: all are from 1"
              .formatted(racks, nodesPerRack, blockBytes));
    }
    if (home < 0 || home >= tiers.size()) {
      throw new IllegalArgumentException("home tier %d of %d".formatted(home, tiers.size()));
    }
  }

  /** In all racks. */
  public int nodes() {
    return racks * nodesPerRack;
  }

  /** What the devices make together, slowest first. */
  public List<SimTier> simTiers() {
    return IntStream.range(0, tiers.size())
        .mapToObj(tier -> tiers.get(tier).tier(nodes(), served(tier), blockBytes))
        .toList();
  }

  /** Copies of each file, those on faster tiers included; no node has two. */
  public int copies() {
    return Math.min(nodes(), tiers.get(home).copies());
  }

  /**
   * Where a block's copies are: as in HDFS the second in another rack, the third in the same, further ones anywhere.
   *
   * @param draw decides which nodes
   */
  public Set<Integer> nodesOf(long draw) {
    Set<Integer> nodes = new LinkedHashSet<>();
    int first = Math.floorMod((int) draw, nodes());
    nodes.add(first);
    int rack = first / nodesPerRack;
    if (racks > 1) {
      int other = (rack + 1 + Math.floorMod((int) (draw >>> 20), racks - 1)) % racks;
      int begin = Math.floorMod((int) (draw >>> 40), nodesPerRack);
      for (int i = 0; i < Math.min(2, nodesPerRack) && nodes.size() < copies(); i++) {
        nodes.add(other * nodesPerRack + (begin + i) % nodesPerRack);
      }
    }
    for (int next = first + 1; nodes.size() < copies(); next++) {
      nodes.add(next % nodes());
    }
    return nodes;
  }

  /** Which copies serve reads, with readers on all nodes alike. */
  public ReadShares readShares() {
    Map<String, String> rackOf = new HashMap<>();
    Map<String, Double> readers = new HashMap<>();
    Map<String, Double> inRacks = new HashMap<>();
    double each = 1.0 / nodes();
    for (int node = 0; node < nodes(); node++) {
      rackOf.put(node(node), rack(node));
      readers.put(node(node), each);
      inRacks.merge(rack(node), each, Double::sum);
    }
    return new ReadShares(readOrder, new Readers(readers, inRacks, true), rackOf);
  }

  /** Of a file's reads, where the copies that its reads reach first are on the tier. */
  private double served(int tier) {
    if (tier == home || tiers.get(tier).copies() >= copies()) {
      return 1;
    }
    List<Integer> nodes = List.copyOf(nodesOf(0));
    Readers readers = readShares().readers();
    double best = 0;
    for (int first = 0; first < nodes.size(); first++) {
      List<ReadOrder.Replica> replicas = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        int node = nodes.get((first + i) % nodes.size());
        StorageType type =
            StorageType.ofHadoopName(tiers.get(i < tiers.get(tier).copies() ? tier : home).name());
        replicas.add(new ReadOrder.Replica(node(node), rack(node), type));
      }
      double[] shares = readOrder.shares(replicas, readers);
      best = Math.max(best, Arrays.stream(shares).limit(tiers.get(tier).copies()).sum());
    }
    return best;
  }

  /** What a node is called. */
  public static String node(int node) {
    return "node" + node;
  }

  /** What a node's rack is called. */
  public String rack(int node) {
    return "/rack" + node / nodesPerRack;
  }

  /** The same with another read order. */
  public ClusterSpec withReadOrder(ReadOrder order) {
    return new ClusterSpec(racks, nodesPerRack, network, blockBytes, tiers, home, order);
  }

  /** The same with the fastest tier's capacity multiplied. */
  public ClusterSpec withFastest(double factor) {
    List<TierSpec> changed = new ArrayList<>(tiers);
    TierSpec fastest = changed.remove(tiers.size() - 1);
    changed.add(fastest.withDeviceBytes((long) (fastest.deviceBytes() * factor)));
    return new ClusterSpec(racks, nodesPerRack, network, blockBytes, changed, home, readOrder);
  }
}
