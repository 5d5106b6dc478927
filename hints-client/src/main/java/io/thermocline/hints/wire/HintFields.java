// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Scope;
import io.thermocline.hints.Source;
import io.thermocline.hints.Temperature;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The fields of a hint by their names on the wire, the lease apart: the two forms say it
 * differently.
 */
final class HintFields {
  private HintFields() {}

  /**
   * In the order in which they are written. What came after version 1's first writer only where
   * it is said.
   */
  static Map<String, String> of(Hint hint) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("op", hint.operation().name());
    fields.put("scope", hint.scope().name());
    fields.put("target", hint.target());
    fields.put("pattern", hint.pattern().name());
    fields.put("requirement", hint.requirement().name());
    fields.put("temperature", hint.temperature().name());
    fields.put("owner", hint.owner());
    if (hint.stream() != null && hint.scope() != Scope.STREAM) {
      fields.put("stream", hint.stream());
    }
    if (hint.source() != Source.APPLICATION) {
      fields.put("source", hint.source().name());
    }
    if (hint.startMillis() != 0) {
      fields.put("starts", Long.toString(hint.startMillis()));
    }
    return fields;
  }

  /**
   * @param fields of which only operation, scope, target and owner must be there
   * @throws HintFormatException naming the key at fault
   */
  static Hint read(Map<String, String> fields, long leaseExpiryMillis) {
    Hint.Builder hint =
        Hint.on(
                constant(Scope.class, "scope", required(fields, "scope")),
                constant(Operation.class, "op", required(fields, "op")),
                required(fields, "target"))
            .pattern(optional(AccessPattern.UNKNOWN, "pattern", fields))
            .requirement(optional(Requirement.NONE, "requirement", fields))
            .temperature(optional(Temperature.UNKNOWN, "temperature", fields))
            .stream(fields.get("stream"))
            .owner(required(fields, "owner"))
            .source(optional(Source.APPLICATION, "source", fields))
            .startMillis(fields.containsKey("starts") ? millis("starts", fields.get("starts")) : 0)
            .leaseExpiryMillis(leaseExpiryMillis);
    try {
      return hint.build();
    } catch (IllegalArgumentException e) {
      throw new HintFormatException(e);
    }
  }

  static long millis(String key, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new HintFormatException(key, value, "epoch milliseconds");
    }
  }

  static String required(Map<String, String> fields, String key) {
    String value = fields.get(key);
    if (value == null) {
      throw new HintFormatException(key, null, "a value");
    }
    return value;
  }

  private static <E extends Enum<E>> E optional(
      E otherwise, String key, Map<String, String> fields) {
    String value = fields.get(key);
    return value == null ? otherwise : constant(otherwise.getDeclaringClass(), key, value);
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String key, String value) {
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equals(value)) {
        return constant;
      }
    }
    throw new HintFormatException(key, value, "one of " + Arrays.toString(type.getEnumConstants()));
  }
}
