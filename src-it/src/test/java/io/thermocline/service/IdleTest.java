// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves that wait until clients read little, by DataNodes' own counts of a minute: takes some. */
@Tag("cluster")
class IdleTest {

  private static final int FILES = 3;
  private static final int BUSY = 60;
  private static final Duration A_MINUTE_AND_MORE = Duration.ofMinutes(3);

  @TempDir Path temp;

  @Test
  void movesBeginWhenClientsReadLittleAndDoNotCountThemselves() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(
            temp.resolve("cluster"), List.of(StorageType.DISK, StorageType.SSD), 4, Map.of())) {
      for (int i = 0; i < FILES; i++) {
        cluster.write("/idle/f" + i);
      }
      Path directory = Files.createDirectories(temp.resolve("service"));
      Path config =
          cluster
              .setup("/idle")
              .apply()
              .yields("rpcQueue: 10s, foreground: 0, idle: 1, lookEvery: 200ms")
              .write(directory);
      try (ServiceProcess service = ServiceProcess.start(directory, config)) {
        service.logs("running in APPLY mode");
        Eventually.holds(
            "it isn't known yet",
            () ->
                obstacle(service)
                    .contains(
                        "clients have been watched for less than 60 s (act.throttle.idle: 1)"));
        Eventually.holds(
            "a minute in which clients read much",
            A_MINUTE_AND_MORE,
            () -> {
              for (int i = 0; i < FILES; i++) {
                cluster.read("/idle/f" + i, BUSY);
              }
              return obstacle(service).contains("clients read and write ");
            });
        assertEquals(0, verified(service), "nothing was begun");

        Eventually.holds(
            "a minute in which they read nothing",
            A_MINUTE_AND_MORE,
            () -> !obstacle(service).contains("clients "));
        for (int i = 0; i < FILES; i++) {
          String file = "/idle/f" + i;
          Eventually.holds(file + " on SSD", () -> cluster.has(file, 1, StorageType.SSD));
        }
        assertEquals("", obstacle(service), "copies are no load of clients");
        service.terminate();
      }
    }
  }

  private static String obstacle(ServiceProcess service) throws Exception {
    return service.get("/control").path("obstacle").asText("");
  }

  private static int verified(ServiceProcess service) throws Exception {
    return service.get("/state").at("/moves/verified").asInt(-1);
  }
}
