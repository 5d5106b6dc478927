// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two DataNodes of four SSD volumes each, with and without our volume choosing policy. */
@Tag("cluster")
class NominatedVolumeOnClusterTest {
  private static final String POLICY_KEY = "dfs.datanode.fsdataset.volume.choosing.policy";
  private static final int FILES = 40;
  private static final Map<String, Set<String>> CHOSEN = new ConcurrentHashMap<>();

  @TempDir Path directory;

  /** Notes what it chose. */
  public static final class NotingPolicy extends ThermoclinePlacementPolicy {
    @Override
    public DatanodeStorageInfo[] chooseTarget(
        String srcPath,
        int numOfReplicas,
        Node writer,
        List<DatanodeStorageInfo> chosen,
        boolean returnChosenNodes,
        Set<Node> excludedNodes,
        long blocksize,
        BlockStoragePolicy storagePolicy,
        EnumSet<AddBlockFlag> flags) {
      DatanodeStorageInfo[] targets =
          super.chooseTarget(
              srcPath,
              numOfReplicas,
              writer,
              chosen,
              returnChosenNodes,
              excludedNodes,
              blocksize,
              storagePolicy,
              flags);
      CHOSEN.put(
          srcPath,
          Arrays.stream(targets)
              .map(DatanodeStorageInfo::getStorageID)
              .collect(Collectors.toSet()));
      return targets;
    }
  }

  @AfterEach
  void forget() {
    CHOSEN.clear();
  }

  @Test
  void eachReplicaIsOnTheVolumeThatWasNominated() throws IOException {
    Set<String> used = new HashSet<>();
    assertEquals(
        2 * FILES,
        honoured(Map.of(POLICY_KEY, NominatedVolumeChoosingPolicy.class.getName()), used));
    // And that by more than one volume.
    assertTrue(used.size() > 4, used.toString());
  }

  @Test
  void theStockPolicyIgnoresTheNomination() throws IOException {
    int honoured = honoured(Collections.emptyMap(), new HashSet<>());
    // A quarter by chance: 20 of 80; 80 only if this test could not see a miss.
    assertTrue(honoured < 60, "honoured " + honoured);
  }

  private int honoured(Map<String, String> settings, Set<String> used) throws IOException {
    StorageType[] four = {StorageType.SSD, StorageType.SSD, StorageType.SSD, StorageType.SSD};
    Map<String, String> all = new HashMap<>(settings);
    try (MiniCluster cluster =
        new MiniCluster(
            directory,
            NotingPolicy.class,
            new String[] {"/r1", "/r2"},
            new StorageType[][] {four, four},
            all)) {
      cluster.awaitLine(StorageType.SSD);
      int honoured = 0;
      for (int file = 0; file < FILES; file++) {
        org.apache.hadoop.fs.Path path = cluster.write("file" + file, "ALL_SSD", 2);
        FakeCluster.await(() -> cluster.replicas(path).size() == 2, "two replicas");
        for (DatanodeInfoWithStorage replica : cluster.replicas(path)) {
          used.add(replica.getStorageID());
          honoured += CHOSEN.get(path.toUri().getPath()).contains(replica.getStorageID()) ? 1 : 0;
        }
      }
      return honoured;
    }
  }
}
