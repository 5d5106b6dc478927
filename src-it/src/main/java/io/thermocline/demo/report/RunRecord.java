// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

import io.thermocline.placement.model.StorageType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All that a report is drawn from. Immutable.
 *
 * @param figures the flat figures of the run in their order, as {@link JsonFigures} writes them:
 *     numbers, strings, booleans
 * @param before what each storage type served before anything was moved
 * @param after the same after tiering; empty where the run ended earlier
 * @param samples in ascending time
 * @param decisions a sample of them
 */
public record RunRecord(
    Map<String, Object> figures,
    List<TierWindow> before,
    List<TierWindow> after,
    List<Sample> samples,
    HeatMap heat,
    List<Decision> decisions) {

  public RunRecord {
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    JsonFigures.requireFlat(figures);
    before = onePerType(before);
    after = onePerType(after);
    samples = List.copyOf(samples);
    for (int i = 1; i < samples.size(); i++) {
      if (samples.get(i).seconds() < samples.get(i - 1).seconds()) {
        throw new IllegalArgumentException("sample " + i + " is earlier than the one before it");
      }
    }
    decisions = List.copyOf(decisions);
  }

  private static List<TierWindow> onePerType(List<TierWindow> window) {
    Set<StorageType> seen = EnumSet.noneOf(StorageType.class);
    for (TierWindow tier : window) {
      if (!seen.add(tier.type())) {
        throw new IllegalArgumentException(tier.type() + " stands twice in a window");
      }
    }
    return List.copyOf(window);
  }
}
