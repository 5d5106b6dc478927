// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.placement.model.StorageType;
import java.time.Duration;
import java.util.Map;

/**
 * How fast copies may go, beside how many {@link ActLimits} lets run at once.
 *
 * @param bytesPerNode a second, into and out of one DataNode
 * @param types what single storage types may take or give, over the whole cluster
 * @param operations calls of the NameNode a second
 * @param beginWithin from plan to begin; what waited longer is planned anew
 */
public record Pacing(
    double bytesPerNode, Map<StorageType, OfType> types, double operations, Duration beginWithin) {

  public Pacing {
    types = Map.copyOf(types);
    if (!(bytesPerNode > 0) || !(operations > 0)) {
      throw new IllegalArgumentException(
          bytesPerNode + " bytes and " + operations + " operations a second: expected some");
    }
  }

  /**
   * @param copies at once
   * @param bytes a second
   */
  public record OfType(int copies, double bytes) {}

  /** As fast as it goes. */
  public static Pacing unlimited() {
    return new Pacing(
        Double.POSITIVE_INFINITY, Map.of(), Double.POSITIVE_INFINITY, Duration.ofDays(1));
  }
}
