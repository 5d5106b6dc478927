// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.NodeLayout;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Nine DataNodes on three racks in this process, each with five storage types, with our placement policy; and files of
 * one block with three replicas on DISK. Devices run at the machine's speed.
 */
final class MoveCluster {
  static final long BLOCK_BYTES = 256 << 10;
  static final int FILE_BYTES = 64 << 10;
  private static final int RACKS = 3;
  private static final int NODES_OF_A_RACK = 3;
  private static final int WRITERS = 8;

  private MoveCluster() {}

  /**
   * @param site our placement policy's settings
   * @param files that will be moved, each by one replica
   */
  static EmbeddedCluster create(Path parent, Path site, int files) throws IOException {
    // Every node has room for a replica of each file on every type, with the reserve that DataNodes
    // keep.
    long capacity = 4L * files * FILE_BYTES + 64 * BLOCK_BYTES;
    List<NodeLayout> nodes = new ArrayList<>();
    for (int i = 0; i < RACKS * NODES_OF_A_RACK; i++) {
      Map<StorageType, Long> capacities = new LinkedHashMap<>();
      for (StorageType type : StorageType.values()) {
        capacities.put(type, capacity);
      }
      int rack = i / NODES_OF_A_RACK + 1;
      nodes.add(
          new NodeLayout("dn%d.rack%d.test".formatted(i + 1, rack), "/rack" + rack, capacities));
    }
    return EmbeddedCluster.builder(parent)
        .layout(new ClusterLayout(nodes, BLOCK_BYTES))
        .resource(site)
        .create();
  }

  /** What copies may take of each DataNode, in bytes a second, where so many copies are to be made. */
  static long bytesPerNode(int copiesPerSecond) {
    return (long) copiesPerSecond * FILE_BYTES / (RACKS * NODES_OF_A_RACK);
  }

  /** Writes files f0, f1, ... into a directory. */
  static void write(DistributedFileSystem hdfs, String directory, int files) throws IOException {
    byte[] content = new byte[FILE_BYTES];
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> written = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        String path = directory + "/f" + i;
        written.add(
            writers.submit(
                () -> {
                  try (OutputStream out = hdfs.create(new org.apache.hadoop.fs.Path(path))) {
                    out.write(content);
                  }
                  return null;
                }));
      }
      for (Future<?> each : written) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("can't write files to " + directory, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in writing files to " + directory, e);
    } finally {
      writers.shutdownNow();
    }
  }
}
