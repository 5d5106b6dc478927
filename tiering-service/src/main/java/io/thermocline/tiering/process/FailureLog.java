// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

/** When the failure of something that is tried again and again is worth a line in the log. For one thread. */
public final class FailureLog {

  /** Between two lines about the same failure. */
  private static final long REPEAT_NANOS = 600_000_000_000L;

  private String logged = "";
  private long loggedNanos;

  /** Whether a failure is to be logged now: a new one is, and a lasting one from time to time. */
  public boolean isNews(Throwable failure, long nowNanos) {
    String text = failure.toString();
    if (text.equals(logged) && nowNanos - loggedNanos < REPEAT_NANOS) {
      return false;
    }
    logged = text;
    loggedNanos = nowNanos;
    return true;
  }

  /** Whether a failure that was logged is over. */
  public boolean isOver() {
    boolean over = !logged.isEmpty();
    logged = "";
    return over;
  }
}
