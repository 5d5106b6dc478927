// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.choice;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What was known of the servers at one time: values by metric and server number. Immutable, safe for any
 * thread; reading allocates nothing. What is missing is {@link MetricsView#UNKNOWN}, never 0.
 */
public final class ServerMetrics implements MetricsView {
  private final int servers;
  private final Map<Metric, double[]> columns;
  private final Location[] locations;

  private ServerMetrics(Builder builder) {
    this.servers = builder.servers;
    this.columns = new HashMap<>();
    builder.columns.forEach((metric, values) -> columns.put(metric, values.clone()));
    this.locations = builder.locations.clone();
  }

  /**
   * For that many servers, of which nothing is known yet.
   *
   * @throws IllegalArgumentException if the number is negative
   */
  public static Builder builder(int servers) {
    if (servers < 0) {
      throw new IllegalArgumentException("a number of servers can't be negative, got " + servers);
    }
    return new Builder(servers);
  }

  /** Metrics of which at least one server has a value; distances aren't among them. */
  public Set<Metric> metrics() {
    return Collections.unmodifiableSet(columns.keySet());
  }

  @Override
  public double value(Metric metric, int server) {
    double[] column = columns.get(metric);
    return column == null || server < 0 || server >= servers ? UNKNOWN : column[server];
  }

  /**
   * The same with {@link Metric#DISTANCE} from a client.
   *
   * @param client null where it isn't known: then no distance is
   */
  public MetricsView seenFrom(Location client) {
    return (metric, server) -> {
      if (!metric.equals(Metric.DISTANCE)) {
        return value(metric, server);
      }
      Location there = server < 0 || server >= servers ? null : locations[server];
      return client == null || there == null ? UNKNOWN : client.distanceTo(there);
    };
  }

  /** Gathers a snapshot. Not thread-safe. */
  public static final class Builder {
    private final int servers;
    private final Map<Metric, double[]> columns = new HashMap<>();
    private final Location[] locations;

    private Builder(int servers) {
      this.servers = servers;
      this.locations = new Location[servers];
    }

    /**
     * Sets a value; NaN and infinities leave it unknown.
     *
     * @throws IndexOutOfBoundsException if there is no server of that number
     */
    public Builder set(Metric metric, int server, double value) {
      requireServer(server);
      if (!Double.isNaN(value) && !Double.isInfinite(value)) {
        columns.computeIfAbsent(metric, none -> unknown())[server] = value;
      }
      return this;
    }

    /**
     * Sets where a server is, which its distance from a client follows from.
     *
     * @throws IndexOutOfBoundsException if there is no server of that number
     */
    public Builder location(int server, Location location) {
      requireServer(server);
      locations[server] = location;
      return this;
    }

    public ServerMetrics build() {
      return new ServerMetrics(this);
    }

    private double[] unknown() {
      double[] column = new double[servers];
      Arrays.fill(column, UNKNOWN);
      return column;
    }

    private void requireServer(int server) {
      if (server < 0 || server >= servers) {
        throw new IndexOutOfBoundsException(
            "server " + server + " of " + servers + ": numbers go from 0 to " + (servers - 1));
      }
    }
  }
}
