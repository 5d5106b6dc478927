// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Asks a server over HTTP, and holds each of its answers against its own OpenAPI document. */
public final class ApiClient {

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI server;
  private final JsonNode document;

  public ApiClient(URI server) throws IOException, InterruptedException {
    this.server = server;
    this.document =
        Json.MAPPER.readTree(raw("GET", ApiServer.ROOT + "/openapi.json", null, Map.of()).body());
  }

  /** An answer. */
  public record Answer(int status, JsonNode body, HttpResponse<String> raw) {
    public String code() {
      return body.path("code").asText();
    }
  }

  public JsonNode document() {
    return document;
  }

  public Answer get(String path) throws IOException, InterruptedException {
    return checked("GET", path, null, Map.of());
  }

  public Answer post(String path, String body) throws IOException, InterruptedException {
    return post(path, body, Map.of());
  }

  public Answer post(String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    Map<String, String> all = new TreeMap<>(Map.of("Content-Type", "application/json"));
    all.putAll(headers);
    return checked("POST", path, body, all);
  }

  public String text(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        raw("GET", ApiServer.ROOT + path, null, Map.of("Accept", "text/plain"));
    assertTrue(
        response.headers().firstValue("Content-Type").orElse("").startsWith("text/plain"),
        () -> response.headers().toString());
    return response.body();
  }

  /** Whatever comes, unchecked; the path is from the root. */
  public HttpResponse<String> raw(
      String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private Answer checked(String method, String path, String body, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpResponse<String> response = raw(method, ApiServer.ROOT + path, body, headers);
    JsonNode json = Json.MAPPER.readTree(response.body());
    JsonNode operation = operation(method, ApiServer.ROOT + path.replaceFirst("\\?.*", ""));
    if (operation == null) {
      assertTrue(
          Set.of("NO_SUCH_RESOURCE", "METHOD_NOT_ALLOWED").contains(json.path("code").asText()),
          () -> method + " " + path + " isn't in the document, and answers " + json);
    } else {
      JsonNode declared = operation.path("responses").path(Integer.toString(response.statusCode()));
      assertTrue(
          declared.isObject(),
          () -> method + " " + path + ": status isn't declared: " + response + " " + json);
      String place = method + " " + path + " " + response.statusCode();
      conforms(place, declared.at("/content/application~1json/schema"), json);
      if (json.has("whatToDo")) {
        String names = declared.path("description").asText();
        assertTrue(
            names.matches(".*\\b" + json.path("code").asText() + "\\b.*"),
            () -> place + " may be " + names + ", is " + json);
      }
    }
    return new Answer(response.statusCode(), json, response);
  }

  private JsonNode operation(String method, String path) {
    for (var paths = document.path("paths").fields(); paths.hasNext(); ) {
      var each = paths.next();
      String pattern = each.getKey().replaceAll("\\{[^}]+}", "[^/]+");
      if (path.matches(pattern)) {
        return each.getValue().get(method.toLowerCase(java.util.Locale.ROOT));
      }
    }
    return null;
  }

  private void conforms(String place, JsonNode schema, JsonNode value) {
    if (schema.has("$ref")) {
      conforms(place, document.at(schema.get("$ref").asText().substring(1)), value);
      return;
    }
    String type = schema.path("type").asText();
    switch (type) {
      case "object" -> object(place, schema, value);
      case "array" -> {
        assertTrue(value.isArray(), () -> place + ": expected an array, found " + value);
        value.forEach(item -> conforms(place + "[]", schema.get("items"), item));
      }
      case "integer" ->
          assertTrue(value.isIntegralNumber(), () -> place + ": expected integer, found " + value);
      case "number" ->
          assertTrue(value.isNumber(), () -> place + ": expected number, found " + value);
      case "boolean" ->
          assertTrue(value.isBoolean(), () -> place + ": expected boolean, found " + value);
      case "string" -> {
        assertTrue(value.isTextual(), () -> place + ": expected string, found " + value);
        if (schema.has("enum")) {
          Set<String> names = new HashSet<>();
          schema.get("enum").forEach(name -> names.add(name.asText()));
          assertTrue(names.contains(value.asText()), () -> place + ": " + value + " of " + names);
        }
      }
      default -> assertEquals("a type", type, place + ": schema " + schema);
    }
  }

  private void object(String place, JsonNode schema, JsonNode value) {
    assertTrue(value.isObject(), () -> place + ": expected an object, found " + value);
    schema
        .path("required")
        .forEach(name -> assertTrue(value.has(name.asText()), () -> place + ": lacks " + name));
    value
        .fields()
        .forEachRemaining(
            field -> {
              JsonNode known = schema.path("properties").path(field.getKey());
              JsonNode others = schema.path("additionalProperties");
              if (known.isObject()) {
                conforms(place + "." + field.getKey(), known, field.getValue());
              } else if (others.isObject()) {
                conforms(place + "." + field.getKey(), others, field.getValue());
              } else {
                assertTrue(
                    !schema.has("properties"),
                    () -> place + "." + field.getKey() + " isn't in the schema");
              }
            });
  }
}
