// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.BusyDataNodeException;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.FakeHdfs;
import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.HeldBackException;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.act.MutexActions;
import io.thermocline.tiering.cluster.DataNodeReport;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.io.StringWriter;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a mover's socket, with a made-up HDFS behind. */
@Timeout(120)
class MoverSocketTest {

  private static final String OWN = System.getProperty("user.name");
  private static final long EPOCH = 5;

  /** Operations in an hour. */
  private static final int CAP = 5;

  @TempDir Path directory;

  private final Scene scene = new Scene();
  private final FakeHdfs hdfs = new FakeHdfs();
  private final List<String> pulled = new ArrayList<>();
  private final StringWriter audit = new StringWriter();
  private final WriterAppender appender = new WriterAppender(new PatternLayout("%m%n"), audit);
  private final Logger logger = Logger.getLogger("io.thermocline.audit");
  private Instant now = Instant.parse("2026-11-20T00:00:00Z");
  private final AtomicLong nanos = new AtomicLong();
  private long lastEpoch = EPOCH;
  private String elsewhere = "";
  private boolean hasMutex;
  private int opened;
  private Path socket;
  private MoverDesk desk;
  private MoverServer server;

  @BeforeEach
  void start() throws IOException {
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
    socket = directory.resolve("mover.sock");
    hdfs.put(scene.file("/w/a", 100, "n1-DISK", "n2-DISK", "n3-DISK"));
    desk =
        new MoverDesk(
            new MoverDesk.Hands(
                () ->
                    List.of(
                        new DataNodeReport(
                            "n1",
                            "10.0.0.1:9866",
                            "dn1:9866",
                            "/r0",
                            true,
                            "10.0.0.1:9864",
                            "dn1:0",
                            5,
                            1,
                            List.of(new DataNodeReport.Storage("s", SSD, false, 10, 4, 6)))),
                () ->
                    new DataNodeStates(
                        List.of(
                            new DataNodeStates.Node(
                                "n1", "dn1:9866", "/r0", true, 7, "http://x:1", List.of("x"))),
                        true),
                this::moves,
                new Levers(),
                epoch ->
                    epoch < lastEpoch
                        ? Optional.of("a service of epoch " + lastEpoch + " has begun to act")
                        : Optional.empty()),
            new MoverRules(
                List.of("/w"),
                List.of("/w/secret"),
                Set.of("ONE_SSD"),
                Set.of(SSD),
                Optional.of(new MoverRules.Factors(2, 4)),
                1),
            new MoverDesk.Caps(250, CAP),
            new AuditTrail("hdfs", Clock.systemUTC()),
            OWN,
            () -> now);
    server = server(OWN);
  }

  @AfterEach
  void stop() throws IOException {
    logger.removeAppender(appender);
    server.close();
    desk.close();
  }

  private MoverServer server(String user) throws IOException {
    return new MoverServer(
        socket, user, desk, 4, Executors.defaultThreadFactory(), System::nanoTime);
  }

  private MoverClient client() {
    return client(EPOCH);
  }

  private MoverClient client(long epoch) {
    return new MoverClient(
        socket,
        OWN,
        new MoverClient.Terms(MoverClient.Away.WAIT, epoch),
        nanos::get,
        duration -> nanos.addAndGet(duration.toNanos()));
  }

  @Test
  void saysWhatTheNameNodeSaysToASuperuser() throws IOException {
    DataNodeReport report = client().reports().get(0);
    assertEquals("dn1:9866", report.host());
    assertEquals(new DataNodeReport.Storage("s", SSD, false, 10, 4, 6), report.storages().get(0));
    DataNodeStates states = client().states(false);
    assertEquals(
        new DataNodeStates.Node("n1", "dn1:9866", "/r0", true, 7, "http://x:1", List.of("x")),
        states.nodes().get(0));
    assertTrue(states.isUpgrading());
    assertEquals(0, opened, "who only looks needs no mutex");
    assertEquals("", audit.toString());
  }

  @Test
  void doesWhatMayBeAndWritesDownWhoAskedForWhat() throws IOException {
    client().ask(new MoverRequest.Policy("/w/a", "ONE_SSD"));
    client().ask(copy("/w/a", "n1", "n2"));
    assertThrows(
        IOException.class, () -> client().ask(new MoverRequest.Policy("/w/a\nforged", "COLD")));

    assertEquals(List.of("policy /w/a ONE_SSD", "copy mover-1"), changes());
    List<JsonNode> lines = audited();
    assertEquals(3, lines.size(), lines::toString);
    assertEquals("hdfs", lines.get(0).get("who").asText());
    assertEquals("asked for by " + OWN, lines.get(0).get("why").asText());
    assertEquals("copy", lines.get(1).get("operation").asText());
    assertEquals("done", lines.get(1).get("outcome").asText());
    assertTrue(lines.get(2).get("outcome").asText().startsWith("REFUSED"), lines::toString);
  }

  @Test
  void believesNothingOfACopy() {
    assertRefused("no such block", new MoverRequest.Copy("/w/a", 99, "n1", DISK, "n4", SSD));
    assertRefused("no such block", new MoverRequest.Copy("/w/none", 1, "n1", DISK, "n4", SSD));
    assertRefused("isn't any more", new MoverRequest.Copy("/w/a", 1, "n5", DISK, "n4", SSD));
    assertRefused("isn't any more", new MoverRequest.Copy("/w/a", 1, "n1", SSD, "n4", SSD));
    now = now.plus(Duration.ofHours(1));
    assertRefused("another copy", new MoverRequest.Copy("/w/a", 1, "n1", DISK, "n2", SSD));
    // n3 alone is on the second rack.
    assertRefused("racks", new MoverRequest.Copy("/w/a", 1, "n3", DISK, "n1", SSD), "another copy");
    hdfs.put(scene.file("/w/b", 10, "n1-DISK", "n3-DISK"));
    assertRefused("racks", new MoverRequest.Copy("/w/b", 2, "n3", DISK, "n2", SSD));
    assertEquals(List.of(), changes());
  }

  @Test
  void keepsToItsCapsAndSaysUntilWhen() throws IOException {
    hdfs.put(scene.file("/w/b", 200, "n1-DISK", "n2-DISK", "n3-DISK"));
    client().ask(copy("/w/a", "n1", "n4"));
    HeldBackException held =
        assertThrows(
            HeldBackException.class,
            () -> client().ask(new MoverRequest.Copy("/w/b", 2, "n1", DISK, "n4", SSD)));
    assertEquals(
        "the mover's cap of 250 bytes an hour is used up until 2026-11-20T01:00:00Z",
        held.getMessage());
    assertEquals(
        held.getMessage(),
        assertThrows(HeldBackException.class, () -> client().states(true)).getMessage(),
        "who watches is told, too");
    client().states(false);
    now = now.plus(Duration.ofHours(1));
    client().states(true);
    client().ask(new MoverRequest.Copy("/w/b", 2, "n1", DISK, "n4", SSD));

    now = now.plus(Duration.ofHours(1));
    client().ask(new MoverRequest.Replication("/w/a", 4));
    assertThrows(
        HeldBackException.class, () -> client().ask(new MoverRequest.Replication("/w/b", 4)));
    client().ask(new MoverRequest.Replication("/w/a", 2));
    client().ask(new MoverRequest.Cache("/w/a", 1));
    client().ask(new MoverRequest.Uncache("/w/a"));
    assertTrue(
        assertThrows(HeldBackException.class, () -> client().ask(new MoverRequest.Uncache("/w/a")))
            .getMessage()
            .contains("5 operations"));
    assertEquals(List.of("4 /w/a", "2 /w/a", "cache /w/a", "uncache /w/a"), pulled);
  }

  @Test
  void nothingIsLargerThanItsCap() throws IOException {
    hdfs.put(scene.file("/w/huge", 251, "n1-DISK", "n2-DISK", "n3-DISK"));
    assertRefused(
        "it would copy 251 bytes, and the mover's cap is 250 bytes an hour, perHour.bytes",
        new MoverRequest.Copy("/w/huge", 2, "n1", DISK, "n4", SSD));
    assertRefused("it would copy 251 bytes", new MoverRequest.Replication("/w/huge", 4));
    assertEquals(List.of(), changes());
    assertEquals(List.of(), pulled);
    hdfs.put(scene.file("/w/b", 250, "n1-DISK", "n2-DISK", "n3-DISK"));
    client().ask(new MoverRequest.Copy("/w/b", 3, "n1", DISK, "n4", SSD));
  }

  @Test
  void countsWhatItRefusesAndWhatIsNoRequestAndFillsNoLogWithIt() throws IOException {
    for (int i = 0; i < CAP - 1; i++) {
      assertRefused("none of the mover's", new MoverRequest.Policy("/elsewhere", "ONE_SSD"));
    }
    assertEquals("REFUSED", LineChannel.JSON.readTree(say("{}\n")).get("outcome").asText());
    for (int i = 0; i < 100; i++) {
      assertThrows(
          HeldBackException.class,
          () -> client().ask(new MoverRequest.Policy("/elsewhere", "ONE_SSD")));
      assertEquals("LATER", LineChannel.JSON.readTree(say("{}\n")).get("outcome").asText());
    }
    assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n1", "n4")));
    assertTrue(
        audited().size() <= CAP, "of what is put off the first at most: " + audited().size());
    client().reports();
    now = now.plus(Duration.ofHours(1));
    client().ask(copy("/w/a", "n1", "n4"));
  }

  /**
   * As after a pause of the whole host: its lease went to another, whose mover is another, too.
   */
  @Test
  void doesNothingForAServiceWhenALaterOneActs() throws IOException {
    client().states(true);
    client().ask(copy("/w/a", "n1", "n4"));
    lastEpoch = EPOCH + 1;
    hasMutex = false;
    for (int i = 0; i < 2; i++) {
      assertTrue(
          assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n2", "n5")))
              .getMessage()
              .contains("a service of epoch 6 has begun to act"));
      assertThrows(HeldBackException.class, () -> client().states(true));
    }
    assertEquals(1, opened, "it doesn't take the mutex back");
    assertEquals(List.of("copy mover-1"), changes());
    client().states(false);

    lastEpoch = EPOCH + 2;
    client(EPOCH + 2).states(true);
    assertEquals(2, opened, "elected anew");
    client(EPOCH + 2).ask(new MoverRequest.Policy("/w/a", "ONE_SSD"));
  }

  @Test
  void waitsSoLongForAPlaceAndNoLonger() throws IOException {
    server.close();
    try (java.nio.channels.ServerSocketChannel deaf =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      deaf.bind(UnixDomainSocketAddress.of(socket), 1);
      List<SocketChannel> waiting = new ArrayList<>();
      try {
        // Until its queue is full.
        for (int i = 0; i < 2; i++) {
          waiting.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        }
        HeldBackException late = assertThrows(HeldBackException.class, () -> client().reports());
        assertTrue(late.getMessage().contains("took no connection for 30 s"), late.getMessage());
      } finally {
        for (SocketChannel each : waiting) {
          each.close();
        }
      }
    }
    Files.delete(socket);
    server = server(OWN);
    client().reports();
  }

  @Test
  void holdsTheMutexWhileSomebodyActs() throws IOException {
    elsewhere = "another Thermocline moves data";
    assertEquals(
        elsewhere, assertThrows(HeldBackException.class, () -> client().states(true)).getMessage());
    assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n1", "n2")));
    client().states(false);
    elsewhere = "";
    client().states(true);
    client().states(true);
    assertTrue(hasMutex);
    assertEquals(1, opened);

    hasMutex = false;
    client().states(true);
    assertEquals(2, opened, "somebody took it; so it is taken anew, or that is refused");
    client().release();
    assertFalse(hasMutex);
    client().release();
  }

  @Test
  void aBusyDataNodeIsNoOrdinaryFailure() throws IOException {
    hdfs.failNext(new BusyDataNodeException("threads quota is exceeded"));
    BusyDataNodeException busy =
        assertThrows(BusyDataNodeException.class, () -> client().ask(copy("/w/a", "n1", "n4")));
    assertEquals("threads quota is exceeded", busy.getMessage());
    hdfs.failNext(new IOException("disk is on fire\n\tat org.apache"));
    assertEquals(
        "disk is on fire",
        assertThrows(IOException.class, () -> client().ask(copy("/w/a", "n1", "n4"))).getMessage());
  }

  @Test
  void garbageIsRefusedAndNothingOfItDone() throws IOException {
    for (String line :
        List.of(
            "",
            "null",
            "[]",
            "\"release\"",
            "{}",
            "{\"request\":\"delete\",\"path\":\"/w/a\"}",
            "{\"request\":\"java.lang.Runtime\"}",
            "{\"request\":\"policy\",\"path\":\"/w/a\"}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":null}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":7}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":\"ONE_SSD\",\"more\":1}",
            "{\"request\":\"policy\",\"path\":\"/x\",\"path\":\"/w/a\",\"policy\":\"ONE_SSD\"}",
            "{\"request\":\"policy\",\"path\":\"/w/a\",\"policy\":\"ONE_SSD\"}} {",
            "{\"request\":\"copy\",\"path\":\"/w/a\",\"block\":1}",
            "{\"request\":\"copy\",\"path\":\"/w/a\",\"block\":1.5,\"source\":\"n1\","
                + "\"sourceType\":\"DISK\",\"target\":\"n2\",\"targetType\":\"SSD\"}",
            "{\"request\":\"copy\",\"path\":\"/w/a\",\"block\":1,\"source\":\"n1\","
                + "\"sourceType\":0,\"target\":\"n4\",\"targetType\":\"SSD\"}",
            "[".repeat(1000))) {
      now = now.plus(Duration.ofHours(1));
      JsonNode answer = LineChannel.JSON.readTree(say("{\"epoch\":5,\"ask\":" + line + "}\n"));
      assertEquals("REFUSED", answer.get("outcome").asText(), line + " " + answer);
      assertFalse(answer.get("message").asText().isEmpty(), line);
    }
    for (String line :
        List.of(
            "",
            "null",
            "[]",
            "{}",
            "{\"request\":\"release\"}",
            "{\"ask\":{\"request\":\"release\"}}",
            "{\"epoch\":\"5\",\"ask\":{\"request\":\"release\"}}",
            "{\"epoch\":5,\"ask\":{\"request\":\"release\"},\"more\":1}")) {
      now = now.plus(Duration.ofHours(1));
      assertEquals(
          "REFUSED", LineChannel.JSON.readTree(say(line + "\n")).get("outcome").asText(), line);
    }
    SplittableRandom random = new SplittableRandom(20261120);
    for (int i = 0; i < 200; i++) {
      byte[] bytes = new byte[random.nextInt(1, 200)];
      random.nextBytes(bytes);
      bytes[bytes.length - 1] = '\n';
      say(new String(bytes, StandardCharsets.ISO_8859_1));
    }
    assertEquals(List.of(), changes());
    client().reports();
  }

  @Test
  void hugeLinesAndThoseWithoutAnEndKeepNobodyElseWaiting() throws IOException {
    assertEquals("", say("{\"request\":\"" + "x".repeat(1 << 20)), "closed unanswered");
    List<SocketChannel> silent = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      silent.add(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }
    client().reports();
    for (SocketChannel each : silent) {
      each.close();
    }
    String longest = "/w/" + "n".repeat(8000);
    assertTrue(
        assertThrows(
                IOException.class, () -> client().ask(new MoverRequest.Policy(longest, "COLD")))
            .getMessage()
            .contains("COLD"),
        "the longest path that HDFS takes goes through");
  }

  @Test
  void answersOnlyWhoItIsToldTo() throws IOException {
    server.close();
    server = server("nobody-of-this-host");
    HeldBackException refused =
        assertThrows(HeldBackException.class, () -> client().ask(copy("/w/a", "n1", "n2")));
    assertTrue(refused.getMessage().contains("doesn't answer"), refused.getMessage());
    assertEquals("", say("{\"request\":\"storages\"}\n"), "closed before anything was read");
    assertEquals(List.of(), hdfs.calls());
  }

  @Test
  void aServiceAsksNobodyElse() {
    MoverClient client =
        new MoverClient(
            socket,
            "thermocline-mover",
            new MoverClient.Terms(MoverClient.Away.FAIL, EPOCH),
            nanos::get,
            duration -> {});
    IOException strange = assertThrows(IOException.class, client::reports);
    assertTrue(
        strange.getMessage().contains("it is " + OWN + " who listens there"), strange.getMessage());
    assertFalse(strange instanceof HeldBackException);
  }

  @Test
  void oneListensAndComesBackAfterItWasKilled() throws IOException {
    IOException second = assertThrows(IOException.class, () -> server(OWN));
    assertTrue(second.getMessage().contains("another process listens"), second.getMessage());
    server.close();
    assertFalse(Files.exists(socket));
    HeldBackException gone = assertThrows(HeldBackException.class, () -> client().reports());
    assertTrue(gone.getMessage().contains("Is 'thermocline mover' running?"), gone.getMessage());

    // What one that is killed leaves.
    try (java.nio.channels.ServerSocketChannel left =
        java.nio.channels.ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }
    assertTrue(Files.exists(socket));
    server = server(OWN);
    client().reports();

    Path file = Files.writeString(directory.resolve("file"), "mine");
    socket = file;
    assertThrows(IOException.class, () -> server(OWN));
    assertEquals("mine", Files.readString(file));
  }

  @Test
  void listensWhereNobodyElseMayWrite() throws IOException {
    server.close();
    Path shared = Files.createDirectory(directory.resolve("shared"));
    Files.setPosixFilePermissions(
        shared, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxr-x"));
    socket = shared.resolve("mover.sock");
    IOException refused = assertThrows(IOException.class, () -> server(OWN));
    assertTrue(refused.getMessage().contains("may be written to by others"), refused.getMessage());
  }

  private static MoverRequest.Copy copy(String path, String source, String target) {
    return new MoverRequest.Copy(path, 1, source, DISK, target.equals("n2") ? "n4" : target, SSD);
  }

  private void assertRefused(String why, MoverRequest request, String... or) {
    IOException refused = assertThrows(IOException.class, () -> client().ask(request));
    assertFalse(refused instanceof HeldBackException, refused.getMessage());
    assertTrue(
        refused.getMessage().contains(why)
            || List.of(or).stream().anyMatch(refused.getMessage()::contains),
        refused.getMessage());
  }

  /** What a mover answers to it, to the end; nothing where it closes unanswered. */
  private String say(String text) throws IOException {
    StringBuilder answer = new StringBuilder();
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      ByteBuffer out = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      ByteBuffer in = ByteBuffer.allocate(4096);
      while (out.hasRemaining()) {
        channel.write(out);
      }
      while (channel.read(in) >= 0) {
        answer.append(StandardCharsets.UTF_8.decode(in.flip()));
        in.clear();
      }
    } catch (IOException e) {
      // Reset, as it was not read to its end.
      return answer.toString();
    }
    return answer.toString();
  }

  private List<String> changes() {
    return hdfs.calls().stream().filter(call -> !call.startsWith("file")).toList();
  }

  private List<JsonNode> audited() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : audit.toString().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  private MutexActions moves() throws IOException {
    if (!elsewhere.isEmpty()) {
      throw new IOException(elsewhere);
    }
    opened++;
    hasMutex = true;
    return new Held(hdfs);
  }

  private final class Held implements MutexActions {
    private final HdfsActions actions;

    Held(HdfsActions actions) {
      this.actions = actions;
    }

    @Override
    public boolean hasMutex() {
      return hasMutex;
    }

    @Override
    public void close() {
      hasMutex = false;
    }

    @Override
    public String storagePolicy(String path) throws IOException {
      return actions.storagePolicy(path);
    }

    @Override
    public void setStoragePolicy(String path, String policy) throws IOException {
      actions.setStoragePolicy(path, policy);
    }

    @Override
    public void copy(Move move) throws IOException {
      actions.copy(move);
    }

    @Override
    public String rack(String node) throws IOException {
      return actions.rack(node);
    }

    @Override
    public Optional<FileView> file(String path) throws IOException {
      return actions.file(path);
    }

    @Override
    public Map<String, FileView> files(Collection<String> paths) throws IOException {
      return actions.files(paths);
    }
  }

  private final class Levers implements LeverActions {
    @Override
    public void setReplication(String path, int factor) {
      pulled.add(factor + " " + path);
    }

    @Override
    public void cache(String path, int copies) {
      pulled.add("cache " + path);
    }

    @Override
    public void uncache(String path) {
      pulled.add("uncache " + path);
    }

    @Override
    public Optional<Cached> cached(String path) {
      return Optional.empty();
    }

    @Override
    public Optional<FileView> file(String path) {
      return hdfs.file(path);
    }
  }
}
