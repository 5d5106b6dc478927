// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import java.util.Map;
import java.util.Optional;

/** A request, checked against its route. Immutable. */
public final class Request {

  private final Caller caller;
  private final Map<String, String> values;
  private final Object body;

  Request(Caller caller, Map<String, String> values, Object body) {
    this.caller = caller;
    this.values = Map.copyOf(values);
    this.body = body;
  }

  public Caller caller() {
    return caller;
  }

  /**
   * A parameter that is always there: one of the path, a required one, or one with a fallback.
   */
  public String text(Param param) {
    return optional(param).orElseThrow();
  }

  /** A parameter that may be left out. */
  public Optional<String> optional(Param param) {
    return Optional.ofNullable(values.getOrDefault(param.name(), param.fallback()));
  }

  /** A parameter that is a number. */
  public int integer(Param param) throws ApiException {
    return param.number(text(param));
  }

  /** The body, of the type that the route says. */
  public <T> T body(Class<T> type) {
    return type.cast(body);
  }
}
