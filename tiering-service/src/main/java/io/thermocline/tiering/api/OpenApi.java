// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The OpenAPI document, made of the routes. docs/reference/openapi.json is the same, for readers and for
 * comparison.
 */
public final class OpenApi {

  private static final String VERSION = "1";

  /** Ways to say who asks, any of which is enough; without authentication none is needed. */
  private static final List<String> SCHEMES = List.of("bearer", "negotiate", "session");

  /** Of a browser's session. */
  public static final String COOKIE = "thermocline";

  private final Schemas schemas = new Schemas();

  private OpenApi() {}

  /** With keys in a fixed order. */
  public static JsonNode of(List<Route> routes) {
    return Json.MAPPER.valueToTree(new OpenApi().document(routes));
  }

  private Map<String, Object> document(List<Route> routes) {
    Map<String, Map<String, Object>> paths = new TreeMap<>();
    for (Route route : routes) {
      paths
          .computeIfAbsent(ApiServer.ROOT + route.path(), path -> new TreeMap<>())
          .put(route.method().name().toLowerCase(Locale.ROOT), operation(route));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("openapi", "3.1.0");
    document.put(
        "info",
        Map.of(
            "title",
            "Thermocline tiering service",
            "version",
            VERSION,
            "license",
            Map.of("name", "Apache-2.0", "identifier", "Apache-2.0")));
    document.put("paths", paths);
    document.put(
        "components", Map.of("schemas", schemas.named(), "securitySchemes", securitySchemes()));
    return sorted(document);
  }

  private Map<String, Object> operation(Route route) {
    Map<String, Object> operation = new LinkedHashMap<>();
    operation.put("summary", route.summary());
    operation.put(
        "security",
        route.needs().isEmpty()
            ? List.of()
            : SCHEMES.stream().map(scheme -> Map.of(scheme, List.of())).toList());
    operation.put("x-role", route.needs().map(Role::name).orElse("none"));
    operation.put("parameters", route.params().stream().map(this::parameter).toList());
    if (route.body() != null) {
      operation.put(
          "requestBody", Map.of("required", true, "content", json(schemas.of(route.body()))));
    }
    operation.put("responses", responses(route));
    return operation;
  }

  private static Map<String, Object> securitySchemes() {
    return Map.of(
        "bearer", Map.of("type", "http", "scheme", "bearer"),
        "negotiate", Map.of("type", "http", "scheme", "negotiate"),
        "session", Map.of("type", "apiKey", "in", "cookie", "name", COOKIE));
  }

  private Map<String, Object> parameter(Param param) {
    Map<String, Object> schema = new TreeMap<>();
    schema.put("type", param.kind() == Param.Kind.INTEGER ? "integer" : "string");
    if (param.kind() == Param.Kind.INTEGER) {
      schema.put("minimum", param.least());
      schema.put("maximum", param.most());
    }
    if (param.kind() == Param.Kind.HDFS_PATH) {
      schema.put("pattern", "^/");
    }
    if (param.fallback() != null) {
      schema.put(
          "default",
          param.kind() == Param.Kind.INTEGER
              ? (Object) Integer.valueOf(param.fallback())
              : param.fallback());
    }
    return Map.of(
        "name",
        param.name(),
        "in",
        param.need() == Param.Need.IN_PATH ? "path" : "query",
        "required",
        param.need() != Param.Need.OPTIONAL,
        "description",
        param.description(),
        "schema",
        schema);
  }

  private Map<String, Object> responses(Route route) {
    Map<String, Object> responses = new TreeMap<>();
    Map<String, Object> answer =
        switch (route.shape()) {
          case ONE -> schemas.of(route.answer());
          case LIST -> Map.of("type", "array", "items", schemas.of(route.answer()));
          case PAGE -> schemas.pageOf(route.answer());
        };
    responses.put("200", response("answered", answer));
    if (route.isChange()) {
      responses.put("202", response("begun: Location is the task that does it", answer));
    }
    Map<String, Object> error = schemas.of(ApiError.class);
    if (route.needsActive()) {
      responses.put("307", response("STANDBY: Location is the same on the active one", error));
    }
    route.allErrors().stream()
        .collect(
            Collectors.groupingBy(
                ErrorCode::status,
                TreeMap::new,
                Collectors.mapping(Enum::name, Collectors.toList())))
        .forEach(
            (status, names) ->
                responses.put(
                    Integer.toString(status),
                    response(names.stream().sorted().collect(Collectors.joining(", ")), error)));
    return responses;
  }

  private static Map<String, Object> response(String words, Map<String, Object> schema) {
    Map<String, Object> content = new TreeMap<>(json(schema));
    content.put("text/plain", Map.of("schema", Map.of("type", "string")));
    return Map.of("description", words, "content", content);
  }

  private static Map<String, Object> json(Map<String, Object> schema) {
    return Map.of("application/json", Map.of("schema", schema));
  }

  /** Maps by key, all the way down: the properties of a schema keep the order of the record. */
  private static Map<String, Object> sorted(Map<?, ?> map) {
    Map<String, Object> sorted = new TreeMap<>();
    map.forEach((key, value) -> sorted.put((String) key, sortedValue((String) key, value)));
    return sorted;
  }

  private static Object sortedValue(String key, Object value) {
    if (value instanceof Map<?, ?> map) {
      return key.equals("properties") ? ordered(map) : sorted(map);
    }
    if (value instanceof List<?> list) {
      List<Object> items = new ArrayList<>();
      list.forEach(item -> items.add(sortedValue("", item)));
      return items;
    }
    return value;
  }

  private static Map<String, Object> ordered(Map<?, ?> map) {
    Map<String, Object> ordered = new LinkedHashMap<>();
    map.forEach((key, value) -> ordered.put((String) key, sortedValue("", value)));
    return ordered;
  }
}
