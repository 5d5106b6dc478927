// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The clienttrace log of one DataNode as block accesses, each exactly once. One thread polls and takes positions; the
 * counts may be read from any.
 *
 * <p>What audit logs can't tell comes from here: bytes, ranges, durations. Without it the service knows opens alone.
 */
public final class ClientTraceSource implements Closeable {

  /** Of its name among positions: apart from an audit log of the same path. */
  static final String PREFIX = "clienttrace:";

  private final String name;
  private final LogFollower follower;
  private final LogTime time;
  private final ClientTraceLine line = new ClientTraceLine();
  private long millis = LogTime.NONE;
  private boolean pending;
  private long lines;
  private long parsed;
  private long malformed;
  private volatile LineCounts counts = LineCounts.NONE;

  /** @param saved where to go on */
  public ClientTraceSource(Path log, LogStart start, LogPositions saved, ZoneId zone) {
    this.name = PREFIX + log;
    String position = saved.byLog().get(name);
    this.follower =
        new LogFollower(log, start, position == null ? null : LogPosition.parse(position), zone);
    this.time = new LogTime(zone);
  }

  /**
   * Reads what is new, up to about so many bytes.
   *
   * @param untilMillis transfers after it are left for later, milliseconds since 1970
   * @return whether there is more at once
   */
  public boolean poll(Consumer<? super BlockAccess> sink, long maxBytes, long untilMillis)
      throws IOException {
    long start = follower.bytes();
    boolean more = true;
    while (follower.bytes() - start < maxBytes && (more = peek(untilMillis))) {
      pending = false;
      lines++;
      switch (parse()) {
        case PARSED -> {
          parsed++;
          sink.accept(line);
        }
        case MALFORMED -> malformed++;
        case IGNORED -> {
          // Counted as what is left.
        }
      }
      follower.release(millis);
    }
    counts =
        new LineCounts(
            lines,
            parsed,
            lines - parsed - malformed,
            malformed,
            LineCounts.Opens.NONE,
            0,
            0,
            follower.gaps());
    return more || follower.isSkipping();
  }

  private ClientTraceLine.Outcome parse() {
    return follower.isCut()
        ? ClientTraceLine.Outcome.MALFORMED
        : line.parse(
            follower.buffer(),
            follower.lineFrom(),
            follower.lineTo(),
            millis == LogTime.NONE ? 0 : millis);
  }

  /** Whether there is a line to take; {@link #millis} is its time then. */
  private boolean peek(long untilMillis) throws IOException {
    if (!pending) {
      if (!follower.next()) {
        return false;
      }
      pending = true;
      long stated =
          follower.isCut()
              ? LogTime.NONE
              : time.parse(follower.buffer(), follower.lineFrom(), follower.lineTo());
      millis = stated == LogTime.NONE ? millis : stated;
    }
    return millis == LogTime.NONE || millis <= untilMillis;
  }

  /** After the last access that was handed on. */
  public LogPositions positions() {
    LogPosition position = follower.position();
    return position == null
        ? LogPositions.none()
        : new LogPositions(Map.of(name, position.toText()));
  }

  public LineCounts counts() {
    return counts;
  }

  @Override
  public void close() throws IOException {
    follower.close();
  }
}
