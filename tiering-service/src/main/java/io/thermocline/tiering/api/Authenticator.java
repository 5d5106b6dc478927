// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.server.HttpServerExchange;

/** Finds out who asks. Thread-safe; called before anything of the request is looked at. */
@FunctionalInterface
public interface Authenticator {

  /**
   * @param exchange for its headers, address and TLS session, and for a challenge in the
   *     answer's headers; its body is not read yet
   * @throws ApiException UNAUTHENTICATED or FORBIDDEN
   */
  Caller caller(HttpServerExchange exchange) throws ApiException;
}
