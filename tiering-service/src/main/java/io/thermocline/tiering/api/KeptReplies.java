// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Optional;

/** Where answers are kept by the request id, so that what was done isn't done again. Thread-safe. */
public interface KeptReplies {

  /** Keeps none: the same request is done again. */
  KeptReplies NONE =
      new KeptReplies() {
        @Override
        public Optional<Kept> of(String id) {
          return Optional.empty();
        }

        @Override
        public void keep(String id, Kept reply) {}
      };

  /**
   * An answer.
   *
   * @param asked a digest of all that the id stood for
   * @param status of HTTP
   * @param location where to follow it; empty for nowhere
   */
  record Kept(String asked, int status, JsonNode value, String location) {}

  /** The answer of a request; empty where none is kept, or not any more. */
  Optional<Kept> of(String id);

  /**
   * @throws IOException where it can't be kept
   */
  void keep(String id, Kept reply) throws IOException;
}
