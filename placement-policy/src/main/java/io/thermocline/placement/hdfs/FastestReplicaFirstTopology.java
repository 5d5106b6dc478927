// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;

/**
 * A network topology that sends readers to the fastest storage type first: the class to name in
 * {@code dfs.net.topology.impl}. Within one type the stock order stays (distance, then what else the
 * NameNode sorts by).
 *
 * <p>{@code dfs.namenode.read.considerStorageType} doesn't do this: it sorts only replicas of equal
 * distance, excludes considering the load, and goes by the order of Hadoop's enum, in which NVDIMM
 * comes after ARCHIVE.
 *
 * <p>Where a node-attributes file divides a type into performance classes, a faster class comes before a
 * slower one. A thread of its own follows the file.
 *
 * <p>Optionally, a copy on a DISK of the reader's own host comes before SSD, if the host has many disks
 * ({@link PolicySettings#OWN_DISKS_KEY}).
 *
 * <p>Source: SUORA, section 3.6 (data are read from the bucket of the highest performance).
 */
public class FastestReplicaFirstTopology extends DFSNetworkTopology implements Configurable {
  // The overloads without a secondary sort call those with one.

  /** Null until configured. */
  private Configuration conf;

  /** Null where no file divides the types. */
  private ReadSpeeds speeds;

  /** DISKs of a host from which on one of them comes before SSD; 0 for never. */
  private int ownDisks;

  @Override
  public void setConf(Configuration given) {
    conf = given;
    if (given == null) {
      return;
    }
    PolicyHost host = PolicyHost.system();
    PolicySettings settings = PolicySettings.of(given, host.counters());
    speeds = ReadSpeeds.following(settings, host);
    ownDisks = settings.ownDisks();
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public <T extends Node> void sortByDistance(
      Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
    super.sortByDistance(reader, nodes, activeLen, secondarySort);
    fastestFirst(nodes, activeLen);
    ownDiskFirst(reader, nodes, activeLen);
  }

  @Override
  public <T extends Node> void sortByDistanceUsingNetworkLocation(
      Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
    super.sortByDistanceUsingNetworkLocation(reader, nodes, activeLen, secondarySort);
    fastestFirst(nodes, activeLen);
    ownDiskFirst(reader, nodes, activeLen);
  }

  /** A stable insertion sort: a block has few replicas, and nothing is allocated. */
  private <T extends Node> void fastestFirst(T[] nodes, int activeLen) {
    int end = Math.min(activeLen, nodes.length);
    for (int i = 1; i < end; i++) {
      T node = nodes[i];
      int speed = speed(node);
      int place = i;
      while (place > 0 && speed(nodes[place - 1]) < speed) {
        nodes[place] = nodes[place - 1];
        place--;
      }
      nodes[place] = node;
    }
  }

  /**
   * Many disks together deliver more than one SSD, so that the tasks of a host that has them are faster with its own
   * disks.
   */
  private <T extends Node> void ownDiskFirst(Node reader, T[] nodes, int activeLen) {
    if (ownDisks == 0
        || activeLen < 2
        || !(reader instanceof DatanodeDescriptor)
        || typeOf(nodes[0]) != org.apache.hadoop.fs.StorageType.SSD) {
      return;
    }
    DatanodeDescriptor host = (DatanodeDescriptor) reader;
    int own = Math.min(activeLen, nodes.length) - 1;
    while (own > 0 && !isDiskOf(host, nodes[own])) {
      own--;
    }
    if (own > 0 && disksOf(host) >= ownDisks) {
      T first = nodes[own];
      System.arraycopy(nodes, 0, nodes, 1, own);
      nodes[0] = first;
    }
  }

  private static boolean isDiskOf(DatanodeDescriptor host, Node node) {
    return typeOf(node) == org.apache.hadoop.fs.StorageType.DISK
        && ((DatanodeInfoWithStorage) node).getDatanodeUuid().equals(host.getDatanodeUuid());
  }

  private static org.apache.hadoop.fs.StorageType typeOf(Node node) {
    return node instanceof DatanodeInfoWithStorage
        ? ((DatanodeInfoWithStorage) node).getStorageType()
        : null;
  }

  private static int disksOf(DatanodeDescriptor host) {
    int disks = 0;
    for (DatanodeStorageInfo storage : host.getStorageInfos()) {
      if (storage.getStorageType() == org.apache.hadoop.fs.StorageType.DISK) {
        disks++;
      }
    }
    return disks;
  }

  /** More is faster; -1 for what is in no bucket, so that it comes last. */
  private int speed(Node node) {
    if (!(node instanceof DatanodeInfoWithStorage)) {
      return -1;
    }
    DatanodeInfoWithStorage replica = (DatanodeInfoWithStorage) node;
    StorageType type = StorageTypes.ours(replica.getStorageType());
    if (type == null) {
      return -1;
    }
    return speeds == null
        ? ReadSpeeds.of(type)
        : speeds.of(replica.getHostName(), type, replica.getStorageID());
  }
}
