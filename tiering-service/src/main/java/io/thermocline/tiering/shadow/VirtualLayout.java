// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where replicas would lie if what was planned had been done: what HDFS shows, and moves on top of it. A move stands as
 * long as its file passes by, under whatever name, and its source is where it was; what somebody else moved, or wrote
 * anew, is as HDFS shows it. One thread.
 */
final class VirtualLayout {

  private final Map<String, Moved> files = new HashMap<>();
  private final Set<String> passed = new HashSet<>();

  /** Of the blocks that would be elsewhere, the path of their file, which may have another by now. */
  private final Map<Long, String> paths = new HashMap<>();

  /** A replica that would be elsewhere. */
  record Step(long block, long bytes, FileView.Replica from, FileView.Replica to) {}

  /** What would have become of a file: its policy, and the steps in order. */
  private static final class Moved {
    private String policy;
    private final List<Step> steps = new ArrayList<>();
  }

  void move(String path, String policy, Step step) {
    Moved moved = files.computeIfAbsent(path, first -> new Moved());
    moved.policy = policy == null ? moved.policy : policy;
    moved.steps.add(step);
    paths.put(step.block(), path);
  }

  /** The storage policy that would be in force. */
  Optional<String> policy(String path) {
    return Optional.ofNullable(files.get(path)).map(moved -> moved.policy);
  }

  /** There is such a file. */
  void passed(FileView file) {
    if (files.isEmpty()) {
      return;
    }
    if (!files.containsKey(file.path())) {
      renamed(file);
    }
    if (files.containsKey(file.path())) {
      passed.add(file.path());
    }
  }

  private void renamed(FileView file) {
    for (FileView.Block block : file.blocks()) {
      String before = paths.get(block.id());
      if (before != null) {
        Moved moved = files.remove(before);
        files.put(file.path(), moved);
        moved.steps.forEach(step -> paths.put(step.block(), file.path()));
        return;
      }
    }
  }

  /** All files passed: what didn't is gone. */
  void endOfPass() {
    files.keySet().retainAll(passed);
    paths.values().retainAll(passed);
    passed.clear();
  }

  void forget(String path) {
    Moved moved = files.remove(path);
    if (moved != null) {
      moved.steps.forEach(step -> paths.remove(step.block()));
    }
  }

  /** The file as it would be; what doesn't hold any more is forgotten. */
  FileView over(FileView real) {
    Moved moved = files.get(real.path());
    if (moved == null || real.blocks().isEmpty()) {
      return real;
    }
    Map<Long, List<FileView.Replica>> replicas = new HashMap<>();
    real.blocks().forEach(block -> replicas.put(block.id(), new ArrayList<>(block.replicas())));
    for (Step step : moved.steps) {
      List<FileView.Replica> of = replicas.get(step.block());
      int at = of == null ? -1 : of.indexOf(step.from());
      if (at < 0) {
        forget(real.path());
        return real;
      }
      of.set(at, step.to());
    }
    return new FileView(
        real.path(),
        real.length(),
        real.replication(),
        real.storagePolicy(),
        real.blocks().stream()
            .map(
                block ->
                    new FileView.Block(
                        block.poolId(),
                        block.id(),
                        block.generation(),
                        block.length(),
                        replicas.get(block.id())))
            .toList(),
        real.owner(),
        real.coding());
  }

  /** Room on the storages as it would be. */
  ClusterView over(ClusterView real, ShadowLedger.RoomRule rule) {
    Map<String, Long> taken = new HashMap<>();
    for (Moved moved : files.values()) {
      for (Step step : moved.steps) {
        taken.merge(step.from().storageId(), -step.bytes(), Long::sum);
        taken.merge(step.to().storageId(), step.bytes(), Long::sum);
      }
    }
    Map<String, ClusterView.Node> nodes = new HashMap<>();
    for (ClusterView.Node node : real.nodes().values()) {
      List<ClusterView.Storage> storages =
          node.storages().stream()
              .map(
                  storage -> {
                    long more = taken.getOrDefault(storage.id(), 0L);
                    boolean isReal = rule == ShadowLedger.RoomRule.NEVER_MORE_THAN_THERE_IS;
                    return with(storage, isReal ? Math.max(0, more) : more);
                  })
              .toList();
      nodes.put(
          node.uuid(),
          new ClusterView.Node(
              node.uuid(),
              node.name(),
              node.rack(),
              storages,
              node.cacheCapacity(),
              node.cacheUsed(),
              node.host(),
              node.silentMillis(),
              node.web()));
    }
    return new ClusterView(nodes, real.blockSize(), real.slow(), real.excluded(), real.wornOut());
  }

  private static ClusterView.Storage with(ClusterView.Storage storage, long taken) {
    long remaining = Math.min(storage.capacity(), Math.max(0, storage.remaining() - taken));
    return new ClusterView.Storage(
        storage.id(), storage.node(), storage.type(), storage.capacity(), remaining);
  }
}
