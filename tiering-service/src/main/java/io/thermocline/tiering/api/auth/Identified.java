// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.Authenticator;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.OpenApi;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.util.AttachmentKey;
import io.undertow.util.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.Base64;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who asks, by a bearer token, a Kerberos ticket, or the session of a browser that has shown one of the two. Says what was
 * wrong in the service's log only: a stranger learns nothing of it.
 */
public final class Identified implements Authenticator {

  /** Of a browser's session. */
  public static final String COOKIE = OpenApi.COOKIE;

  /** Whose what was shown is whenever that is asked, for a session that is begun with it. */
  static final AttachmentKey<Supplier<Optional<Caller>>> HOLDER =
      AttachmentKey.create(Supplier.class);

  private static final Logger LOG = LoggerFactory.getLogger(Identified.class);

  /** As Hadoop's own REST interfaces have it. */
  private static final String DO_AS = "doAs";

  private static final String BEARER = "Bearer ";
  private static final String NEGOTIATE = "Negotiate ";

  private final Optional<TokenFile> tokens;
  private final Optional<Spnego> spnego;
  private final Roles roles;
  private final Sessions sessions;
  private final Proxies proxies;

  /** Who may ask in whose name. */
  @FunctionalInterface
  public interface Proxies {
    /**
     * @param from where the request comes from
     * @throws AuthorizationException where that user may not
     */
    void check(String user, String other, InetAddress from) throws AuthorizationException;
  }

  public Identified(
      Optional<TokenFile> tokens,
      Optional<Spnego> spnego,
      Roles roles,
      Sessions sessions,
      Proxies proxies) {
    this.proxies = proxies;
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
      exchange.putAttachment(HOLDER, tokens.get().holder(token));
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
    Cookie cookie = cookie(exchange);
    Caller caller =
        Optional.ofNullable(cookie)
            .flatMap(found -> sessions.of(found.getValue()))
            .orElseThrow(
                () ->
                    unauthenticated(
                        exchange, cookie == null ? "nothing" : "a session that has ended"));
    exchange.putAttachment(HOLDER, sessions.holder(cookie.getValue()));
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

  private Cookie cookie(HttpServerExchange exchange) throws ApiException {
    try {
      return exchange.getRequestCookie(COOKIE);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw unauthenticated(exchange, "cookies that can't be read");
    }
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
    String user = inWhoseName(exchange, accepted.user());
    Supplier<Optional<Caller>> holder = () -> roles.of(user).map(role -> new Caller(user, role));
    exchange.putAttachment(HOLDER, holder);
    return holder
        .get()
        .orElseThrow(
            () ->
                new ApiException(
                    ErrorCode.FORBIDDEN,
                    user + " has no role here",
                    "api.roles",
                    "ask who administers the service for one"));
  }

  /** The user, or another one in whose name HDFS would let them act from where they are. */
  private String inWhoseName(HttpServerExchange exchange, String user) throws ApiException {
    // No resource's own parameter.
    Deque<String> names = exchange.getQueryParameters().remove(DO_AS);
    if (names == null) {
      return user;
    }
    String other = names.getFirst();
    try {
      proxies.check(user, other, exchange.getSourceAddress().getAddress());
      LOG.info("{} asks in the name of {}", user, other);
      return other;
    } catch (AuthorizationException | IllegalArgumentException e) {
      LOG.info("{} from {}: {}", user, exchange.getSourceAddress(), e.getMessage());
      throw new ApiException(
          ErrorCode.FORBIDDEN,
          user + " may not ask in the name of " + other + " from there",
          DO_AS,
          "hadoop.proxyuser." + user + " of the cluster's core-site.xml says who may");
    }
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
