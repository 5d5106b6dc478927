// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.hdfs.FastPlacement.ReturnedReplicas;
import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
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
 * <p>Writes: a call is answered from an immutable snapshot of the cluster, by the stock policy's rules:
 * see {@link FastPlacement}. Storages come from the wanted type's number line, in proportion to the
 * capacity of single storages, in constant time. What can't be answered so goes the stock policy's
 * whole way, favoured nodes among it; there only the draw of a random node is replaced by one from the
 * number line. After any failure of ours the stock policy does what we didn't.
 *
 * <p>New blocks below a directory that is hinted are placed by the hint's storage policy, see {@link
 * HintedPolicies}, where nobody gave the file one.
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

  /** {@code policy} or {@code suora}: which storage types the replicas of a new block get. */
  public static final String LAYOUT_KEY = "thermocline.placement.layout";

  private static final long WATCH_MILLIS = 1000;

  private final PolicyHost host;

  /** Null outside the NameNode. */
  private ClusterLines lines;

  /** Null outside the NameNode. */
  private HintedPolicies hinted;

  /** Set while the stock policy answers a call by itself. */
  private final ThreadLocal<Boolean> plainStock = new ThreadLocal<>();

  /** Null outside the NameNode. */
  private FastPlacement fast;

  /** For Hadoop, which creates policies by reflection. */
  public ThermoclinePlacementPolicy() {
    this(PolicyHost.system());
  }

  ThermoclinePlacementPolicy(PolicyHost host) {
    this.host = host;
  }

  @Override
  protected void initialized(Configuration conf, FSClusterStats stats, NetworkTopology clusterMap) {
    if (stats == null || clusterMap == null) {
      return;
    }
    OtherPolicies.refuse(conf, clusterMap, host.counters());
    PolicySettings settings = PolicySettings.of(conf, host.counters());
    StockSettings stock = StockSettings.of(conf);
    lines = new ClusterLines(clusterMap, host, settings, () -> load(stats, stock));
    NodeChecks checks =
        new NodeChecks(
            considersLoad(),
            stock.loadByTypeOrVolume() ? this::isTooBusy : null,
            stock.staleMillis());
    hinted = new HintedPolicies(settings.directoryHints(), host, stock.defaultPolicy());
    TypePlans plans = new TypePlans(settings.layout(), stock.defaultPolicy());
    PlacementRules rules =
        new PlacementRules(plans, checks, stock.prefersLocalNode(), host.faults());
    fast = new FastPlacement(rules, host, clusterMap, new CandidateChoice(settings.choice()));
    PlacementMetrics.Entry metrics =
        PlacementMetrics.enter(clusterMap, host.counters(), lines, hinted);
    LineRefresher.start(lines, host, settings.refreshMillis(), metrics::leave);
    LineRefresher.start(lines.watchdog(), host, WATCH_MILLIS, () -> {});
    if (hinted.isConfigured()) {
      // By a thread of its own: a file system that hangs under one file holds up no other.
      LineRefresher.start(hinted, host, settings.refreshMillis(), () -> {});
    }
  }

  private ClusterLoad load(FSClusterStats stats, StockSettings stock) {
    return new ClusterLoad(
        stats.isAvoidingStaleDataNodesForWrite(),
        stock.peerStats() && getExcludeSlowNodesEnabled(),
        mostTransfers(stats),
        leastBlocks());
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String srcPath,
      int numOfReplicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosenNodes,
      Set<Node> excludedNodes,
      long blocksize,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    DatanodeStorageInfo[] targets = null;
    PlacementCall call = null;
    ReturnedReplicas returned = returnChosenNodes ? ReturnedReplicas.ALL : ReturnedReplicas.NEW;
    if (fast != null && numOfReplicas > 0 && clusterMap.getNumOfLeaves() > 0) {
      int[] numbers = getMaxNodesPerRack(chosen.size(), numOfReplicas);
      ClusterSnapshot snapshot = lines.snapshot();
      if (LOG.isDebugEnabled()) {
        host.counters().count(Event.DEBUG_LOG);
      } else if (snapshot == null) {
        host.counters().count(Event.NO_SNAPSHOT);
      } else if (numbers[0] > 0) {
        // Only calls for a client's next block have flags. A block that is there and of which no
        // replica is alive has none chosen either: as an old one it goes where its file's policy
        // has it.
        boolean isNew = flags != null && chosen.isEmpty() && !returnChosenNodes;
        BlockStoragePolicy policy = isNew ? hinted.of(srcPath, storagePolicy) : null;
        if (policy != null) {
          call = new PlacementCall(numbers[0], writer, chosen, excludedNodes, blocksize, policy);
          call.mostPerRack = numbers[1];
          targets = fast.choose(call, flags, ReturnedReplicas.NEW, snapshot);
          hinted.count(targets, storagePolicy);
        }
        if (targets == null) {
          call =
              new PlacementCall(
                  numbers[0], writer, chosen, excludedNodes, blocksize, storagePolicy);
          call.mostPerRack = numbers[1];
          targets = fast.choose(call, flags, returned, snapshot);
        }
      }
    }
    if (targets != null) {
      return targets;
    }
    // Where the snapshot has been searched in vain the number lines have nothing to add.
    boolean searched = call != null && call.isSearched();
    if (searched) {
      plainStock.set(Boolean.TRUE);
    }
    DatanodeStorageInfo[] stock;
    try {
      stock =
          super.chooseTarget(
              srcPath,
              numOfReplicas,
              writer,
              chosen,
              returnChosenNodes,
              excludedNodes,
              blocksize,
              storagePolicy,
              flags);
    } finally {
      if (searched) {
        plainStock.remove();
      }
    }
    return searched ? fast.orPartial(call, returned, stock) : stock;
  }

  final ClusterLines lines() {
    return lines;
  }

  /** Looks at the cluster now. */
  final void refresh() {
    lines.refresh();
  }

  /** What this policy did so far. */
  public final PlacementCounters counters() {
    return host.counters();
  }

  /** The buckets' tables as of the last refresh. */
  final List<TableFigures> tables() {
    return lines == null ? Collections.emptyList() : lines.figures();
  }

  /** Whether there is a number line for the type: from one refresh after its first storage on. */
  final boolean hasLine(StorageType type) {
    ClusterSnapshot snapshot = lines == null ? null : lines.snapshot();
    return snapshot != null && snapshot.hasLines(type.ordinal());
  }

  @Override
  protected final boolean takesBlocks(DatanodeStorageInfo storage) {
    return lines == null || !lines.isWornOut(storage.getStorageID());
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
    if (lines != null && plainStock.get() == null) {
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
    try {
      host.faults().at(Stage.STOCK_DRAW);
      StorageType type = demand.firstType();
      ClusterSnapshot snapshot = lines.snapshot();
      if (type == null || snapshot == null || !snapshot.hasLines(type.ordinal())) {
        host.counters().count(Event.NO_LINE);
        return null;
      }
      for (RackedLine bucket : snapshot.lines(type.ordinal())) {
        DatanodeStorageInfo storage =
            bucket.line().place(host.nonce(), one -> takes(one, demand, snapshot.load()));
        if (storage != null) {
          exclude(storage.getDatanodeDescriptor(), demand.excludedNodes);
          demand.countDown(storage.getStorageType());
          host.counters().countPlaced(StorageTypes.ours(type), demand.step());
          return storage;
        }
      }
      host.counters().count(Event.NO_CANDIDATE);
      return null;
    } catch (RuntimeException | LinkageError e) {
      host.counters().count(Event.PLACEMENT_FAILED);
      host.log().warn(Event.PLACEMENT_FAILED, e);
      return null;
    }
  }

  /** Whether the storage will do. If so it is in the results already. */
  private boolean takes(DatanodeStorageInfo storage, Demand demand, ClusterLoad load) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    // Cheap tests first. A snapshot may be a refresh old: the node may have died and the storage
    // may have been taken out of it since.
    if (!demand.mayUse(node)
        || !node.isAlive()
        || !isNormal(storage)
        || !isGood(node, demand.maxNodesPerRack, demand.results, demand.avoidStaleNodes)
        || !hasSpace(storage, node, demand.blocksize, load)
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
  private static boolean hasSpace(
      DatanodeStorageInfo storage, DatanodeDescriptor node, long blocksize, ClusterLoad load) {
    long scheduled = blocksize * node.getBlocksScheduled(storage.getStorageType());
    return remaining(storage) - scheduled >= blocksize * load.leastBlocks();
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
            availableReplicas,
            delCandidates,
            expectedNumOfReplicas,
            excessTypes,
            addedNode,
            delNodeHint);
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
      List<StorageType> excess,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    try {
      host.faults().at(Stage.MOVE_HINT);
      return MoveHint.honoured(available, candidates, expected, excess, added, hint);
    } catch (RuntimeException | LinkageError e) {
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

    Step step() {
      return scope.step();
    }

    boolean mayUse(DatanodeDescriptor node) {
      return scope.contains(node) && !excludedNodes.contains(node);
    }

    void countDown(StorageType type) {
      storageTypes.computeIfPresent(type, (same, number) -> number == 1 ? null : number - 1);
    }
  }
}
