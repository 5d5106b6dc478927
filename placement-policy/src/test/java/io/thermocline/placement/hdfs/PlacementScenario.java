// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.FakeDatanode;
import org.apache.hadoop.net.Node;

/** One call of chooseTarget, which can be made of several policies. */
record PlacementScenario(
    int replicas,
    Node writer,
    List<DatanodeStorageInfo> chosen,
    boolean returnChosen,
    Set<Node> excluded,
    long blockSize,
    BlockStoragePolicy policy,
    EnumSet<AddBlockFlag> flags,
    List<DatanodeDescriptor> favoured) {

  /** What came back, and what became of the caller's collections. */
  record Outcome(
      List<DatanodeStorageInfo> targets, List<DatanodeStorageInfo> chosen, Set<Node> excluded) {}

  Outcome ask(BlockPlacementPolicy placement) {
    List<DatanodeStorageInfo> chosenCopy = new ArrayList<>(chosen);
    Set<Node> excludedCopy = new HashSet<>(excluded);
    DatanodeStorageInfo[] targets =
        favoured.isEmpty()
            ? placement.chooseTarget(
                "/file",
                replicas,
                writer,
                chosenCopy,
                returnChosen,
                excludedCopy,
                blockSize,
                policy,
                flags)
            : FakeDatanode.chooseTarget(
                placement, replicas, writer, excludedCopy, blockSize, favoured, policy);
    return new Outcome(List.of(targets), chosenCopy, excludedCopy);
  }

  boolean bars(AddBlockFlag flag) {
    return favoured.isEmpty() && flags != null && flags.contains(flag);
  }

  boolean returnsChosen() {
    return returnChosen && favoured.isEmpty();
  }
}
