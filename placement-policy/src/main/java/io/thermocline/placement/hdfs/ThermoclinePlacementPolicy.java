// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FSClusterStats;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/**
 * Block placement by SUORA's number lines: the class to name in {@code
 * dfs.block.replicator.classname}. Safe for any thread.
 *
 * <p>Writes: the stock policy's whole flow stays (local first replica, rack rules, favoured nodes,
 * fallback types). Only where it would draw a random node, the storage comes from the wanted type's
 * number line: in proportion to the capacity of single storages, in constant time. Each candidate
 * passes the stock checks; one that doesn't is replaced by the next number of the sequence, and after
 * a bounded number of them the stock policy draws. So it does after any failure of ours.
 *
 * <p>Deletes: the replica that a move names goes, see {@link MoveHint}. Where the stock policy finds
 * no replica to delete, because the excess type's replica is needed for its rack, it would keep the
 * block over-replicated for good; here the types are ignored then and its own rules for racks,
 * heartbeats and space decide. After a move that would have cost a rack this undoes the move.
 *
 * <p>Outside the NameNode (balancer, mover, fsck create one, without cluster statistics) it is the
 * stock policy.
 */
public class ThermoclinePlacementPolicy extends ThermoclineBridge {
  /** How often the number lines are checked against the cluster, in milliseconds. */
  public static final String REFRESH_KEY = "thermocline.placement.refresh.ms";

  public static final long REFRESH_DEFAULT = 1000;

  private final PolicyHost host;

  /** Null outside the NameNode. */
  private ClusterLines lines;

  private long leastBlocks;

  /** For Hadoop, which creates policies by reflection. */
  public ThermoclinePlacementPolicy() {
    this(PolicyHost.system());
  }

  ThermoclinePlacementPolicy(PolicyHost host) {
    this.host = host;
  }

  @Override
  protected void initialized(Configuration conf, FSClusterStats stats, NetworkTopology clusterMap) {
    if (stats == null) {
      return;
    }
    ClusterLines fresh = new ClusterLines(clusterMap, host.counters());
    PolicySettings settings = PolicySettings.of(conf, host.counters());
    leastBlocks = settings.leastBlocks();
    LineRefresher.start(fresh, host, settings.refreshMillis());
    lines = fresh;
  }

  /** What this policy did so far. */
  public final PlacementCounters counters() {
    return host.counters();
  }

  /** Whether there is a number line for the type: from one refresh after its first storage on. */
  final boolean hasLine(StorageType type) {
    return lines != null && lines.of(StorageTypes.ours(type)) != null;
  }

  @Override
  protected DatanodeStorageInfo chooseRandom(
      int numOfReplicas,
      String scope,
      Set<Node> excludedNodes,
      long blocksize,
      int maxNodesPerRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes,
      EnumMap<StorageType, Integer> storageTypes)
      throws NotEnoughReplicasException {
    int left = numOfReplicas;
    DatanodeStorageInfo first = null;
    if (lines != null) {
      if (LOG.isDebugEnabled()) {
        // The stock checks collect their debug text per thread, and only the start of the stock
        // chooseRandom empties it. For no replicas it does nothing else.
        super.chooseRandom(
            0,
            scope,
            excludedNodes,
            blocksize,
            maxNodesPerRack,
            results,
            avoidStaleNodes,
            storageTypes);
      }
      Demand demand =
          new Demand(
              scope,
              excludedNodes,
              blocksize,
              maxNodesPerRack,
              results,
              avoidStaleNodes,
              storageTypes);
      while (left > 0) {
        DatanodeStorageInfo chosen = chooseFromLine(demand);
        if (chosen == null) {
          break;
        }
        first = first == null ? chosen : first;
        left--;
      }
      if (left == 0) {
        return first;
      }
    }
    DatanodeStorageInfo stock =
        super.chooseRandom(
            left,
            scope,
            excludedNodes,
            blocksize,
            maxNodesPerRack,
            results,
            avoidStaleNodes,
            storageTypes);
    return first == null ? stock : first;
  }

  /** Chooses one replica and records it as the stock policy would, or changes nothing. */
  private DatanodeStorageInfo chooseFromLine(Demand demand) {
    Event outcome = Event.NO_LINE;
    try {
      BucketLine line = lines.of(StorageTypes.ours(demand.firstType()));
      if (line != null) {
        DatanodeStorageInfo storage = line.place(host.nonce(), one -> takes(one, demand));
        outcome = storage == null ? Event.NO_CANDIDATE : Event.PLACED;
        if (storage != null) {
          exclude(storage.getDatanodeDescriptor(), demand.excludedNodes);
          demand.countDown(storage.getStorageType());
        }
        return storage;
      }
      return null;
    } catch (RuntimeException | LinkageError e) {
      outcome = Event.PLACEMENT_FAILED;
      host.log().warn(outcome, e);
      return null;
    } finally {
      host.counters().count(outcome);
    }
  }

  /** Whether the storage will do. If so it is in the results already. */
  private boolean takes(DatanodeStorageInfo storage, Demand demand) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    // Cheap tests first. A snapshot may be a refresh old: the node may have died and the storage
    // may have been taken out of it since.
    if (!demand.mayUse(node)
        || !node.isAlive()
        || !isNormal(storage)
        || !isGood(node, demand.maxNodesPerRack, demand.results, demand.avoidStaleNodes)
        || !hasSpace(storage, node, demand.blocksize)
        || node.getStorageInfo(storage.getStorageID()) != storage) {
      return false;
    }
    // Last because it adds a storage of the type, not always this one, to the results.
    if (!addIfSpace(node, demand.blocksize, demand.results, storage.getStorageType())) {
      return false;
    }
    demand.results.set(demand.results.size() - 1, storage);
    return true;
  }

  /**
   * Space on this very storage, where the stock check adds up all of the type. What is scheduled is
   * known per node and type only, and might all go here.
   */
  private boolean hasSpace(DatanodeStorageInfo storage, DatanodeDescriptor node, long blocksize) {
    long scheduled = blocksize * node.getBlocksScheduled(storage.getStorageType());
    return remaining(storage) - scheduled >= blocksize * leastBlocks;
  }

  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> availableReplicas,
      Collection<DatanodeStorageInfo> delCandidates,
      int expectedNumOfReplicas,
      List<StorageType> excessTypes,
      DatanodeDescriptor addedNode,
      DatanodeDescriptor delNodeHint) {
    DatanodeStorageInfo named =
        namedByMove(
            availableReplicas, delCandidates, expectedNumOfReplicas, addedNode, delNodeHint);
    if (named != null) {
      host.counters().count(Event.HINT_HONOURED);
      return new ArrayList<>(Collections.singletonList(named));
    }
    List<DatanodeStorageInfo> stock =
        super.chooseReplicasToDelete(
            availableReplicas,
            delCandidates,
            expectedNumOfReplicas,
            excessTypes,
            addedNode,
            delNodeHint);
    if (!stock.isEmpty() || delCandidates.size() <= expectedNumOfReplicas) {
      return stock;
    }
    List<DatanodeStorageInfo> healed =
        super.chooseReplicasToDelete(
            availableReplicas,
            delCandidates,
            expectedNumOfReplicas,
            typesOf(delCandidates),
            null,
            null);
    if (!healed.isEmpty()) {
      host.counters().count(Event.EXCESS_HEALED);
    }
    return healed;
  }

  private DatanodeStorageInfo namedByMove(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    try {
      return MoveHint.honoured(available, candidates, expected, added, hint);
    } catch (RuntimeException e) {
      host.counters().count(Event.DELETION_FAILED);
      host.log().warn(Event.DELETION_FAILED, e);
      return null;
    }
  }

  /** One entry a replica, as the stock policy takes them away one by one. */
  private static List<StorageType> typesOf(Collection<DatanodeStorageInfo> replicas) {
    List<StorageType> types = new ArrayList<>(replicas.size());
    for (DatanodeStorageInfo replica : replicas) {
      // A PROVIDED replica is not on a disk of the cluster: deleting it gains nothing.
      if (replica.getStorageType() != StorageType.PROVIDED) {
        types.add(replica.getStorageType());
      }
    }
    return types;
  }

  /** The arguments of one call of {@link #chooseRandom}, which share the caller's collections. */
  private static final class Demand {
    private final Scope scope;
    private final Set<Node> excludedNodes;
    private final long blocksize;
    private final int maxNodesPerRack;
    private final List<DatanodeStorageInfo> results;
    private final boolean avoidStaleNodes;
    private final EnumMap<StorageType, Integer> storageTypes;

    Demand(
        String scope,
        Set<Node> excludedNodes,
        long blocksize,
        int maxNodesPerRack,
        List<DatanodeStorageInfo> results,
        boolean avoidStaleNodes,
        EnumMap<StorageType, Integer> storageTypes) {
      this.scope = Scope.of(scope);
      this.excludedNodes = excludedNodes;
      this.blocksize = blocksize;
      this.maxNodesPerRack = maxNodesPerRack;
      this.results = results;
      this.avoidStaleNodes = avoidStaleNodes;
      this.storageTypes = storageTypes;
    }

    /**
     * The type the stock policy would try first, or null. Where the line has none of it in the scope,
     * the stock policy is left to find out whether the next type has to do.
     */
    StorageType firstType() {
      return storageTypes.isEmpty() ? null : storageTypes.keySet().iterator().next();
    }

    boolean mayUse(DatanodeDescriptor node) {
      return scope.contains(node) && !excludedNodes.contains(node);
    }

    void countDown(StorageType type) {
      storageTypes.computeIfPresent(type, (same, number) -> number == 1 ? null : number - 1);
    }
  }
}
