// SPDX-License-Identifier: Apache-2.0
package io.thermocline.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.AccessSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pair of NameNodes, each with its audit log, and clients that read on while it fails over. */
@Tag("cluster")
class FailoverTest {

  /** Longer than the test takes. */
  private static final AccessSettings SETTINGS =
      new AccessSettings(
          Duration.ofHours(1), 0, Duration.ofMinutes(10), AccessSettings.Ignored.nothing());

  @TempDir Path temp;
  private final Map<String, Integer> expected = new TreeMap<>();

  @Test
  void everyReadCountsOnceThroughFailovers() throws Exception {
    try (AuditedNameNodes pair = AuditedNameNodes.pair(temp)) {
      MiniDFSCluster cluster = pair.cluster();
      try (FileSystem client = HATestUtil.configureFailoverFs(cluster, pair.configuration())) {
        create(client, "/before", 50);
        create(client, "/over", 400);
        create(client, "/crash", 400);
        create(client, "/after", 50);
        create(client, "/again", 1);
        read(client, "/before", 50);
        read(client, "/again", 1);
        assertEquals(List.of(), pair.lines(1, "cmd=open"), "a standby logs nothing");

        readWhile(
            client,
            "/over",
            400,
            () -> {
              cluster.transitionToStandby(0);
              cluster.transitionToActive(1);
            });
        read(client, "/again", 1);
        assertEquals(1, opens(pair, 0, "/again"));
        assertEquals(1, opens(pair, 1, "/again"), "both logs have it");
        int logged = pair.lines(0, "").size();
        try (FileSystem asksTheStandbyFirst =
            HATestUtil.configureFailoverFs(cluster, pair.configuration())) {
          read(asksTheStandbyFirst, "/after", 50);
        }
        assertEquals(50, opens(pair, 1, "/after"));
        assertEquals(logged, pair.lines(0, "").size(), "refused calls are not logged");

        // Answers that are under way are lost: their clients ask again.
        readWhile(
            client,
            "/crash",
            400,
            () -> {
              cluster.shutdownNameNode(1);
              cluster.transitionToActive(0);
            });
      }
      assertEquals(expected, pair.reads(SETTINGS));
    }
  }

  private static int opens(AuditedNameNodes pair, int nameNode, String directory)
      throws IOException {
    return pair.lines(nameNode, "\tcmd=open\tsrc=" + directory + "/").size();
  }

  private static void create(FileSystem client, String directory, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      client.create(file(directory, i)).close();
    }
  }

  private void read(FileSystem client, String directory, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      readOne(client, directory, i);
    }
  }

  private void readOne(FileSystem client, String directory, int i) throws IOException {
    try (InputStream in = client.open(file(directory, i))) {
      assertEquals(-1, in.read());
    }
    synchronized (expected) {
      expected.put(file(directory, i).toUri().getPath(), 1);
    }
  }

  /** Something that is done to the pair. */
  private interface Step {
    void run() throws Exception;
  }

  /** Reads with four threads, and does something after a quarter of the files. */
  private void readWhile(FileSystem client, String directory, int count, Step step)
      throws Exception {
    ExecutorService readers = Executors.newFixedThreadPool(4);
    try {
      AtomicInteger next = new AtomicInteger();
      CountDownLatch quarter = new CountDownLatch(count / 4);
      List<Future<Void>> results = new ArrayList<>();
      for (int reader = 0; reader < 4; reader++) {
        results.add(
            readers.submit(
                () -> {
                  for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    readOne(client, directory, i);
                    quarter.countDown();
                  }
                  return null;
                }));
      }
      assertTrue(quarter.await(60, TimeUnit.SECONDS), () -> "a quarter was read: " + results);
      step.run();
      for (Future<Void> result : results) {
        result.get(60, TimeUnit.SECONDS);
      }
    } finally {
      readers.shutdownNow();
    }
  }

  private static org.apache.hadoop.fs.Path file(String directory, int i) {
    return new org.apache.hadoop.fs.Path(directory, "f" + i);
  }
}
