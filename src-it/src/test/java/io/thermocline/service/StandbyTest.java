// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.chaos.SkewedService;
import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.NetworkNamespace;
import io.thermocline.testbed.process.TcpProxy;
import io.thermocline.testbed.process.ZooKeeperEnsemble;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.journal.HdfsJournalStore;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two services, one of which acts, an ensemble of ZooKeeper, and what parts them. Measures time. */
@Tag("cluster")
@Tag("alone")
class StandbyTest {

  private static final Duration SESSION = Duration.ofSeconds(ServiceSetup.SESSION_SECONDS);
  private static final String JOURNAL = "/system/thermocline/journal";

  @TempDir static Path temp;

  private static ServedCluster cluster;
  private static ZooKeeperEnsemble zooKeeper;

  /** Where ZooKeeper is a host of its own, with a cable for one service and one for all others; empty: it can't be. */
  private static Optional<NetworkNamespace> network = Optional.empty();

  private final List<String> late = new ArrayList<>();

  @BeforeAll
  static void start() throws IOException {
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            Map.of("dfs.heartbeat.interval", "1"));
    if (NetworkNamespace.isPossible()) {
      network = Optional.of(NetworkNamespace.with(2));
    }
    zooKeeper =
        ZooKeeperEnsemble.start(
            Files.createDirectories(temp.resolve("zk")),
            // Else ZooKeeper may remove the election's empty node before the product does.
            List.of("-Dznode.container.checkIntervalMs=" + Duration.ofHours(1).toMillis()),
            network);
  }

  @AfterAll
  static void stop() throws IOException {
    if (zooKeeper != null) {
      zooKeeper.close();
    }
    network.ifPresent(NetworkNamespace::close);
    if (cluster != null) {
      try {
        NameNodeCalls.in(cluster.auditLog())
            .areAllOf(
                NameNodeCalls.ALWAYS,
                NameNodeCalls.MARK,
                NameNodeCalls.AFTER_A_KILL,
                NameNodeCalls.MOVES,
                NameNodeCalls.NEEDLESS,
                NameNodeCalls.MOVES_AFTER_A_KILL,
                NameNodeCalls.JOURNAL);
      } finally {
        cluster.close();
      }
    }
  }

  @Test
  void anotherGoesOnWhereOneIsKilledFrozenOrCutOff() throws Exception {
    List<TcpProxy> proxies = new ArrayList<>();
    String apart;
    if (network.isPresent()) {
      apart = zooKeeper.addresses(network.get().address(1));
    } else {
      for (int port : zooKeeper.ports()) {
        proxies.add(new TcpProxy(port));
      }
      apart =
          proxies.stream()
              .map(proxy -> "127.0.0.1:" + proxy.port())
              .collect(Collectors.joining(","));
    }
    for (int i = 0; i < 6; i++) {
      cluster.write("/ha/f" + i);
    }
    ServiceProcess first = service("first", together());
    ServiceProcess second = null;
    ServiceProcess third = null;
    try {
      first.logs("leading, in epoch 1");
      second = service("second", together());
      second.logs("standing by, at plan");
      sendsChangesOn(second, first);
      until("a copy is asked for", 0, 3, () -> count("COPYING") > 0);

      long killed = System.nanoTime();
      first.close();
      second.logs("leading, in epoch 2");
      measure("kill -9", killed);
      assertTrue(second.has("making ready to take over"), second::toString);
      until("all that is read is on SSD", 0, 3, () -> areFast(0, 3));
      knowsTheTasksOfTheOneBefore(second);

      third = service("third", apart);
      third.logs("standing by, at plan");
      long frozen = System.nanoTime();
      second.signal("STOP");
      third.logs("leading, in epoch 3");
      measure("SIGSTOP", frozen);
      second.signal("CONT");
      second.ends(75);
      assertTrue(isMutexThere(), "who ends leaves the mutex of who acts");
      until("the third moves", 3, 5, () -> areFast(3, 5));

      second = service("second", together());
      second.logs("standing by, at plan");
      long cut = System.nanoTime();
      if (network.isPresent()) {
        network.get().pull(1);
      } else {
        proxies.forEach(TcpProxy::cut);
      }
      second.logs("leading, in epoch 4");
      measure(network.isPresent() ? "partition of networks" : "partition by a proxy", cut);
      third.ends(75);
      assertTrue(isMutexThere(), "who ends leaves the mutex of who acts");
      until("the second moves", 5, 6, () -> areFast(5, 6));
      second.terminate();
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + first + second + third, e);
    } finally {
      first.close();
      if (second != null) {
        second.close();
      }
      if (third != null) {
        third.close();
      }
      for (TcpProxy proxy : proxies) {
        proxy.close();
      }
    }
    checkJournal();
    uninstalls();
    assertEquals(List.of(), late, "more than the session's timeout and two seconds");
  }

  /** Also from ZooKeeper. */
  private static void uninstalls() throws Exception {
    Path directory = Files.createDirectories(temp.resolve("uninstall"));
    Path config =
        cluster
            .setup("/ha")
            .apply()
            .shared(cluster.superuser().getUri() + JOURNAL, together(), "removed", freePort())
            .write(directory);
    String node = ServiceSetup.ELECTION;
    for (String option : List.of("--json", "--yes")) {
      // By an administrator, whose calls aren't counted as the service's.
      Launched ran =
          Launched.installedBehind(
              List.of(),
              directory,
              System.getProperty("user.name"),
              List.of("uninstall", "--config", config.toString(), option));
      assertEquals(0, ran.status(), ran::toString);
      assertTrue(ran.out().contains("ZooKeeper node " + node), ran::toString);
      assertTrue(ran.out().contains("ZooKeeper node " + node + "-sign"), ran::toString);
      assertEquals(option.equals("--yes"), !isInZooKeeper(node), ran::toString);
    }
    assertFalse(isInZooKeeper(node + "-sign"));
    assertFalse(
        cluster.superuser().exists(new org.apache.hadoop.fs.Path(JOURNAL)), "nor the journal");
  }

  private static boolean isInZooKeeper(String node) throws Exception {
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(together(), new RetryOneTime(100))) {
      client.start();
      return client.checkExists().forPath(node) != null;
    }
  }

  /** Where all services but one reach ZooKeeper. */
  private static String together() {
    return network
        .map(namespace -> zooKeeper.addresses(namespace.address(0)))
        .orElseGet(zooKeeper::addresses);
  }

  @Test
  void aWallClockThatJumpsTakesNobodysLead() throws Exception {
    Path clock = temp.resolve("clock");
    ServiceProcess leader = skewed("ahead", clock);
    ServiceProcess standby = null;
    try {
      leader.logs("leading, in epoch 1");
      standby = skewed("beside", clock);
      standby.logs("standing by, at plan");
      for (Duration by : List.of(Duration.ofDays(1), Duration.ofDays(-1))) {
        SkewedService.skew(clock, by);
        long jumped = System.nanoTime();
        ServiceProcess other = standby;
        Eventually.holds(
            "time for two sessions to end has passed",
            () -> {
              assertFalse(other.has("leading, in epoch"), other::toString);
              assertFalse(leader.has("not the leader any more"), leader::toString);
              return System.nanoTime() - jumped
                  > Duration.ofSeconds(2 * ServiceSetup.SESSION_SECONDS).toNanos();
            });
      }
      leader.close();
      standby.logs("leading, in epoch 2");
    } finally {
      leader.close();
      if (standby != null) {
        standby.close();
      }
    }
  }

  private static ServiceProcess skewed(String name, Path clock) throws IOException {
    Path directory = Files.createDirectories(temp.resolve(name));
    Path config =
        cluster
            .setup("/" + name)
            .apply()
            .shared(cluster.superuser().getUri() + JOURNAL + "-clock", together(), name, freePort())
            .write(directory);
    return ServiceProcess.skewed(directory, config, clock);
  }

  /** A copy that is about to be asked for when the service is to end: nobody else leads before that is at its end. */
  @Test
  void whoEndsLeadsUntilNothingOfItActs() throws Exception {
    cluster.write("/ends/hot");
    Path directory = Files.createDirectories(temp.resolve("ends"));
    Path config =
        cluster
            .setup("/ends")
            .apply()
            .shared(
                cluster.superuser().getUri() + JOURNAL + "-ends", together(), "ends", freePort())
            .write(directory);
    try (ServiceProcess service = ServiceProcess.held(directory, config, "COPYING.recorded")) {
      service.logs("leading, in epoch 1");
      try (Leadership beside =
          new Leadership(
              new Leadership.Election(
                  together(),
                  ServiceSetup.ELECTION,
                  "beside",
                  URI.create("http://b:1"),
                  SESSION,
                  null),
              System::nanoTime)) {
        Eventually.holds(
            "a copy is about to be asked for",
            () -> {
              cluster.read("/ends/hot", 3);
              return HeldService.isHeld(directory);
            });
        service.signal("TERM");
        service.logs("the current plan did not end within");
        assertFalse(beside.await(Duration.ofSeconds(3)), "one of it acts still");
        HeldService.release(directory);
        Eventually.holds("the other leads", () -> beside.await(Duration.ofSeconds(1)));
      }
      service.ends(143);
    }
  }

  /** Each move has one end, each service acts in its own epoch only, and no copy was made twice. */
  private static void checkJournal() throws IOException {
    Map<String, String> ends = new HashMap<>();
    Map<String, Integer> copies = new HashMap<>();
    long epoch = 0;
    for (JournalEntry entry : journal()) {
      if (entry instanceof JournalEntry.Started started) {
        assertEquals(epoch + 1, started.epoch());
        epoch = started.epoch();
      } else if (entry instanceof JournalEntry.Moved moved && moved.isFinal()) {
        String before = ends.put(moved.move(), moved.state());
        assertEquals(null, before, () -> moved + " after " + before);
        if (moved.state().equals("VERIFIED")) {
          copies.merge(moved.block() + " to " + moved.to(), 1, Integer::sum);
        }
      }
    }
    assertEquals(4, epoch);
    copies.forEach((copy, times) -> assertEquals(1, times, copy));
    for (int i = 0; i < 6; i++) {
      cluster.read("/ha/f" + i, 1);
      assertTrue(cluster.has("/ha/f" + i, 1, StorageType.SSD));
    }
    assertFalse(copies.isEmpty());
  }

  private static boolean isMutexThere() throws IOException {
    return cluster
        .superuser()
        .exists(new org.apache.hadoop.fs.Path("/system/thermocline/mover.id"));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static ServiceProcess service(String name, String addresses) throws IOException {
    Path directory = Files.createDirectories(temp.resolve(name + "-" + System.nanoTime()));
    Path config =
        cluster
            .setup("/ha")
            .apply()
            // What was asked for and never begun when the first was killed is given up after this.
            .replace("verifyWithin: 5m", "verifyWithin: 10s")
            .shared(cluster.superuser().getUri() + JOURNAL, addresses, name, freePort())
            .write(directory);
    return ServiceProcess.start(directory, config);
  }

  /** A change that is asked of who stands by belongs to who leads. */
  private static void sendsChangesOn(ServiceProcess standby, ServiceProcess leader)
      throws Exception {
    String path = "/api/v1/control/pause";
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(standby.address() + path))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"why\": \"a test\"}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(307, answer.statusCode(), answer::body);
    assertEquals(Optional.of(leader.address() + path), answer.headers().firstValue("Location"));
  }

  /** What the first was at has ended, with it or before. */
  private static void knowsTheTasksOfTheOneBefore(ServiceProcess leader) throws Exception {
    HttpResponse<String> first =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(leader.address() + "/api/v1/tasks/1")).build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(200, first.statusCode(), first::body);
    assertTrue(first.body().contains("\"plan "), first::body);
    assertFalse(first.body().contains("RUNNING"), first::body);
  }

  private static void until(
      String what, int from, int to, java.util.concurrent.Callable<Boolean> holds) {
    Eventually.holds(
        what,
        () -> {
          for (int i = from; i < to; i++) {
            cluster.read("/ha/f" + i, 3);
          }
          return holds.call();
        });
  }

  private static boolean areFast(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      if (!cluster.has("/ha/f" + i, 1, StorageType.SSD)) {
        return false;
      }
    }
    return true;
  }

  private static long count(String state) throws IOException {
    return journal().stream()
        .filter(entry -> entry instanceof JournalEntry.Moved moved && moved.state().equals(state))
        .count();
  }

  private static List<JournalEntry> journal() throws IOException {
    DistributedFileSystem hdfs = cluster.superuser();
    List<JournalEntry> entries = new ArrayList<>();
    try (Journal journal =
        Journal.open(HdfsJournalStore.reading(hdfs, new org.apache.hadoop.fs.Path(JOURNAL)))) {
      journal.history(entries::add);
    }
    return entries;
  }

  /**
   * From the moment of the failure until the other has the journal to itself, replayed, and is about to plan. Two seconds
   * beyond the session's are for what is done then: where other work has the processors, as many times longer as a
   * thread of this test takes for what it calculates.
   */
  private void measure(String what, long since) {
    double seconds = (System.nanoTime() - since) / 1e9;
    double slowdown = slowdown();
    System.out.printf(
        "{\"benchmark\":\"failover\",\"after\":\"%s\",\"session_timeout_s\":%d,\"seconds\":%.1f,\"slowdown\":%.1f}%n",
        what, ServiceSetup.SESSION_SECONDS, seconds, slowdown);
    if (seconds > ServiceSetup.SESSION_SECONDS + 2 * slowdown) {
      late.add(what + ": " + seconds + " s on a machine " + slowdown + " times as slow as alone");
    }
  }

  /** How much longer than the processor's time some calculation takes: 1 on a machine that has nothing else to do. */
  private static double slowdown() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpu = threads.getCurrentThreadCpuTime();
    long wall = System.nanoTime();
    while (threads.getCurrentThreadCpuTime() - cpu < 500_000_000L) {
      Thread.onSpinWait();
    }
    return (System.nanoTime() - wall) / (double) (threads.getCurrentThreadCpuTime() - cpu);
  }
}
