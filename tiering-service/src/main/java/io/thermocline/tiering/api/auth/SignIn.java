// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api.auth;

import io.thermocline.tiering.api.Mount;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.Cookie;
import io.undertow.server.handlers.CookieImpl;
import io.undertow.util.Methods;
import io.undertow.util.StatusCodes;

/**
 * Gives a browser a session: POST with a token or a ticket begins one, DELETE ends it. The cookie can't be read by
 * scripts, and isn't sent along with requests that begin on another site. For a {@link Mount} that needs a role.
 */
public final class SignIn implements HttpHandler {

  private final Sessions sessions;

  public SignIn(Sessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) {
    Cookie had = exchange.getRequestCookie(Identified.COOKIE);
    if (exchange.getRequestMethod().equals(Methods.POST)) {
      String begun =
          sessions.begin(
              exchange.getAttachment(Mount.CALLER), exchange.getAttachment(Identified.HOLDER));
      end(had);
      set(exchange, begun, Math.toIntExact(sessions.lasts().toSeconds()));
    } else if (exchange.getRequestMethod().equals(Methods.DELETE)) {
      end(had);
      set(exchange, "", 0);
    } else {
      exchange.setStatusCode(StatusCodes.METHOD_NOT_ALLOWED);
    }
    exchange.endExchange();
  }

  private void end(Cookie had) {
    if (had != null) {
      sessions.end(had.getValue());
    }
  }

  private static void set(HttpServerExchange exchange, String value, int seconds) {
    exchange.setStatusCode(StatusCodes.NO_CONTENT);
    exchange.setResponseCookie(
        new CookieImpl(Identified.COOKIE, value)
            .setPath("/")
            .setHttpOnly(true)
            .setSecure(exchange.getRequestScheme().equals("https"))
            .setSameSiteMode("Strict")
            .setMaxAge(seconds));
  }
}
