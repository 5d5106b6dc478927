// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that moves when it is told to. */
public final class ManualClock extends Clock {

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  public void advance(Duration duration) {
    now = now.plus(duration);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new IllegalStateException("UTC only");
  }
}
