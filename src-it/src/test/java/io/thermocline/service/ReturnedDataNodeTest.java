// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DataNode comes back on another port while the service runs. */
@Tag("cluster")
class ReturnedDataNodeTest {

  private static final org.apache.hadoop.fs.StorageType[] TYPES = {
    org.apache.hadoop.fs.StorageType.DISK, org.apache.hadoop.fs.StorageType.SSD
  };

  @TempDir Path temp;

  @Test
  void theSecondAttemptReachesIt() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    try (MiniDFSCluster cluster =
            new MiniDFSCluster.Builder(conf, temp.toFile())
                .numDataNodes(2)
                .storageTypes(TYPES)
                .build();
        DirectedMoves moves =
            new DirectedMoves(
                cluster.getURI(), new org.apache.hadoop.fs.Path("/thermocline.mutex"), conf)) {
      cluster.waitActive();
      Move first = toTheOther(cluster, moves, "/first");
      moves.copy(first);

      Move second = toTheOther(cluster, moves, "/second");
      comeBack(cluster, second.targetNode());
      IOException refused = assertThrows(IOException.class, () -> moves.copy(second));
      assertTrue(refused.toString().contains("refused"), refused::toString);
      moves.copy(second);

      // The target can't reach a source that has gone elsewhere, and says so.
      Move third = toTheOther(cluster, moves, "/third");
      comeBack(cluster, third.source().node());
      assertThrows(IOException.class, () -> moves.copy(third));
      moves.copy(third);
    }
  }

  /** Writes a file to one DataNode, to be moved to the other. */
  private static Move toTheOther(MiniDFSCluster cluster, DirectedMoves moves, String path)
      throws IOException {
    DistributedFileSystem fs = cluster.getFileSystem();
    InetSocketAddress holder = cluster.getDataNodes().get(0).getXferAddress();
    try (OutputStream out =
        fs.createFile(new org.apache.hadoop.fs.Path(path))
            .replication((short) 1)
            .favoredNodes(new InetSocketAddress[] {holder})
            .build()) {
      out.write(path.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    FileView.Block block = moves.file(path).orElseThrow().blocks().get(0);
    assertEquals(1, block.replicas().size());
    FileView.Replica replica = block.replicas().get(0);
    String target =
        cluster.getDataNodes().stream()
            .map(DataNode::getDatanodeUuid)
            .filter(uuid -> !uuid.equals(replica.node()))
            .findFirst()
            .orElseThrow();
    return new Move("0-0", path, block, replica, target, "", StorageType.SSD);
  }

  /** Stops a DataNode and starts it on a port of the system's choice. */
  private static void comeBack(MiniDFSCluster cluster, String uuid) throws Exception {
    int index = 0;
    while (!cluster.getDataNodes().get(index).getDatanodeUuid().equals(uuid)) {
      index++;
    }
    int before = cluster.getDataNodes().get(index).getXferPort();
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(index);
    assertTrue(cluster.restartDataNode(stopped, false));
    cluster.waitActive();
    DataNode back =
        cluster.getDataNodes().stream()
            .filter(node -> node.getDatanodeUuid().equals(uuid))
            .findFirst()
            .orElseThrow();
    assertNotEquals(before, back.getXferPort());
  }
}
