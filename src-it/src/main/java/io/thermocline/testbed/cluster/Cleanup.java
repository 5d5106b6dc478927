// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steps of a shutdown, each tried whatever became of the others. While the process itself shuts down,
 * Hadoop's servers fail on their way down, as they then can't take back their own shutdown hooks.
 */
final class Cleanup {

  private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

  private Cleanup() {}

  /**
   * If the process is shutting down, sends what kills threads from now on to the log, where it would
   * otherwise cover the console: every block pool's thread ends that way then.
   */
  static void quietenDyingProcess() {
    if (ShutdownHookManager.get().isShutdownInProgress()) {
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, e) -> LOG.warn("{} ended at shutdown: {}", thread.getName(), e.toString()));
    }
  }

  /** Runs the step; an exception is logged, no more. */
  static void attempt(String what, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.warn("Could not {}: {}", what, e.toString());
      LOG.debug("Where it failed", e);
    }
  }
}
