// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * HDFS as far as moves see it, which outlives whoever moves: a copy that was asked for is made within {@link #COPY_SECONDS},
 * or never, and the source replica goes some looks later.
 */
public final class ModelHdfs implements HdfsCalls {

  /** By name, as HDFS numbers them. */
  private static final Map<String, Integer> POLICIES =
      Map.of("COLD", 2, "WARM", 5, "HOT", 7, "ONE_SSD", 10, "ALL_SSD", 12);

  /** Less than a move is waited for: a copy that comes later is nobody's. */
  static final int COPY_SECONDS = 50;

  private final Map<String, FileView> files = new TreeMap<>();
  private final Map<String, String> policies = new HashMap<>();

  /** With the time when each was asked for, in nanoseconds. */
  private final Map<Move, Long> arriving = new LinkedHashMap<>();

  private final List<Move> leaving = new ArrayList<>();

  /** How often a copy of a block came to a node where it wasn't. */
  final Map<String, Integer> effects = new HashMap<>();

  /** Whether something comes now that could come later; asked with the number of chances, answers by chance. */
  private final IntPredicate chance;

  private final LongSupplier nanos;

  private final Map<String, IOException> refused = new HashMap<>();

  private Runnable boundary = () -> {};
  private Runnable look = () -> {};

  /** Where no time passes. */
  public ModelHdfs(IntPredicate chance) {
    this(chance, () -> 0);
  }

  ModelHdfs(IntPredicate chance, LongSupplier nanos) {
    this.chance = chance;
    this.nanos = nanos;
  }

  /** Runs on both sides of each call that changes something. */
  void boundary(Runnable run) {
    boundary = run;
  }

  /** Runs at each look at a file. */
  public void look(Runnable run) {
    look = run;
  }

  /** Has nobody set a policy on a path. */
  public void refuse(String path, IOException why) {
    refused.put(path, why);
  }

  public void put(FileView file) {
    files.put(file.path(), file);
  }

  Collection<FileView> all() {
    return files.values().stream().map(this::withPolicyInForce).toList();
  }

  public String ownPolicy(String path) {
    return policies.getOrDefault(path, "");
  }

  /** All that is under way arrives. */
  public void settle() {
    List.copyOf(arriving.keySet()).forEach(this::arrive);
    List.copyOf(leaving).forEach(this::leave);
  }

  @Override
  public String storagePolicy(String path) throws IOException {
    if (path.equals("/")) {
      return ownPolicy(path);
    }
    if (!files.containsKey(path)
        && files.keySet().stream().noneMatch(file -> file.startsWith(path + "/"))) {
      throw new FileNotFoundException(path);
    }
    return inForce(path);
  }

  private String inForce(String path) {
    for (String up = path; !up.isEmpty(); up = up.substring(0, up.lastIndexOf('/'))) {
      if (policies.containsKey(up)) {
        return policies.get(up);
      }
    }
    return ownPolicy("/");
  }

  @Override
  public void setStoragePolicy(String path, String policy) throws IOException {
    boundary.run();
    if (refused.containsKey(path)) {
      throw refused.get(path);
    }
    if (policy.isEmpty()) {
      policies.remove(path);
    } else {
      policies.put(path, policy);
    }
    boundary.run();
  }

  @Override
  public void copy(Move move) throws IOException {
    boundary.run();
    FileView.Block block = block(move);
    if (isRefused(move, block)) {
      throw new IOException("ReplicaAlreadyExistsException");
    }
    arriving.put(move, nanos.getAsLong());
    boundary.run();
    arrive(move);
    boundary.run();
  }

  private FileView.Block block(Move move) {
    return files.get(move.path()).blocks().stream()
        .filter(one -> one.id() == move.block().id())
        .findAny()
        .orElseThrow();
  }

  /** By a DataNode that has a replica of the block already: one on another storage of its own moves. */
  private static boolean isRefused(Move move, FileView.Block block) {
    return block.replicas().stream()
        .filter(replica -> replica.node().equals(move.targetNode()))
        .anyMatch(
            replica ->
                !move.source().node().equals(move.targetNode())
                    || replica.type() == move.targetType());
  }

  private void arrive(Move move) {
    Long asked = arriving.remove(move);
    if (asked == null
        || nanos.getAsLong() - asked > Duration.ofSeconds(COPY_SECONDS).toNanos()
        || isRefused(move, block(move))) {
      return;
    }
    effects.merge(move.block().id() + " to " + move.targetNode(), 1, Integer::sum);
    replace(
        move,
        replicas ->
            replicas.add(
                new FileView.Replica(
                    move.targetNode(),
                    move.targetNode() + "-" + move.targetType(),
                    move.targetType())));
    leaving.add(move);
  }

  private void leave(Move move) {
    leaving.remove(move);
    replace(
        move,
        replicas ->
            replicas.removeIf(
                replica ->
                    replica.node().equals(move.source().node())
                        && replica.type() == move.source().type()));
  }

  private void replace(Move move, java.util.function.Consumer<List<FileView.Replica>> change) {
    FileView file = files.get(move.path());
    List<FileView.Block> blocks = new ArrayList<>();
    for (FileView.Block block : file.blocks()) {
      List<FileView.Replica> replicas = new ArrayList<>(block.replicas());
      if (block.id() == move.block().id()) {
        change.accept(replicas);
      }
      blocks.add(
          new FileView.Block(
              block.poolId(), block.id(), block.generation(), block.length(), replicas));
    }
    files.put(
        file.path(),
        new FileView(file.path(), file.length(), file.replication(), file.storagePolicy(), blocks));
  }

  @Override
  public String rack(String node) {
    return "/r" + (Integer.parseInt(node.substring(1)) - 1) / 2;
  }

  @Override
  public Optional<FileView> file(String path) {
    look.run();
    for (Move move : List.copyOf(arriving.keySet())) {
      if (chance.test(3)) {
        arrive(move);
      }
    }
    for (Move move : List.copyOf(leaving)) {
      if (chance.test(2)) {
        leave(move);
      }
    }
    return Optional.ofNullable(files.get(path)).map(this::withPolicyInForce);
  }

  private FileView withPolicyInForce(FileView file) {
    String policy = inForce(file.path());
    return policy.isEmpty() ? file : file.withStoragePolicy(POLICIES.get(policy));
  }

  @Override
  public Map<String, FileView> files(Collection<String> paths) {
    Map<String, FileView> found = new HashMap<>();
    paths.forEach(path -> file(path).ifPresent(file -> found.put(path, file)));
    return found;
  }
}
