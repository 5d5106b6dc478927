// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static io.thermocline.placement.hdfs.FakeCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.hdfs.PlacementCounters.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure of ours inside a real NameNode costs a counter, never a write. */
@Tag("cluster")
class FailingPolicyOnClusterTest {
  @TempDir Path directory;

  /** Created by the NameNode, by reflection. */
  public static final class FailingPolicy extends ThermoclinePlacementPolicy {
    public FailingPolicy() {
      super(
          new PolicyHost(
              System::nanoTime,
              () -> {
                throw new IllegalStateException("injected");
              },
              Thread::sleep));
    }
  }

  /** Fails at every thirty-first stage reached, now with an exception and now with an error. */
  public static final class ChaoticPolicy extends ThermoclinePlacementPolicy {
    private static final AtomicInteger REACHED = new AtomicInteger();

    public ChaoticPolicy() {
      super(
          new PolicyHost(
              System::nanoTime,
              () -> 0,
              () -> ThreadLocalRandom.current().nextLong(),
              Thread::sleep,
              ChaoticPolicy::at));
    }

    private static void at(Stage stage) {
      int number = REACHED.incrementAndGet();
      if (number % 62 == 0) {
        throw new IllegalStateException("injected at " + stage);
      }
      if (number % 62 == 31) {
        throw new NoClassDefFoundError("injected at " + stage);
      }
    }
  }

  @Test
  void writesGoOnWhateverStageFails() throws IOException {
    StorageType[] types = {StorageType.DISK, StorageType.SSD};
    try (MiniCluster cluster =
        new MiniCluster(
            directory,
            ChaoticPolicy.class,
            new String[] {"/r1", "/r1", "/r2", "/r2"},
            new StorageType[][] {types, types, types, types})) {
      cluster.awaitLine(StorageType.DISK);
      for (int i = 0; i < 30; i++) {
        org.apache.hadoop.fs.Path path =
            cluster.write("file" + i, i % 2 == 0 ? "HOT" : "ALL_SSD", 3);
        await(() -> cluster.replicas(path).size() == 3, "three replicas");
      }
      PlacementCounters counters = cluster.policy().counters();
      assertTrue(counters.get(Event.PLACEMENT_FAILED) > 0, counters.toString());
      assertTrue(counters.get(Event.ANSWERED) > 0, counters.toString());
    }
  }

  @Test
  void writesGoOn() throws IOException {
    StorageType[] disk = {StorageType.DISK};
    try (MiniCluster cluster =
        new MiniCluster(
            directory,
            FailingPolicy.class,
            new String[] {"/r1", "/r1", "/r2"},
            new StorageType[][] {disk, disk, disk})) {
      cluster.awaitLine(StorageType.DISK);
      org.apache.hadoop.fs.Path path = cluster.write("file", "HOT", 3);
      await(() -> cluster.replicas(path).size() == 3, "three replicas");
      PlacementCounters counters = cluster.policy().counters();
      // The first replica may be local to the writer and need no line.
      assertTrue(counters.get(Event.PLACEMENT_FAILED) >= 2, counters.toString());
      assertEquals(0, counters.drawn());
    }
  }
}
