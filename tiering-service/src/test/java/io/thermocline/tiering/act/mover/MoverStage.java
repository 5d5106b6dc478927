// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.FakeHdfs;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.HeldBackException;
import io.thermocline.tiering.act.JournalMark;
import io.thermocline.tiering.act.MutexCalls;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.cluster.DataNodeReport;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import java.io.IOException;
import java.io.StringWriter;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both ends of a mover's socket, with a made-up HDFS behind. */
@Timeout(120)
abstract class MoverStage {

  static final String OWN = System.getProperty("user.name");
  static final long EPOCH = 5;

  /** Operations in an hour. */
  static final int CAP = 5;

  @TempDir Path directory;

  final Scene scene = new Scene();
  final FakeHdfs hdfs = new FakeHdfs();
  final List<String> called = new ArrayList<>();
  final StringWriter audit = new StringWriter();
  final WriterAppender appender = new WriterAppender(new PatternLayout("%m%n"), audit);
  final Logger logger = Logger.getLogger("io.thermocline.audit");
  Instant now = Instant.parse("2026-11-20T00:00:00Z");
  final AtomicLong nanos = new AtomicLong();
  long lastEpoch = EPOCH;
  String elsewhere = "";
  boolean hasMutex;
  JournalMark.Reached mark;
  final Map<String, String> marks = new HashMap<>();
  final Map<String, List<HdfsCalls.LayoutEdit>> edits = new HashMap<>();
  int opened;
  Path socket;
  MoverHandler moverHandler;
  MoverServer server;

  @BeforeEach
  void start() throws IOException {
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
    socket = directory.resolve("mover.sock");
    hdfs.put(scene.file("/w/a", 100, "n1-DISK", "n2-DISK", "n3-DISK"));
    moverHandler =
        new MoverHandler(
            new MoverHandler.Hands(
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
                            List.of(new DataNodeReport.Storage("s", SSD, false, 10, 4, 6)),
                            0)),
                () ->
                    new DataNodeStates(
                        List.of(
                            new DataNodeStates.Node(
                                "n1", "dn1:9866", "/r0", true, 7, "http://x:1", 0, List.of("x"))),
                        true),
                epoch -> moves(),
                new Actions(),
                new Marks(),
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
            new MoverHandler.Caps(250, CAP),
            new AuditTrail("hdfs", Clock.systemUTC()),
            OWN,
            () -> now);
    server = server(OWN);
  }

  @AfterEach
  void stop() throws IOException {
    logger.removeAppender(appender);
    server.close();
    moverHandler.close();
  }

  MoverServer server(String user) throws IOException {
    return new MoverServer(
        socket, user, moverHandler, 4, Executors.defaultThreadFactory(), System::nanoTime);
  }

  MoverClient client() {
    return client(EPOCH);
  }

  MoverClient client(long epoch) {
    return new MoverClient(
        socket,
        OWN,
        new MoverClient.Terms(MoverClient.Away.WAIT, epoch),
        nanos::get,
        duration -> nanos.addAndGet(duration.toNanos()));
  }

  static MoverRequest.Copy copy(String path, String source, String target) {
    return new MoverRequest.Copy(path, 1, source, DISK, target.equals("n2") ? "n4" : target, SSD);
  }

  void assertRefused(String why, MoverRequest request, String... or) {
    IOException refused = assertThrows(IOException.class, () -> client().ask(request));
    assertFalse(refused instanceof HeldBackException, refused.getMessage());
    assertTrue(
        refused.getMessage().contains(why)
            || List.of(or).stream().anyMatch(refused.getMessage()::contains),
        refused.getMessage());
  }

  /** What a mover answers to it, to the end; nothing where it closes unanswered. */
  String say(String text) throws IOException {
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

  List<String> changes() {
    return hdfs.calls().stream().filter(call -> !call.startsWith("file")).toList();
  }

  List<JsonNode> audited() throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : audit.toString().lines().toList()) {
      lines.add(new ObjectMapper().readTree(line));
    }
    return lines;
  }

  MutexCalls moves() throws IOException {
    if (!elsewhere.isEmpty()) {
      throw new IOException(elsewhere);
    }
    opened++;
    hasMutex = true;
    return new Held(hdfs);
  }

  private final class Held implements MutexCalls {
    private final HdfsCalls actions;

    Held(HdfsCalls actions) {
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
    public void leave() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String storagePolicy(String path) throws IOException {
      return actions.storagePolicy(path);
    }

    @Override
    public void copy(Move move) throws IOException {
      actions.copy(move);
    }

    @Override
    public void setStoragePolicy(String path, String policy) throws IOException {
      actions.setStoragePolicy(path, policy);
      marks.put(path, policy);
    }

    @Override
    public Optional<PolicyMarks.Mark> mark(String path) {
      return Optional.ofNullable(marks.get(path)).map(policy -> new PolicyMarks.Mark(policy, now));
    }

    @Override
    public void unmark(String path) {
      marks.remove(path);
    }

    @Override
    public void copy(Move move, Consumer<String> progress) throws IOException {
      progress.accept("connecting to " + move.targetNode());
      progress.accept("waiting for " + move.targetNode());
      actions.copy(move);
    }

    @Override
    public Optional<Map<String, List<LayoutEdit>>> layoutEdits(Set<String> paths) {
      Map<String, List<LayoutEdit>> of = new HashMap<>(edits);
      of.keySet().retainAll(paths);
      return Optional.of(of);
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

  private final class Marks implements JournalMark {
    @Override
    public Optional<Reached> read() {
      return Optional.ofNullable(mark);
    }

    @Override
    public void write(Reached now) {
      mark = now;
    }
  }

  private final class Actions implements ActionCalls {
    @Override
    public void setReplication(String path, int factor) {
      called.add(factor + " " + path);
    }

    @Override
    public void cache(String path, int copies, Consumer<Directive> made) {
      called.add("cache " + path);
      made.accept(new Directive(7, copies, 8));
    }

    @Override
    public void uncache(String path, Directive ours) {
      called.add("uncache " + path + " " + ours.id());
    }

    @Override
    public Marks marks(String path) {
      return new Marks(new Raised(3, 4, 5), new Directive(7, 1, 8));
    }

    @Override
    public void unmarkReplication(String path) {
      called.add("unmark " + path);
    }

    @Override
    public Optional<Cached> cached(String path, Directive ours) {
      return Optional.empty();
    }

    @Override
    public Optional<FileView> file(String path) {
      return hdfs.file(path);
    }
  }
}
