// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.wire;

import io.thermocline.hints.Hint;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A hint in a request to the service and in its answers, as what JSON's objects are read to. The
 * URL carries the version, {@code /api/v1}.
 *
 * <pre>
 * request: {"op":"PREFETCH","scope":"DIRECTORY","target":"/warehouse/orders","temperature":"HOT",
 *           "leaseMillis":7200000}
 * answer:  {"id":"...", the same fields, "owner":"etl", "expires":1767225600000}
 * </pre>
 *
 * <p>{@code op}, {@code scope}, {@code target} and {@code leaseMillis} must be there, the rest
 * has the defaults of {@link Hint}. A request says how long the lease is, not when it ends, and in {@code
 * startsInMillis} how long from now it begins, so that clocks needn't agree. Unknown fields are ignored by both sides: a later writer may add
 * some.
 */
public final class HintJson {
  /** Below this, with the version, stand all resources. */
  public static final String ROOT = "/api/v1";

  /** Most hints in one request. */
  public static final int MAX_BATCH = 1000;

  /** Most bytes of a request's body, in UTF-8. */
  public static final int MAX_BODY_BYTES = 4 << 20;

  private HintJson() {}

  /** What is sent at that time. A lease that has ended is sent as one of a millisecond. */
  public static Map<String, Object> request(Hint hint, long nowMillis) {
    Map<String, Object> fields = new LinkedHashMap<>(HintFields.of(hint));
    if (fields.remove("starts") != null && hint.startMillis() > nowMillis) {
      fields.put("startsInMillis", hint.startMillis() - nowMillis);
    }
    fields.put("leaseMillis", Math.max(1, hint.leaseExpiryMillis() - nowMillis));
    return fields;
  }

  /**
   * The hint of a request that came at that time.
   *
   * @param caller the owner where the request names none
   * @throws HintFormatException with the code that the answer needs
   */
  public static Hint fromRequest(Map<?, ?> request, String caller, long nowMillis) {
    long lease = lease(request);
    Map<String, String> fields = texts(request);
    fields.putIfAbsent("owner", caller);
    fields.remove("starts");
    long start = start(request);
    if (start >= lease) {
      throw new HintFormatException(
          "startsInMillis", Long.toString(start), "less than leaseMillis, which is " + lease);
    }
    if (start > 0) {
      fields.put("starts", Long.toString(nowMillis + Math.min(start, Long.MAX_VALUE - nowMillis)));
    }
    return HintFields.read(fields, nowMillis + Math.min(lease, Long.MAX_VALUE - nowMillis));
  }

  /**
   * The lease of a request for a hint or for its renewal, in milliseconds.
   *
   * @throws HintFormatException if there is none, or one that isn't positive
   */
  public static long lease(Map<?, ?> request) {
    Object lease = request.get("leaseMillis");
    if (lease == null) {
      throw new HintFormatException(
          "leaseMillis", null, "how long the hint holds, in milliseconds");
    }
    if (!isWhole(lease) || ((Number) lease).longValue() <= 0) {
      throw new HintFormatException(
          "leaseMillis", lease.toString(), "a whole number of milliseconds, at least 1");
    }
    return ((Number) lease).longValue();
  }

  private static long start(Map<?, ?> request) {
    Object start = request.get("startsInMillis");
    if (start == null) {
      return 0;
    }
    if (!isWhole(start) || ((Number) start).longValue() < 0) {
      throw new HintFormatException(
          "startsInMillis",
          start.toString(),
          "a whole number of milliseconds from now, at least 0");
    }
    return ((Number) start).longValue();
  }

  /** A hint in force, as the service answers with it. */
  public static Map<String, Object> answer(String id, Hint hint) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", id);
    fields.putAll(HintFields.of(hint));
    if (hint.startMillis() != 0) {
      fields.put("starts", hint.startMillis());
    }
    fields.put("expires", hint.leaseExpiryMillis());
    return fields;
  }

  /**
   * The hint of an answer; its id is the field of that name.
   *
   * @throws HintFormatException where a later service says what this version doesn't know
   */
  public static Hint fromAnswer(Map<?, ?> answer) {
    Object expires = answer.get("expires");
    if (!isWhole(expires)) {
      throw new HintFormatException(
          "expires", expires == null ? null : expires.toString(), "epoch milliseconds");
    }
    return HintFields.read(texts(answer), ((Number) expires).longValue());
  }

  private static boolean isWhole(Object value) {
    return value instanceof Long || value instanceof Integer;
  }

  /** Only texts can be fields of a hint; what a later writer adds may be anything. */
  private static Map<String, String> texts(Map<?, ?> json) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<?, ?> field : json.entrySet()) {
      if (field.getValue() != null) {
        texts.put(field.getKey().toString(), field.getValue().toString());
      }
    }
    return texts;
  }
}
