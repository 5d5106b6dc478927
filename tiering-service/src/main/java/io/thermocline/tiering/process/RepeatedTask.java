// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that runs again after a failure, which a scheduled task that throws never does. For one thread. */
public final class RepeatedTask implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(RepeatedTask.class);

  private final String name;
  private final Runnable task;
  private final LongSupplier nanos;
  private final FailureLog failures = new FailureLog();

  /**
   * @param name for the log
   * @param nanos monotonic
   */
  public RepeatedTask(String name, Runnable task, LongSupplier nanos) {
    this.name = name;
    this.task = task;
    this.nanos = nanos;
  }

  @Override
  public void run() {
    try {
      task.run();
      if (failures.isOver()) {
        LOG.info("{} works again", name);
      }
    } catch (RuntimeException | Error e) {
      if (failures.isNews(e, nanos.getAsLong())) {
        LOG.warn("{} failed, trying again", name, e);
      }
    }
  }
}
