// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that dies at a named point of a move, and the one that comes after it. By default at those points that differ
 * most; at all of them with {@code -Dcrash.points=all}.
 */
@Tag("cluster")
class ServiceCrashTest {

  private static final List<String> SOME =
      List.of("policy.recorded", "COPYING.recorded", "COPIED.unrecorded");
  private static final List<String> ALL =
      List.of(
          "planned.unrecorded",
          "planned.recorded",
          "policy.unrecorded",
          "policy.recorded",
          "COPYING.unrecorded",
          "COPYING.recorded",
          "COPIED.unrecorded",
          "COPIED.recorded",
          "VERIFIED.unrecorded",
          "VERIFIED.recorded",
          "planEnded.unrecorded",
          "planEnded.recorded");

  @TempDir static Path temp;

  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = ServedCluster.start(temp, List.of(StorageType.DISK, StorageType.SSD));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void theNextServiceFinishesOrReportsWhatWasUnderWay() throws Exception {
    List<String> points = "all".equals(System.getProperty("crash.points")) ? ALL : SOME;
    for (int i = 0; i < points.size(); i++) {
      crashAndReturn(points.get(i), "/crash" + i);
    }
  }

  private static void crashAndReturn(String point, String managed) throws Exception {
    String file = managed + "/hot";
    cluster.write(file);
    Path directory = Files.createDirectories(temp.resolve(managed.substring(1)));
    Path config =
        cluster
            .setup(managed)
            .apply()
            .replace("verifyWithin: 5m", "verifyWithin: 15s")
            .write(directory);
    CrashingService.dies(directory, config, point, () -> cluster.read(file, 3));
    // HDFS lets go of the mutex of one that was killed after a minute.
    cluster.superuser().recoverLease(new org.apache.hadoop.fs.Path("/system/thermocline/mover.id"));
    try (ServiceProcess service = ServiceProcess.start(directory, config)) {
      Eventually.holds(
          point + ": all is at its end, " + service,
          Duration.ofMinutes(2),
          () -> {
            assertTrue(service.toString().isEmpty() || !service.has("planning failed"));
            cluster.read(file, 3);
            return cluster.has(file, 1, StorageType.SSD) && isSettled(directory);
          });
      service.terminate();
    }
    check(point, directory);
  }

  private static boolean isSettled(Path directory) throws IOException {
    try (Journal journal = Journal.read(ServiceSetup.journalOf(directory))) {
      return journal.open().isEmpty() && journal.unfinished().isEmpty();
    }
  }

  private static void check(String point, Path directory) throws IOException {
    Map<String, String> ends = new HashMap<>();
    Map<String, Integer> copies = new HashMap<>();
    List<JournalEntry> entries = new ArrayList<>();
    try (Journal journal = Journal.read(ServiceSetup.journalOf(directory))) {
      journal.history(entries::add);
    }
    for (JournalEntry entry : entries) {
      if (entry instanceof JournalEntry.Moved moved && moved.isFinal()) {
        assertEquals(null, ends.put(moved.move(), moved.state()), () -> point + ": " + moved);
        if (moved.state().equals("VERIFIED")) {
          copies.merge(moved.block() + " to " + moved.to(), 1, Integer::sum);
        }
      }
    }
    assertEquals(3, copies.size(), () -> point + ": a move for each block: " + ends);
    copies.forEach((copy, times) -> assertEquals(1, times, point + ": " + copy));
  }
}
