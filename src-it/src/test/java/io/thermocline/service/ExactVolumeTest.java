// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import io.thermocline.placement.hdfs.NominatedVolumeChoosingPolicy;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where DataNodes have our volume choosing policy, a move ends on the very volume that it names.
 */
@Tag("cluster")
class ExactVolumeTest {

  private static final int FILES = 6;

  @Test
  void membersOfAGroupCanBeOnOneDevice(@TempDir Path directory) throws Exception {
    StorageType[] disks = {StorageType.DISK, StorageType.DISK, StorageType.DISK};
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.set(
        "dfs.datanode.fsdataset.volume.choosing.policy",
        NominatedVolumeChoosingPolicy.class.getName());
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf, directory.toFile())
            .numDataNodes(2)
            .storagesPerDatanode(disks.length)
            .storageTypes(new StorageType[][] {disks, disks})
            .build()) {
      cluster.waitActive();
      DistributedFileSystem fs = cluster.getFileSystem();
      InetSocketAddress[] first = {cluster.getDataNodes().get(0).getXferAddress()};
      String target = cluster.getDataNodes().get(1).getDatanodeUuid();
      String volume =
          Arrays.stream(
                  cluster
                      .getDataNodes()
                      .get(1)
                      .getFSDataset()
                      .getStorageReports(cluster.getNamesystem().getBlockPoolId()))
              .map(StorageReport::getStorage)
              .map(storage -> storage.getStorageID())
              .max(String::compareTo)
              .orElseThrow();
      List<String> paths = IntStream.range(0, FILES).mapToObj(i -> "/group/" + i).toList();
      for (String path : paths) {
        try (OutputStream out =
            fs.createFile(new org.apache.hadoop.fs.Path(path))
                .recursive()
                .replication((short) 1)
                .favoredNodes(first)
                .build()) {
          out.write(1);
        }
      }
      try (DirectedMoves moves =
          new DirectedMoves(fs.getUri(), new org.apache.hadoop.fs.Path("/mutex"), conf)) {
        for (FileView file : moves.files(paths).values()) {
          FileView.Block block = file.blocks().get(0);
          moves.copy(
              new Move(
                  "0-0",
                  file.path(),
                  block,
                  block.replicas().get(0),
                  target,
                  volume,
                  io.thermocline.placement.model.StorageType.DISK));
        }
        Eventually.holds("all on " + volume, () -> volumes(moves, paths).equals(Set.of(volume)));
      }
    }
  }

  private static Set<String> volumes(DirectedMoves moves, List<String> paths) throws Exception {
    return moves.files(paths).values().stream()
        .flatMap(file -> file.blocks().get(0).replicas().stream())
        .map(FileView.Replica::storageId)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
