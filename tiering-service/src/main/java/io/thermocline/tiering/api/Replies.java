// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a request which comes twice is done once: by request id, with what was asked.
 * What failed isn't kept, and may be asked again. Thread-safe.
 */
final class Replies {

  private static final Logger LOG = LoggerFactory.getLogger(Replies.class);

  private final KeptReplies kept;
  private final Map<String, String> running = new HashMap<>();

  /** Does what is asked. */
  @FunctionalInterface
  interface Work {
    Reply run() throws ApiException, IOException, InterruptedException;
  }

  Replies(KeptReplies kept) {
    this.kept = kept;
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
      Optional<KeptReplies.Kept> before = kept.of(id);
      if (before.isPresent()) {
        check(id, asked, before.get().asked());
        return Reply.of(before.get());
      }
      running.put(id, asked);
    }
    try {
      Reply reply = work.run();
      keep(id, asked, reply);
      return reply;
    } finally {
      synchronized (this) {
        running.remove(id);
        notifyAll();
      }
    }
  }

  /** What was asked is done by now, so that it is answered all the same. */
  private void keep(String id, String asked, Reply reply) {
    try {
      kept.keep(id, reply.kept(asked));
    } catch (IOException e) {
      LOG.warn("request id '{}' can't be kept: the same again would be done again", id, e);
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
