// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.observe.FileView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * Files of one block and three replicas, so many of each layout: written under the layout mode in force,
 * promoted by a directed move. For one thread.
 */
final class LayoutFiles {

  /** Of each layout. */
  static final int COUNT = 20;

  private final ProcessCluster cluster;
  private final StoredFiles files;
  private final ReplicaMoves moves;
  private final List<MeasuredLayout> layouts;
  private final SplittableRandom random = new SplittableRandom(1);

  LayoutFiles(ProcessCluster cluster, ReplicaMoves moves, List<MeasuredLayout> layouts) {
    this.cluster = cluster;
    this.files = new StoredFiles(cluster);
    this.moves = moves;
    this.layouts = layouts;
  }

  /** The files of a layout in a directory. */
  static List<String> paths(String directory, MeasuredLayout layout) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      all.add("/" + directory + "/" + layout + "/f" + i);
    }
    return all;
  }

  List<String> paths(String directory) {
    return layouts.stream().flatMap(layout -> paths(directory, layout).stream()).toList();
  }

  /** Writes the files and makes their layouts. */
  void make(String directory) throws IOException {
    write(directory);
    promote(directory);
    for (MeasuredLayout layout : layouts) {
      for (String path : paths(directory, layout)) {
        Eventually.holds(
            path + " is " + layout, () -> files.types(path).equals(List.of(layout.shown())));
      }
    }
  }

  /**
   * Writes the files, each of which must lie as the layout mode says, and gives them their storage
   * policies.
   */
  void write(String directory) throws IOException {
    awaitMode();
    for (MeasuredLayout layout : layouts) {
      for (String path : paths(directory, layout)) {
        files.write(path, 1, 3);
        files.awaitReplicas(path, 3);
        assertEquals(List.of(layout.written()), files.types(path), path);
        if (layout.policy() != null) {
          cluster.client().setStoragePolicy(new Path(path), layout.policy());
        }
      }
    }
  }

  /** Until the policy knows all storages, the stock one may place. */
  private void awaitMode() {
    String wanted = layouts.get(0).written();
    Eventually.holds(
        "the mode writes " + wanted,
        () -> {
          files.write("/mode", 1, 3);
          boolean holds = files.types("/mode").equals(List.of(wanted));
          files.delete("/mode");
          return holds;
        });
  }

  /** Copies a replica of each file to the type it lacks; HDFS then drops the source, or another. */
  void promote(String directory) throws IOException {
    for (MeasuredLayout layout : layouts) {
      if (layout.isPromoted()) {
        for (String path : paths(directory, layout)) {
          promote(path, layout);
        }
      }
    }
  }

  private void promote(String path, MeasuredLayout layout) throws IOException {
    FileView.Block block = moves.file(path).blocks().get(0);
    List<StorageType> missing = new ArrayList<>(layout.types());
    List<FileView.Replica> extra = new ArrayList<>(block.replicas());
    for (FileView.Replica replica : block.replicas()) {
      if (missing.remove(replica.type())) {
        extra.remove(replica);
      }
    }
    FileView.Replica source = extra.get(0);
    moves.copy(path, block, source, target(block, source), missing.get(0));
  }

  /** Moves one DISK replica of each file to DISK of another node. */
  void shift(String directory) throws IOException {
    for (String path : paths(directory)) {
      FileView.Block block = moves.file(path).blocks().get(0);
      for (FileView.Replica replica : block.replicas()) {
        if (replica.type() == StorageType.DISK) {
          moves.copy(path, block, replica, target(block, replica), StorageType.DISK);
          break;
        }
      }
    }
  }

  /** A node without a replica of the block: one of a rack that has none, or of the source's own. */
  private String target(FileView.Block block, FileView.Replica source) throws IOException {
    DatanodeInfo[] live = cluster.client().getDataNodeStats(DatanodeReportType.LIVE);
    Map<String, String> racks = new HashMap<>();
    Arrays.stream(live)
        .forEach(node -> racks.put(node.getDatanodeUuid(), node.getNetworkLocation()));
    List<String> holders = block.replicas().stream().map(FileView.Replica::node).toList();
    List<String> others = holders.stream().filter(node -> !node.equals(source.node())).toList();
    List<String> taken = others.stream().map(racks::get).toList();
    List<String> candidates =
        racks.keySet().stream()
            .filter(node -> !holders.contains(node))
            .filter(
                node ->
                    !taken.contains(racks.get(node))
                        || racks.get(node).equals(racks.get(source.node())))
            .sorted()
            .toList();
    if (candidates.isEmpty()) {
      throw new IOException("No target for a replica of " + holders);
    }
    return candidates.get(random.nextInt(candidates.size()));
  }
}
