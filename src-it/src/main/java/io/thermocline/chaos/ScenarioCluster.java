// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.process.HaCluster;
import io.thermocline.testbed.process.HadoopLine;
import io.thermocline.testbed.process.ProcessNode;
import io.thermocline.testbed.process.ZooKeeperEnsemble;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.api.auth.Tokens;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A cluster of processes that tiers itself: two NameNodes, three JournalNodes, four DataNodes, three ZooKeeper servers, and
 * a host with the packaged service and its mover. For one thread.
 */
final class ScenarioCluster implements AutoCloseable {

  /** A user, who owns the files. */
  static final String CLIENT = "alice";

  private static final Duration START = Duration.ofMinutes(3);

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Duration POLL = Duration.ofMillis(300);
  private static final String STANDING_BY = "standing by";

  /** Looks that show nothing in the service's way, one after the other. */
  private static final int FINE_LOOKS = 3;

  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Path directory;
  private final String token = Tokens.draw(new SecureRandom());
  private final SilenceMeter silence = new SilenceMeter("Bearer " + token);

  /** The last one's service leads. */
  private final List<ScenarioHost> hosts = new ArrayList<>();

  private HaCluster hdfs;
  private ZooKeeperEnsemble zooKeeper;
  private DistributedFileSystem client;
  private ChaosFiles files;
  private ScenarioHost.Site site;

  private ScenarioCluster(Path directory) {
    this.directory = directory;
  }

  /**
   * One whose service acts.
   *
   * @throws IOException if that doesn't come about; nothing is left of it then
   */
  static ScenarioCluster start(Path directory) throws IOException, InterruptedException {
    ScenarioCluster cluster = new ScenarioCluster(directory);
    try {
      cluster.start();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void start() throws IOException, InterruptedException {
    List<ProcessNode> nodes =
        Stream.of("dn1", "dn2", "dn3", "dn4")
            .map(name -> new ProcessNode(name, "r", List.of(StorageType.DISK, StorageType.SSD)))
            .toList();
    List<Path> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(Path::of)
            .toList();
    hdfs =
        HaCluster.start(
            new HadoopLine("of the checkout", jars),
            Files.createDirectories(directory.resolve("hdfs")),
            nodes,
            Map.of(
                "hadoop.proxyuser." + ScenarioHost.SERVICE + ".hosts",
                "*",
                "hadoop.proxyuser." + ScenarioHost.SERVICE + ".users",
                CLIENT,
                "hadoop.user.group.static.mapping.overrides",
                "%s=people;%s=people;%s=supergroup;dr.who="
                    .formatted(ScenarioHost.SERVICE, CLIENT, ScenarioHost.SUPERUSER)));
    zooKeeper = ZooKeeperEnsemble.start(Files.createDirectories(directory.resolve("zk")));
    org.apache.hadoop.fs.Path journal = new org.apache.hadoop.fs.Path(Chaos.JOURNAL);
    hdfs.client().mkdirs(journal);
    hdfs.client().setOwner(journal, ScenarioHost.SERVICE, null);
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(ChaosFiles.ROOT);
    hdfs.client().mkdirs(root);
    hdfs.client().setPermission(root, new FsPermission("777"));
    client = as(CLIENT);
    files = new ChaosFiles(client);
    List<Path> audit = List.of(hdfs.auditLog("nn1"), hdfs.auditLog("nn2"));
    site =
        new ScenarioHost.Site(
            hadoop(),
            audit,
            hdfs.uri() + Chaos.JOURNAL,
            zooKeeper.addresses(),
            Tokens.line(CLIENT, Role.ADMINISTRATOR, token));
    hosts.add(new ScenarioHost(directory, "one", site));
    awaitActing();
  }

  private DistributedFileSystem as(String user) throws IOException, InterruptedException {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () ->
                    (DistributedFileSystem)
                        FileSystem.newInstance(hdfs.uri(), hdfs.configuration()));
  }

  /** The configuration directory of clients. */
  private Path hadoop() throws IOException {
    Path hadoop = Files.createDirectories(directory.resolve("hadoop"));
    Configuration all = new Configuration(false);
    hdfs.settings().forEach(all::set);
    for (String name : List.of("hdfs-site.xml", "core-site.xml")) {
      try (OutputStream out = Files.newOutputStream(hadoop.resolve(name))) {
        all.writeXml(out);
      }
    }
    return hadoop;
  }

  HaCluster hdfs() {
    return hdfs;
  }

  ZooKeeperEnsemble zooKeeper() {
    return zooKeeper;
  }

  /** Of {@link #CLIENT}. */
  DistributedFileSystem client() {
    return client;
  }

  ChaosFiles files() {
    return files;
  }

  /** Where the service runs that leads, or should. */
  ScenarioHost host() {
    return hosts.get(hosts.size() - 1);
  }

  SilenceMeter silence() {
    return silence;
  }

  Invariants journal() throws IOException {
    return Invariants.read(hdfs.client());
  }

  /** Has the service do something, by a path below /api/v1. */
  JsonNode post(String path, String body) throws IOException, InterruptedException {
    return ask(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** What the service answers, by a path below /api/v1. */
  JsonNode get(String path) throws IOException, InterruptedException {
    return ask(request(path).build());
  }

  private HttpRequest.Builder request(String path) throws IOException {
    return HttpRequest.newBuilder(
            URI.create(host().service().address().orElseThrow() + "/api/v1" + path))
        .header("Authorization", "Bearer " + token);
  }

  private JsonNode ask(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(request + ": " + answer.statusCode() + " " + answer.body());
    }
    return JSON.readTree(answer.body());
  }

  /** Lines that services and movers have written. */
  long logLines() throws IOException {
    long lines = 0;
    for (ScenarioHost host : hosts) {
      lines += host.logLines();
    }
    return lines;
  }

  /** Copies what is deleted with the cluster: the journal, an entry a line, and the audit logs. */
  void keepLogs() throws IOException {
    Files.write(directory.resolve("journal.log"), journal().lines());
    for (Path audit : site.audit()) {
      Files.copy(audit, directory.resolve(audit.getFileName()));
    }
  }

  void killNameNodes() {
    // The standby first: nobody takes over.
    hdfs.kill("nn2");
    hdfs.kill("nn1");
  }

  void startNameNodes() throws IOException {
    hdfs.restart("nn1");
    hdfs.restart("nn2");
    hdfs.activate("nn1");
  }

  /** Adds a host whose service stands by; the next one that leads is there. */
  void addStandby() throws IOException, InterruptedException {
    hosts.add(new ScenarioHost(directory, "two", site));
    awaitStandby(host().service(), 0);
  }

  void freezeLeader() throws IOException, InterruptedException {
    deposed().signal("STOP");
  }

  /** Lets the service that was the leader go on until it stands by or has ended, and does without it. */
  void wakeDeposed() throws IOException, InterruptedException {
    long before = deposed().says(STANDING_BY);
    deposed().signal("CONT");
    awaitStandby(deposed(), before);
    hosts.get(hosts.size() - 2).close();
  }

  private ChaosProcess deposed() {
    return hosts.get(hosts.size() - 2).service();
  }

  private void awaitStandby(ChaosProcess service, long before)
      throws IOException, InterruptedException {
    long deadline = runtime.nanos().getAsLong() + START.toNanos();
    while (service.isAlive() && service.says(STANDING_BY) == before) {
      if (runtime.nanos().getAsLong() > deadline) {
        throw new IOException("the service doesn't stand by: " + service);
      }
      runtime.pause().pause(POLL);
    }
  }

  /** Returns when the service makes plans and nothing is in its way; starts what has ended. */
  void awaitActing() throws IOException, InterruptedException {
    long deadline = runtime.nanos().getAsLong() + START.toNanos();
    int fine = 0;
    while (fine < FINE_LOOKS) {
      if (runtime.nanos().getAsLong() > deadline) {
        throw new IOException(
            "the service doesn't act within "
                + START.toSeconds()
                + " s ("
                + silence.obstacle()
                + "): "
                + host().service()
                + "\n"
                + host().mover());
      }
      host().mover().restartWhereEnded();
      keepService();
      fine = host().service().says("leading, in epoch") > 0 && silence.isFine() ? fine + 1 : 0;
      runtime.pause().pause(POLL);
    }
  }

  /** Starts the service again where it has ended, as systemd does. */
  void keepService() throws IOException {
    host().service().restartWhereEnded();
    silence.watch(host().service().address().orElse(""));
  }

  @Override
  public void close() throws IOException {
    silence.close();
    hosts.forEach(ScenarioHost::close);
    if (client != null) {
      client.close();
    }
    if (zooKeeper != null) {
      zooKeeper.close();
    }
    if (hdfs != null) {
      hdfs.close();
    }
  }
}
