// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** A NameNode's view of a DataNode that there isn't: alive, with storages as its heartbeats say. */
public final class FakeDatanode {
  private final DatanodeDescriptor node;
  private final List<StorageReport> reports = new ArrayList<>();

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
    node.updateHeartbeatState(reports.toArray(new StorageReport[0]), 0, 0, 0, 0, null);
    return this;
  }

  public DatanodeDescriptor node() {
    return node;
  }
}
