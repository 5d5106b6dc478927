// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.commands.HostCheck;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.NameNodePage;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** DataNodes' logs beside the audit log, and a checkpoint that doesn't fit, on real files. */
class ObservingSourcesTest {

  private static final long START = Instant.parse("2026-11-20T10:00:00Z").toEpochMilli();
  private static final int MIB = 1 << 20;
  private static final int KIB = 1 << 10;

  @TempDir Path temp;
  private long clockMillis = START;
  private long nanos;
  private String halfLife = "30m";
  private String more = "";
  private String logs = "";
  private String traces;

  @BeforeEach
  void anAuditLog() throws IOException {
    audit(0, "/w/a");
    traces = temp + "/dn*/trace.log";
    Files.createDirectories(temp.resolve("dn1"));
    Files.createDirectories(temp.resolve("dn2"));
  }

  @Test
  void transfersWaitForTheirBlocksAndCountOnce() throws Exception {
    transfer("dn1", 1, 7, MIB);
    try (Observing observing = open()) {
      observing.poll();
      assertEquals(0, bytes(observing), "which file it was isn't known");
      learn(observing, 10);
      observing.poll();
      assertEquals(MIB, bytes(observing));
      transfer("dn1", 20, 7, MIB);
      observing.poll();
      assertEquals(MIB, bytes(observing), "later than HDFS was asked");
    }
    try (Observing observing = open()) {
      assertEquals(MIB, bytes(observing));
      observing.poll();
      assertEquals(MIB, bytes(observing));
      learn(observing, 30);
      // A DataNode that joined, and one of a file that nobody knows.
      transfer("dn2", 25, 7, 2 * MIB);
      transfer("dn1", 25, 8, MIB);
      clockMillis += 60_000;
      observing.poll();
      assertEquals(4 * MIB, bytes(observing));
      assertEquals(1, observing.heat().profile("/w/a").orElseThrow().sequentialShare());
      assertEquals(new ServiceStatus.Transfers(2, 1, 0, 0), observing.transfers());
    }
  }

  @Test
  void readsThatDataNodesLogCorrectTheEstimateAlsoAfterARestart() throws Exception {
    double ratio;
    try (Observing observing = open()) {
      observing.poll();
      learn(observing, 1);
      audit(2, "/w/a");
      observing.poll();
      learn(observing, 3);
      // The open of a file of one block, of which four times as much was read.
      for (int i = 0; i < 4; i++) {
        transfer("dn1", 2, 7, 10 * MIB);
      }
      clockMillis += 60_000;
      observing.poll();
      learn(observing, 4);
      List<ReadCalibration.Measured> measured = observing.calibration().measured();
      assertEquals(1, measured.size());
      ratio = measured.get(0).ratio();
      assertEquals(4, ratio, 0.01);
    }
    try (Observing observing = open()) {
      assertEquals(ratio, observing.calibration().measured().get(0).ratio());
    }
  }

  /** Killed after a transfer that no checkpoint has: it is read again, those before aren't. */
  @Test
  void aCrashLosesNoTransferAndCountsNoneTwice() throws Exception {
    transfer("dn1", 0, 8, MIB);
    Observing observing = open();
    observing.poll();
    learn(observing, 100);
    transfer("dn1", 1, 7, MIB);
    observing.poll();
    observing.save();
    transfer("dn1", 2, 7, MIB);
    observing.poll();
    assertEquals(2 * MIB, bytes(observing));
    // Dropped, not closed.
    try (Observing next = open()) {
      assertEquals(MIB, bytes(next));
      learn(next, 100);
      next.poll();
      assertEquals(2 * MIB, bytes(next));
    }
  }

  /** Killed in the middle of a stream, in pieces that are sequential by the ones before them alone. */
  @Test
  void aCrashInAStreamMakesNoneOfItRandom() throws Exception {
    transfer("dn1", 0, 8, MIB);
    Observing observing = open();
    observing.poll();
    learn(observing, 100);
    for (int piece = 0; piece < 3; piece++) {
      transfer("dn1", 1, 7, 4 * MIB + piece * 64 * KIB, 64 * KIB);
      observing.poll();
    }
    observing.save();
    transfer("dn1", 1, 7, 4 * MIB + 3 * 64 * KIB, 64 * KIB);
    observing.poll();
    // The first piece has none before it.
    double share = 3.0 / 4;
    assertEquals(share, observing.heat().profile("/w/a").orElseThrow().sequentialShare());
    // Dropped, not closed.
    try (Observing next = open()) {
      learn(next, 100);
      next.poll();
      assertEquals(share, next.heat().profile("/w/a").orElseThrow().sequentialShare());
    }
  }

  /** What isn't read isn't known: nothing is planned with heat that only cools. */
  @Test
  void aLogThatCannotBeReadIsSeenAndKeepsNothingElseBack() throws Exception {
    Path log = temp.resolve("hdfs-audit.log");
    try (NameNodePage nameNode = new NameNodePage()) {
      more = "  nameNodeWebs: [" + nameNode.web() + "]";
      try (Observing observing = open()) {
        for (int i = 0; i < 3; i++) {
          observing.poll();
          pass(10);
        }
        assertFalse(observing.completeness().isKnown());
        learn(observing, 100);
        nameNode.fileInfos += 5000;
        transfer("dn1", 1, 7, MIB);
        Files.move(log, temp.resolve("hdfs-audit.log.1"));
        Files.createDirectory(log);
        assertThrows(IOException.class, observing::poll);
        assertEquals(MIB, bytes(observing), "the DataNodes' logs can be read");
        assertEquals(new Completeness(5000, 0, 0), observing.completeness());
        assertTrue(CompletenessGate.objection(observing.completeness(), 0.9).isPresent());

        Files.delete(log);
        audit(30, "/w/b");
        observing.poll();
        assertEquals(2, observing.heat().reads(), "it goes on");
      }
    }
  }

  /** Heat needs none of them: once it no longer cooled, and nobody was told why. */
  @ParameterizedTest
  @ValueSource(strings = {"fifo", "directory"})
  void aLogOfADataNodeThatCannotBeReadIsNamedAndKeepsNothingBack(String kind) throws Exception {
    Path log = temp.resolve("dn1/trace.log");
    traces = log + ", " + temp + "/dn2/trace.log";
    if (kind.equals("fifo")) {
      assertEquals(0, new ProcessBuilder("mkfifo", log.toString()).start().waitFor());
    } else {
      Files.createDirectory(log);
    }
    transfer("dn2", 1, 7, MIB);
    try (Observing observing = open()) {
      observing.pollAndLog();
      learn(observing, 100);
      assertTrue(observing.hasHeard(), "the first plan doesn't wait");
      clockMillis += Duration.ofMinutes(30).toMillis();
      nanos += ReaderHealth.FAILING_NANOS;
      observing.pollAndLog();
      assertEquals(0.5, observing.heat().of("/w/a"), 0.01, "heat cools by the clock");
      assertEquals(MIB, bytes(observing), "the other DataNode's log is read");
      assertEquals(Optional.empty(), observing.objection());
      String why = observing.unreadTraces().orElseThrow();
      assertTrue(why.startsWith("what DataNodes' logs would say: " + log + ": is a "), why);

      Files.delete(log);
      transfer("dn1", 2, 7, MIB);
      observing.pollAndLog();
      assertEquals(Optional.empty(), observing.unreadTraces());
      assertEquals(2 * MIB, bytes(observing));
    }
  }

  private void pass(int seconds) {
    clockMillis += 1000L * seconds;
    nanos += 1_000_000_000L * seconds;
  }

  /** The managed one's share is not that of all of them. */
  @Test
  void completenessIsThatOfTheManagedNameservice() throws Exception {
    try (NameNodePage ours = new NameNodePage();
        NameNodePage other = new NameNodePage()) {
      more = "  nameNodeWebs: [" + ours.web() + ", " + other.web() + "]";
      Path second = temp.resolve("ns2-audit.log");
      logs = ", 'ns2:" + second + "'";
      try (Observing observing = open()) {
        for (int i = 0; i < 3; i++) {
          observing.poll();
          pass(10);
        }
        assertEquals(Set.of("ns", "ns2"), observing.completenessOfEach().keySet());
        append(second, line(1, "getfileinfo", "/w/a").repeat(2000));
        ours.fileInfos += 2000;
        other.fileInfos += 2000;
        observing.poll();
        assertEquals(new Completeness(2000, 0, 0), observing.completeness());
        assertEquals(
            Map.of("ns", new Completeness(2000, 0, 0), "ns2", new Completeness(2000, 2000, 0)),
            observing.completenessOfEach());
      }
    }
  }

  @Test
  void saysWhyACheckpointDoesNotFitAndBeginsAnewOnlyWhenTold() throws Exception {
    try (Observing observing = open()) {
      observing.poll();
    }
    Path file = temp.resolve("journal/heat/heat.checkpoint");
    byte[] saved = Files.readAllBytes(file);
    halfLife = "1h";
    for (int i = 0; i < 2; i++) {
      IOException refusal = assertThrows(IOException.class, this::open);
      assertEquals(
          "the heat that was saved can't be used: "
              + file
              + " can't be used: heat.halfLife was 1800 s when it was saved, and is 3600 s now."
              + " Put back what was changed, or start once with --relearn: that keeps the file under"
              + " another name and begins without heat",
          refusal.getMessage());
      assertArrayEquals(saved, Files.readAllBytes(file));
    }

    SavedHeat.setAside(config(), Clock.fixed(Instant.ofEpochMilli(START), ZoneOffset.UTC));
    Path aside = temp.resolve("journal/heat/heat.checkpoint.aside-20261120T100000.000Z");
    assertArrayEquals(saved, Files.readAllBytes(aside));
    audit(1, "/w/b");
    try (Observing observing = open()) {
      observing.poll();
      assertEquals(2, observing.heat().reads(), "from observe.start on");
    }
    assertArrayEquals(saved, Files.readAllBytes(aside));
    // Nothing is there any more: no reason to fail.
    Files.delete(file);
    SavedHeat.setAside(config(), Clock.systemUTC());
  }

  @Test
  void saysWhatCanNotBeKnown() throws Exception {
    assertEquals(1, MissingInputs.of(config()).size(), "no address of a NameNode");
    ServiceConfig without =
        ServiceConfigFile.read(
            Files.writeString(
                temp.resolve("least.yaml"),
                """
                observe: {kafka: {topics: [t], bootstrapServers: ['k:9092']}}
                manage: {paths: [/w]}
                journal: {directory: /j}
                """));
    List<String> unknowns = MissingInputs.of(without);
    assertTrue(unknowns.get(0).contains("observe.clientTraceLogs"), unknowns.toString());
    assertTrue(unknowns.get(1).contains("Kafka"), unknowns.toString());
  }

  @Test
  void findsWhatThisHostHasNot() throws Exception {
    String logs = "[" + temp + "/none/*.log, " + temp + "/dn1]";
    String problems =
        assertThrows(
                ConfigException.class,
                () ->
                    HostCheck.check(
                        ServiceConfigFile.read(
                            Files.writeString(
                                temp.resolve("wrong.yaml"),
                                text()
                                    .replaceFirst("clientTraceLogs: .*", "clientTraceLogs: " + logs)
                                    .replaceFirst(
                                        "start:",
                                        "image: {from: " + temp + "/fsimage}\n  start:")))))
            .getMessage();
    assertTrue(problems.contains("there is no directory " + temp + "/none"), problems);
    assertTrue(problems.contains(temp + "/dn1 is a directory"), problems);
    assertTrue(problems.contains("observe.image.from: " + temp + "/fsimage isn't there"), problems);
    HostCheck.check(config());
  }

  private void learn(Observing observing, int second) {
    observing.learnBlocks(
        List.of(
            new FileView(
                "/w/a",
                10 * MIB,
                3,
                0,
                List.of(
                    new FileView.Block(
                        "BP-1",
                        7,
                        1,
                        10 * MIB,
                        List.of(new FileView.Replica("b8f36b9b", "s", StorageType.DISK)))))),
        START + 1000L * second);
  }

  private static long bytes(Observing observing) {
    return observing.heat().profile("/w/a").map(profile -> profile.bytesRead()).orElse(0L);
  }

  private Observing open() throws Exception {
    Clock clock =
        ((InstantSource) () -> Instant.ofEpochMilli(clockMillis)).withZone(ZoneOffset.UTC);
    return Observing.open(
        config(),
        new Configuration(false),
        "ns",
        "thermocline",
        new ServiceRuntime(clock, () -> nanos, pause -> {}));
  }

  private ServiceConfig config() throws Exception {
    return ServiceConfigFile.read(Files.writeString(temp.resolve("thermocline.yaml"), text()));
  }

  private String text() {
    return """
        observe:
          auditLogs: [%1$s/hdfs-audit.log%4$s]
          clientTraceLogs: [%5$s]
          start: beginning
          timeZone: UTC
        %3$s
        heat: {halfLife: %2$s, files: 1000}
        manage: {paths: [/w]}
        journal: {directory: %1$s/journal}
        """
        .formatted(temp, halfLife, more, logs, traces);
  }

  private void audit(int second, String path) throws IOException {
    append(temp.resolve("hdfs-audit.log"), line(second, "open", path));
  }

  private static String line(int second, String command, String path) {
    return "2026-11-20 10:00:%02d,000 INFO FSNamesystem.audit: allowed=true\tugi=a (auth:SIMPLE)\tip=/10.0.0.1\tcmd=%s\tsrc=%s\tdst=null\tperm=null\tproto=rpc\n"
        .formatted(second, command, path);
  }

  private void transfer(String node, int second, long block, int bytes) throws IOException {
    transfer(node, second, block, 0, bytes);
  }

  private void transfer(String node, int second, long block, int offset, int bytes)
      throws IOException {
    append(
        temp.resolve(node).resolve("trace.log"),
        "2026-11-20 10:00:%02d,000 DEBUG DataNode.clienttrace: src: /10.0.0.2:9866, dest: /10.0.0.1:40576, volume: , bytes: %d, op: HDFS_READ, cliID: DFSClient_1, offset: %d, srvID: b8f36b9b, blockid: BP-1:blk_%d_1101, duration(ns): 4677987\n"
            .formatted(second, bytes / 512 * 516, offset, block));
  }

  private static void append(Path file, String line) throws IOException {
    Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
