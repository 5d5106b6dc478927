// SPDX-License-Identifier: Apache-2.0
package io.thermocline.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.launcher.Launched;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.tiering.act.JournalMark;
import java.io.IOException;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that is an ordinary user of HDFS, and a mover beside it that is superuser. */
@Tag("cluster")
class MoverApartTest {

  private static final String MOVER = "mover";
  private static final String OWN = System.getProperty("user.name");
  private static final int FILES = 5;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** All that the service's user may have asked of the NameNode: it changes nothing. */
  private static final Set<String> LOOKS =
      Set.of(
          "listStatus",
          "getfileinfo",
          "safemode_get",
          "listCacheDirectives",
          "listCachePools",
          "getXAttrs",
          "quotaUsage");

  @TempDir static Path temp;

  private static ServedCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        ServedCluster.start(
            temp,
            List.of(StorageType.DISK, StorageType.SSD),
            4,
            Map.of(
                CommonConfigurationKeys.HADOOP_USER_GROUP_STATIC_OVERRIDES,
                ServiceProcess.USER + "=people;" + MOVER + "=supergroup;dr.who="));
  }

  @AfterAll
  static void stop() throws IOException {
    if (cluster != null) {
      try {
        NameNodeCalls.by(MOVER, cluster.auditLog())
            .areAllOf(
                NameNodeCalls.ALWAYS,
                NameNodeCalls.MOVES,
                NameNodeCalls.NEEDLESS,
                NameNodeCalls.UNDO,
                // Of the removal.
                NameNodeCalls.LOST_JOURNAL,
                NameNodeCalls.FENCE);
      } finally {
        cluster.close();
      }
    }
  }

  /** As the user that the test runs as, which speaks to the mover as the service's user may. */
  @Test
  void anOrdinaryUserMovesAndTakesBackByWayOfTheMover() throws Exception {
    for (int i = 0; i < FILES; i++) {
      cluster.write("/apart/f" + i);
    }
    cluster.write("/apart/secret/f");
    cluster.write("/other/f");
    // Not the service's to list: by that nobody keeps other files from being moved.
    cluster.write("/apart/closed/f");
    org.apache.hadoop.fs.Path closed = new org.apache.hadoop.fs.Path("/apart/closed");
    cluster.superuser().setPermission(closed, new FsPermission("700"));
    Path directory = Files.createDirectories(temp.resolve("service"));
    Path socket = temp.resolve("mover.sock");
    Path config = config(directory, socket, OWN);
    Path moverConfig = moverConfig("mover", socket, OWN);
    assertThrows(
        RemoteException.class,
        () -> cluster.as(ServiceProcess.USER).getDataNodeStats(DatanodeReportType.LIVE));

    ServiceProcess mover = null;
    try (ServiceProcess service =
        ServiceProcess.asThisUser(directory, ServiceProcess.USER, "service", config)) {
      service.logs("held: the mover doesn't answer at " + socket).logs("REST at ");
      String address = address(service);
      assertTrue(state(address).contains("the mover doesn't answer"), () -> state(address));
      Doctor without = Doctor.asThisUser(ServiceProcess.USER, config);
      assertTrue(without.with("error").contains("cluster.superuser"), without::text);

      mover = mover(moverConfig);
      service.logs("nothing in the cluster hinders moves");
      Doctor beside = Doctor.asThisUser(ServiceProcess.USER, config);
      beside.assertOk("cluster.superuser");
      Doctor needless = Doctor.asThisUser(OWN, config);
      assertTrue(needless.with("warning").contains("cluster.superuser"), needless::text);
      heat(service, mover, 0, 1);
      assertTrue(cluster.has("/apart/f0", 1, StorageType.SSD));
      Eventually.holds(
          "what can't be listed is named",
          PATIENCE,
          () -> state(address).contains("files below /apart/closed are left out"));

      for (int i = 1; i < FILES; i++) {
        cluster.read("/apart/f" + i, 6);
      }
      // The service manages it, and the mover doesn't.
      cluster.read("/apart/secret/f", 12);
      Eventually.holds(
          "a plan is being carried out, and not at its end",
          PATIENCE,
          () -> ServiceSetup.journal(directory, "COPYING").size() > moved(directory));
      mover.signal("STOP");
      long frozen = System.nanoTime();
      Eventually.holds(
          "the service says that the mover hangs",
          PATIENCE,
          () -> state(address).contains("has given no sign of life for "));
      assertTrue(
          System.nanoTime() - frozen < Duration.ofSeconds(30).toNanos(),
          "within ten seconds, where the machine has time");
      mover.close();
      Eventually.holds(
          "the service waits, and says why",
          PATIENCE,
          () -> state(address).contains("the mover doesn't answer"));
      mover = mover(moverConfig);
      heat(service, mover, 1, FILES);
      assertEquals(List.of(), ServiceSetup.journal(directory, "\"FAILED\""));
      assertEquals(
          List.of(),
          ServiceSetup.journal(directory, "/apart/secret"),
          "what the mover would refuse is neither planned nor recorded");

      refusesWhoeverTookOverTheService(socket);
      takesBack(address, service, directory);
      service.terminate();
      recovers(directory, config);
      cluster.superuser().setPermission(closed, new FsPermission("755"));
      uninstalls(config);
      mover = forgets(directory, config, mover, moverConfig);
      mover.terminate();
    } finally {
      if (mover != null) {
        mover.close();
      }
    }
    asWhomWhatWasAsked();
    NameNodeCalls.by(MOVER, cluster.auditLog()).include(NameNodeCalls.MOVES, NameNodeCalls.FENCE);
  }

  /** A lost journal: the mover reads the marks of what is the service's own, which the service's user may not see. */
  private static void recovers(Path directory, Path config) throws Exception {
    List<String> before = owned(directory);
    assertFalse(before.isEmpty());
    Files.delete(ServiceSetup.journalOf(directory).resolve("journal.jsonl"));
    try (ServiceProcess service =
        ServiceProcess.asThisUser(directory, ServiceProcess.USER, "service", config)) {
      String line = service.fails(1, 1).get(0);
      assertTrue(line.contains("but HDFS shows that it reached start "), line);
    }
    try (ServiceProcess service =
        ServiceProcess.asThisUser(
            directory, ServiceProcess.USER, "service", config, "--accept-journal")) {
      service
          .logs(before.size() + " storage policies are the service's own")
          .logs("running in APPLY mode");
      service.terminate();
    }
    // What was taken back before is as hot as it was, and nothing tells any more that it is to stay
    // down.
    List<String> after = owned(directory);
    assertTrue(after.containsAll(before), after::toString);
  }

  /** Paths below the managed directory that HDFS shows with a policy of their own. */
  private static List<String> owned(Path directory) throws IOException {
    List<String> owned = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      String file = "/apart/f" + i;
      if (cluster.superuser().getClient().getFileInfo(file).getStoragePolicy() != 0
          && !ServiceSetup.journal(directory, "\"entry\":\"policy\"", file + "\"").isEmpty()) {
        owned.add(file);
      }
    }
    return owned;
  }

  /** By way of the mover; the mutex's directory is the superuser's. */
  private static void uninstalls(Path config) throws Exception {
    Launched uninstall =
        Launched.installedBehind(
            List.of(),
            config.getParent(),
            ServiceProcess.USER,
            List.of("uninstall", "--config", config.toString(), "--yes"));
    assertEquals(3, uninstall.status(), uninstall::toString);
    assertTrue(uninstall.out().contains("run as one: hdfs dfs -rm"), uninstall::toString);
    for (int i = 0; i < FILES; i++) {
      Path file = Path.of("/apart/f" + i);
      assertTrue(cluster.has(file.toString(), 3, StorageType.DISK), uninstall::toString);
      for (String at : List.of(file.toString(), file.getParent().toString())) {
        assertEquals(0, cluster.superuser().getClient().getFileInfo(at).getStoragePolicy(), at);
        assertEquals(Map.of(), cluster.superuser().getXAttrs(path(at)), at);
      }
    }
  }

  /** The mover tells the service that its journal is an older copy, also where it comes after the service. */
  private static ServiceProcess forgets(
      Path directory, Path config, ServiceProcess mover, Path moverConfig) throws Exception {
    Path journal = ServiceSetup.journalOf(directory).resolve("journal.jsonl");
    List<String> whole = Files.readAllLines(journal);
    int start = whole.size() - 1;
    while (!whole.get(start).contains("\"entry\":\"started\"")) {
      start--;
    }
    // Without what was recorded since the last start.
    Files.write(journal, whole.subList(0, start + 1));
    try (ServiceProcess service =
        ServiceProcess.asThisUser(directory, ServiceProcess.USER, "service", config)) {
      String line = service.fails(1, 1).get(0);
      assertTrue(line.contains("but HDFS shows that it reached start "), line);
    }
    // Older by several starts: a mover does nothing for such a service.
    String acting = "{\"request\":\"nodes\",\"acting\":true}";
    assertTrue(ask(temp.resolve("mover.sock"), 9, acting).contains("DONE"), mover::toString);
    mover.terminate();
    mover.close();
    Path later = Files.createDirectories(temp.resolve("later"));
    try (ServiceProcess service =
        ServiceProcess.asThisUser(later, ServiceProcess.USER, "service", config)) {
      service.logs("held: the mover doesn't answer").logs("REST at ");
      ServiceProcess next = mover(moverConfig);
      String address = address(service);
      Eventually.holds(
          "nothing begins",
          PATIENCE,
          () -> {
            String state = state(address);
            return state.contains("a service of epoch 9 has begun to act")
                && state.contains("start the service once with --accept-journal")
                && state.contains("but HDFS shows that it reached start ");
          });
      service.terminate();
      goesOn(later, config);
      return next;
    }
  }

  /** As the mover's answer says. */
  private static void goesOn(Path directory, Path config) throws Exception {
    org.apache.hadoop.fs.Path marked = path("/system/thermocline");
    cluster.write("/apart/anew");
    // As a service of epoch 9 leaves it.
    cluster
        .superuser()
        .setXAttr(marked, JournalMark.ATTRIBUTE, "9 100 100".getBytes(StandardCharsets.UTF_8));
    try (ServiceProcess service =
        ServiceProcess.asThisUser(
            directory, ServiceProcess.USER, "service", config, "--accept-journal")) {
      service.logs("running in APPLY mode");
      try {
        Eventually.holds(
            "the mover acts for it",
            PATIENCE,
            () -> {
              cluster.read("/apart/anew", 2);
              return cluster.has("/apart/anew", 1, StorageType.SSD);
            });
      } catch (AssertionError e) {
        throw new AssertionError(e.getMessage() + service, e);
      }
      service.terminate();
    } finally {
      // Services of the other tests begin at one.
      cluster.superuser().removeXAttr(marked, "trusted.thermocline.epoch");
    }
  }

  /** Service and mover are two users of this host, the test is a third. */
  @Test
  void serviceAndMoverAreOfTwoUsersAndAThirdIsNotAnswered() throws Exception {
    OsUser people = new OsUser("nobody");
    OsUser superuser = new OsUser("daemon");
    Optional<String> obstacle = OsUser.obstacle(people.name(), superuser.name());
    assumeTrue(obstacle.isEmpty(), () -> obstacle.get());
    cluster.write("/apart/users/f");
    // What a JVM asks whether it may read isn't what root may.
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path of = Files.createDirectories(temp.resolve("of-daemon"));
    Path socket = of.resolve("mover.sock");
    Path moverConfig = moverConfig("of-daemon", socket, people.name());
    Path directory = Files.createDirectories(temp.resolve("of-nobody"));
    Path config = config(directory, socket, superuser.name());
    superuser.own(of);
    people.own(directory);
    try (ServiceProcess mover = ServiceProcess.as(superuser, MOVER, "mover", moverConfig);
        ServiceProcess service =
            ServiceProcess.as(people, ServiceProcess.USER, "service", config)) {
      Eventually.holds(
          "the mover acts for the service",
          PATIENCE,
          () -> mover.has("acting for " + people.name()) && service.has("running in APPLY mode"));
      assertEquals("", unanswered(socket), "closed before anything was read");
      mover.logs("not answered: a process of user " + OWN + ", who is not " + people.name());
      try {
        Eventually.holds(
            "one copy on SSD",
            PATIENCE,
            () -> {
              cluster.read("/apart/users/f", 2);
              return cluster.has("/apart/users/f", 1, StorageType.SSD);
            });
      } catch (AssertionError e) {
        throw new AssertionError(e.getMessage() + service + mover, e);
      }
      service.terminate();
      mover.terminate();
    }
  }

  /** What comes back to somebody who isn't answered. */
  private static String unanswered(Path socket) {
    try {
      return ask(socket, "{\"request\":\"storages\"}");
    } catch (IOException e) {
      // Closed before it was written.
      return "";
    }
  }

  /**
   * As where a service's lease went to another host, with a mover of its own, while it was
   * frozen.
   */
  @Test
  void aMoverDoesNothingMoreForAServiceThatWasSucceeded() throws Exception {
    cluster.write("/apart/fenced/f");
    String set = "{\"request\":\"policy\",\"path\":\"/apart/fenced\",\"policy\":\"%s\"}";
    String acting = "{\"request\":\"nodes\",\"acting\":true}";
    Path first = temp.resolve("first.sock");
    Path second = temp.resolve("second.sock");
    try (ServiceProcess ofFirst = mover(moverConfig("first", first, OWN));
        ServiceProcess ofSecond = mover(moverConfig("second", second, OWN))) {
      assertTrue(ask(first, 1001, acting).contains("DONE"), ofFirst::toString);
      assertTrue(ask(first, 1001, set.formatted("WARM")).contains("DONE"), ofFirst::toString);
      assertTrue(ask(second, 1002, acting).contains("DONE"), ofSecond::toString);
      assertTrue(ask(second, 1002, set.formatted("COLD")).contains("DONE"), ofSecond::toString);

      for (String late : List.of(set.formatted("HOT"), acting, set.formatted("HOT"))) {
        String answer = ask(first, 1001, late);
        assertTrue(answer.contains("LATER"), answer);
        assertTrue(answer.contains("a service of epoch 1002 has begun to act"), answer);
      }
      assertEquals("COLD", cluster.superuser().getStoragePolicy(path("/apart/fenced")).getName());
      assertTrue(ask(second, 1002, acting).contains("DONE"), "it still has the mutex");
      assertTrue(ask(first, 1003, acting).contains("DONE"), "elected anew");
      assertTrue(ask(second, 1002, set.formatted("HOT")).contains("LATER"));
      assertTrue(ask(first, 1003, set.formatted("WARM")).contains("DONE"));
    } finally {
      // Services of the other tests begin at one.
      cluster.superuser().removeXAttr(path("/system/thermocline"), "trusted.thermocline.epoch");
      // Killed in epoch 1003, which none of theirs follows.
      cluster.superuser().delete(path("/system/thermocline/mover.id"), false);
    }
  }

  /** Has files on SSD by reading them. */
  private static void heat(ServiceProcess service, ServiceProcess mover, int from, int to) {
    try {
      Eventually.holds(
          "each has one copy on SSD",
          PATIENCE,
          () -> {
            boolean all = true;
            for (int i = from; i < to; i++) {
              cluster.read("/apart/f" + i, 2);
              all &= cluster.has("/apart/f" + i, 1, StorageType.SSD);
            }
            return all;
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + service + mover, e);
    }
  }

  private static int moved(Path directory) throws IOException {
    return ServiceSetup.journal(directory, "VERIFIED").size();
  }

  /** Its user's requests, by hand. */
  private static void refusesWhoeverTookOverTheService(Path socket) throws IOException {
    for (String path : List.of("/other/f", "/apart/secret/f", "/apart/../other/f", "/apart")) {
      String answer =
          ask(socket, "{\"request\":\"policy\",\"path\":\"" + path + "\",\"policy\":\"COLD\"}");
      assertTrue(answer.contains("REFUSED"), path + " " + answer);
    }
    assertTrue(
        ask(socket, "{\"request\":\"replication\",\"path\":\"/apart/f0\",\"factor\":1}")
            .contains("REFUSED"));
    assertTrue(cluster.has("/other/f", 3, StorageType.DISK));
    assertEquals(
        3, cluster.superuser().getFileStatus(path("/apart/f0")).getReplication(), "as it was");
    assertEquals("HOT", cluster.superuser().getStoragePolicy(path("/apart/secret")).getName());
  }

  private static void takesBack(String address, ServiceProcess service, Path directory)
      throws Exception {
    Matcher plan =
        Pattern.compile("\"plan\":(\\d+)")
            .matcher(ServiceSetup.journal(directory, "planned", "/apart/f0\"").get(0));
    assertTrue(plan.find());
    HttpResponse<String> undone =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(address + "/api/v1/plans/" + plan.group(1) + "/undo"))
                    .header("Content-Type", "application/json")
                    .POST(
                        HttpRequest.BodyPublishers.ofString(
                            "{\"why\": \"a test\", \"dryRun\": false}"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertTrue(undone.statusCode() < 300, undone::body);
    try {
      Eventually.holds(
          "back on DISK", PATIENCE, () -> cluster.has("/apart/f0", 3, StorageType.DISK));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + undone.body() + service, e);
    }
  }

  /** By the NameNode's own log. */
  private static void asWhomWhatWasAsked() throws IOException {
    Pattern line = Pattern.compile("allowed=(\\w+)\tugi=(\\w+) .*?\tcmd=([^\t ]*)");
    Map<String, Set<String>> asked = new TreeMap<>();
    for (String logged : Files.readAllLines(cluster.auditLog())) {
      Matcher found = line.matcher(logged);
      if (found.find() && found.group(1).equals("true")) {
        asked.computeIfAbsent(found.group(2), first -> new TreeSet<>()).add(found.group(3));
      }
    }
    Set<String> changes = new TreeSet<>(asked.get(ServiceProcess.USER));
    changes.removeAll(LOOKS);
    assertEquals(Set.of(), changes, "the service's user changes nothing by itself");
    assertTrue(
        asked.get(MOVER).containsAll(Set.of("setStoragePolicy", "getDatanodeStorageReport")),
        asked::toString);
    assertFalse(asked.get(MOVER).contains("open"), "the mover reads no data");
  }

  private static ServiceProcess mover(Path config) throws IOException {
    Path directory = config.getParent();
    return ServiceProcess.asThisUser(directory, MOVER, "mover", config).logs("listening at");
  }

  /**
   * @param mover whose process that is
   */
  private static Path config(Path directory, Path socket, String mover) throws IOException {
    Path config =
        cluster
            .setup("/apart")
            .apply()
            .replace("bandwidthPerNode: 100 MB", "bandwidthPerNode: 300 KB")
            .yields("rpcQueue: 10s, foreground: 0, lookEvery: 200ms")
            .write(directory);
    return Files.writeString(
        config,
        Files.readString(config) + "mover: {socket: " + socket + ", user: " + mover + "}\n");
  }

  /**
   * The example, but for paths and who asks.
   *
   * @param service whose process that is
   */
  private static Path moverConfig(String name, Path socket, String service) throws IOException {
    Path directory = Files.createDirectories(temp.resolve(name));
    return Files.writeString(
        directory.resolve("mover.yaml"),
        Files.readString(ServiceSetup.CONF.resolve("mover.yaml"))
            .replace("/etc/hadoop/conf", temp.resolve("hadoop").toString())
            .replace("/run/thermocline-mover/mover.sock", socket.toString())
            .replace("user: thermocline\n", "user: " + service + "\n")
            .replace("paths: [/warehouse]", "paths: [/apart]")
            .replace("except: []", "except: [/apart/secret]")
            // One that was killed leaves its mutex for a minute.
            .replace("services: alone", "services: elected"));
  }

  private static String address(ServiceProcess service) throws IOException {
    Matcher said = Pattern.compile("REST at (http://[^/]+)/").matcher(service.out());
    assertTrue(said.find(), service::toString);
    return said.group(1);
  }

  private static String state(String address) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(address + "/api/v1/state")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e.toString();
    }
  }

  private static String ask(Path socket, String request) throws IOException {
    return ask(socket, 1, request);
  }

  private static String ask(Path socket, long epoch, String request) throws IOException {
    String line = "{\"epoch\":" + epoch + ",\"ask\":" + request + "}\n";
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
      ByteBuffer answer = ByteBuffer.allocate(64 << 10);
      while (channel.read(answer) >= 0) {
        assertTrue(answer.hasRemaining());
      }
      return StandardCharsets.UTF_8.decode(answer.flip()).toString();
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }
}
