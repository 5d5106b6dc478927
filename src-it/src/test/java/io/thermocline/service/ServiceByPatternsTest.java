// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files go to the tiers that suit how they are read, on a real cluster with clienttrace. */
@Tag("cluster")
class ServiceByPatternsTest {

  private static final int MIB = 1 << 20;
  private static final Duration LIMIT = Duration.ofMinutes(5);

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
      // In one block: clienttrace tells apart what is far apart in a block.
      write(cluster, "/data/random", 2 * MIB, 4 * MIB);
      Path directory = temp.resolve("service");
      Path library = Files.writeString(temp.resolve("chew.yaml"), LIBRARY);
      Path config =
          cluster
              .setup("/data")
              .apply()
              .planEvery("2s")
              .chew(library)
              // Less than one file: what is idle has no room there, and goes on to the last.
              .disk("1 %")
              .clientTraceLogs(trace.file().toString())
              .write(Files.createDirectories(directory));
      try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
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
        Eventually.holds(
            "all of its copies VERIFIED",
            LIMIT,
            () -> ServiceSetup.journal(directory, "VERIFIED", "/data/idle", "ARCHIVE").size() == 9);
        String said = String.join("\n", service.explains("/data/random"));
        assertTrue(said.contains("file /data/random, " + 2 * MIB + " bytes"), said);
        assertTrue(said.contains("pattern "), said);
        assertTrue(said.contains("pool NVDIMM: "), said);
      }
      // Three copies of three blocks, and none of them by way of another tier.
      assertEquals(9, ServiceSetup.journal(directory, "VERIFIED", "/data/idle").size());
    }
  }

  @Test
  void movesTheBusyBlockAloneOfAFileThatIsTooLarge() throws Exception {
    try (ServedCluster cluster =
            ServedCluster.start(temp, List.of(StorageType.NVDIMM, StorageType.DISK));
        ClientTrace trace = ClientTrace.into(temp.resolve("datanodes/hdfs-clienttrace.log"))) {
      // Four blocks of 2 MB, where 1 % of 256 MB is for data.
      write(cluster, "/data/large", 8 * MIB, 2 * MIB);
      String library =
          LIBRARY
              .replaceAll("(?m)^  (SSD|ARCHIVE): .*\n", "")
              .replace("weighedOn: SSD", "weighedOn: DISK")
              .replace("smallBelow: 0 B", "smallBelow: 0 B, minPart: 1 MB")
              .replace("[DISK, ARCHIVE]", "[DISK]")
              .replace("[SSD]", "[DISK]");
      Path config =
          cluster
              .setup("/data")
              .apply()
              .planEvery("2s")
              .chew(Files.writeString(temp.resolve("chew.yaml"), library))
              .nvdimm("1 %")
              .clientTraceLogs(trace.file().toString())
              .write(Files.createDirectories(temp.resolve("service")));
      try (ServiceProcess service = ServiceProcess.start(config.getParent(), config)) {
        Eventually.holds(
            "the third block on NVDIMM",
            LIMIT,
            () -> {
              int from = 4 * MIB;
              int end = 6 * MIB - 4096;
              cluster.readAt("/data/large", 4096, from, end, from, end, from, end, from, end);
              return fast(cluster, 2) == 1;
            });
        Eventually.holds(
            "a later plan",
            LIMIT,
            () -> service.get("/state").path("message").asText().startsWith("0 decisions, "));
        String said = String.join("\n", service.explains("/data/large"));
        assertTrue(said.contains("block /data/large#2, "), said);
      }
      for (int block : new int[] {0, 1, 3}) {
        assertEquals(0, fast(cluster, block), "copies of block " + block);
      }
    }
  }

  /** Copies of a block of the large file that are on NVDIMM. */
  private static long fast(ServedCluster cluster, int block) throws Exception {
    return cluster.places("/data/large").get(block).stream()
        .filter(place -> place.startsWith("NVDIMM "))
        .count();
  }

  private static void write(ServedCluster cluster, String file, int bytes, int blockSize)
      throws IOException {
    try (OutputStream out =
        cluster
            .superuser()
            .create(new org.apache.hadoop.fs.Path(file), true, 4096, (short) 3, blockSize)) {
      out.write(new byte[bytes]);
    }
  }
}
