// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.ZooKeeperEnsemble;
import io.thermocline.tiering.ha.Leadership;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The election alone, with an ensemble of ZooKeeper and a monotonic clock that the test sets. */
@Tag("cluster")
class LeadershipTest {

  private static final Duration SESSION = Duration.ofSeconds(ServiceSetup.SESSION_SECONDS);

  @TempDir Path temp;

  @Test
  void aLeaderTrustsItsOwnClockOnly() throws Exception {
    // Empty containers are removed after a minute by default.
    try (ZooKeeperEnsemble zooKeeper =
            ZooKeeperEnsemble.start(temp, List.of("-Dznode.container.checkIntervalMs=1000"));
        CuratorFramework others =
            CuratorFrameworkFactory.newClient(zooKeeper.addresses(), new RetryOneTime(100))) {
      others.start();
      others.create().forPath("/others");
      Leadership.Election election =
          new Leadership.Election(
              zooKeeper.addresses(),
              "/others/ours/clock",
              "one",
              URI.create("http://one:1"),
              SESSION,
              null);
      losesItWhenItsClockSaysSo(election);
      // ZooKeeper may have been first with the one, and the other is there from a leader's next
      // request on.
      List<String> removed = Leadership.remove(election, Leadership.Removing.REMOVE);
      assertTrue(
          List.of("/others/ours/clock", "/others/ours/clock-sign").containsAll(removed),
          removed::toString);
      Eventually.holds(
          "ZooKeeper removes the node above, which the election made",
          () -> others.checkExists().forPath("/others/ours") == null);
      assertNotNull(others.checkExists().forPath("/others"), "somebody else made it");
      assertEquals(List.of(), Leadership.remove(election, Leadership.Removing.LOOK));
    }
  }

  private static void losesItWhenItsClockSaysSo(Leadership.Election election) throws Exception {
    AtomicLong ahead = new AtomicLong();
    try (Leadership leadership = new Leadership(election, () -> System.nanoTime() + ahead.get())) {
      Eventually.holds("it leads", () -> leadership.await(Duration.ofSeconds(1)));
      assertTrue(leadership.isSure());
      assertFalse(leadership.isLost());
      assertEquals("one", leadership.leader());
      assertEquals(Optional.of(URI.create("http://one:1")), leadership.leaderAddress());

      ahead.addAndGet(Duration.ofSeconds(10).toNanos());

      assertFalse(leadership.isSure(), "at once, whatever its threads have noticed");
      Eventually.holds("it is over", leadership::isLost);
      ahead.set(0);
      assertFalse(leadership.isSure());
      assertTrue(leadership.isLost(), "for good");
      String refused =
          assertThrows(
                  IOException.class, () -> Leadership.remove(election, Leadership.Removing.REMOVE))
              .getMessage();
      assertTrue(refused.contains("stop all services first"), refused);
      assertTrue(
          Leadership.remove(election, Leadership.Removing.LOOK).contains(election.path()),
          "a look is refused nobody");
    }
  }
}
