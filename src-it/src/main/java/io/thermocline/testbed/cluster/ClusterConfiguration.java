// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import io.thermocline.testbed.device.DeviceBoard;
import java.net.MalformedURLException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.EmulatedDeviceFactory;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCachingGetSpaceUsed;
import org.apache.hadoop.security.NullGroupsMapping;

/**
 * The Configuration of an embedded cluster: everything that makes a small cluster in one process
 * react within a second, and the administrator's resources for what isn't set by that.
 */
final class ClusterConfiguration {

  static {
    // BlockSender sizes its packets once per process from the default resources, where no cluster's
    // own Configuration reaches it; with 4 KB packets the testbed would measure packet handling.
    Configuration.addDefaultResource("thermocline-testbed-site.xml");
  }

  private static final int PARALLEL_MOVES = 200;
  private static final long MOVE_BYTES_PER_SECOND = 1L << 30;

  private ClusterConfiguration() {}

  static Configuration of(ClusterLayout layout, DeviceBoard board, List<Path> resources) {
    Configuration conf = new HdfsConfiguration();
    conf.set(DeviceBoard.ID_KEY, board.id());
    conf.setClass(
        DFSConfigKeys.DFS_DATANODE_FSDATASET_FACTORY_KEY,
        EmulatedDeviceFactory.class,
        Object.class);
    conf.setBoolean(CommonConfigurationKeysPublic.HADOOP_CALLER_CONTEXT_ENABLED_KEY, true);
    blocks(conf, layout);
    reactions(conf);
    moves(conf);
    quiet(conf);
    for (Path resource : resources) {
      try {
        conf.addResource(resource.toUri().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException("Not a readable resource: " + resource, e);
      }
    }
    return conf;
  }

  private static void blocks(Configuration conf, ClusterLayout layout) {
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, layout.blockSize());
    conf.setLong(
        DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY,
        DFSConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT);
    // The default forks a du process for each volume; this one sums the replicas in memory.
    conf.setClass(
        CommonConfigurationKeysPublic.FS_GETSPACEUSED_CLASSNAME,
        ReplicaCachingGetSpaceUsed.class,
        Object.class);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DU_RESERVED_KEY, 0);
  }

  private static void reactions(Configuration conf) {
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 10_000);
    // complete() polls until the last block is reported, first after 400 ms by default.
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_INITIAL_DELAY_MS_KEY, 10);
    conf.setInt(HdfsClientConfigKeys.BlockWrite.LOCATEFOLLOWINGBLOCK_RETRIES_KEY, 12);
  }

  private static void moves(Configuration conf) {
    conf.setInt(DFSConfigKeys.DFS_DATANODE_BALANCE_MAX_NUM_CONCURRENT_MOVES_KEY, PARALLEL_MOVES);
    conf.setLong(DFSConfigKeys.DFS_DATANODE_BALANCE_BANDWIDTHPERSEC_KEY, MOVE_BYTES_PER_SECOND);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 20);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 40);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION, 10);
    conf.setInt(DFSConfigKeys.DFS_BLOCK_INVALIDATE_LIMIT_KEY, 1_000);
  }

  private static void quiet(Configuration conf) {
    // The scanner would read every replica in the background, through the emulated devices.
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SCANNER_VOLUME_BYTES_PER_SECOND, 0);
    // The default forks an id process for each user that it hasn't seen.
    conf.setClass(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_GROUP_MAPPING,
        NullGroupsMapping.class,
        Object.class);
    // Idle connections keep a DataNode from stopping. A client's must expire before the DataNode's.
    conf.setLong(DFSConfigKeys.DFS_DATANODE_SOCKET_REUSE_KEEPALIVE_KEY, 1_500);
    conf.setLong(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_EXPIRY_MSEC_KEY, 1_000);
    conf.setInt(DFSConfigKeys.DFS_DATANODE_HANDLER_COUNT_KEY, 4);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY, 16);
    // Shared clients would mix the connections of different users and clusters.
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
  }
}
