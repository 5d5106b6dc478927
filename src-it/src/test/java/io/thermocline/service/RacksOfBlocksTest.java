// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.look.HdfsLook;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyRackFaultTolerant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What doctor sees of where Hadoop's placement policies have put blocks. */
@Tag("cluster")
class RacksOfBlocksTest {

  private static final int FILES = 10;

  /** Of a file. */
  private static final int BLOCKS = 3;

  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(
      classes = {BlockPlacementPolicyRackFaultTolerant.class, BlockPlacementPolicyDefault.class})
  void tellWhichPolicyPlacedThem(Class<?> policy) throws Exception {
    List<NodeLayout> nodes =
        IntStream.range(0, 6)
            .mapToObj(
                i ->
                    new NodeLayout(
                        "dn" + i + ".test", "/rack" + i / 2, Map.of(StorageType.DISK, 64L << 20)))
            .toList();
    boolean isApart = policy == BlockPlacementPolicyRackFaultTolerant.class;
    try (ServedCluster cluster =
        ServedCluster.start(
            temp, nodes, Map.of("dfs.block.replicator.classname", policy.getName()))) {
      for (int i = 0; i < FILES; i++) {
        cluster.write("/data/f" + i);
      }
      Facts.Spread spread =
          new HdfsLook(cluster.superuser(), "root", Optional.empty())
              .look("/system/none", List.of("/data", "/none"), Set.of())
              .spread()
              .value()
              .orElseThrow();
      int blocks = FILES * BLOCKS;
      assertEquals(new Facts.Spread(blocks, isApart ? blocks : 0), spread);
    }
  }
}
