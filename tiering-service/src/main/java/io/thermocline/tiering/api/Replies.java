// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sees to it that a request which comes twice is done once: the last answers by request id, with
 * what was asked. What failed isn't kept, and may be asked again. Thread-safe.
 */
final class Replies {

  private final Map<String, Known> known;
  private final Map<String, String> running = new HashMap<>();

  private record Known(String asked, Reply reply) {}

  /** Does what is asked. */
  @FunctionalInterface
  interface Work {
    Reply run() throws ApiException, IOException, InterruptedException;
  }

  /**
   * @param most that are remembered; the oldest are forgotten first
   */
  Replies(int most) {
    this.known =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
            return size() > most;
          }
        };
  }

  /**
   * Does the work, or gives the answer of when it was done.
   *
   * @param asked all that the id stands for, as a text that differs where requests do
   * @throws ApiException where the id stood for something else
   */
  Reply once(String id, String asked, Work work)
      throws ApiException, IOException, InterruptedException {
    synchronized (this) {
      while (running.containsKey(id)) {
        check(id, asked, running.get(id));
        wait();
      }
      Known before = known.get(id);
      if (before != null) {
        check(id, asked, before.asked);
        return before.reply;
      }
      running.put(id, asked);
    }
    Reply reply = null;
    try {
      reply = work.run();
      return reply;
    } finally {
      synchronized (this) {
        running.remove(id);
        if (reply != null) {
          known.put(id, new Known(asked, reply));
        }
        notifyAll();
      }
    }
  }

  private static void check(String id, String asked, String before) throws ApiException {
    if (!asked.equals(before)) {
      throw new ApiException(
          ErrorCode.REQUEST_ID_REUSED,
          "request id '" + id + "' came before with another request",
          "X-Request-Id",
          "give each request an id of its own");
    }
  }
}
