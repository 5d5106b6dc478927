// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/** Runs each task before execute returns, so that what happens when is always the same. */
public class CallerThread extends AbstractExecutorService implements AutoCloseable {
  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {
    // There is no thread.
  }

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }

  @Override
  public void close() {
    // There is no thread.
  }
}
