// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Moves single replicas of a cluster as the tiering service does. */
final class ReplicaMoves implements AutoCloseable {

  private static final Path MUTEX = new Path("/thermocline.mutex");

  private final ProcessCluster cluster;
  private final DirectedMoves moves;

  ReplicaMoves(ProcessCluster cluster) throws IOException {
    this.cluster = cluster;
    this.moves = new DirectedMoves(cluster.uri(), MUTEX, cluster.configuration());
  }

  /** Copies the replica of each block of the file that lies on one node to another; HDFS then drops it. */
  void move(String path, String from, String to, StorageType type) throws IOException {
    String source = cluster.info(from).getDatanodeUuid();
    String target = cluster.info(to).getDatanodeUuid();
    for (FileView.Block block : moves.file(path).orElseThrow().blocks()) {
      FileView.Replica replica =
          block.replicas().stream()
              .filter(one -> one.node().equals(source))
              .findFirst()
              .orElseThrow(() -> new IOException("No replica of " + path + " on " + from));
      copy(path, block, replica, target, type);
    }
  }

  void copy(
      String path, FileView.Block block, FileView.Replica replica, String target, StorageType type)
      throws IOException {
    moves.copy(new Move("0-0", path, block, replica, target, "", type));
  }

  FileView file(String path) throws IOException {
    return moves.file(path).orElseThrow();
  }

  @Override
  public void close() {
    moves.close();
  }
}
