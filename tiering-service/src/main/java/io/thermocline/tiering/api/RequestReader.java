// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.PathTemplateMatch;
import java.io.IOException;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes requests of what came over the wire, or says what is wrong with it. */
final class RequestReader {

  private final Route route;

  RequestReader(Route route) {
    this.route = route;
  }

  /** Parameters and body; the body is empty where the route takes none. */
  Request read(HttpServerExchange exchange, Caller caller, byte[] body) throws ApiException {
    return new Request(
        caller, values(exchange), route.body() == null ? null : body(exchange, body));
  }

  private Map<String, String> values(HttpServerExchange exchange) throws ApiException {
    List<String> inQuery =
        route.params().stream()
            .filter(param -> param.need() != Param.Need.IN_PATH)
            .map(Param::name)
            .toList();
    Map<String, String> inPath =
        exchange.getAttachment(PathTemplateMatch.ATTACHMENT_KEY).getParameters();
    Map<String, Deque<String>> query = new HashMap<>(exchange.getQueryParameters());
    // The router adds those of the path.
    query.keySet().removeAll(inPath.keySet());
    for (Map.Entry<String, Deque<String>> given : query.entrySet()) {
      if (!inQuery.contains(given.getKey()) || given.getValue().size() > 1) {
        throw new ApiException(
            ErrorCode.UNKNOWN_PARAMETER,
            "parameter "
                + given.getKey()
                + (inQuery.contains(given.getKey()) ? " is given twice" : " is not known here"),
            given.getKey(),
            inQuery.isEmpty()
                ? "this resource takes none"
                : "expected " + inQuery.stream().sorted().collect(Collectors.joining(", ")));
      }
    }
    Map<String, String> values = new HashMap<>();
    for (Param param : route.params()) {
      String text = text(param, inPath, query);
      if (text != null) {
        values.put(param.name(), param.checked(text));
      } else if (param.need() == Param.Need.REQUIRED) {
        throw new ApiException(
            ErrorCode.MISSING_PARAMETER,
            "parameter " + param.name() + " is missing",
            param.name(),
            "give " + param.description());
      }
    }
    return values;
  }

  private static String text(
      Param param, Map<String, String> inPath, Map<String, Deque<String>> query) {
    if (param.need() == Param.Need.IN_PATH) {
      return inPath.get(param.name());
    }
    return query.containsKey(param.name()) ? query.get(param.name()).getFirst() : null;
  }

  private Object body(HttpServerExchange exchange, byte[] bytes) throws ApiException {
    String type = exchange.getRequestHeaders().getFirst(Headers.CONTENT_TYPE);
    if (type == null || !type.split(";")[0].trim().equalsIgnoreCase("application/json")) {
      throw new ApiException(
          ErrorCode.UNSUPPORTED_MEDIA_TYPE,
          "the body is of type " + type,
          "Content-Type",
          "send application/json");
    }
    Object body;
    try {
      body = Json.MAPPER.readValue(bytes, route.body());
    } catch (UnrecognizedPropertyException e) {
      throw new ApiException(
          ErrorCode.UNKNOWN_FIELD,
          "field " + e.getPropertyName() + " is not known here",
          place(e),
          "expected " + names(e.getKnownPropertyIds()));
    } catch (StreamConstraintsException e) {
      throw malformed(e, "nest less deep, or send shorter texts");
    } catch (JsonMappingException e) {
      if (e.getPath().isEmpty()) {
        throw malformed(e, "send one JSON object");
      }
      throw new ApiException(
          ErrorCode.BAD_FIELD,
          e.getOriginalMessage(),
          place(e),
          "send a value of the field's type");
    } catch (JsonProcessingException e) {
      throw malformed(e, "send one JSON object");
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory can always be read", e);
    }
    if (body == null) {
      throw new ApiException(
          ErrorCode.MALFORMED_JSON, "the body is null", "body", "send one JSON object");
    }
    if (body instanceof Change change) {
      change.check();
    }
    return body;
  }

  private static ApiException malformed(JsonProcessingException e, String whatToDo) {
    String place =
        e.getLocation() == null
            ? "body"
            : "line " + e.getLocation().getLineNr() + ", column " + e.getLocation().getColumnNr();
    return new ApiException(ErrorCode.MALFORMED_JSON, e.getOriginalMessage(), place, whatToDo);
  }

  private static String place(JsonMappingException e) {
    return e.getPath().stream()
        .map(
            part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
        .collect(Collectors.joining("."));
  }

  private static String names(Collection<Object> known) {
    return known.stream().map(Object::toString).sorted().collect(Collectors.joining(", "));
  }
}
