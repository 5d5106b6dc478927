// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Sends answers, as JSON or, to people at a terminal, as text. */
final class Answers {

  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain";

  private Answers() {}

  /**
   * Says before anything is done whether the client takes what there is.
   *
   * @throws ApiException NOT_ACCEPTABLE
   */
  static void check(HttpServerExchange exchange) throws ApiException {
    String accept = exchange.getRequestHeaders().getFirst(Headers.ACCEPT);
    if (type(accept) == null) {
      throw new ApiException(
          ErrorCode.NOT_ACCEPTABLE,
          "Accept is " + accept,
          "Accept",
          "expected " + JSON + " or " + TEXT);
    }
  }

  /** The first that the client accepts of what there is; null for none. */
  private static String type(String accept) {
    if (accept == null) {
      return JSON;
    }
    for (String each : accept.split(",")) {
      switch (each.split(";")[0].trim()) {
        case "*/*", JSON, "application/*" -> {
          return JSON;
        }
        case TEXT, "text/*" -> {
          return TEXT;
        }
        default -> {
          // The next.
        }
      }
    }
    return null;
  }

  static void send(HttpServerExchange exchange, Reply sent) {
    String accepted = type(exchange.getRequestHeaders().getFirst(Headers.ACCEPT));
    String type = accepted == null ? JSON : accepted;
    JsonNode json = Json.MAPPER.valueToTree(sent.value());
    exchange.setStatusCode(sent.status());
    exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, type + "; charset=utf-8");
    exchange.getResponseHeaders().put(Headers.CACHE_CONTROL, "no-store");
    exchange
        .getResponseHeaders()
        .put(HttpString.tryFromString("X-Content-Type-Options"), "nosniff");
    sent.location().ifPresent(place -> exchange.getResponseHeaders().put(Headers.LOCATION, place));
    exchange.getResponseSender().send(ByteBuffer.wrap(bytes(json, type)));
  }

  private static byte[] bytes(JsonNode json, String type) {
    try {
      return type.equals(TEXT)
          ? PlainText.of(json).getBytes(StandardCharsets.UTF_8)
          : Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }
}
