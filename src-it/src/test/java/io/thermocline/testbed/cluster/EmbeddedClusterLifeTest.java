// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.device.DeviceBoard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class EmbeddedClusterLifeTest {

  private static final long BLOCK = 64 * 1024;
  private static final ClusterLayout ONE_NODE =
      new ClusterLayout(
          List.of(new NodeLayout("dn1.test", "/rack1", Map.of(StorageType.DISK, 16 * BLOCK))),
          BLOCK);

  @TempDir Path temp;

  @Test
  void closingLeavesNothingAndIsRepeatable() throws IOException {
    Set<Thread> before = userThreads();
    EmbeddedCluster cluster = EmbeddedCluster.builder(temp).layout(ONE_NODE).create();
    String board = cluster.devices().id();
    cluster.start();
    cluster.fileSystem("alice");
    cluster.close();
    cluster.close();

    assertNothingLeft(before);
    assertThrows(IllegalStateException.class, () -> DeviceBoard.find(board));
    assertThrows(IllegalStateException.class, cluster::fileSystem);
    assertThrows(IllegalStateException.class, cluster::start);
  }

  @Test
  void aStartThatFailsLeavesNothing() throws IOException {
    Set<Thread> before = userThreads();
    Path resource = Files.createTempFile("bad-", ".xml");
    Files.writeString(
        resource,
        "<configuration><property><name>dfs.block.replicator.classname</name>"
            + "<value>no.such.Policy</value></property></configuration>");
    try {
      EmbeddedCluster cluster =
          EmbeddedCluster.builder(temp).layout(ONE_NODE).resource(resource).create();
      Exception e = assertThrows(Exception.class, cluster::start);
      assertTrue(e.toString().contains("no.such.Policy"), e.toString());
      assertThrows(IllegalStateException.class, cluster::configuration);
    } finally {
      Files.delete(resource);
    }
    assertNothingLeft(before);
  }

  @Test
  void closingWhileStartingLeavesNothing() throws IOException {
    Set<Thread> before = userThreads();
    EmbeddedCluster cluster = EmbeddedCluster.builder(temp).layout(ONE_NODE).create();
    CompletableFuture<Throwable> starting = CompletableFuture.supplyAsync(() -> failureOf(cluster));
    Eventually.holds("the start has begun", () -> Files.exists(cluster.logDirectory()));
    cluster.close();

    assertInstanceOf(IOException.class, starting.join());
    assertNothingLeft(before);
  }

  @Test
  void aClusterThatWasNeverStartedCanBeClosed() throws IOException {
    EmbeddedCluster cluster = EmbeddedCluster.builder(temp).layout(ONE_NODE).create();
    assertTrue(Files.isDirectory(cluster.directory()));
    cluster.close();
    assertFalse(Files.exists(cluster.directory()));
  }

  private static Throwable failureOf(EmbeddedCluster cluster) {
    try {
      cluster.start();
      return null;
    } catch (IOException | RuntimeException e) {
      return e;
    }
  }

  private void assertNothingLeft(Set<Thread> before) throws IOException {
    try (var left = Files.list(temp)) {
      assertEquals(List.of(), left.toList(), "directories left");
    }
    Set<Thread> after = userThreads();
    after.removeAll(before);
    assertEquals(Set.of(), after, "threads left that keep the process alive");
  }

  private static Set<Thread> userThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon())
        .collect(Collectors.toSet());
  }
}
