// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.BlockMove;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.act.DirectedMoves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Directed moves where DataNodes ask for block tokens, and where they encrypt what they transfer;
 * by the classes of the cluster's own Hadoop, in processes of their own. One Hadoop line with
 * both by default; all lines, and tokens alone, with {@code -Dmoves.lines=all}.
 */
@Tag("cluster")
class ProtectedMovesTest {

  private static final Map<String, String> TOKENS = Map.of("dfs.block.access.token.enable", "true");
  private static final Map<String, String> ENCRYPTED =
      Map.of(
          "dfs.block.access.token.enable", "true",
          "dfs.encrypt.data.transfer", "true",
          "dfs.encrypt.data.transfer.cipher.suites", "AES/CTR/NoPadding");
  private static final List<StorageType> TYPES = List.of(StorageType.DISK, StorageType.SSD);
  private static final List<String> NODES = List.of("dn1", "dn2", "dn3");

  /**
   * @param name for people
   */
  record Protection(String version, String name, Map<String, String> settings) {
    @Override
    public String toString() {
      return name + " on " + version;
    }
  }

  static List<Protection> protections() {
    boolean isAll = "all".equals(System.getProperty("moves.lines"));
    return Stream.of("3.3.6", "3.4.3", "3.5.0")
        .filter(version -> isAll || version.equals("3.4.3"))
        .flatMap(
            version ->
                Stream.of(
                    new Protection(version, "tokens", TOKENS),
                    new Protection(version, "encrypted", ENCRYPTED)))
        .filter(one -> isAll || one.settings().equals(ENCRYPTED))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("protections")
  void movesWhatOthersMayNot(Protection protection) throws IOException {
    try (ProcessCluster cluster = start(protection)) {
      StoredFiles files = new StoredFiles(cluster);
      String near = files.write("/moved/near", 2, 2);
      String far = files.write("/moved/far", 2, 2);
      List<List<DatanodeInfoWithStorage>> before = files.replicas(far);
      cluster.client().setStoragePolicy(new Path("/moved"), "ONE_SSD");

      LocatedBlock block = files.blocks(near).get(0);
      BlockMove bare =
          new BlockMove(block.getBlock(), block.getLocations()[0], block.getLocations()[0]);
      assertThrows(
          IOException.class,
          () -> bare.to(org.apache.hadoop.fs.StorageType.SSD),
          "with neither token nor key");
      assertEquals(List.of("[DISK, DISK]", "[DISK, DISK]"), files.types(near));

      move(cluster, near);
      move(cluster, far, uuids(cluster));
      for (String path : List.of(near, far)) {
        Eventually.holds(
            "one copy of each block of " + path + " on SSD",
            () -> files.types(path).equals(List.of("[DISK, SSD]", "[DISK, SSD]")));
        files.check(path);
      }
      for (int i = 0; i < before.size(); i++) {
        assertEquals(1, others(before.get(i), files.replicas(far).get(i)), "went to another node");
      }
    }
  }

  private static ProcessCluster start(Protection protection) throws IOException {
    try {
      ProcessCluster.Builder builder =
          ProcessCluster.builder(HadoopLine.resolve(protection.version(), TestLines.DIRECTORY))
              .plugin(ProcessCluster.codeOf(DirectedMovesOnDemand.class))
              .plugin(ProcessCluster.codeOf(DirectedMoves.class))
              .plugin(ProcessCluster.codeOf(StorageType.class));
      protection.settings().forEach(builder::setting);
      NODES.forEach(name -> builder.node(new ProcessNode(name, "rack1", TYPES)));
      return builder.start();
    } catch (UnresolvedHadoopException e) {
      assumeTrue(false, e.getMessage());
      throw new AssertionError(e);
    }
  }

  private static void move(ProcessCluster cluster, String path, String... nodes)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of(path));
    arguments.addAll(List.of(nodes));
    cluster
        .run(DirectedMovesOnDemand.class.getName(), arguments.toArray(String[]::new))
        .succeeded();
  }

  /** How many of the replicas now are on nodes that had none before. */
  private static long others(
      List<DatanodeInfoWithStorage> before, List<DatanodeInfoWithStorage> now) {
    List<String> nodes = before.stream().map(DatanodeInfo::getDatanodeUuid).toList();
    return now.stream().filter(one -> !nodes.contains(one.getDatanodeUuid())).count();
  }

  private static String[] uuids(ProcessCluster cluster) throws IOException {
    List<String> uuids = new ArrayList<>();
    for (String name : NODES) {
      uuids.add(cluster.info(name).getDatanodeUuid());
    }
    return uuids.toArray(String[]::new);
  }
}
