// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.testbed.process.inside.NameNodeProbe;
import io.thermocline.testbed.process.inside.RackOfHostName;
import io.thermocline.testbed.process.inside.SocketFactoryOfAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** The settings that make a small cluster on one host react within seconds. */
final class ClusterSettings {

  /** Small, so that small files have several blocks. */
  static final int BLOCK_SIZE = 256 * 1024;

  private static final String ANY_PORT = "127.0.0.1:0";

  private ClusterSettings() {}

  /**
   * @param directory the cluster's
   * @param excluded file that names the DataNodes to decommission
   */
  static Site of(Path directory, Path excluded) {
    Map<String, String> all = new HashMap<>();
    all.put("fs.defaultFS", "hdfs://" + ANY_PORT);
    all.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
    all.put("net.topology.node.switch.mapping.impl", RackOfHostName.class.getName());
    all.put("dfs.namenode.name.dir", directory.resolve("name").toUri().toString());
    all.put("dfs.namenode.http-address", ANY_PORT);
    all.put("dfs.namenode.plugins", NameNodeProbe.class.getName());
    all.put("dfs.hosts.exclude", excluded.toString());
    all.put("dfs.blocksize", Integer.toString(BLOCK_SIZE));
    all.put("dfs.namenode.fs-limits.min-block-size", "4096");
    all.put("dfs.storage.policy.satisfier.mode", "external");
    // A DataNode leaves 1 GiB of each volume alone by default.
    all.put("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", "0");
    all.putAll(reactions());
    all.putAll(moves());
    return Site.of(all);
  }

  static Map<String, String> dataNode(ProcessNode node, String directories) {
    Map<String, String> all = new HashMap<>();
    all.put("dfs.datanode.hostname", node.host());
    all.put("dfs.datanode.data.dir", directories);
    all.put("dfs.datanode.address", node.address() + ":0");
    all.put("dfs.datanode.http.address", node.address() + ":0");
    all.put("dfs.datanode.ipc.address", node.address() + ":0");
    all.put("dfs.datanode.handler.count", "3");
    if (!node.address().equals(ProcessNode.LOCAL)) {
      // HDFS takes the address that a DataNode registers from for its own.
      all.put("hadoop.rpc.socket.factory.class.default", SocketFactoryOfAddress.class.getName());
      all.put(SocketFactoryOfAddress.ADDRESS, node.address());
    }
    return all;
  }

  private static Map<String, String> reactions() {
    return Map.of(
        "dfs.heartbeat.interval", "1",
        "dfs.namenode.redundancy.interval.seconds", "1",
        "dfs.namenode.decommission.interval", "1",
        // A DataNode is dead after twice this and ten heartbeats: 11 s.
        "dfs.namenode.heartbeat.recheck-interval", "500",
        "dfs.namenode.stale.datanode.interval", "5000",
        "dfs.namenode.safemode.extension", "0",
        "dfs.namenode.reconstruction.pending.timeout-sec", "10",
        // complete() polls until the last block is reported, first after 400 ms by default.
        "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "20",
        "dfs.client.block.write.locateFollowingBlock.retries", "12",
        "thermocline.placement.refresh.ms", "200");
  }

  private static Map<String, String> moves() {
    return Map.of(
        "dfs.datanode.balance.max.concurrent.moves", "100",
        "dfs.datanode.balance.bandwidthPerSec", "1g",
        // The Balancer leaves blocks under 10 MiB alone by default.
        "dfs.balancer.getBlocks.min-block-size", "1",
        // How long it waits for something to move once all that is left is refused; a minute by
        // default.
        "dfs.balancer.max-no-move-interval", "3000",
        "dfs.namenode.replication.max-streams", "20",
        "dfs.namenode.replication.max-streams-hard-limit", "40",
        "dfs.namenode.replication.work.multiplier.per.iteration", "10",
        "dfs.block.invalidate.limit", "1000");
  }
}
