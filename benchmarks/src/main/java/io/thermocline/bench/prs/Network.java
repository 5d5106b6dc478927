// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import java.util.stream.Stream;

/**
 * A link of 1 Gbit/s, both ways, of each client and each node, behind one switch. In virtual
 * time.
 */
final class Network {
  static final double BYTES_PER_SECOND = 125e6;

  /**
   * There and back. Each request takes two of them: from the client to its gateway, from there
   * to the node (section 4). 100 us are usual for 1 Gbit/s; the paper says nothing of it, nor of
   * the time that Sheepdog itself takes, which is 0 here.
   */
  private static final double ROUND_TRIP = 100e-6;

  private final Events events;
  private final Link[] toClients;
  private final Link[] fromClients;
  private final Link[] toNodes;
  private final Link[] fromNodes;
  private final long[] promised;

  private static final class Link {
    private double freeAt;

    double take(double now, long bytes) {
      double start = Math.max(now, freeAt);
      freeAt = start + bytes / BYTES_PER_SECOND;
      return start;
    }
  }

  Network(Events events, int clients, int nodes) {
    this.events = events;
    toClients = links(clients);
    fromClients = links(clients);
    toNodes = links(nodes);
    fromNodes = links(nodes);
    promised = new long[nodes];
  }

  private static Link[] links(int count) {
    return Stream.generate(Link::new).limit(count).toArray(Link[]::new);
  }

  /** A node is asked for bytes that {@link #read} will bring. */
  void ask(int node, long bytes, Runnable there) {
    promised[node] += bytes;
    events.at(events.now() + ROUND_TRIP, there);
  }

  void read(int node, int client, long bytes, Runnable there) {
    promised[node] -= bytes;
    send(fromNodes[node], toClients[client], bytes, there);
  }

  void write(int client, int node, long bytes, Runnable there) {
    send(fromClients[client], toNodes[node], bytes, there);
  }

  /** Goes through both links at the same time, as far as they are free. */
  private void send(Link from, Link to, long bytes, Runnable there) {
    double start = from.take(events.now(), bytes);
    events.at(
        start,
        () -> {
          to.take(events.now(), bytes);
          events.at(to.freeAt + ROUND_TRIP, there);
        });
  }

  /** Seconds until a node's link has sent what was asked of it, and so much more. */
  double wouldTake(int node, long bytes) {
    double waits = Math.max(0, fromNodes[node].freeAt - events.now());
    return waits + (promised[node] + bytes) / BYTES_PER_SECOND + 2 * ROUND_TRIP;
  }
}
