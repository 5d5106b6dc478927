// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * What must hold of any placement, however it came about: the promises of the stock policy, and that ours
 * is never worse than the stock policy's own placement on the same cluster.
 */
final class PlacementInvariants {
  /** The stock policy draws nodes at random, and may be lucky once where it mostly isn't. */
  private static final int SAMPLES = 40;

  /** Samples that judge where the first ones look bad: tens of thousands of calls are compared. */
  private static final int MORE_SAMPLES = 1000;

  /**
   * By how many replicas ours may be behind on average of one call, other than in their number: on a few
   * nodes that are nearly full, the one drawn for its capacity in one type may be the one that the next type
   * needed. Over all calls ours may not be behind at all.
   */
  private static final double MARGIN = 0.5;

  private static final List<String> MERITS =
      List.of("replicas", "replicas of wanted types", "racks", "replicas that aren't stale");

  private final RandomCluster world;
  private final NetworkTopology topology;
  private final double mostTransfers;

  /** The load is compared with what it is now. */
  PlacementInvariants(RandomCluster world) {
    this.world = world;
    this.topology = world.cluster().topology();
    this.mostTransfers = 2 * world.stats().getInServiceXceiverAverage();
  }

  /** Checks one outcome by itself. */
  void check(PlacementScenario call, PlacementScenario.Outcome outcome) {
    List<DatanodeStorageInfo> targets = outcome.targets();
    Set<DatanodeStorageInfo> before = identities(call.chosen());
    List<DatanodeStorageInfo> fresh = fresh(call, outcome);
    assertTrue(fresh.size() <= call.replicas(), "more than asked for");
    assertEquals(call.chosen(), outcome.chosen(), "the caller's chosen replicas changed");
    assertTrue(outcome.excluded().containsAll(call.excluded()), "an exclusion was lost");
    if (call.returnsChosen() && !targets.isEmpty()) {
      assertTrue(identities(targets).containsAll(before), "a chosen replica is missing");
    }
    Set<Node> nodes = new HashSet<>();
    for (DatanodeStorageInfo storage : all(call, outcome)) {
      assertTrue(nodes.add(storage.getDatanodeDescriptor()), "two replicas on a node");
    }
    for (DatanodeStorageInfo storage : fresh) {
      checkTarget(call, storage);
    }
    checkRacks(call, outcome);
    checkLocal(call, fresh, targets);
    checkPipeline(call, targets);
  }

  private void checkTarget(PlacementScenario call, DatanodeStorageInfo storage) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    assertTrue(topology.contains(node), "not in the cluster");
    assertTrue(node.isInService(), "not in service");
    assertTrue(node.isAlive(), "dead");
    assertFalse(call.excluded().contains(node), "excluded");
    assertFalse(world.avoidsSlow() && world.isSlow(node), "slow");
    boolean unasked = node == call.writer() || call.favoured().contains(node);
    assertTrue(
        unasked
            || !world.considersLoad()
            || mostTransfers == 0
            || node.getXceiverCount() <= mostTransfers,
        "too busy");
    assertSame(storage, node.getStorageInfo(storage.getStorageID()), "not the node's");
    assertTrue(ThermoclineBridge.isNormal(storage), "failed storage");
    assertTrue(hasSpace(node, storage.getStorageType(), call.blockSize()), "no space");
    Set<StorageType> types = new HashSet<>(Arrays.asList(call.policy().getStorageTypes()));
    types.addAll(Arrays.asList(call.policy().getCreationFallbacks()));
    types.addAll(Arrays.asList(call.policy().getReplicationFallbacks()));
    assertTrue(types.contains(storage.getStorageType()), "type outside the storage policy");
  }

  /** The stock rule. */
  private static boolean hasSpace(DatanodeDescriptor node, StorageType type, long size) {
    long remaining = 0;
    for (DatanodeStorageInfo storage : node.getStorageInfos()) {
      if (ThermoclineBridge.isNormal(storage)
          && storage.getStorageType() == type
          && ThermoclineBridge.remaining(storage) >= size) {
        remaining += ThermoclineBridge.remaining(storage);
      }
    }
    return remaining - size * node.getBlocksScheduled(type) >= size;
  }

  private void checkRacks(PlacementScenario call, PlacementScenario.Outcome outcome) {
    int total = Math.min(call.chosen().size() + call.replicas(), topology.getNumOfLeaves());
    int racks = topology.getNumOfNonEmptyRacks();
    if (racks <= 1 || total <= 1 || !call.favoured().isEmpty()) {
      return;
    }
    int most = (total - 1) / racks + 2;
    most = most == total ? most - 1 : most;
    for (DatanodeStorageInfo storage : fresh(call, outcome)) {
      String rack = storage.getDatanodeDescriptor().getNetworkLocation();
      long there =
          all(call, outcome).stream()
              .filter(one -> one.getDatanodeDescriptor().getNetworkLocation().equals(rack))
              .count();
      assertTrue(there <= most, there + " replicas on rack " + rack + ", not over " + most);
    }
  }

  private void checkLocal(
      PlacementScenario call, List<DatanodeStorageInfo> fresh, List<DatanodeStorageInfo> targets) {
    if (!(call.writer() instanceof DatanodeDescriptor writer)
        || !call.chosen().isEmpty()
        || !call.favoured().isEmpty()
        || fresh.isEmpty()
        || !world.prefersLocal()
        || call.bars(AddBlockFlag.NO_LOCAL_WRITE)
        || call.bars(AddBlockFlag.NO_LOCAL_RACK)) {
      return;
    }
    boolean fit =
        topology.contains(writer)
            && writer.isInService()
            && !(world.avoidsStale() && writer.isStale(30_000))
            && !(world.avoidsSlow() && world.isSlow(writer))
            && !call.excluded().contains(writer)
            && call.policy().chooseStorageTypes((short) fresh.size()).stream()
                .anyMatch(type -> hasSpace(writer, type, call.blockSize()));
    if (fit) {
      assertSame(writer, targets.get(0).getDatanodeDescriptor(), "the first replica isn't local");
    }
  }

  private void checkPipeline(PlacementScenario call, List<DatanodeStorageInfo> targets) {
    Node from = call.writer();
    if (!call.favoured().isEmpty()
        || targets.isEmpty()
        || !(from instanceof DatanodeDescriptor)
        || !topology.contains(from)) {
      return;
    }
    for (int i = 0; i < targets.size(); i++) {
      Node next = targets.get(i).getDatanodeDescriptor();
      for (DatanodeStorageInfo later : targets.subList(i, targets.size())) {
        assertTrue(
            topology.getDistance(from, next)
                <= topology.getDistance(from, later.getDatanodeDescriptor()),
            "the pipeline takes a detour");
      }
      from = next;
    }
  }

  /** What ours found more than the stock policy over many calls, by merit. */
  static final class Lead {
    private final long[] total = new long[MERITS.size()];

    void check() {
      for (int i = 0; i < total.length; i++) {
        assertTrue(total[i] >= 0, MERITS.get(i) + ": " + total[i] + " over all calls");
      }
    }

    @Override
    public String toString() {
      return MERITS + " " + Arrays.toString(total);
    }
  }

  /**
   * Compares with the stock policy: replicas found, wanted types, racks, stale nodes.
   *
   * @param lead what this call adds to
   */
  void checkAgainst(
      BlockPlacementPolicy stock,
      BlockPlacementPolicy ours,
      PlacementScenario call,
      PlacementScenario.Outcome outcome,
      Lead lead) {
    PlacementScenario.Outcome theirs = call.ask(stock);
    List<ToIntFunction<PlacementScenario.Outcome>> merits =
        List.of(
            one -> fresh(call, one).size(),
            one -> wantedTypes(call, one),
            // What favoured nodes leave over the stock policy puts anywhere, and ours by capacity.
            one -> call.favoured().isEmpty() ? Math.min(2, racks(call, one)) : 0,
            // A wanted type is worth a stale node, for the stock policy as well. Beside favoured
            // nodes it soon takes stale ones, and ours then rather than a storage that is nearly
            // full.
            one -> call.favoured().isEmpty() ? heard(call, one) + wantedTypes(call, one) : 0);
    // Where the stock policy's draws miss a node it gives up all flags, and may find better types
    // where the writer wants none.
    boolean keepsFlags =
        (call.bars(AddBlockFlag.NO_LOCAL_WRITE) || call.bars(AddBlockFlag.NO_LOCAL_RACK))
            && fresh(call, outcome).stream().noneMatch(one -> isAvoided(call, one));
    for (int i = 0; i < (keepsFlags ? 1 : merits.size()); i++) {
      ToIntFunction<PlacementScenario.Outcome> merit = merits.get(i);
      int difference = merit.applyAsInt(outcome) - merit.applyAsInt(theirs);
      lead.total[i] += difference;
      double margin = i == 0 ? 0 : MARGIN;
      if (difference < 0
          && behind(stock, ours, call, merit, SAMPLES, margin) > 0
          && behind(stock, ours, call, merit, MORE_SAMPLES, margin) > 0) {
        fail(MERITS.get(i) + ": fewer than the stock policy finds on average");
      }
    }
  }

  /**
   * By how much ours is worse on average, beyond the margin and chance: both draw at random.
   *
   * @return positive where it is worse
   */
  private static double behind(
      BlockPlacementPolicy stock,
      BlockPlacementPolicy ours,
      PlacementScenario call,
      ToIntFunction<PlacementScenario.Outcome> merit,
      int samples,
      double margin) {
    double[] sum = new double[2];
    double[] squares = new double[2];
    for (int i = 0; i < samples; i++) {
      for (int which = 0; which < 2; which++) {
        int value = merit.applyAsInt(call.ask(which == 0 ? ours : stock));
        sum[which] += value;
        squares[which] += value * value;
      }
    }
    double variance = 0;
    for (int which = 0; which < 2; which++) {
      variance += squares[which] / samples - Math.pow(sum[which] / samples, 2);
    }
    // Five standard errors of the difference of two means.
    double slack = 5 * Math.sqrt(variance / samples);
    return (sum[1] - sum[0]) / samples - slack - margin - 1e-9;
  }

  private static int wantedTypes(PlacementScenario call, PlacementScenario.Outcome outcome) {
    List<DatanodeStorageInfo> all = all(call, outcome);
    List<StorageType> wanted =
        new ArrayList<>(
            call.policy().chooseStorageTypes((short) (call.chosen().size() + call.replicas())));
    int matches = 0;
    for (DatanodeStorageInfo storage : all) {
      matches += wanted.remove(storage.getStorageType()) ? 1 : 0;
    }
    return matches;
  }

  private static int racks(PlacementScenario call, PlacementScenario.Outcome outcome) {
    return (int)
        all(call, outcome).stream()
            .map(one -> one.getDatanodeDescriptor().getNetworkLocation())
            .distinct()
            .count();
  }

  /** New replicas but those on stale nodes where such are to be avoided. */
  private int heard(PlacementScenario call, PlacementScenario.Outcome outcome) {
    return (int)
        fresh(call, outcome).stream()
            .filter(one -> !world.avoidsStale() || !one.getDatanodeDescriptor().isStale(30_000))
            .count();
  }

  /** Whether the call's flags ask for another node or rack. */
  private boolean isAvoided(PlacementScenario call, DatanodeStorageInfo one) {
    Node writer = call.writer();
    DatanodeDescriptor node = one.getDatanodeDescriptor();
    return writer != null
        && (call.bars(AddBlockFlag.NO_LOCAL_WRITE) && node.equals(writer)
            || call.bars(AddBlockFlag.NO_LOCAL_RACK)
                && topology.getNumOfRacks() > 2
                && node.getNetworkLocation().equals(writer.getNetworkLocation()));
  }

  private static List<DatanodeStorageInfo> fresh(
      PlacementScenario call, PlacementScenario.Outcome outcome) {
    Set<DatanodeStorageInfo> before = identities(call.chosen());
    return outcome.targets().stream()
        .filter(one -> !call.returnsChosen() || !before.contains(one))
        .toList();
  }

  private static List<DatanodeStorageInfo> all(
      PlacementScenario call, PlacementScenario.Outcome outcome) {
    List<DatanodeStorageInfo> all = new ArrayList<>(call.chosen());
    all.addAll(fresh(call, outcome));
    return all;
  }

  private static Set<DatanodeStorageInfo> identities(List<DatanodeStorageInfo> storages) {
    Set<DatanodeStorageInfo> set = Collections.newSetFromMap(new IdentityHashMap<>());
    set.addAll(storages);
    return set;
  }
}
