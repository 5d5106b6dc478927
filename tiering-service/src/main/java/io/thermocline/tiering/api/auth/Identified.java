// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.Authenticator;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.OpenApi;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.URI;
import java.util.Base64;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who asks, by a bearer token, a Kerberos ticket, or the session of a browser that has shown one of the two. Says what was
 * wrong in the service's log only: a stranger learns nothing of it.
 */
public final class Identified implements Authenticator {

  /** Of a browser's session. */
  public static final String COOKIE = OpenApi.COOKIE;

  private static final Logger LOG = LoggerFactory.getLogger(Identified.class);
  private static final String BEARER = "Bearer ";
  private static final String NEGOTIATE = "Negotiate ";

  private final Optional<TokenFile> tokens;
  private final Optional<Spnego> spnego;
  private final Roles roles;
  private final Sessions sessions;

  public Identified(
      Optional<TokenFile> tokens, Optional<Spnego> spnego, Roles roles, Sessions sessions) {
    this.tokens = tokens;
    this.spnego = spnego;
    this.roles = roles;
    this.sessions = sessions;
  }

  @Override
  public Caller caller(HttpServerExchange exchange) throws ApiException {
    String header = exchange.getRequestHeaders().getFirst(Headers.AUTHORIZATION);
    if (header == null) {
      return ofSession(exchange);
    }
    if (tokens.isPresent() && startsWith(header, BEARER)) {
      String token = header.substring(BEARER.length()).strip();
      return tokens
          .get()
          .of(token)
          .orElseThrow(() -> unauthenticated(exchange, "an unknown token"));
    }
    if (spnego.isPresent() && startsWith(header, NEGOTIATE)) {
      return ofTicket(exchange, header.substring(NEGOTIATE.length()).strip());
    }
    throw unauthenticated(exchange, "a way to authenticate that is not configured");
  }

  private Caller ofSession(HttpServerExchange exchange) throws ApiException {
    Cookie cookie = exchange.getRequestCookie(COOKIE);
    Caller caller =
        Optional.ofNullable(cookie)
            .flatMap(found -> sessions.of(found.getValue()))
            .orElseThrow(
                () ->
                    unauthenticated(
                        exchange, cookie == null ? "nothing" : "a session that has ended"));
    // A browser sends the cookie along with what pages of others ask for, too.
    String origin = exchange.getRequestHeaders().getFirst(Headers.ORIGIN);
    if (origin != null && !exchange.getHostAndPort().equalsIgnoreCase(authority(origin))) {
      throw new ApiException(
          ErrorCode.FORBIDDEN,
          "a page of " + origin + " asks in the name of " + caller.name(),
          "Origin",
          "use the service's own pages, or a token");
    }
    return caller;
  }

  private Caller ofTicket(HttpServerExchange exchange, String token) throws ApiException {
    Spnego.Accepted accepted;
    try {
      accepted = spnego.orElseThrow().accept(Base64.getDecoder().decode(token));
    } catch (IOException | IllegalArgumentException e) {
      LOG.info("a ticket from {} is refused: {}", exchange.getSourceAddress(), e.getMessage());
      throw unauthenticated(exchange, "a ticket that is not good here");
    }
    if (accepted.answer() != null) {
      exchange
          .getResponseHeaders()
          .put(
              Headers.WWW_AUTHENTICATE,
              NEGOTIATE + Base64.getEncoder().encodeToString(accepted.answer()));
    }
    return roles
        .of(accepted.user())
        .map(role -> new Caller(accepted.user(), role))
        .orElseThrow(
            () ->
                new ApiException(
                    ErrorCode.FORBIDDEN,
                    accepted.user() + " has no role here",
                    "api.roles",
                    "ask who administers the service for one"));
  }

  private ApiException unauthenticated(HttpServerExchange exchange, String shown) {
    if (spnego.isPresent()) {
      exchange.getResponseHeaders().add(Headers.WWW_AUTHENTICATE, NEGOTIATE.strip());
    }
    if (tokens.isPresent()) {
      exchange.getResponseHeaders().add(Headers.WWW_AUTHENTICATE, BEARER.strip());
    }
    return new ApiException(
        ErrorCode.UNAUTHENTICATED, "the request shows " + shown, "Authorization", "show " + ways());
  }

  private String ways() {
    if (tokens.isPresent() && spnego.isPresent()) {
      return "a Kerberos ticket (kinit) or a token";
    }
    return spnego.isPresent() ? "a Kerberos ticket (kinit)" : "a token";
  }

  private static boolean startsWith(String header, String scheme) {
    return header.regionMatches(true, 0, scheme, 0, scheme.length());
  }

  private static String authority(String origin) {
    try {
      String authority = URI.create(origin).getAuthority();
      return authority == null ? "" : authority;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
