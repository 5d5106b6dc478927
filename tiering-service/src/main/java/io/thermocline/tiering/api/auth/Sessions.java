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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who has signed in with a browser, which can't send a token with each request. In memory: whoever was signed in signs in
 * again after a restart. Thread-safe.
 */
public final class Sessions {

  private static final int MOST = 1000;

  /** Of one caller: browsers they use. */
  private static final int MOST_OF_ONE = 20;

  private static final int ID_BYTES = 32;

  private final Map<String, Session> byId = new LinkedHashMap<>();
  private final Clock clock;
  private final SecureRandom random;
  private final Duration lasts;

  private record Session(Caller caller, Supplier<Optional<Caller>> now, Instant ends) {}

  /**
   * @param random of the ids, which are all that a session is guarded by
   * @param lasts from signing in, used or not
   */
  public Sessions(Clock clock, SecureRandom random, Duration lasts) {
    this.clock = clock;
    this.random = random;
    this.lasts = lasts;
  }

  /**
   * Begins one, and returns its id. The caller's oldest ends where they have too many, and the oldest of
   * all where there are.
   *
   * @param now whose the token or ticket is that it was begun with, asked each time: it is nobody's
   *     while that is nobody's, or has another role
   */
  public synchronized String begin(Caller caller, Supplier<Optional<Caller>> now) {
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
    dropEnded();
    List<String> own =
        byId.entrySet().stream()
            .filter(each -> each.getValue().caller().name().equals(caller.name()))
            .map(Map.Entry::getKey)
            .toList();
    if (own.size() >= MOST_OF_ONE) {
      byId.remove(own.get(0));
    }
    if (byId.size() == MOST) {
      byId.remove(byId.keySet().iterator().next());
    }
    byId.put(text, new Session(caller, now, clock.instant().plus(lasts)));
    return text;
  }

  /**
   * Whose it is; empty where there is none, or no longer, and while what it was begun with isn't good.
   * That ends none: a file of tokens may be half written now, and groups not to be had.
   */
  public Optional<Caller> of(String id) {
    Session session = find(id);
    if (session == null) {
      return Optional.empty();
    }
    // Asked outside the lock: it may look at a file, or for groups.
    return session.now().get().filter(session.caller()::equals);
  }

  /**
   * What {@link #begin} was told, for a session that is begun with this one; nobody where it
   * ended.
   */
  Supplier<Optional<Caller>> holder(String id) {
    Session session = find(id);
    return session == null ? Optional::empty : session.now();
  }

  private synchronized Session find(String id) {
    dropEnded();
    return byId.get(id);
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
