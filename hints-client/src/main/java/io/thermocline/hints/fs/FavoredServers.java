// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import io.thermocline.hints.choice.DataNodeProbe;
import io.thermocline.hints.choice.FileCandidates;
import io.thermocline.hints.choice.FileChoices;
import io.thermocline.hints.choice.Server;
import io.thermocline.hints.choice.ServerTable;
import io.thermocline.hints.choice.hdfs.PublishedTable;
import io.thermocline.placement.choice.ChoicePolicy;
import io.thermocline.placement.choice.MetricsView;
import io.thermocline.placement.choice.ServerMetrics;
import java.io.Closeable;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Servers for files that are created, each set the best of several by what its servers said of
 * themselves lately (CHOICE, section 3). Safe for any thread.
 *
 * <p>A create never waits: table and metrics are fetched by a thread of their own, for the
 * servers that were candidates, again when they are old. Of what isn't known yet, the choice
 * knows nothing: HDFS chooses, or the hash does.
 */
final class FavoredServers implements Closeable {
  private final PublishedTable published;
  private final int candidates;
  private final DataNodeProbe probe;
  private final Refresher refresher;
  private final Map<Server, ServerMetrics> known = new ConcurrentHashMap<>();

  /** Null until it is read. */
  private volatile ServerTable table;

  FavoredServers(
      PublishedTable published,
      int candidates,
      long refreshMillis,
      DataNodeProbe probe,
      LongSupplier clock) {
    this.published = published;
    this.candidates = candidates;
    this.probe = probe;
    this.refresher = new Refresher("thermocline-servers", refreshMillis, clock);
  }

  /**
   * Where the replicas of a file shall be, the first one's first; null for where HDFS puts them.
   *
   * @throws IllegalArgumentException if no choice has as many candidates or replicas
   */
  InetSocketAddress[] forFile(String path, int replicas, ChoicePolicy policy) {
    refresher.whenOld(this, () -> table = published.read(), () -> {});
    ServerTable now = table;
    if (now == null) {
      return null;
    }
    FileCandidates sets = FileChoices.of(now, candidates, replicas).candidatesFor(path);
    for (Server server : sets.servers()) {
      refresher.whenOld(
          server, () -> known.put(server, probe.ask(server)), () -> known.remove(server));
    }
    List<Server> numbered = now.servers();
    MetricsView metrics =
        (metric, number) -> {
          ServerMetrics of = known.get(numbered.get(number));
          return of == null ? MetricsView.UNKNOWN : of.value(metric, 0);
        };
    List<Server> chosen = sets.serversOf(sets.choose(policy, metrics));
    InetSocketAddress[] favored = new InetSocketAddress[chosen.size()];
    for (int i = 0; i < favored.length; i++) {
      favored[i] = new InetSocketAddress(chosen.get(i).host(), chosen.get(i).port());
    }
    return favored;
  }

  @Override
  public void close() {
    refresher.close();
  }
}
