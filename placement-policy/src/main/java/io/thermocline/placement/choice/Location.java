// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Where a host is: its name and its path in the network tree, as HDFS has them. Immutable. */
public final class Location {
  private final String host;
  private final String[] levels;

  private Location(String host, String[] levels) {
    this.host = host;
    this.levels = levels;
  }

  /**
   * A location.
   *
   * @param host name or address; the same host must have the same here
   * @param path for example {@code /room1/rack7}; empty levels are left out
   * @throws IllegalArgumentException if the host is empty
   */
  public static Location of(String host, String path) {
    if (Objects.requireNonNull(host, "host").isEmpty()) {
      throw new IllegalArgumentException("a location needs a host, got an empty string");
    }
    List<String> levels = new ArrayList<>();
    for (String level : path.split("/")) {
      if (!level.isEmpty()) {
        levels.add(level);
      }
    }
    return new Location(host, levels.toArray(new String[0]));
  }

  /** Steps to the nearest common ancestor and back down: 0 for the same host, 2 within a rack. */
  public int distanceTo(Location other) {
    int common = 0;
    int most = Math.min(levels.length, other.levels.length);
    while (common < most && levels[common].equals(other.levels[common])) {
      common++;
    }
    int between = levels.length + other.levels.length - 2 * common;
    return between == 0 && host.equals(other.host) ? 0 : between + 2;
  }

  public String host() {
    return host;
  }

  public String path() {
    return "/" + String.join("/", levels);
  }

  @Override
  public String toString() {
    return (levels.length == 0 ? "" : path()) + "/" + host;
  }
}
