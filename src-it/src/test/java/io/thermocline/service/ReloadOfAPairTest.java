// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.ZooKeeperEnsemble;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two services, of which the one that leads takes up another configuration. */
@Tag("cluster")
class ReloadOfAPairTest {

  private static final String JOURNAL = "/system/thermocline/journal";
  private static final String MEANT = "{\"dryRun\": false, \"why\": \"a test\"}";
  private static final String PATHS = "paths: [/pair]";

  @TempDir private Path temp;

  @Test
  void theLeaderLeadsOnAndWhoStandsByTakesOverByTheNewValues() throws Exception {
    try (ServedCluster cluster =
            ServedCluster.start(
                temp,
                List.of(StorageType.DISK, StorageType.SSD),
                4,
                Map.of("dfs.heartbeat.interval", "1"));
        ZooKeeperEnsemble zooKeeper =
            ZooKeeperEnsemble.start(
                Files.createDirectories(temp.resolve("zk")), List.of(), Optional.empty())) {
      for (String file : List.of("/pair/f", "/more/first", "/more/second")) {
        cluster.write(file);
      }
      Path one = config(cluster, zooKeeper, "one");
      Path two = config(cluster, zooKeeper, "two");
      try (ServiceProcess leader = ServiceProcess.start(one.getParent(), one)) {
        leader.logs("leading, in epoch 1");
        try (ServiceProcess standby = ServiceProcess.start(two.getParent(), two)) {
          standby.logs("standing by, at plan");
          change(one);
          HttpResponse<String> sent = standby.post("/config/reload", MEANT);
          assertEquals(307, sent.statusCode(), sent::body);
          assertEquals(
              Optional.of(leader.address() + "/api/v1/config/reload"),
              sent.headers().firstValue("Location"));
          HttpResponse<String> done = leader.post("/config/reload", MEANT);
          assertEquals(200, done.statusCode(), done::body);
          assertTrue(done.body().contains("from the next plan on"), done::body);
          moves(cluster, "/more/first");
          assertFalse(standby.has("leading, in epoch"), standby::toString);
          assertFalse(leader.has("not the leader any more"), leader::toString);
          assertEquals(
              leader.address(), standby.get("/state").path("activeInstance").asText(), "still");
          standby.terminate();
        }
        change(two);
        try (ServiceProcess standby = ServiceProcess.start(two.getParent(), two)) {
          standby.logs("standing by, at plan");
          leader.signal("KILL");
          standby.logs("leading, in epoch ");
          moves(cluster, "/more/second");
          standby.terminate();
        }
      }
    }
  }

  private static void moves(ServedCluster cluster, String file) {
    Eventually.holds(
        file + " is moved",
        () -> {
          cluster.read(file, 2);
          return cluster.has(file, 1, StorageType.SSD);
        });
  }

  private static void change(Path config) throws IOException {
    String text = Files.readString(config);
    assertTrue(text.contains(PATHS), text);
    Files.writeString(config, text.replace(PATHS, "paths: [/pair, /more]"));
  }

  private Path config(ServedCluster cluster, ZooKeeperEnsemble zooKeeper, String name)
      throws IOException {
    return cluster
        .setup("/pair")
        .apply()
        .replace("verifyWithin: 5m", "verifyWithin: 10s")
        .shared(cluster.superuser().getUri() + JOURNAL, zooKeeper.addresses(), name, freePort())
        .write(Files.createDirectories(temp.resolve(name)));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
