// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import java.util.List;
import org.jline.utils.Signals;

/**
 * Turns Ctrl-C, SIGTERM and the end of the terminal into an interrupt of the working thread, which then
 * cleans up behind itself as after any other failure.
 *
 * <p>Handled as signals, because a shutdown hook is too late: once the JVM shuts down, Hadoop refuses
 * much of what stopping a cluster needs.
 */
final class Interruption {

  /** What a shell expects of a program that Ctrl-C ended. */
  static final int EXIT_CODE = 130;

  private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");

  private final Thread worker;
  private volatile boolean arrived;

  private Interruption(Thread worker) {
    this.worker = worker;
  }

  static Interruption of(Thread worker) {
    Interruption interruption = new Interruption(worker);
    for (String signal : SIGNALS) {
      Signals.register(signal, interruption::arrive);
    }
    return interruption;
  }

  /** Whether a signal came: whatever went wrong since is its doing. */
  boolean hasArrived() {
    return arrived;
  }

  private void arrive() {
    arrived = true;
    worker.interrupt();
  }
}
