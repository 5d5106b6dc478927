// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process.inside;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/**
 * The rack is the second label of a DataNode's name: {@code dn1.rack2.test} is in {@code /rack2}. Not
 * one of Hadoop's cached mappings, because those are asked with the address, which is the same for all
 * DataNodes of one host. Stateless.
 */
public final class RackOfHostName implements DNSToSwitchMapping {

  /** Ends the names that have a rack; reserved (RFC 6761), so that it can't be anybody's. */
  public static final String DOMAIN = ".test";

  @Override
  public List<String> resolve(List<String> names) {
    return names.stream().map(RackOfHostName::rack).collect(Collectors.toList());
  }

  private static String rack(String name) {
    String[] labels = name.split("\\.");
    return name.endsWith(DOMAIN) && labels.length == 3
        ? "/" + labels[1]
        : NetworkTopology.DEFAULT_RACK;
  }

  @Override
  public void reloadCachedMappings() {
    // There is no cache.
  }

  @Override
  public void reloadCachedMappings(List<String> names) {
    // There is no cache.
  }
}
