// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/** The order in which a client tries the replicas of the blocks of a file that it opened. Stateless. */
public enum ReplicaOrder {
  /** As the NameNode names them. */
  NAMENODE {
    @Override
    void sort(FSDataInputStream in) {
      // As it is.
    }
  },
  /** By storage type; within one type as the NameNode names them. */
  FASTEST {
    @Override
    void sort(FSDataInputStream in) throws IOException {
      if (in instanceof HdfsDataInputStream) {
        for (LocatedBlock block : ((HdfsDataInputStream) in).getAllBlocks()) {
          // Of a striped block each location is another part.
          if (!(block instanceof LocatedStripedBlock)) {
            fastestFirst(block);
          }
        }
      }
    }
  };

  /** Sorts the replicas of the blocks that an open stream knows, in place. */
  abstract void sort(FSDataInputStream in) throws IOException;

  /** Sorts a block's replicas in place, by a stable insertion sort. */
  public static void fastestFirst(LocatedBlock block) {
    // The block's own array, as NameNodes sort it, too.
    DatanodeInfo[] nodes = block.getLocations();
    for (int i = 1; i < nodes.length; i++) {
      DatanodeInfo node = nodes[i];
      int place = i;
      while (place > 0 && speed(nodes[place - 1]) < speed(node)) {
        nodes[place] = nodes[place - 1];
        place--;
      }
      nodes[place] = node;
    }
    block.updateCachedStorageInfo();
  }

  private static int speed(DatanodeInfo node) {
    if (!(node instanceof DatanodeInfoWithStorage)) {
      return -1;
    }
    org.apache.hadoop.fs.StorageType theirs = ((DatanodeInfoWithStorage) node).getStorageType();
    StorageType type = theirs == null ? null : StorageType.ofHadoopName(theirs.name());
    return type == null ? -1 : type.ordinal();
  }
}
