// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.thermocline.placement.model.StorageType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What was so with each of the last plans, for curves. Bounded: when it is full, every second
 * sample goes, and from then on only every second plan adds one, so that it always reaches back
 * to the start. Thread-safe.
 */
public final class History {

  private static final int MOST = 512;

  private final List<Sample> samples = new ArrayList<>();
  private long every = 1;
  private long offered;

  /** At one moment. */
  public record Sample(
      Instant at,
      @JsonPropertyDescription("of the reads, by type of the fastest copy of what is read")
          Map<StorageType, Double> readShares,
      @JsonPropertyDescription("of the capacity that is used") Map<StorageType, Double> usedShares,
      @JsonPropertyDescription("cooled reads, of the hottest directories")
          Map<String, Double> directories,
      @JsonPropertyDescription("how far owners of hints are believed, 0 to 1")
          Map<String, Double> owners) {}

  public synchronized void add(Sample sample) {
    if (offered++ % every != 0) {
      return;
    }
    if (samples.size() == MOST) {
      for (int i = MOST - 1; i > 0; i -= 2) {
        samples.remove(i);
      }
      every *= 2;
    }
    samples.add(sample);
  }

  /** Oldest first. */
  public synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }
}
