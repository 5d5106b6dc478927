// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.tiering.api.Caller;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who has signed in with a browser, which can't send a token with each request. In memory: whoever was signed in signs in
 * again after a restart. Thread-safe.
 */
public final class Sessions {

  private static final int MOST = 1000;
  private static final int ID_BYTES = 32;

  private final Map<String, Session> byId = new LinkedHashMap<>();
  private final Clock clock;
  private final SecureRandom random;
  private final Duration lasts;

  private record Session(Caller caller, Instant ends) {}

  /**
   * @param random of the ids, which are all that a session is guarded by
   * @param lasts from signing in, used or not
   */
  public Sessions(Clock clock, SecureRandom random, Duration lasts) {
    this.clock = clock;
    this.random = random;
    this.lasts = lasts;
  }

  /** Begins one, and returns its id. The oldest ends where there are too many. */
  public synchronized String begin(Caller caller) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    dropEnded();
    if (byId.size() == MOST) {
      byId.remove(byId.keySet().iterator().next());
    }
    byId.put(text, new Session(caller, clock.instant().plus(lasts)));
    return text;
  }

  /** Whose it is; empty where there is none, or no longer. */
  public synchronized Optional<Caller> of(String id) {
    dropEnded();
    return Optional.ofNullable(byId.get(id)).map(Session::caller);
  }

  public synchronized void end(String id) {
    byId.remove(id);
  }

  public Duration lasts() {
    return lasts;
  }

  /** All last equally long, so the first in order end first. */
  private void dropEnded() {
    Instant now = clock.instant();
    Iterator<Session> oldest = byId.values().iterator();
    while (oldest.hasNext() && !oldest.next().ends().isAfter(now)) {
      oldest.remove();
    }
  }
}
