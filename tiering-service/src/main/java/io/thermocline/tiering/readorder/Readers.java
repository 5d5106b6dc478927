// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import io.thermocline.tiering.observe.ReaderTally;
import java.util.HashMap;
import java.util.Map;

/**
 * Where readers are. Immutable.
 *
 * @param nodes share of the reads by clients on each DataNode's host; what isn't named has none
 * @param racks share of the reads in each rack, those on DataNodes' hosts included; the sum is 1
 * @param isAssumed whether no reader is known, so that they are taken for spread over the DataNodes
 */
public record Readers(Map<String, Double> nodes, Map<String, Double> racks, boolean isAssumed) {

  /** Where HDFS takes hosts to be that no rack is known of. */
  static final String DEFAULT_RACK = "/default-rack";

  public Readers {
    nodes = Map.copyOf(nodes);
    racks = Map.copyOf(racks);
  }

  /** A DataNode: the IP address that it has for readers on it, and its rack. */
  public record Place(String address, String rack) {}

  /**
   * As the audit log tells. Readers on hosts without a DataNode are in HDFS's default rack.
   *
   * @param places by DataNode
   */
  public static Readers of(Map<String, Place> places, ReaderTally tally) {
    Map<String, Integer> atAddress = new HashMap<>();
    places.values().forEach(place -> atAddress.merge(place.address(), 1, Integer::sum));
    ReaderTally.Counts counts = tally.counts();
    boolean isAssumed = counts.total() == 0;
    Map<String, Double> nodes = new HashMap<>();
    Map<String, Double> racks = new HashMap<>();
    double elsewhere = 1;
    for (Map.Entry<String, Place> node : places.entrySet()) {
      Place place = node.getValue();
      // Of several DataNodes on one host the NameNode takes any.
      double share =
          isAssumed
              ? 1.0 / places.size()
              : counts.of(place.address()) / counts.total() / atAddress.get(place.address());
      if (share > 0) {
        nodes.put(node.getKey(), share);
        racks.merge(place.rack(), share, Double::sum);
        elsewhere -= share;
      }
    }
    if (elsewhere > 1e-9) {
      racks.merge(DEFAULT_RACK, elsewhere, Double::sum);
    }
    return new Readers(nodes, racks, isAssumed);
  }

  double on(String node) {
    return nodes.getOrDefault(node, 0.0);
  }
}
