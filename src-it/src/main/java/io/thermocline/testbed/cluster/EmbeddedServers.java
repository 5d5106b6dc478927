// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.EmulatedDeviceFactory;
import org.apache.hadoop.http.HttpServer2;

/** Starts the servers of a layout. */
final class EmbeddedServers {

  private EmbeddedServers() {}

  /**
   * @param directory of all the servers' files; made if absent
   * @return after all DataNodes have registered and reported
   */
  static MiniDFSCluster start(Configuration conf, ClusterLayout layout, Path directory)
      throws IOException {
    List<NodeLayout> nodes = layout.nodes();
    // Jetty empties its temporary directory first, so no two servers may share one.
    conf.set(HttpServer2.HTTP_TEMP_DIR_KEY, directory.resolve("http/namenode").toString());
    return new MiniDFSCluster.Builder(conf, directory.toFile())
        .numDataNodes(nodes.size())
        .storagesPerDatanode(
            nodes.stream().mapToInt(node -> node.capacities().size()).max().orElseThrow())
        .storageTypes(nodes.stream().map(EmbeddedServers::types).toArray(StorageType[][]::new))
        .racks(nodes.stream().map(NodeLayout::rack).toArray(String[]::new))
        .hosts(nodes.stream().map(NodeLayout::host).toArray(String[]::new))
        .dataNodeConfOverlays(
            nodes.stream().map(node -> overlay(node, directory)).toArray(Configuration[]::new))
        // A server that gave up must not keep shutdown() from stopping the others.
        .checkExitOnShutdown(false)
        .build();
  }

  private static StorageType[] types(NodeLayout node) {
    return node.capacities().keySet().stream()
        .map(type -> StorageType.valueOf(type.name()))
        .toArray(StorageType[]::new);
  }

  /**
   * The dataset sets the capacities, as MiniDFSCluster can do so only where all nodes have equally many
   * storages, and only after the first heartbeats have told the NameNode of the whole disk.
   */
  private static Configuration overlay(NodeLayout node, Path directory) {
    Configuration overlay = new Configuration(false);
    overlay.set(HttpServer2.HTTP_TEMP_DIR_KEY, directory.resolve("http/" + node.host()).toString());
    for (Map.Entry<io.thermocline.placement.model.StorageType, Long> storage :
        node.capacities().entrySet()) {
      overlay.setLong(
          EmulatedDeviceFactory.CAPACITY_KEY_PREFIX + storage.getKey().name(), storage.getValue());
    }
    return overlay;
  }
}
