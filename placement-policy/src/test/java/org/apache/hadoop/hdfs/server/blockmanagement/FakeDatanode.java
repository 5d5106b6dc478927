// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.net.Node;

/** A NameNode's view of a DataNode that there isn't: alive, with storages as its heartbeats say. */
public final class FakeDatanode {
  private final DatanodeDescriptor node;
  private final List<StorageReport> reports = new ArrayList<>();
  private int transfers;

  public FakeDatanode(int number, String rack) {
    String name = "node" + number;
    this.node = new DatanodeDescriptor(new DatanodeID(name, name, name, 9866, 0, 0, 0), rack);
    node.setAlive(true);
  }

  /** Adds a storage that is all free, and heartbeats. */
  public FakeDatanode with(StorageType type, String id, long capacity) {
    return with(type, id, capacity, capacity);
  }

  /** Adds a storage or changes what it reports, and heartbeats. */
  public FakeDatanode with(StorageType type, String id, long capacity, long remaining) {
    reports.removeIf(report -> report.getStorage().getStorageID().equals(id));
    DatanodeStorage storage = new DatanodeStorage(id, DatanodeStorage.State.NORMAL, type);
    reports.add(new StorageReport(storage, false, capacity, capacity - remaining, remaining, 0, 0));
    node.updateStorage(storage);
    heartbeat();
    return this;
  }

  /** Heartbeats with that many transfer threads. */
  public FakeDatanode busyWith(int transfers) {
    this.transfers = transfers;
    heartbeat();
    return this;
  }

  /** Heartbeats with a load; until the next storage is added. */
  public FakeDatanode heartbeat(long cacheCapacity, long cacheUsed, int xceivers) {
    node.updateHeartbeatState(
        reports.toArray(new StorageReport[0]), cacheCapacity, cacheUsed, xceivers, 0, null);
    return this;
  }

  /** Lets a storage fail as the NameNode notes it. */
  public void fail(DatanodeStorageInfo storage) {
    storage.setState(DatanodeStorage.State.FAILED);
  }

  private void heartbeat() {
    node.updateHeartbeatState(reports.toArray(new StorageReport[0]), 0, 0, transfers, 0, null);
  }

  /** The package-private entry of a new block with favoured nodes. */
  public static DatanodeStorageInfo[] chooseTarget(
      BlockPlacementPolicy policy,
      int replicas,
      Node writer,
      Set<Node> excluded,
      long blockSize,
      List<DatanodeDescriptor> favoured,
      BlockStoragePolicy storagePolicy) {
    return policy.chooseTarget(
        "/file", replicas, writer, excluded, blockSize, favoured, storagePolicy, null);
  }

  public DatanodeDescriptor node() {
    return node;
  }
}
