// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.Seams;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moves that wait until clients read little: DataNodes' own counts, minutes that pass at once. The service is in this JVM,
 * which gives it its clock.
 */
@Tag("cluster")
class IdleTest {

  private static final int FILES = 3;
  private static final int BUSY = 60;

  @TempDir Path temp;

  private final AtomicLong leaptNanos = new AtomicLong();

  @Test
  void movesBeginWhenClientsReadLittleAndDoNotCountThemselves() throws Exception {
    try (ServedCluster cluster =
        ServedCluster.start(
            temp.resolve("cluster"), List.of(StorageType.DISK, StorageType.SSD), 4, Map.of())) {
      for (int i = 0; i < FILES; i++) {
        cluster.write("/idle/f" + i);
      }
      Path config =
          cluster
              .setup("/idle")
              .apply()
              .yields("rpcQueue: 10s, foreground: 0, idle: 1, lookEvery: 200ms")
              .write(temp.resolve("service"));
      Seams system = Seams.system();
      Seams leaping =
          new Seams(
              system.clock(),
              () -> system.nanos().getAsLong() + leaptNanos.get(),
              system.pause(),
              system.faults());
      try (TieringService service = TieringService.start(ServiceConfigFile.read(config), leaping)) {
        Eventually.holds(
            "it isn't known yet",
            () ->
                service
                    .steering()
                    .reason()
                    .equals("clients have been watched for less than 60 s (act.yield.idle: 1)"));
        Eventually.holds(
            "a minute in which clients read much",
            Duration.ofMinutes(2),
            () -> {
              for (int i = 0; i < FILES; i++) {
                cluster.read("/idle/f" + i, BUSY);
              }
              aMinutePasses();
              return service.steering().reason().startsWith("clients read and write ");
            });
        assertEquals(Set.of("load"), service.steering().heldBy());
        assertEquals(0, service.status().moves().verified(), "nothing was begun");

        Eventually.holds(
            "a minute in which they read nothing",
            Duration.ofMinutes(2),
            () -> {
              boolean isOpen = service.steering().mayBegin();
              if (!isOpen) {
                aMinutePasses();
              }
              return isOpen;
            });
        for (int i = 0; i < FILES; i++) {
          String file = "/idle/f" + i;
          Eventually.holds(file + " on SSD", () -> cluster.has(file, 1, StorageType.SSD));
        }
        assertTrue(service.steering().mayBegin(), "copies are no load of clients");
      }
    }
  }

  private void aMinutePasses() {
    leaptNanos.addAndGet(Duration.ofMinutes(1).toNanos());
  }
}
