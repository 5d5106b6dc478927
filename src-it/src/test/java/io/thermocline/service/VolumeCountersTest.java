// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.cluster.NodeLayout;
import io.thermocline.tiering.observe.DataNodeCounters;
import io.thermocline.tiering.observe.ServedCounters;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real DataNode counts of reads, by storage type where it samples them. */
@Tag("cluster")
class VolumeCountersTest {

  private static final long MIB = 1L << 20;
  private static final int READS = 40;

  @TempDir private Path temp;

  @Test
  void countsByTypeWhatClientsRead() throws Exception {
    NodeLayout one =
        new NodeLayout(
            "dn0.test", "/rack0", Map.of(StorageType.DISK, 64 * MIB, StorageType.SSD, 64 * MIB));
    try (ServedCluster cluster =
        ServedCluster.start(
            temp,
            List.of(one),
            Map.of("dfs.datanode.fileio.profiling.sampling.percentage", "100"))) {
      cluster.devices().fullSpeed();
      DistributedFileSystem client = cluster.as("hdfs");
      DistributedFileSystem superuser = cluster.superuser();
      for (String policy : List.of("ALL_SSD", "HOT")) {
        org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path("/" + policy);
        superuser.mkdirs(directory);
        superuser.setStoragePolicy(directory, policy);
        try (OutputStream out = superuser.create(file(policy), (short) 1)) {
          out.write(new byte[ServedCluster.FILE_BYTES]);
        }
      }
      DatanodeInfo node = superuser.getDataNodeStats()[0];
      DataNodeCounters counters = new DataNodeCounters(new Configuration(false));
      List<DataNodeCounters.Asked> asked =
          List.of(
              new DataNodeCounters.Asked(
                  node.getDatanodeUuid(),
                  "http://" + node.getInfoAddr(),
                  Integer.toString(node.getXferPort())));
      for (int time = 0; time < READS; time++) {
        try (InputStream in = client.open(file(time % 4 == 0 ? "HOT" : "ALL_SSD"))) {
          in.readAllBytes();
        }
      }
      ServedCounters[] counted = new ServedCounters[1];
      Eventually.holds(
          "all reads in the counters, each bean of which may be ten seconds old",
          () -> {
            counted[0] = counters.ask(asked).get(node.getDatanodeUuid());
            return counted[0] != null
                && counted[0].bytes() >= READS * (long) ServedCluster.FILE_BYTES
                && counted[0].requests().values().stream().mapToLong(each -> each).sum()
                    >= counted[0].reads();
          });
      long ssd = counted[0].requests().getOrDefault(StorageType.SSD, 0L);
      long disk = counted[0].requests().getOrDefault(StorageType.DISK, 0L);
      assertEquals(0.75, (double) ssd / Math.max(1, ssd + disk), 0.03, counted[0]::toString);
      assertEquals(0, counted[0].copies());
    }
  }

  private static org.apache.hadoop.fs.Path file(String policy) {
    return new org.apache.hadoop.fs.Path("/" + policy + "/f");
  }
}
