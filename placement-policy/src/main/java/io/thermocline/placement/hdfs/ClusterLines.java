// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.NodeAttributes;
import io.thermocline.placement.model.StorageAttributes;
import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ThermoclineBridge;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the snapshot of a cluster. Readers take it with one volatile read; {@link #refresh} replaces it,
 * for any thread, off the call path.
 */
final class ClusterLines implements Refreshed {
  /** A storage with less than this part of its type's largest has no length on the line to speak of. */
  private static final double LEAST_SHARE = 1e-6;

  private static final int FAILURES_TO_STOP = 2;

  /** How long a look at the cluster may take before the stock policy places all blocks. */
  static final long LONGEST_LOOK_SECONDS = 30;

  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  private final NetworkTopology topology;
  private final PlacementCounters counters;
  private final WatchedFile<NodeAttributes> attributesFile;
  private final TableKeeping keeping;
  private final Map<StorageType, BucketTable> tables = new EnumMap<>(StorageType.class);

  /** By storage id, as the attributes that were last seen have it. */
  private final Map<String, StorageAttributes> said = new HashMap<>();

  private NodeAttributes saidBy = NodeAttributes.none();
  private final Set<StorageType> wearIgnored = new HashSet<>();

  private final Supplier<ClusterLoad> load;
  private final boolean choosesByMetrics;
  private final BucketSelection selection;
  private final Stage.Reached faults;

  private final boolean takesBandwidthAndZone;
  private NodeAttributes checked = NodeAttributes.none();
  private volatile Set<String> wornOut = Collections.emptySet();
  private volatile List<TableFigures> figures = Collections.emptyList();

  /** Null before the first refresh, and while refreshes fail. */
  private volatile ClusterSnapshot snapshot;

  private volatile int failuresInARow;

  private final PolicyHost host;
  private final long mostNanosBetweenLooks;

  /** When the last look ended that didn't fail. */
  private volatile long lookedAt;

  private volatile boolean isOverdue;

  /** A field, as the thread that calls it holds it weakly. */
  private final Refreshed watchdog = this::watch;

  /**
   * @param load how the cluster's nodes fare together, asked at each refresh
   */
  ClusterLines(
      NetworkTopology topology,
      PolicyHost host,
      PolicySettings settings,
      Supplier<ClusterLoad> load) {
    this.topology = topology;
    this.host = host;
    // One failure is no reason to stop: the next look is an interval later.
    this.mostNanosBetweenLooks =
        TimeUnit.SECONDS.toNanos(LONGEST_LOOK_SECONDS)
            + 2 * TimeUnit.MILLISECONDS.toNanos(settings.refreshMillis());
    this.lookedAt = host.nanoTime();
    this.counters = host.counters();
    this.faults = host.faults();
    this.load = load;
    this.attributesFile = AttributesFile.at(settings.attributesFile(), counters);
    this.keeping = new TableKeeping(host, settings);
    this.choosesByMetrics = settings.choice().isOn();
    this.takesBandwidthAndZone = settings.selection() == PolicySettings.Selection.ATTRIBUTED;
    this.selection = takesBandwidthAndZone ? new RingSelection(said::get) : new LineSelection();
    for (StorageType type : StorageType.values()) {
      tables.put(type, new BucketTable(type, keeping, selection));
    }
  }

  /** The cluster as it was at the last refresh; null before the first and while refreshes fail or hang. */
  ClusterSnapshot snapshot() {
    return isOverdue ? null : snapshot;
  }

  /** Whether the storage has used up its write budget, and others of its type haven't. */
  boolean isWornOut(String storageId) {
    return wornOut.contains(storageId);
  }

  WatchedFile<NodeAttributes> attributesFile() {
    return attributesFile;
  }

  /** One entry for each bucket that has a table. */
  List<TableFigures> figures() {
    return figures;
  }

  /** Whether the stock policy places all blocks, because the cluster can't be looked at. */
  boolean isStopped() {
    return isOverdue || failuresInARow >= FAILURES_TO_STOP;
  }

  /**
   * Finds out whether refreshes hang: a file system that doesn't answer throws nothing. For a thread other
   * than the one that refreshes.
   */
  Refreshed watchdog() {
    return watchdog;
  }

  private void watch() {
    boolean was = isOverdue;
    isOverdue = host.nanoTime() - lookedAt > mostNanosBetweenLooks;
    if (isOverdue && !was) {
      LOG.error(
          "the stock policy places all blocks: looking at the cluster takes more than {} s."
              + " Do the file systems of the node attributes and the tables answer?",
          LONGEST_LOOK_SECONDS);
    } else if (was && !isOverdue) {
      LOG.info("blocks are placed by the number lines again");
    }
  }

  /**
   * Looks at the cluster. One failure leaves the snapshot as it is. After a second one in a row there is
   * none, so that the stock policy answers, until a refresh succeeds: an old snapshot gives nodes that
   * joined since then no block.
   */
  @Override
  public synchronized void refresh() {
    try {
      look();
    } catch (RuntimeException | Error e) {
      failuresInARow++;
      if (failuresInARow == FAILURES_TO_STOP) {
        snapshot = null;
        LOG.error("the stock policy places all blocks: the cluster couldn't be looked at twice", e);
      }
      throw e;
    }
    if (failuresInARow >= FAILURES_TO_STOP) {
      LOG.info("blocks are placed by the number lines again");
    }
    failuresInARow = 0;
    lookedAt = host.nanoTime();
  }

  /** Once for each content of the file. */
  private void refuseWhatHasNoEffect(NodeAttributes attributes) {
    if (attributes != checked && !takesBandwidthAndZone && attributes.hasBandwidthOrZone()) {
      counters.count(PlacementCounters.Event.BAD_SETTING);
      LOG.error(
          "the node attributes give bandwidth or zone, which need {} = {}; they are ignored",
          PolicySettings.SELECTION_KEY,
          PolicySettings.Selection.ATTRIBUTED.word());
    }
    checked = attributes;
  }

  private void look() {
    faults.at(Stage.COLLECT);
    attributesFile.poll();
    NodeAttributes attributes = attributesFile.content();
    refuseWhatHasNoEffect(attributes);
    List<DatanodeDescriptor> nodes = nodes();
    Map<StorageType, SortedMap<String, DatanodeStorageInfo>> present = storages(nodes);
    readAttributes(present, attributes);
    Set<String> worn = worn(present);
    List<BucketLine> buckets = new ArrayList<>();
    List<TableFigures> told = new ArrayList<>();
    tables.forEach(
        (type, table) -> {
          BucketLine line = table.refresh(present.get(type), worn);
          if (line != null) {
            buckets.add(line);
          }
          told.add(table.figures());
        });
    told.removeIf(one -> one.storages() == 0);
    figures = Collections.unmodifiableList(told);
    wornOut = worn;
    faults.at(Stage.BUILD);
    ClusterSnapshot shown = snapshot;
    boolean isBuilt = shown == null || !shown.shows(nodes, buckets);
    if (isBuilt) {
      shown = ClusterSnapshot.of(nodes, buckets, selection, worn, shown);
    }
    snapshot = shown.forItsWriters().under(load.get(), measured(nodes, attributes));
    if (isBuilt) {
      counters.count(PlacementCounters.Event.SNAPSHOT_BUILT);
    }
  }

  /** Finds out what the attributes say, once for each storage and version of them. */
  private void readAttributes(
      Map<StorageType, SortedMap<String, DatanodeStorageInfo>> present, NodeAttributes attributes) {
    if (attributes != saidBy) {
      said.clear();
      saidBy = attributes;
    }
    present.forEach(
        (type, storages) ->
            storages.forEach(
                (id, storage) ->
                    said.computeIfAbsent(
                        id,
                        key ->
                            attributes.storage(
                                storage.getDatanodeDescriptor().getHostName(), type, key))));
  }

  private Set<String> worn(Map<StorageType, SortedMap<String, DatanodeStorageInfo>> present) {
    Set<String> worn = new HashSet<>();
    present.forEach(
        (type, storages) -> {
          List<String> ofType = new ArrayList<>();
          storages.keySet().stream().filter(id -> said.get(id).isWornOut()).forEach(ofType::add);
          // With none left of a type, writes would fail for wear that one more block hardly adds
          // to.
          if (ofType.isEmpty() || ofType.size() < storages.size()) {
            worn.addAll(ofType);
            wearIgnored.remove(type);
          } else if (wearIgnored.add(type)) {
            counters.count(PlacementCounters.Event.WEAR_IGNORED);
          }
        });
    return worn;
  }

  private StorageMetrics measured(List<DatanodeDescriptor> nodes, NodeAttributes attributes) {
    return choosesByMetrics
        ? StorageMetrics.of(nodes, NameNodeMetrics.of(new GivenMetrics(attributes)))
        : null;
  }

  private List<DatanodeDescriptor> nodes() {
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    // The list is gathered without the topology's lock. A node that joins or leaves meanwhile may
    // hide another one, which then comes back at the end of the line a second later.
    for (Node node : topology.getLeaves(NodeBase.ROOT)) {
      if (node instanceof DatanodeDescriptor) {
        nodes.add((DatanodeDescriptor) node);
      }
    }
    return nodes;
  }

  private static Map<StorageType, SortedMap<String, DatanodeStorageInfo>> storages(
      List<DatanodeDescriptor> nodes) {
    Map<StorageType, SortedMap<String, DatanodeStorageInfo>> present =
        new EnumMap<>(StorageType.class);
    for (StorageType type : StorageType.values()) {
      present.put(type, new TreeMap<>());
    }
    for (DatanodeDescriptor node : nodes) {
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        StorageType type = StorageTypes.ours(storage.getStorageType());
        if (type != null && ThermoclineBridge.isNormal(storage)) {
          present.get(type).put(storage.getStorageID(), storage);
        }
      }
    }
    for (SortedMap<String, DatanodeStorageInfo> storages : present.values()) {
      double least =
          LEAST_SHARE
              * storages.values().stream().mapToLong(ThermoclineBridge::capacity).max().orElse(0);
      storages
          .values()
          .removeIf(
              one ->
                  ThermoclineBridge.capacity(one) <= 0 || ThermoclineBridge.capacity(one) < least);
    }
    return present;
  }
}
