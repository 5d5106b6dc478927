// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.client.HintClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * Hints of file systems that nobody closes, sent at the end of the process: {@code FileContext}
 * makes one each time and has no way to close it. Remembered weakly, so that none lives longer for
 * it. Safe for any thread.
 */
final class UnsentHints {
  /** After Hadoop's own hooks, of which one closes what the application left open. */
  private static final int PRIORITY = 1;

  private static final Set<HintClient> CLIENTS = Collections.newSetFromMap(new WeakHashMap<>());
  private static boolean isHooked;

  private UnsentHints() {}

  static void watch(HintClient client) {
    synchronized (CLIENTS) {
      CLIENTS.add(client);
      if (!isHooked) {
        isHooked = true;
        try {
          ShutdownHookManager.get().addShutdownHook(UnsentHints::send, PRIORITY);
        } catch (IllegalStateException e) {
          // The process is ending already: then they are sent as far as that takes.
        }
      }
    }
  }

  private static void send() {
    List<HintClient> left;
    synchronized (CLIENTS) {
      left = new ArrayList<>(CLIENTS);
    }
    left.forEach(HintClient::close);
  }
}
