// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.process.inside.RackOfHostName;
import java.util.ArrayList;
import java.util.List;

/**
 * A DataNode. Immutable.
 *
 * @param name unique in the cluster, for example {@code dn1}
 * @param rack without a slash, for example {@code rack2}
 * @param types one for each of its storages, in the order of their directories
 * @param address of this host, by which HDFS tells its readers from those of other DataNodes; 127.0.0.0/8 has many
 */
public record ProcessNode(String name, String rack, List<StorageType> types, String address) {

  static final String LOCAL = "127.0.0.1";

  /** With the address of all others. */
  public ProcessNode(String name, String rack, List<StorageType> types) {
    this(name, rack, types, LOCAL);
  }

  /**
   * @throws IllegalArgumentException if there is no storage, or a dot or slash in a name
   */
  public ProcessNode {
    types = List.copyOf(types);
    if (types.isEmpty()) {
      throw new IllegalArgumentException("Node " + name + " has no storage");
    }
    if (!(name + rack).matches("\\w+")) {
      throw new IllegalArgumentException(
          "Node '%s' on rack '%s': expected letters and digits".formatted(name, rack));
    }
  }

  /** What HDFS shows as its host name. */
  public String host() {
    return name + "." + rack + RackOfHostName.DOMAIN;
  }

  /** The same node with one storage more. */
  ProcessNode with(StorageType type) {
    List<StorageType> more = new ArrayList<>(types);
    more.add(type);
    return new ProcessNode(name, rack, more, address);
  }
}
