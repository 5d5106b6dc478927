// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.simulated;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.NamespaceView;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.sim.Happened;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import io.thermocline.tiering.sim.cluster.ClusterSpec;
import io.thermocline.tiering.sim.cluster.TierSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The files of a trace on the nodes of a cluster file, block by block. Copies begin on the home tier, on devices drawn
 * from the seed, in two racks where there are two. About 150 bytes for each block.
 */
final class VirtualNamespace implements NamespaceView {

  private static final Map<Integer, String> POLICIES =
      Map.of(
          14,
          "ALL_NVDIMM",
          15,
          "LAZY_PERSIST",
          12,
          "ALL_SSD",
          10,
          "ONE_SSD",
          7,
          "HOT",
          5,
          "WARM",
          2,
          "COLD",
          1,
          "PROVIDED");

  private static final String POOL = "virtual";

  private final ClusterSpec spec;
  private final List<StorageType> types;
  private final List<TracedFile> files = new ArrayList<>();
  private final List<Happened.Name> names;
  private final long seed;
  private final NavigableMap<String, Integer> byPath = new TreeMap<>();

  /** Null where there is no such file now. */
  private final FileView[] views;

  /** By storage, and as long as files are there. */
  private final Map<String, Long> used = new HashMap<>();

  /** Of each tier, node and device: made once, since every replica names one. */
  private final FileView.Replica[][][] places;

  private final ReadShares reads;
  private int named;
  private long blocks;

  VirtualNamespace(Trace trace, Happened happened, ClusterSpec spec, long seed) {
    this.spec = spec;
    this.seed = seed;
    this.names = happened.names();
    this.types = spec.tiers().stream().map(tier -> StorageType.ofHadoopName(tier.name())).toList();
    this.places = places();
    this.reads = spec.readShares();
    files.addAll(trace.files());
    files.addAll(happened.others());
    views = new FileView[files.size()];
    for (int file = trace.files().size(); file < files.size(); file++) {
      name(file, files.get(file).path());
    }
  }

  private FileView.Replica[][][] places() {
    FileView.Replica[][][] all = new FileView.Replica[types.size()][spec.nodes()][];
    for (int tier = 0; tier < types.size(); tier++) {
      for (int node = 0; node < spec.nodes(); node++) {
        all[tier][node] = new FileView.Replica[spec.tiers().get(tier).devicesPerNode()];
        for (int device = 0; device < all[tier][node].length; device++) {
          all[tier][node][device] =
              new FileView.Replica(
                  ClusterSpec.node(node),
                  types.get(tier) + "-" + node + "-" + device,
                  types.get(tier));
        }
      }
    }
    return all;
  }

  /** Files come, go and are renamed up to a time. */
  void advance(long micros) {
    while (named < names.size() && names.get(named).atMicros() <= micros) {
      Happened.Name name = names.get(named++);
      name(name.file(), name.path());
    }
  }

  private void name(int file, String path) {
    FileView before = views[file];
    if (before != null) {
      byPath.remove(before.path(), file);
    }
    if (path == null) {
      if (before != null) {
        charge(before, -1);
      }
      views[file] = null;
      return;
    }
    List<FileView.Block> laid = before == null ? lay(file) : before.blocks();
    views[file] = new FileView(path, files.get(file).bytes(), spec.copies(), 0, laid);
    byPath.put(path, file);
    if (before == null) {
      charge(views[file], 1);
    }
  }

  private void charge(FileView file, int sign) {
    for (FileView.Block block : file.blocks()) {
      block
          .replicas()
          .forEach(replica -> used.merge(replica.storageId(), sign * block.length(), Long::sum));
    }
  }

  private List<FileView.Block> lay(int file) {
    List<FileView.Block> laid = new ArrayList<>();
    for (long left = files.get(file).bytes(); left > 0; left -= spec.blockBytes()) {
      long id = ++blocks;
      List<FileView.Replica> replicas = new ArrayList<>();
      long draw = mix(seed ^ mix(id));
      for (int node : spec.nodesOf(draw)) {
        FileView.Replica[] devices = places[spec.home()][node];
        draw = mix(draw);
        replicas.add(devices[Math.floorMod((int) draw, devices.length)]);
      }
      laid.add(new FileView.Block(POOL, id, 1, Math.min(left, spec.blockBytes()), replicas));
    }
    return laid;
  }

  /** Mixes as SplitMix64 does (Steele, Lea and Flood, OOPSLA 2014). */
  private static long mix(long value) {
    long z = value + 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }

  /** The index of the file that has a path now. */
  int index(String path) {
    return byPath.get(path);
  }

  /** Of the file that has a path now; 0 where there is none. */
  int blocks(String path) {
    Integer file = byPath.get(path);
    return file == null ? 0 : views[file].blocks().size();
  }

  /** Which copies serve reads. */
  ReadShares reads() {
    return reads;
  }

  /** The tier of a storage type. */
  int tier(StorageType type) {
    return types.indexOf(type);
  }

  /**
   * Copies of a file were moved, if it is still there.
   *
   * @return the share of its reads that each tier serves from now on
   */
  double[] moved(int file, List<Move> moves) {
    FileView before = views[file];
    if (before == null) {
      return new double[types.size()];
    }
    Map<Long, List<FileView.Replica>> replicas = new HashMap<>();
    moves.forEach(move -> replicas.put(move.block().id(), null));
    List<FileView.Block> after = new ArrayList<>(before.blocks());
    Map<Long, Integer> positions = new HashMap<>();
    for (int i = 0; i < after.size(); i++) {
      if (replicas.containsKey(after.get(i).id())) {
        positions.put(after.get(i).id(), i);
      }
    }
    for (Move move : moves) {
      int at = positions.get(move.block().id());
      FileView.Block block = after.get(at);
      List<FileView.Replica> moved = new ArrayList<>(block.replicas());
      int from = moved.indexOf(move.source());
      moved.set(
          from, new FileView.Replica(move.targetNode(), move.targetStorage(), move.targetType()));
      used.merge(move.source().storageId(), -block.length(), Long::sum);
      used.merge(move.targetStorage(), block.length(), Long::sum);
      after.set(
          at,
          new FileView.Block(
              block.poolId(), block.id(), block.generation(), block.length(), moved));
    }
    views[file] = new FileView(before.path(), before.length(), before.replication(), 0, after);
    double[] shares = new double[types.size()];
    reads.of(views[file]).forEach((type, share) -> shares[tier(type)] = share);
    return shares;
  }

  @Override
  public ClusterView cluster() {
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    for (int node = 0; node < spec.nodes(); node++) {
      List<ClusterView.Storage> storages = new ArrayList<>();
      for (int tier = 0; tier < types.size(); tier++) {
        TierSpec of = spec.tiers().get(tier);
        for (FileView.Replica place : places[tier][node]) {
          long free = of.deviceBytes() - used.getOrDefault(place.storageId(), 0L);
          storages.add(
              new ClusterView.Storage(
                  place.storageId(),
                  place.node(),
                  place.type(),
                  of.deviceBytes(),
                  Math.max(0, free)));
        }
      }
      nodes.put(
          ClusterSpec.node(node),
          new ClusterView.Node(
              ClusterSpec.node(node), ClusterSpec.node(node) + ":9866", spec.rack(node), storages));
    }
    return new ClusterView(nodes, spec.blockBytes());
  }

  @Override
  public Map<Integer, String> storagePolicies() {
    return POLICIES;
  }

  @Override
  public Set<String> pass(List<String> roots, Predicate<String> ignored, Consumer<FileView> each) {
    byPath.forEach(
        (path, file) -> {
          if (Paths.isAtOrBelowAny(path, roots) && !ignored.test(path)) {
            each.accept(views[file]);
          }
        });
    return Set.of();
  }

  @Override
  public boolean has(String directory, Predicate<FileView> test) {
    boolean[] found = new boolean[1];
    pass(List.of(directory), path -> false, file -> found[0] |= test.test(file));
    return found[0];
  }

  @Override
  public Optional<FileView> file(String path) {
    return Optional.ofNullable(byPath.get(path)).map(file -> views[file]);
  }

  @Override
  public Optional<Place> place(String path) {
    return file(path).map(file -> new Place(0, false, false));
  }

  @Override
  public List<Directive> cacheDirectives(String pool) {
    return List.of();
  }
}
