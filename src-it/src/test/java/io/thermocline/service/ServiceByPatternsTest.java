// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.app.Seams;
import io.thermocline.tiering.app.ServiceConfigFile;
import io.thermocline.tiering.app.TieringService;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files go to the tiers that suit how they are read, on a real cluster with clienttrace. */
@Tag("cluster")
class ServiceByPatternsTest {

  private static final int MIB = 1 << 20;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** Weights a second of 600 KB: far apart, whatever the reads a second that the machine manages. */
  private static final String LIBRARY =
      """
      weights:
        NVDIMM: {random: 10000}
        SSD: {random: 10000}
        DISK: {random: 10000}
        ARCHIVE: {random: 10000}
      volumes:
        NVDIMM: {requests: 1000000, bytes: 1 TB}
        SSD: {requests: 1000000, bytes: 1 TB}
        DISK: {requests: 1000000, bytes: 1 TB}
        ARCHIVE: {requests: 1000000, bytes: 1 TB}
      weighedOn: SSD
      chunks: {reference: 600 KB, request: 64 KB, smallBelow: 0 B}
      stay: 0 %
      levels:
        - dimension: randomness
          patterns:
            random: {weight: {from: 1000}, pools: [NVDIMM]}
            sequential: {weight: {from: 0.0001, below: 1000}, pools: [SSD]}
            idle: {weight: {below: 0.0001}, pools: [DISK, ARCHIVE]}
      """;

  @TempDir private Path temp;

  @Test
  void movesFilesStraightToTheTierThatSuitsHowTheyAreRead() throws Exception {
    List<StorageType> types =
        List.of(StorageType.NVDIMM, StorageType.SSD, StorageType.DISK, StorageType.ARCHIVE);
    try (ServedCluster cluster = ServedCluster.start(temp, types);
        ClientTrace trace = ClientTrace.into(temp.resolve("datanodes/hdfs-clienttrace.log"))) {
      cluster.write("/data/stream");
      cluster.write("/data/idle");
      large(cluster, "/data/random");
      Path library = Files.writeString(temp.resolve("chew.yaml"), LIBRARY);
      Path config =
          cluster
              .setup("/data")
              .apply()
              .planEvery("2s")
              .chew(library)
              // Less than one file: what is idle has no room there, and goes on to the last.
              .disk("1 %")
              .clientTraceLogs(temp.resolve("datanodes/*.log").toString())
              .write(Files.createDirectories(temp.resolve("service")));
      try (TieringService service = serve(config)) {
        Eventually.holds(
            "each file on its tier",
            LIMIT,
            () -> {
              cluster.read("/data/stream", 1);
              int end = 2 * MIB - 4096;
              cluster.readAt("/data/random", 4096, 0, end, 4096, end - 4096, 8192, end);
              return cluster.has("/data/random", 1, StorageType.NVDIMM)
                  && cluster.has("/data/stream", 1, StorageType.SSD)
                  && cluster.has("/data/idle", 3, StorageType.ARCHIVE);
            });
        String said = String.join("\n", service.explain("/data/random").orElseThrow().lines());
        assertTrue(said.contains("file /data/random, " + 2 * MIB + " bytes"), said);
        assertTrue(said.contains("pattern "), said);
        assertTrue(said.contains("pool NVDIMM: "), said);
      }
      Path journal = temp.resolve("service");
      // Three copies of three blocks, and none of them by way of another tier.
      assertEquals(9, ServiceSetup.journal(journal, "VERIFIED", "/data/idle", "ARCHIVE").size());
      assertEquals(9, ServiceSetup.journal(journal, "VERIFIED", "/data/idle").size());
    }
  }

  private static void large(ServedCluster cluster, String file) throws Exception {
    try (OutputStream out =
        cluster
            .superuser()
            .create(new org.apache.hadoop.fs.Path(file), true, 4096, (short) 3, 4 * MIB)) {
      out.write(new byte[2 * MIB]);
    }
  }

  private static TieringService serve(Path config) throws Exception {
    return UserGroupInformation.createRemoteUser(ServiceProcess.USER)
        .doAs(
            (PrivilegedExceptionAction<TieringService>)
                () -> TieringService.start(ServiceConfigFile.read(config), Seams.system()));
  }
}
