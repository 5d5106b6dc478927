// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns the end of the process (Ctrl-C, SIGTERM) into an interrupt of the working thread, and holds the
 * process until that thread has cleaned up behind itself.
 */
final class Interruption {

  private static final long CLEAN_UP_SECONDS = 60;

  private final Thread worker;
  private final CountDownLatch settled = new CountDownLatch(1);

  private Interruption(Thread worker) {
    this.worker = worker;
  }

  static Interruption onShutdown(Thread worker) {
    Interruption interruption = new Interruption(worker);
    Runtime.getRuntime().addShutdownHook(new Thread(interruption::arrive, "demo-interruption"));
    return interruption;
  }

  /** Nothing is left to clean up. */
  void settled() {
    settled.countDown();
  }

  private void arrive() {
    if (settled.getCount() == 0) {
      return;
    }
    worker.interrupt();
    try {
      settled.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
