// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.server.HttpServerExchange;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.xnio.IoUtils;
import org.xnio.XnioExecutor;

/**
 * What stands between the network and the handlers.
 *
 * @param threads that handlers run on
 * @param bodyMillis for a body to come in whole
 */
record Guards(
    Authenticator authenticator, Activity activity, ExecutorService threads, int bodyMillis) {

  /** Who asks, where they may. */
  Caller admit(HttpServerExchange exchange, Role needed) throws ApiException {
    Caller caller = authenticator.caller(exchange);
    if (!caller.role().mayActAs(needed)) {
      throw new ApiException(
          ErrorCode.FORBIDDEN,
          caller.name() + "'s role " + caller.role() + " can't do this, it needs " + needed,
          exchange.getRequestPath(),
          "ask who administers the service for the role");
    }
    return caller;
  }

  /** Closes the connection of who is too slow, unless what is returned is run before. */
  Runnable deadline(HttpServerExchange exchange) {
    XnioExecutor.Key key =
        exchange
            .getIoThread()
            .executeAfter(
                () -> IoUtils.safeClose(exchange.getConnection()),
                bodyMillis,
                TimeUnit.MILLISECONDS);
    return key::remove;
  }
}
