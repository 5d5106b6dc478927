// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.sim.PlannedFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A comparison for programs: one JSON object, everything in bytes and seconds. */
public final class JsonReport {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonReport() {}

  /** One line. */
  public static String of(Comparison comparison) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("trace", comparison.trace());
    json.put("accesses", comparison.accesses());
    json.put("files", comparison.files());
    json.put("file_bytes", comparison.fileBytes());
    json.put("mode", comparison.mode().name().toLowerCase(Locale.ROOT));
    json.put("read_order", comparison.readOrder().name().toLowerCase(Locale.ROOT));
    json.put("seed", comparison.seed());
    json.put("fast_bytes", comparison.fastBytes());
    json.put("runs", comparison.rows().stream().map(row -> run(row, comparison.tiers())).toList());
    try {
      return MAPPER.writeValueAsString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("made of numbers and texts alone: " + json, e);
    }
  }

  private static Map<String, Object> run(PolicyRow row, List<String> tiers) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("policy", row.name().isEmpty() ? "ours" : row.name());
    json.put("fast_bytes", row.fastBytes());
    putNumber(json, "mean_latency_s", row.result().latency().mean());
    putNumber(json, "p99_latency_s", row.result().latency().p99());
    putNumber(json, "bytes_per_s", row.bytesPerSecond());
    Map<String, Object> hits = new LinkedHashMap<>();
    Map<String, Object> byteHits = new LinkedHashMap<>();
    for (int tier = 0; tier < tiers.size(); tier++) {
      hits.put(tiers.get(tier), row.result().hitShare(tier));
      byteHits.put(tiers.get(tier), row.result().byteHitShare(tier));
    }
    json.put("hit_share", hits);
    json.put("byte_hit_share", byteHits);
    json.put("bytes_up", row.result().bytesUp());
    json.put("bytes_down", row.result().bytesDown());
    json.put("bytes_to_flash", row.result().flashBytes());
    json.put("disk_time_s", row.result().diskTime().all());
    json.put("peak_disk_time_s", row.result().diskTime().peak());
    json.put("moves", row.result().moves());
    json.put("refused_moves", row.result().refused());
    json.put("decisions", row.result().decisions());
    json.put("decision_us", row.decisionMicros());
    json.put("device_requests", row.requests());
    if (!row.result().planned().isEmpty()) {
      json.put("planned", row.result().planned().stream().map(JsonReport::file).toList());
    }
    return json;
  }

  private static Map<String, Object> file(PlannedFile file) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("plan", file.plan());
    json.put("at_s", file.atMicros() / 1e6);
    json.put("path", file.path());
    json.put("cause", file.cause());
    json.put("target", file.target());
    json.put("bytes", file.bytes());
    return json;
  }

  /** JSON has no word for what isn't a number: the key is left out. */
  private static void putNumber(Map<String, Object> json, String key, double value) {
    if (Double.isFinite(value)) {
      json.put(key, value);
    }
  }
}
