// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
    try (ZooKeeperEnsemble zooKeeper = ZooKeeperEnsemble.start(temp)) {
      Leadership.Election election =
          new Leadership.Election(
              zooKeeper.addresses(), "/clock", "one", URI.create("http://one:1"), SESSION, null);
      losesItWhenItsClockSaysSo(election);
      // The sign that a leader gives is there from its next request on.
      List<String> removed = Leadership.remove(election, true);
      assertTrue(
          List.of(List.of("/clock"), List.of("/clock", "/clock-sign")).contains(removed),
          removed::toString);
      assertEquals(List.of(), Leadership.remove(election, false));
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
          assertThrows(IOException.class, () -> Leadership.remove(election, true)).getMessage();
      assertTrue(refused.contains("stop all services first"), refused);
    }
  }
}
