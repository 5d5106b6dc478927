// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import io.thermocline.hints.choice.DataNodeProbe;
import io.thermocline.hints.choice.Pages;
import io.thermocline.hints.choice.Server;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Asks all DataNodes how their hosts are, many at a time, and keeps nothing from one time to the next. */
public final class DataNodePoll {

  /** One after the other, a rack that is down would hold up the rest by its timeouts. */
  private static final int AT_ONCE = 32;

  private final DataNodeProbe probe;

  public DataNodePoll(Pages pages) {
    // One server is asked at a time, and its failure is thrown.
    this.probe = new DataNodeProbe(pages, (server, e) -> {});
  }

  /**
   * What was said.
   *
   * @param hosts by their names in lower case, as HDFS gives them
   * @param silent the DataNodes that said nothing, each with the reason
   */
  public record Answers(SortedMap<String, HostReading> hosts, SortedMap<String, String> silent) {}

  /** Asks them all, and returns when each has answered or its time is over. */
  public Answers ask(Collection<Server> servers) throws InterruptedException {
    SortedMap<String, HostReading> hosts = new TreeMap<>();
    SortedMap<String, String> silent = new TreeMap<>();
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, servers.size())));
    try {
      List<Callable<HostReading>> questions = new ArrayList<>();
      for (Server server : servers) {
        questions.add(() -> HostReading.of(probe.ask(server)));
      }
      List<Future<HostReading>> readings = askers.invokeAll(questions);
      int next = 0;
      for (Server server : servers) {
        String host = server.location().host();
        String name = host + " (web server " + server.httpAddress() + ")";
        try {
          HostReading reading = readings.get(next++).get();
          if (reading.saysNothing()) {
            silent.put(name, "it answered, but gave none of the figures");
          } else {
            hosts.merge(host.toLowerCase(Locale.ROOT), reading, HostReading::worse);
          }
        } catch (ExecutionException e) {
          silent.put(name, e.getCause().toString());
        }
      }
    } finally {
      askers.shutdownNow();
    }
    return new Answers(hosts, silent);
  }
}
