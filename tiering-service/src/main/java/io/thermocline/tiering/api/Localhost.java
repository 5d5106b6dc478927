// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import java.net.URI;
import java.util.Set;

/**
 * For a server that listens on this host alone: whoever is on it may do everything, under the
 * name that they give. Pages of other sites in a browser here are kept out: their requests name
 * their own site as the host or the origin.
 */
public final class Localhost implements Authenticator {

  /** Header with the name that what is done is recorded under. */
  public static final String USER = "X-Thermocline-User";

  private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

  @Override
  public Caller caller(HttpServerExchange exchange) throws ApiException {
    String host = exchange.getHostName();
    String origin = exchange.getRequestHeaders().getFirst(Headers.ORIGIN);
    if (!isHere(host) || (origin != null && !isHere(hostOf(origin)))) {
      throw new ApiException(
          ErrorCode.FORBIDDEN,
          "a request for host " + host + (origin == null ? "" : " from " + origin),
          "Host, Origin",
          "without authentication the service answers requests for localhost alone");
    }
    String name = exchange.getRequestHeaders().getFirst(USER);
    return new Caller(
        name == null || name.isBlank() ? "somebody on this host" : name.trim(), Role.ADMINISTRATOR);
  }

  /** Whether it is a name or address of this host's loopback. */
  public static boolean isHere(String host) {
    return NAMES.contains(host);
  }

  private static String hostOf(String origin) {
    try {
      String host = URI.create(origin).getHost();
      return host == null ? "" : host;
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
