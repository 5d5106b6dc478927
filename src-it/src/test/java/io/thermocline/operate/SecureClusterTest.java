// SPDX-License-Identifier: Apache-2.0
package io.thermocline.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.client.HintAnswer;
import io.thermocline.hints.client.ServiceClient;
import io.thermocline.hints.client.ServiceException;
import io.thermocline.hints.fs.ConfiguredService;
import io.thermocline.hints.wire.HintError;
import io.thermocline.testbed.cluster.Eventually;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.ProcessCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * An administrator follows docs/guides/secure-cluster.md and separate-mover.md on a cluster with Kerberos, block tokens, privacy on
 * all its ways and HTTPS, whose ZooKeeper knows who asks. Another Hadoop line with
 * -Dhadoop.line; the service as superuser, with no mover beside it, with -Dsecure.mover=inside.
 */
@Tag("cluster")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SecureClusterTest {

  private static final String HOT = "/warehouse/hot";
  private static final String LATER = "/warehouse/later";
  private static final String AFTER_RESTART = "/warehouse/after-restart";
  private static final String AFTER_ALL = "/warehouse/after-all";
  private static final String AFTER_ZOOKEEPER = "/warehouse/after-zookeeper";
  private static final String HINTED = "/warehouse/hinted";
  private static final String LEADS = "leading, in epoch";
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path temp;

  private SecureSetting setting;
  private Host host;

  private SecureRest rest;

  private long ticketNanos;

  /** With a ticket as short as the service's, and what they showed in time. */
  private UserGroupInformation expiring;

  private String ticket;

  @BeforeAll
  void start() throws Exception {
    setting = SecureSetting.start(temp, line());
    if (setting.cluster() == null) {
      return;
    }
    for (String path : List.of(HOT, LATER, AFTER_RESTART, AFTER_ALL, AFTER_ZOOKEEPER, HINTED)) {
      write(path);
    }
    // The image of the NameNode's format has none of them.
    DistributedFileSystem hdfs = setting.cluster().client();
    hdfs.setSafeMode(SafeModeAction.ENTER);
    hdfs.saveNamespace();
    hdfs.setSafeMode(SafeModeAction.LEAVE);
    host = setting.host();
    rest = new SecureRest(setting);
    // Installs it, and makes the service's user.
    host.run(setting.pages().get(0).commands());
    for (String kind : List.of("secure", "securecheck", "apart", "moverservice", "secureservice")) {
      follow(kind);
    }
    Path cache = setting.site().ticketCache("ann", SecureSite.LIFETIME);
    expiring =
        UserGroupInformation.getUGIFromTicketCache(cache.toString(), "ann@" + SecureSite.REALM);
    ticket = SecureRest.ticketOf(expiring);
    ticketNanos = System.nanoTime();
  }

  /** Each is skipped, and not the class as if it had no tests. */
  @BeforeEach
  void isThere() {
    assumeTrue(setting.cluster() != null, setting.missing());
  }

  /** The version of Hadoop that the cluster is of. */
  String line() {
    return System.getProperty("hadoop.line", "3.4.3");
  }

  /** Those parts of the page. */
  private void follow(String kind) throws Exception {
    boolean isOfMover = kind.equals("apart") || kind.equals("moverservice");
    if (isOfMover && !SecureSetting.IS_MOVER_APART) {
      return;
    }
    for (Page.Block block : setting.pages()) {
      if (!block.kind().equals(kind)) {
        continue;
      }
      switch (kind) {
        case "moverservice" -> host.startMover(block.commands());
        case "secureservice" -> {
          host.startService(block.commands());
          host.awaitLog("running in");
          host.awaitLog("REST at https://", setting.service().replaceFirst(".*:", ":"));
        }
        case "securecheck" -> {
          String said = host.run(block.commands(), SecureSetting.IS_MOVER_APART ? 1 : 0);
          assertEquals(
              SecureSetting.IS_MOVER_APART,
              said.contains("error: thermocline: is no superuser of HDFS"),
              said);
        }
        default -> host.run(block.commands());
      }
    }
  }

  @AfterAll
  void stop() throws Exception {
    if (host != null) {
      host.close();
    }
    if (setting != null) {
      setting.close();
    }
  }

  @Test
  @Order(1)
  void movesAndTakesBackByTokensAndPrivacy() throws Exception {
    host.awaitLog("were found in the image");
    approveMoveToSsd(HOT);
    // That may be one before the last that was approved.
    String move =
        JSON.readTree(rest.get("ann", "/moves?path=" + HOT).body()).at("/items/0/id").asText();
    String plan = move.substring(0, move.indexOf('-'));
    // Its last move may be verified a moment before it ends.
    Eventually.holds(
        "the plan ended",
        () ->
            JSON.readTree(rest.get("ann", "/plans/" + plan).body())
                .path("state")
                .asText()
                .equals("DONE"));
    HttpResponse<String> undone =
        rest.post("ann", "/plans/" + plan + "/undo", "{\"why\": \"a test\", \"dryRun\": false}");
    assertTrue(undone.statusCode() < 300, undone::body);
    Eventually.holds("back on DISK", () -> types(HOT).equals(Set.of("DISK")));
    assertFalse(host.says("can't be asked how many"), "the NameNode's page, by a ticket");
  }

  @Test
  @Order(2)
  void answersWhoHasATicketAndARole() throws Exception {
    assertEquals(200, rest.get("vera", "/state").statusCode());
    assertEquals(403, rest.get("eve", "/state").statusCode(), "no role");
    HttpResponse<String> refused =
        rest.post("vera", "/plans/1/approve", "{\"why\": \"mine\", \"dryRun\": false}");
    assertEquals(403, refused.statusCode(), "too low a one");
    assertTrue(
        refused.body().contains("vera's role VIEWER can't do this, it needs OPERATOR"),
        refused::body);
  }

  @Test
  @Order(2)
  void refusesWhoShowsNoTicket() throws Exception {
    assertEquals(401, rest.send(null, "GET", "/state", null).statusCode());
    assertEquals(401, rest.send(null, "POST", "/plans/1/approve", "{}").statusCode());
  }

  @Test
  @Order(2)
  void refusesATicketOfAnotherRealm() throws Exception {
    String strange = setting.site().strangeTicket();
    assertEquals(401, rest.send(strange, "GET", "/state", null).statusCode());
  }

  @Test
  @Order(2)
  void letsUsersAskInOthersNamesAsHdfsWould() throws Exception {
    HttpResponse<String> proxied = rest.get("hive", "/state?doAs=vera");
    assertEquals(200, proxied.statusCode(), proxied::body);
    assertEquals(403, rest.get("hive", "/state?doAs=ann").statusCode(), "only whom HDFS names");
    assertEquals(403, rest.get("ann", "/state?doAs=vera").statusCode(), "nobody else");
  }

  @Test
  @Order(3)
  void eachPrivilegeIsNeeded() throws Exception {
    Privileges privileges = new Privileges(setting);
    if (SecureSetting.IS_MOVER_APART) {
      privileges.ofTheSuperuser();
      privileges.ofOwnersAndReaders();
    }
    privileges.ofWhoActsForOthers();
    privileges.ofTheNameNodesPages();
  }

  @Test
  @Order(3)
  void commandsShowTheirUsersTicket() throws Exception {
    String status = "/opt/thermocline/bin/thermocline status --service " + setting.service();
    host.environment("KRB5CCNAME", setting.site().directory() + "/none");
    String refused = host.run(status, 5);
    assertTrue(refused.contains("kinit"), refused);
    host.environment(
        "KRB5CCNAME", setting.site().ticketCache("vera", Duration.ofHours(1)).toString());
    assertTrue(host.run(status).contains("APPLY"), "vera is answered");
    host.environment(
        "KRB5CCNAME", setting.site().ticketCache("root", Duration.ofHours(1)).toString());
    String polled =
        host.run(
            "/opt/thermocline/bin/thermocline attributes --config /etc/hadoop/conf"
                + " --out /opt/thermocline/attributes");
    assertTrue(polled.contains("3 hosts"), polled);
  }

  @Test
  @Order(4)
  void hintsComeByTheirUsersTicketAndHurtNobodyWithout() throws Exception {
    Configuration conf = setting.cluster().configuration();
    conf.set(ConfiguredService.ADDRESSES, setting.service());
    long now = System.currentTimeMillis();
    Hint hint =
        Hint.onFile(Operation.PREFETCH, HINTED)
            .owner("alice")
            .leaseExpiryMillis(now + 3_600_000)
            .build();
    List<HintAnswer> answers =
        setting.as(
            "alice",
            () -> ConfiguredService.of(conf, "", "alice", 10_000).give(List.of(hint), now, false));
    assertTrue(answers.get(0).isTaken(), () -> answers.get(0).message());

    ServiceClient without =
        UserGroupInformation.createRemoteUser("alice")
            .doAs(
                (PrivilegedExceptionAction<ServiceClient>)
                    () -> ConfiguredService.of(conf, "", "alice", 10_000));
    ServiceException refused =
        assertThrows(ServiceException.class, () -> without.give(List.of(hint), now, false));
    assertEquals(HintError.UNAUTHENTICATED, refused.error());

    UserGroupInformation proxy =
        UserGroupInformation.createProxyUser("alice", setting.user("hive"));
    ServiceClient proxied =
        proxy.doAs(
            (PrivilegedExceptionAction<ServiceClient>)
                () -> ConfiguredService.of(conf, "", "alice", 10_000));
    assertTrue(proxied.give(List.of(hint), now, false).get(0).isTaken(), "in alice's name");
  }

  @Test
  @Order(5)
  void theElectionIsOfItsCreatorAlone() throws Exception {
    ZooKeeper stranger = new ZooKeeper(setting.zooKeeper().addresses(), 10_000, event -> {});
    try {
      Eventually.holds("connected", () -> stranger.getState().isConnected());
      assertThrows(
          KeeperException.NoAuthException.class,
          () ->
              stranger.create(
                  "/thermocline/first",
                  new byte[0],
                  ZooDefs.Ids.OPEN_ACL_UNSAFE,
                  CreateMode.PERSISTENT));
      assertThrows(
          KeeperException.NoAuthException.class, () -> stranger.getChildren("/thermocline", false));

      stranger.addAuthInfo("digest", SecureSetting.ZOOKEEPER_SUPERUSER.getBytes(UTF_8));
      List<ACL> own = stranger.getACL("/thermocline", null);
      assertEquals(
          List.of(new ACL(ZooDefs.Perms.ALL, new Id("sasl", setting.principal()))),
          own,
          "of the keytab's principal");
      for (String child : stranger.getChildren("/thermocline", false)) {
        assertEquals(own, stranger.getACL("/thermocline/" + child, null), child);
      }
    } finally {
      stranger.close();
    }
  }

  @Test
  @Order(6)
  void theDoctorReachesAllOfIt() throws Exception {
    String said =
        host.run(
            "runuser -u thermocline -- /opt/thermocline/bin/thermocline doctor --json"
                + " --config /opt/thermocline/conf/thermocline.yaml || true");
    if (SecureSetting.IS_MOVER_APART && OsUser.ordinary().isPresent()) {
      String asRoot =
          host.run(
              "/opt/thermocline/bin/thermocline doctor"
                  + " --config /opt/thermocline/conf/thermocline.yaml || true");
      assertTrue(asRoot.contains("run doctor as the service's user"), asRoot);
    }
    String document = said.lines().filter(line -> line.startsWith("{")).findFirst().orElse("");
    JsonNode checks = JSON.readTree(document).path("checks");
    assertTrue(checks.size() > 10, said);
    assertFalse(said.contains("doesn't answer"), said);
    assertFalse(said.contains("doesn't know who we are"), said);
    assertFalse(said.contains("answered with status"), said);
    assertFalse(said.contains("no superuser"), said);
  }

  @Test
  @Order(7)
  void refusesATicketThatHasEnded() throws Exception {
    long end = ticketNanos + SecureSite.end(SecureSite.LIFETIME).toNanos();
    Eventually.holds(
        "the first ticket has ended", Duration.ofSeconds(90), () -> System.nanoTime() > end);
    assertThrows(
        IOException.class, () -> SecureRest.ticketOf(expiring), "it gets nothing any more");
    assertEquals(401, rest.send(ticket, "GET", "/state", null).statusCode(), "shown too late");
  }

  /** Its own first ticket ended when that did. */
  @Test
  @Order(8)
  void renewsItsTicketAndActsOn() throws Exception {
    approveMoveToSsd(LATER);
    assertFalse(host.says("doesn't know who we are"), host.said());
    assertEquals(200, rest.get("vera", "/state").statusCode());
  }

  @Test
  @Order(9)
  void saysThatItsTicketHasEndedAndGoesOnWhenItHasAnother() throws Exception {
    Pattern ended =
        Pattern.compile("the Kerberos ticket of .* ended (\\d+) s ago.*Check that the KDC answers");
    setting.site().reachKdc(false);
    try {
      Eventually.holds(
          "health and state say that the ticket has ended",
          PATIENCE,
          () -> {
            HttpResponse<String> health = rest.send(null, "GET", "/health/ready", null);
            Matcher said = ended.matcher(health.body());
            if (!said.find()) {
              return false;
            }
            assertEquals(503, health.statusCode(), health::body);
            assertTrue(Integer.parseInt(said.group(1)) <= 10, health::body);
            String state = rest.get("vera", "/state").body();
            assertTrue(ended.matcher(state).find(), state);
            return true;
          });
    } finally {
      setting.site().reachKdc(true);
    }
    Eventually.holds(
        "it has a new ticket",
        PATIENCE,
        () -> rest.send(null, "GET", "/health/ready", null).statusCode() == 200);
  }

  @Test
  @Order(10)
  void actsOnWhenTheNameNodeWasKilledAndStartedAnew() throws Exception {
    setting.cluster().kill(ProcessCluster.NAME_NODE);
    setting.cluster().restart(ProcessCluster.NAME_NODE);
    approveMoveToSsd(AFTER_RESTART);
  }

  /** Nothing but the service knows the block keys of before any more. */
  @Test
  @Order(11)
  void actsOnWithTheKeysOfANewNameNodeAndNewDataNodes() throws Exception {
    for (String node : setting.nodes()) {
      setting.cluster().kill(node);
      setting.cluster().restart(node);
    }
    approveMoveToSsd(AFTER_ALL);
  }

  /**
   * Whose servers are killed and started anew, one after the other, as when they are upgraded.
   */
  @Test
  @Order(12)
  void oneOfTwoServicesLeadsOnWhileZooKeepersServersAreRestarted() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    String second = "https://localhost:" + port;
    Files.writeString(
        host.path("/opt/thermocline/conf/second.yaml"),
        Files.readString(host.path("/opt/thermocline/conf/thermocline.yaml"))
            .replace("id: node1", "id: node2")
            .replace(setting.service().substring("https://".length()), "localhost:" + port)
            .replace(
                host.path("/var/lib/thermocline/heat").toString(),
                host.path("/var/lib/thermocline/second").toString()));
    String start =
        "/opt/thermocline/bin/thermocline service --config /opt/thermocline/conf/second.yaml";
    List<Path> said = new ArrayList<>(List.of(host.startBeside(start)));
    awaitSaid(said.get(0), "standing by");
    AtomicInteger looks = new AtomicInteger();
    AtomicInteger two = new AtomicInteger();
    ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor();
    looking.scheduleWithFixedDelay(
        () -> {
          looks.incrementAndGet();
          // The first once more: when the lead goes over between two looks, they aren't two.
          if (rest.leads(setting.service())
              && rest.leads(second)
              && rest.leads(setting.service())) {
            two.incrementAndGet();
          }
        },
        0,
        100,
        TimeUnit.MILLISECONDS);
    try {
      for (int server = 0; server < setting.zooKeeper().ports().size(); server++) {
        setting.zooKeeper().kill(server);
        setting.zooKeeper().restart(server);
        setting.zooKeeper().awaitServing(server);
        Eventually.holds(
            "one leads",
            PATIENCE,
            () -> {
              // Who lost its session ends, on a busy machine both; systemd starts it again.
              if (!host.process().isAlive() && !host.runs(said.get(said.size() - 1))) {
                said.add(host.startBeside(start));
              }
              return rest.leads(setting.service()) != rest.leads(second);
            });
      }
    } finally {
      looking.shutdown();
      assertTrue(looking.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS), "looks end");
    }
    assertTrue(looks.get() > 0);
    assertEquals(0, two.get(), () -> "both said that they lead, at looks of " + looks);
    // Whoever doesn't lead any more says so and ends: else two would act.
    long leading =
        (host.process().isAlive() && host.said().contains(LEADS) ? 1 : 0)
            + said.stream().filter(out -> host.runs(out) && read(out).contains(LEADS)).count();
    assertEquals(1, leading, () -> said.stream().map(SecureClusterTest::read).collect(joining()));
    rest.ask(rest.leads(second) ? second : setting.service());
    approveMoveToSsd(AFTER_ZOOKEEPER);
    assertEquals(1, (rest.leads(setting.service()) ? 1 : 0) + (rest.leads(second) ? 1 : 0));
  }

  private void awaitSaid(Path out, String text) {
    try {
      Eventually.holds(text + " of the second", PATIENCE, () -> read(out).contains(text));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ", which said:\n" + read(out), e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  @Order(9)
  void noSecretIsShown() throws Exception {
    String cookie =
        rest.sendTo(
                SecureRest.ticketOf(setting.user("ann")),
                "POST",
                setting.service() + "/session",
                null)
            .headers()
            .firstValue("Set-Cookie")
            .orElseThrow();
    List<String> secrets =
        List.of(
            setting.site().password(),
            cookie.substring(cookie.indexOf('=') + 1, cookie.indexOf(';')),
            SecureSetting.ZOOKEEPER_SUPERUSER,
            ticket.substring("Negotiate ".length()),
            Files.readString(setting.site().directory().resolve("signature")));
    String seen = new AllThatIsShown(setting, host, rest).read(secrets.get(0), ticket);
    assertTrue(seen.contains(HOT), "something was looked at");
    assertTrue(seen.contains("cluster.superuser"), "doctor was");
    for (String main : List.of("ServiceMain", "CliMain", "NameNode", "QuorumPeerMain")) {
      assertTrue(seen.contains(main), main + " was looked at");
    }
    assertTrue(seen.contains("MoverMain") || !SecureSetting.IS_MOVER_APART);
    for (String secret : secrets) {
      assertFalse(seen.contains(secret), () -> "shown: " + secret);
    }
  }

  private void write(String path) throws Exception {
    FileSystem hdfs = setting.cluster().client();
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (OutputStream out =
        setting.cluster().client().createFile(file).replication((short) 2).recursive().build()) {
      out.write(new byte[200_000]);
    }
    hdfs.setOwner(file, "alice", null);
  }

  /**
   * Reads it until a plan waits that moves it, gives that plan an operator's word, and returns
   * its number.
   */
  private void approveMoveToSsd(String path) {
    Eventually.holds(
        path + " has a copy on SSD",
        PATIENCE,
        () -> {
          try {
            setting.as("alice", () -> read(path));
          } catch (IOException e) {
            // Her connection was to the NameNode before, or her ticket ended meanwhile: she reads
            // again.
            return false;
          }
          for (JsonNode each : JSON.readTree(rest.get("ann", "/plans").body()).path("items")) {
            String number = each.path("number").asText();
            String state = each.path("state").asText();
            if (Set.of("WAITING", "APPROVED").contains(state)
                && rest.get("ann", "/plans/" + number + "/files").body().contains(path)) {
              // Approved and not carried out is a plan whose time was while the service held back:
              // she says it again.
              String act = state.equals("WAITING") ? "approve" : "execute";
              rest.post(
                  "ann",
                  "/plans/" + number + "/" + act,
                  act.equals("approve")
                      ? "{\"why\": \"a test\", \"dryRun\": false, \"execute\": true}"
                      : "{\"why\": \"a test\", \"dryRun\": false}");
            }
          }
          return types(path).contains("SSD");
        });
  }

  private Void read(String path) throws IOException {
    try (FileSystem hdfs =
        FileSystem.newInstance(setting.cluster().uri(), setting.cluster().configuration())) {
      for (int i = 0; i < 5; i++) {
        try (InputStream in = hdfs.open(new org.apache.hadoop.fs.Path(path))) {
          in.readAllBytes();
        }
      }
    }
    return null;
  }

  private Set<String> types(String path) throws IOException {
    Set<String> types = new TreeSet<>();
    var files = setting.cluster().client().listLocatedStatus(new org.apache.hadoop.fs.Path(path));
    while (files.hasNext()) {
      for (BlockLocation block : files.next().getBlockLocations()) {
        types.addAll(
            Arrays.stream(block.getStorageTypes()).map(Enum::name).collect(Collectors.toSet()));
      }
    }
    return types;
  }
}
