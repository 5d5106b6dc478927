// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import io.thermocline.placement.model.StorageType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One DataNode of a layout. Immutable.
 *
 * @param host name that HDFS shows, unique in the layout
 * @param rack network location, for example {@code /rack1}
 * @param capacities bytes of each storage, one storage a type, in the order of its volumes
 */
public record NodeLayout(String host, String rack, Map<StorageType, Long> capacities) {

  /**
   * @throws IllegalArgumentException if there is no storage, or the rack doesn't start with a slash
   */
  public NodeLayout {
    if (capacities.isEmpty()) {
      throw new IllegalArgumentException("Node " + host + " has no storage");
    }
    if (!rack.startsWith("/")) {
      throw new IllegalArgumentException("The rack of " + host + " must start with /: " + rack);
    }
    capacities = Collections.unmodifiableMap(new LinkedHashMap<>(capacities));
  }
}
