// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Holds back what acts while clients read and write: a window that opens by the load, beside those that open by the clock. By
 * one thread.
 *
 * <p>What counts is blocks that clients began to read, and replicas that they began to write, on all DataNodes together, a
 * second, over the last minute. Copies that moves make aren't among them: DataNodes count those apart (DataXceiver,
 * Hadoop 3.3.6 to 3.5.0). As long as it isn't known, the cluster counts as busy.
 */
public final class IdleWatch {

  private static final String LOAD = "load";
  private static final Duration OVER = Duration.ofMinutes(1);

  private final int below;
  private final ExecutionControl control;
  private final LongSupplier nanos;

  /** Of each DataNode by its UUID, blocks since it started. */
  private final Map<String, Long> counts = new HashMap<>();

  /** Those of the last minute. */
  private final Deque<Look> looks = new ArrayDeque<>();

  /** The last before that; null where there is none. */
  private Look start;

  private long blocks;

  private record Look(long nanos, long blocks) {}

  /**
   * @param below blocks a second from which on nothing is to begin
   * @param nanos monotonic
   */
  public IdleWatch(int below, ExecutionControl control, LongSupplier nanos) {
    this.below = below;
    this.control = control;
    this.nanos = nanos;
  }

  /** To be called at each look. */
  public void look(Surroundings seen) {
    long now = nanos.getAsLong();
    if (seen.reads().isEmpty()) {
      looks.clear();
      start = null;
      hold("no DataNode says what clients read and write");
      return;
    }
    blocks += newBlocks(seen);
    looks.add(new Look(now, blocks));
    while (now - looks.getFirst().nanos() >= OVER.toNanos()) {
      start = looks.remove();
    }
    if (start == null) {
      hold("clients have been watched for less than " + OVER.toSeconds() + " s");
      return;
    }
    double perSecond = (blocks - start.blocks()) * 1e9 / (now - start.nanos());
    if (perSecond < below) {
      control.release(LOAD);
    } else {
      hold(
          String.format(
              Locale.ROOT,
              "clients read and write %.1f blocks a second over the last %d s",
              perSecond,
              OVER.toSeconds()));
    }
  }

  private long newBlocks(Surroundings seen) {
    long sum = 0;
    for (Map.Entry<String, ReadTimes.Reads> node : seen.reads().entrySet()) {
      long blocks = node.getValue().count() + node.getValue().writes();
      Long before = counts.put(node.getKey(), blocks);
      if (before != null) {
        // One that was restarted counts from 0 again.
        sum += blocks >= before ? blocks - before : blocks;
      }
    }
    return sum;
  }

  private void hold(String why) {
    control.hold(LOAD, why + " (act.throttle.idle: " + below + ")");
  }
}
