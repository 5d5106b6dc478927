// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.Authenticator;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.ErrorCode;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.time.Duration;
import java.util.Optional;

/**
 * Who asks, as another says, and not more often than they may: each caller by name, and whoever shows nothing good by
 * address. So that a stranger behind the same proxy can't use up what others may ask.
 */
public final class Limited implements Authenticator {

  private final Authenticator authenticator;
  private final RateLimit callers;
  private final RateLimit strangers;

  public Limited(Authenticator authenticator, RateLimit callers, RateLimit strangers) {
    this.authenticator = authenticator;
    this.callers = callers;
    this.strangers = strangers;
  }

  @Override
  public Caller caller(HttpServerExchange exchange) throws ApiException {
    Caller caller;
    try {
      caller = authenticator.caller(exchange);
    } catch (ApiException | RuntimeException refused) {
      String address = exchange.getSourceAddress().getAddress().getHostAddress();
      check(exchange, strangers.take(address), address);
      throw refused;
    }
    check(exchange, callers.take(caller.name()), caller.name());
    return caller;
  }

  private static void check(HttpServerExchange exchange, Optional<Duration> wait, String who)
      throws ApiException {
    if (wait.isPresent()) {
      long seconds = wait.get().plusSeconds(1).minusNanos(1).toSeconds();
      exchange.getResponseHeaders().put(Headers.RETRY_AFTER, seconds);
      throw new ApiException(
          ErrorCode.TOO_MANY_REQUESTS,
          who + " asks too often",
          "api.rateLimits",
          "wait " + seconds + " s, as Retry-After says");
    }
  }
}
