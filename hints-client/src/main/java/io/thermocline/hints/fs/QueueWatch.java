// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.client.ServiceClient;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Whether the cluster has a long queue, as the service said last (HintStor's REDIRECT, thesis
 * chapter 2.3.2). Not, until it said so, and where it can't be asked. Safe for any thread.
 */
final class QueueWatch implements Closeable {
  private final ServiceClient service;
  private final Refresher refresher;
  private volatile boolean isLong;

  QueueWatch(ServiceClient service, long refreshMillis, LongSupplier clock) {
    this.service = service;
    this.refresher = new Refresher("thermocline-queue", refreshMillis, clock);
  }

  /** Never waits. */
  boolean isLong() {
    refresher.whenOld(this, this::ask, () -> isLong = false);
    return isLong;
  }

  private void ask() throws IOException {
    Object answer = service.get("/hints/queue");
    isLong = answer instanceof Map && Boolean.TRUE.equals(((Map<?, ?>) answer).get("isLong"));
  }

  @Override
  public void close() {
    refresher.close();
  }
}
