// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.app.plans.Removal;
import java.io.Closeable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Says every few seconds how far something long is, and how long it still takes. Thread-safe. */
final class ProgressLines implements Removal.Progress, Closeable {

  private static final int EVERY_SECONDS = 5;
  private static final double NANOS = 1e9;

  private final Consumer<String> out;
  private final LongSupplier nanos;
  private final ExecutionControl control;
  private final ScheduledExecutorService printing;
  private String what = "";
  private long total;
  private LongSupplier done = () -> 0;
  private long begun;

  /**
   * @param nanos monotonic
   * @param control what may hold it back
   */
  ProgressLines(Consumer<String> out, LongSupplier nanos, ExecutionControl control) {
    this.control = control;
    this.out = out;
    this.nanos = nanos;
    this.printing =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "thermocline-progress");
              thread.setDaemon(true);
              return thread;
            });
    printing.scheduleWithFixedDelay(this::say, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public synchronized void begin(String part, long count, LongSupplier counted) {
    end();
    what = part;
    total = count;
    done = counted;
    begun = nanos.getAsLong();
  }

  private synchronized void say() {
    if (!what.isEmpty()) {
      String line = line(what, done.getAsLong(), total, (nanos.getAsLong() - begun) / NANOS);
      out.accept(control.mayBegin() ? line : line + "; it waits: " + control.reason());
    }
  }

  private void end() {
    if (!what.isEmpty()) {
      say();
    }
    what = "";
  }

  /**
   * @param seconds that it has taken so far
   */
  static String line(String what, long done, long total, double seconds) {
    String line = what + ": " + done + " of " + total;
    return done <= 0 || done >= total
        ? line
        : line + ", about " + Quantities.seconds(seconds / done * (total - done)) + " left";
  }

  @Override
  public synchronized void close() {
    end();
    printing.shutdownNow();
  }
}
