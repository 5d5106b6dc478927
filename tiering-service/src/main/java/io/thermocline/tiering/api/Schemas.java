// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * JSON schemas of records, as {@link Json} writes them: what can be absent, an Optional or a
 * boxed value, isn't required.
 */
final class Schemas {

  private final Map<String, Map<String, Object>> named = new TreeMap<>();
  private final Map<String, Class<?>> classes = new TreeMap<>();

  /** Of all records met so far, by name. */
  Map<String, Map<String, Object>> named() {
    return named;
  }

  /** Of a type; records become references. */
  Map<String, Object> of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == Map.class) {
        return Map.of("type", "object", "additionalProperties", of(arguments[1]));
      }
      if (generic.getRawType() == List.class) {
        return Map.of("type", "array", "items", of(arguments[0]));
      }
      return of(arguments[0]);
    }
    Class<?> raw = (Class<?>) type;
    if (raw == int.class || raw == Integer.class) {
      return Map.of("type", "integer", "format", "int32");
    } else if (raw == long.class || raw == Long.class) {
      return Map.of("type", "integer", "format", "int64");
    } else if (raw == double.class || raw == Double.class) {
      return Map.of("type", "number", "format", "double");
    } else if (raw == boolean.class || raw == Boolean.class) {
      return Map.of("type", "boolean");
    } else if (raw == Instant.class) {
      return Map.of("type", "string", "format", "date-time");
    } else if (raw == URI.class) {
      return Map.of("type", "string", "format", "uri");
    } else if (raw == String.class) {
      return Map.of("type", "string");
    } else if (raw.isEnum()) {
      return Map.of(
          "type",
          "string",
          "enum",
          Stream.of(raw.getEnumConstants()).map(value -> ((Enum<?>) value).name()).toList());
    } else if (raw == ArrayNode.class) {
      // Each is taken or refused by itself, whatever it is.
      return Map.of("type", "array", "items", Map.of());
    } else if (JsonNode.class.isAssignableFrom(raw)) {
      return Map.of("type", "object");
    } else if (raw.isRecord()) {
      return record(raw);
    }
    throw new IllegalArgumentException(type + " has no schema: use records of simple types");
  }

  /** Of a page of records. */
  Map<String, Object> pageOf(Class<?> item) {
    String name = "PageOf" + item.getSimpleName();
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("items", Map.of("type", "array", "items", of(item)));
    properties.put("total", described(of(long.class), "of the whole list"));
    properties.put("offset", described(of(int.class), "of the first item, from 0"));
    named.put(name, object(properties, List.copyOf(properties.keySet())));
    return reference(name);
  }

  private Map<String, Object> record(Class<?> type) {
    String name = type.getSimpleName();
    Class<?> other = classes.putIfAbsent(name, type);
    if (other != null && other != type) {
      throw new IllegalArgumentException(other + " and " + type + " would have one schema's name");
    }
    if (other == null) {
      Map<String, Object> properties = new LinkedHashMap<>();
      List<String> required = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        Map<String, Object> schema = of(component.getGenericType());
        if (Change.class.isAssignableFrom(type)) {
          schema = orNull(schema);
        }
        JsonPropertyDescription words =
            component.getAccessor().getAnnotation(JsonPropertyDescription.class);
        properties.put(
            component.getName(), words == null ? schema : described(schema, words.value()));
        if (!mayBeAbsent(type, component.getType())) {
          required.add(component.getName());
        }
      }
      named.put(name, object(properties, required));
    }
    return reference(name);
  }

  /**
   * Bodies come from outside: what isn't there is null, and the handler says whether it may be.
   */
  private static boolean mayBeAbsent(Class<?> owner, Class<?> type) {
    return type == Optional.class || Change.class.isAssignableFrom(owner);
  }

  /** As if it weren't there. */
  private static Map<String, Object> orNull(Map<String, Object> schema) {
    Map<String, Object> orNull = new TreeMap<>(schema);
    orNull.put("type", List.of(schema.get("type"), "null"));
    if (schema.get("enum") instanceof List<?> names) {
      List<Object> values = new ArrayList<>(names);
      values.add(null);
      orNull.put("enum", values);
    }
    return orNull;
  }

  private static Map<String, Object> object(Map<String, Object> properties, List<String> required) {
    return new TreeMap<>(
        Map.of(
            "type",
            "object",
            "properties",
            properties,
            "required",
            required,
            "additionalProperties",
            false));
  }

  private static Map<String, Object> described(Map<String, Object> schema, String words) {
    Map<String, Object> described = new TreeMap<>(schema);
    described.put("description", words);
    return described;
  }

  private static Map<String, Object> reference(String name) {
    return Map.of("$ref", "#/components/schemas/" + name);
  }
}
