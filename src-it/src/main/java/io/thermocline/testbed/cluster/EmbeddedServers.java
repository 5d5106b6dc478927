// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.EmulatedDeviceFactory;
import org.apache.hadoop.http.HttpServer2;

/** The NameNode and the DataNodes of a layout. */
final class EmbeddedServers {

  // Netty's threads aren't daemons; they end by themselves some two seconds after their server, the
  // second kind after the first.
  private static final List<String> NETTY_THREADS =
      List.of("nioEventLoopGroup-", "globalEventExecutor-");
  private static final long NETTY_MILLIS = 5_000;

  private final MiniDFSCluster servers;
  private final Set<Thread> before;

  private EmbeddedServers(MiniDFSCluster servers, Set<Thread> before) {
    this.servers = servers;
    this.before = before;
  }

  /**
   * @param directory of all the servers' files; made if absent
   * @return after all DataNodes have registered and reported
   */
  static EmbeddedServers start(Configuration conf, ClusterLayout layout, Path directory)
      throws IOException {
    Set<Thread> before = Set.copyOf(Thread.getAllStackTraces().keySet());
    return new EmbeddedServers(build(conf, layout, directory), before);
  }

  URI uri() {
    return servers.getURI();
  }

  /** The NameNode's web server. */
  URI web() {
    return URI.create(
        "http://"
            + servers.getNameNode().getHttpAddress().getHostString()
            + ":"
            + servers.getNameNode().getHttpAddress().getPort());
  }

  /** Ends a DataNode, which the NameNode takes for live for ten minutes. */
  void stop(int node) {
    servers.stopDataNode(node);
  }

  /** Stops all servers and returns when none of their threads would keep the process alive. */
  void shutdown() {
    // One after the other they would each wait a second or two for idle connections to end.
    List<DataNode> dataNodes = List.copyOf(servers.getDataNodes());
    dataNodes.parallelStream().forEach(node -> Cleanup.attempt("stop " + node, node::shutdown));
    Cleanup.attempt("stop the NameNode", servers.getNameNode()::stop);
    Cleanup.attempt("stop the cluster", servers::shutdown);
    try {
      for (String name : NETTY_THREADS) {
        awaitEnd(name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitEnd(String name) throws InterruptedException {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith(name) && !before.contains(thread)) {
        thread.join(NETTY_MILLIS);
      }
    }
  }

  private static MiniDFSCluster build(Configuration conf, ClusterLayout layout, Path directory)
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
