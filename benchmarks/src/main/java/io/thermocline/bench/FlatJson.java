// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;

/** A report as one line of JSON. */
public final class FlatJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private FlatJson() {}

  /** Values are numbers, booleans or strings. */
  public static String of(Map<String, Object> report) {
    try {
      return MAPPER.writeValueAsString(report);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a flat report: " + report, e);
    }
  }
}
