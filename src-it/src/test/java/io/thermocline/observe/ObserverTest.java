// SPDX-License-Identifier: Apache-2.0
package io.thermocline.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.observe.AccessSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads that an observer serves stand in its own log: they count, once. */
@Tag("cluster")
class ObserverTest {

  private static final int OBSERVER = 2;

  /** Longer than the test takes. */
  private static final AccessSettings SETTINGS =
      new AccessSettings(
          Duration.ofHours(1), 0, Duration.ofMinutes(10), AccessSettings.Ignored.nothing());

  @TempDir Path temp;
  private final Map<String, Integer> expected = new TreeMap<>();

  @Test
  void readsCountOnceWhoeverServesThem() throws Exception {
    try (AuditedNameNodes nameNodes = AuditedNameNodes.observed(temp)) {
      try (DistributedFileSystem client =
          HATestUtil.configureObserverReadFs(
              nameNodes.cluster(),
              nameNodes.configuration(),
              ObserverReadProxyProvider.class,
              true)) {
        for (int i = 0; i < 100; i++) {
          client.create(file(i)).close();
        }
        read(client, 0, 60);
        assertEquals(60, opens(nameNodes, OBSERVER), "served by the observer");
        assertEquals(0, opens(nameNodes, 0), "and logged by nobody else");

        assertEquals(
            "observer",
            nameNodes.cluster().getNameNode(OBSERVER).getState(),
            "what its page says it is, by which its counters count");

        // Without it reads go to the active one: those of files that were read before are repeated.
        nameNodes.cluster().transitionToStandby(OBSERVER);
        read(client, 40, 100);
        assertEquals(60, opens(nameNodes, 0));
      }
      assertEquals(expected, nameNodes.reads(SETTINGS));
    }
  }

  private static int opens(AuditedNameNodes nameNodes, int nameNode) throws IOException {
    return nameNodes.lines(nameNode, "\tcmd=open\t").size();
  }

  private void read(DistributedFileSystem client, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      try (InputStream in = client.open(file(i))) {
        assertEquals(-1, in.read());
      }
      expected.put(file(i).toUri().getPath(), 1);
    }
  }

  private static org.apache.hadoop.fs.Path file(int i) {
    return new org.apache.hadoop.fs.Path("/observed/f" + i);
  }
}
