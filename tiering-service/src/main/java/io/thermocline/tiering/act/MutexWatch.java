// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds back what acts once the mutex isn't ours any more, for good; and while that wasn't seen lately, as in a process that
 * was frozen: HDFS gives the mutex of one that is silent for a minute to whoever asks. One thread looks; {@link #objection} is
 * for any.
 */
public final class MutexWatch {

  private static final Logger LOG = LoggerFactory.getLogger(MutexWatch.class);

  /** From one look to the next: one call of the NameNode each. */
  public static final Duration EVERY = Duration.ofSeconds(2);

  /** Far less than the minute. */
  static final Duration SURE_FOR = PlanWatch.SHOWN_AFTER;

  /** What holds back, by name. */
  public static final String HOLD = "mutex";

  private final MutexCalls mutex;
  private final String path;
  private final ExecutionControl control;
  private final LongSupplier nanos;
  private volatile long seenOurs;
  private boolean isLost;

  /**
   * @param mutex taken just now
   * @param path of it, for people
   */
  public MutexWatch(MutexCalls mutex, String path, ExecutionControl control, LongSupplier nanos) {
    this.mutex = mutex;
    this.path = path;
    this.control = control;
    this.nanos = nanos;
    this.seenOurs = nanos.getAsLong();
  }

  /** Looks once. */
  public void look() {
    // As of before the call, which may take long.
    long asked = nanos.getAsLong();
    try {
      if (mutex.hasMutex()) {
        seenOurs = asked;
        control.release(HOLD);
      } else {
        if (!isLost) {
          LOG.error("{} isn't ours any more: nothing is begun until the next start", path);
        }
        isLost = true;
        control.hold(
            HOLD,
            path
                + " isn't this service's any more: another Thermocline took it, or somebody deleted it."
                + " Start this one again");
      }
    } catch (HeldBackException e) {
      control.hold(HOLD, e.getMessage());
    } catch (IOException e) {
      if (!isLost && !isSure()) {
        control.hold(HOLD, "HDFS can't be asked whose " + path + " is: " + FailureText.of(e));
      }
    }
  }

  /** Why it may not be ours any more; empty where it was a moment ago. For any thread, also while HDFS is being asked. */
  public String objection() {
    Duration unknown = Duration.ofNanos(nanos.getAsLong() - seenOurs);
    return unknown.compareTo(SURE_FOR) < 0
        ? ""
        : "HDFS hasn't said for "
            + unknown.toSeconds()
            + " s whose "
            + path
            + " is: does a NameNode answer?";
  }

  private boolean isSure() {
    return objection().isEmpty();
  }
}
