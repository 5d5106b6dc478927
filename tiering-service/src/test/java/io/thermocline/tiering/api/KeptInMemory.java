// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Answers by request id, all of them, as long as a test takes. */
public final class KeptInMemory implements KeptReplies {

  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  @Override
  public Optional<Kept> of(String id) {
    return Optional.ofNullable(kept.get(id));
  }

  @Override
  public void keep(String id, Kept reply) {
    kept.put(id, reply);
  }
}
