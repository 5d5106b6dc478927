// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.cluster.EmbeddedCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class ClientOverheadTest {

  @Test
  void hintsCostLessThanTheCallItself(@TempDir Path temp) throws Exception {
    try (EmbeddedCluster cluster = EmbeddedCluster.builder(temp).create()) {
      cluster.start();
      cluster.devices().fullSpeed();
      ClientOverhead overhead =
          ClientOverhead.measure(
              cluster.uri(),
              cluster.configuration(),
              "http://localhost:1",
              Integer.getInteger("pairs", 300));
      System.out.printf(
          "{\"client_create_overhead_us\": %.1f, \"client_open_overhead_us\": %.1f,"
              + " \"client_create_us\": %.1f, \"client_open_us\": %.1f}%n",
          overhead.createMicros(),
          overhead.openMicros(),
          overhead.plainCreateMicros(),
          overhead.plainOpenMicros());
      assertTrue(overhead.plainCreateMicros() > 0 && overhead.plainOpenMicros() > 0);
      assertTrue(overhead.createMicros() < overhead.plainCreateMicros(), overhead.toString());
      assertTrue(overhead.openMicros() < overhead.plainOpenMicros(), overhead.toString());
      assertFalse(cluster.fileSystem().exists(new org.apache.hadoop.fs.Path("/client-overhead")));
    }
  }
}
