// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

class PeerWatchTest {

  private long nanos;
  private IOException failure;
  private final PeerWatch watch =
      new PeerWatch(
          "no NameNode",
          () -> {
            if (failure != null) {
              throw failure;
            }
          },
          () -> nanos);

  @Test
  void isAnObstacleWhereItHasNotAnsweredForEightSeconds() {
    ExecutionControl control = ExecutionControl.running(Clock.systemUTC());
    control.guard("namenode", watch::objection);
    after(5);
    failure = new IOException("Connection refused\nand a stack");
    after(7);
    assertEquals("", control.obstacle());
    after(1);
    assertEquals("no NameNode has answered for 8 s: Connection refused", control.obstacle());
    assertEquals(Set.of("namenode"), control.heldBy());
    failure = new RemoteException(StandbyException.class.getName(), "state standby");
    after(1);
    assertEquals(
        "no NameNode has answered for 9 s: all of them are in standby state", control.obstacle());
    failure = new RemoteException("some.Refusal", "not you");
    after(1);
    assertEquals("", control.obstacle());
  }

  /** A request that hangs. */
  @Test
  void isOneTooWhileARequestIsUnderWay() {
    nanos += Duration.ofSeconds(8).toNanos();
    assertEquals("no NameNode has answered for 8 s", watch.objection());
  }

  private void after(int seconds) {
    nanos += Duration.ofSeconds(seconds).toNanos();
    watch.look();
  }
}
