// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.probe;

import io.thermocline.placement.model.StorageType;
import java.util.List;
import java.util.Map;

/**
 * What was measured.
 *
 * @param speeds the fastest type first, by the order of types
 * @param unmeasured the other types there are, with the reason
 */
public record Probed(List<TypeSpeed> speeds, Map<StorageType, String> unmeasured) {
  public Probed {
    speeds = List.copyOf(speeds);
    unmeasured = Map.copyOf(unmeasured);
  }
}
