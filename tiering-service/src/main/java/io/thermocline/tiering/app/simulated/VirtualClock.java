// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.simulated;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Stands until it is set. One thread. */
final class VirtualClock extends Clock {
  private long millis;

  VirtualClock(long millis) {
    this.millis = millis;
  }

  void set(long now) {
    millis = now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a virtual clock has no zone but UTC");
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis);
  }
}
