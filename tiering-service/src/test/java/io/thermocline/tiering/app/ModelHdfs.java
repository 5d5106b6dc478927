// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * HDFS as far as moves see it, which outlives whoever moves: a copy that was asked for is made after all, or not, and the
 * source replica goes some looks later.
 */
public final class ModelHdfs implements HdfsActions {

  private final Map<String, FileView> files = new TreeMap<>();
  private final Map<String, String> policies = new HashMap<>();
  private final List<Move> arriving = new ArrayList<>();
  private final List<Move> leaving = new ArrayList<>();

  /** How often a copy of a block came to a node where it wasn't. */
  final Map<String, Integer> effects = new HashMap<>();

  /** Whether something comes now that could come later; asked with the number of chances, answers by chance. */
  private final IntPredicate chance;

  private final Map<String, IOException> refused = new HashMap<>();

  private Runnable boundary = () -> {};
  private Runnable look = () -> {};

  public ModelHdfs(IntPredicate chance) {
    this.chance = chance;
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
    return files.values();
  }

  public String ownPolicy(String path) {
    return policies.getOrDefault(path, "");
  }

  /** All that is under way arrives. */
  public void settle() {
    List.copyOf(arriving).forEach(this::arrive);
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
    if (holds(block, move.targetNode()) && !move.source().node().equals(move.targetNode())) {
      throw new IOException("ReplicaAlreadyExistsException");
    }
    arriving.add(move);
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

  private static boolean holds(FileView.Block block, String node) {
    return block.replicas().stream().anyMatch(replica -> replica.node().equals(node));
  }

  private void arrive(Move move) {
    if (!arriving.remove(move)) {
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
    for (Move move : List.copyOf(arriving)) {
      if (chance.test(3)) {
        arrive(move);
      }
    }
    for (Move move : List.copyOf(leaving)) {
      if (chance.test(2)) {
        leave(move);
      }
    }
    return Optional.ofNullable(files.get(path));
  }

  @Override
  public Map<String, FileView> files(Collection<String> paths) {
    Map<String, FileView> found = new HashMap<>();
    paths.forEach(path -> file(path).ifPresent(file -> found.put(path, file)));
    return found;
  }
}
