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
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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
  private static final int MOST_WAITING = 256;
  private static final long IDLE_SECONDS = 10;

  private final PublishedTable published;
  private final int candidates;
  private final long refreshMillis;
  private final DataNodeProbe probe;
  private final LongSupplier clock;
  private final ThreadPoolExecutor asker;
  private final Map<Object, Long> askedAt = new ConcurrentHashMap<>();
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
    this.refreshMillis = refreshMillis;
    this.probe = probe;
    this.clock = clock;
    this.asker =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            task -> {
              Thread thread = new Thread(task, "thermocline-servers");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    asker.allowCoreThreadTimeOut(true);
  }

  /**
   * Where the replicas of a file shall be, the first one's first; null for where HDFS puts them.
   *
   * @throws IllegalArgumentException if no choice has as many candidates or replicas
   */
  InetSocketAddress[] forFile(String path, int replicas, ChoicePolicy policy) {
    whenOld(this, () -> table = published.read());
    ServerTable now = table;
    if (now == null) {
      return null;
    }
    FileCandidates sets = FileChoices.of(now, candidates, replicas).candidatesFor(path);
    for (Server server : sets.servers()) {
      whenOld(server, () -> known.put(server, probe.ask(server)));
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

  /** What may fail, and is then tried again when that is old. */
  @FunctionalInterface
  private interface Fetch {
    void fetch() throws IOException;
  }

  private void whenOld(Object what, Fetch fetch) {
    long now = clock.getAsLong();
    Long last = askedAt.get(what);
    if (last != null && now - last < refreshMillis) {
      return;
    }
    askedAt.put(what, now);
    asker.execute(
        () -> {
          try {
            fetch.fetch();
          } catch (IOException | RuntimeException e) {
            if (what instanceof Server) {
              known.remove(what);
            }
          }
        });
  }

  @Override
  public void close() {
    asker.shutdownNow();
  }
}
