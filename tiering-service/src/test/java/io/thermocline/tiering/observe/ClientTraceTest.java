// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientTraceTest {

  private static final String HADOOP_3 =
      "2026-11-20 19:34:39,940 DEBUG DataNode.clienttrace: src: /127.0.0.1:33933, dest:"
          + " /127.0.0.1:40576, volume: , bytes: 1056768, op: HDFS_READ, cliID: DFSClient_1, offset:"
          + " 499712, srvID: b8f36b9b, blockid: BP-1-127.0.0.1-2:blk_1073741925_1101,"
          + " duration(ns): 4677987";

  @TempDir Path directory;
  private final ClientTraceLine line = new ClientTraceLine();

  @Test
  void readsALineOfHadoop3() {
    assertEquals(ClientTraceLine.Outcome.PARSED, parse(HADOOP_3));
    assertEquals(BlockAccess.Kind.READ, line.kind());
    assertEquals(1073741925, line.blockId());
    assertEquals("BP-1-127.0.0.1-2", line.poolId());
    assertEquals(499712, line.offset());
    assertEquals(1048576, line.bytes());
    assertEquals(4677987, line.durationNanos());
    assertEquals("DFSClient_1", line.client());
    assertEquals("b8f36b9b", line.dataNode());
  }

  /** A last chunk that is not full has its 4 bytes of checksum too. */
  @ParameterizedTest
  @CsvSource({"516,512", "0,0", "4,0", "5,1", "40,36", "521,513", "1056768,1048576"})
  void takesChecksumsOffReads(long wire, long data) {
    parse(HADOOP_3.replace("1056768", "" + wire));
    assertEquals(data, line.bytes());
    parse(HADOOP_3.replace("1056768", "" + wire).replace("HDFS_READ", "HDFS_WRITE"));
    assertEquals(wire, line.bytes());
  }

  @Test
  void knowsShortCircuitReadsWithoutTheirBytes() {
    assertEquals(
        ClientTraceLine.Outcome.PARSED,
        parse(
            "src: 127.0.0.1, dest: 127.0.0.1, op: REQUEST_SHORT_CIRCUIT_FDS, blockid: 1073741925,"
                + " srvID: b8f36b9b, success: true"));
    assertEquals(BlockAccess.Kind.SHORT_CIRCUIT, line.kind());
    assertEquals(1073741925, line.blockId());
    assertEquals(-1, line.bytes());
  }

  @Test
  void knowsTheBlocksOfHadoop1() {
    parse(HADOOP_3.replace("BP-1-127.0.0.1-2:blk_1073741925", "blk_-9223372036854775808"));
    assertEquals(Long.MIN_VALUE, line.blockId());
    assertEquals("", line.poolId());
  }

  @Test
  void readsAllLayoutsOfRealClustersAcrossARestart() throws IOException {
    Path samples = Path.of(System.getProperty("project.root"), "../shared/traces/hdfs-clienttrace");
    assumeTrue(Files.isDirectory(samples), "no samples of real clienttrace logs at " + samples);
    List<String> lines = new ArrayList<>();
    for (String name : List.of("format-variants.log", "chukwa_ClientTrace.log")) {
      lines.addAll(Files.readAllLines(samples.resolve(name)));
    }
    assertEquals("READ -4693506771893277444", readAcrossRestarts(lines).get(0));
  }

  @Test
  void readsGeneratedLinesAcrossARestart() throws IOException {
    List<String> lines = GeneratedLogs.clientTrace(Long.getLong("test.seed", 1), 300);
    List<String> seen = readAcrossRestarts(lines);
    String first = lines.get(0);
    assertEquals(
        (first.contains("HDFS_READ") ? "READ " : "WRITE ")
            + first.replaceFirst(".*blk_(\\d+)_1763.*", "$1"),
        seen.get(0));
  }

  @Test
  void skipsALineThatIsTooLongAndCountsItOnce() throws IOException {
    Path log = directory.resolve("clienttrace.log");
    String line = GeneratedLogs.clientTrace(1, 1).get(0) + "\n";
    Files.writeString(log, line);
    Lines.appendHole(log, 20L << 20);
    Files.writeString(log, line + line, StandardOpenOption.APPEND);
    try (ClientTraceSource source =
        new ClientTraceSource(log, LogStart.BEGINNING, LogPositions.none(), ZoneOffset.UTC)) {
      assertFalse(source.poll(access -> {}, Long.MAX_VALUE, Long.MAX_VALUE));
      assertEquals(3, source.counts().lines());
      assertEquals(2, source.counts().parsed());
      assertEquals(1, source.counts().malformed());
    }
  }

  /** With a source of its own for each line. */
  private List<String> readAcrossRestarts(List<String> lines) throws IOException {
    Path log = directory.resolve("clienttrace.log");
    Files.write(log, lines);
    List<String> seen = new ArrayList<>();
    LogPositions saved = LogPositions.none();
    LineCounts counts = LineCounts.NONE;
    for (boolean more = true; more; ) {
      try (ClientTraceSource source =
          new ClientTraceSource(log, LogStart.BEGINNING, saved, ZoneOffset.UTC)) {
        more =
            source.poll(
                access -> seen.add(access.kind() + " " + access.blockId()), 1, Long.MAX_VALUE);
        saved = LogPositions.parse(source.positions().toText());
        counts = counts.plus(source.counts());
      }
    }
    assertEquals(lines.size(), counts.lines());
    assertEquals(0, counts.malformed());
    assertEquals(lines.stream().filter(text -> text.contains("op: HDFS_")).count(), seen.size());
    assertTrue(counts.ignored() >= 18, "shuffles: " + counts);
    return seen;
  }

  /** One line of each layout: time, kind, client, block, pool, DataNode, offset, bytes, duration. */
  @Test
  void findsWhatStandsInEachLayoutOfRealClusters() throws IOException {
    Path samples = Path.of(System.getProperty("project.root"), "../shared/traces/hdfs-clienttrace");
    assumeTrue(Files.isDirectory(samples), "no samples of real clienttrace logs at " + samples);
    List<String> told = new ArrayList<>();
    try (ClientTraceSource source =
        new ClientTraceSource(
            samples.resolve("format-variants.log"),
            LogStart.BEGINNING,
            LogPositions.none(),
            ZoneOffset.UTC)) {
      source.poll(access -> told.add(told(access)), Long.MAX_VALUE, Long.MAX_VALUE);
      assertEquals(new LineCounts(7, 7, 0, 0, LineCounts.Opens.NONE, 0, 0, 0), source.counts());
    }
    String pool = "BP-360285305-10.130.1.11-1444619256876";
    assertEquals(
        List.of(
            "2009-09-12T07:14:48.069Z READ DFSClient_attempt_200909120624_0005_m_000000_0"
                + " -4693506771893277444  DS-199263106-127.0.1.1-50012-1242830204189 0 10538048 0",
            "2009-12-29T22:32:27.047Z WRITE DFSClient_-8389654 -2723720761101769540 "
                + " DS-2032680158-98.137.100.60-50010-1259976007324 0 7003141 289013780000",
            "2016-07-06T16:06:44Z READ DFSClient_NONMAPREDUCE_-1218287464_1 1107985837 "
                + pool
                + " f3d795cc-2b3b-43b9-90c3-e4157c031d2c 52549632 2796200 1274856797",
            "2016-07-07T19:41:41.077Z READ DFSClient_NONMAPREDUCE_1151551783_1 1108372123 "
                + pool
                + " f3d795cc-2b3b-43b9-90c3-e4157c031d2c 44174336 325136 13597476738896301",
            "2025-09-19T03:58:59.645Z WRITE"
                + " DFSClient_attempt_202509190351584893227535942616307_0068_m_000001_2212_1350099200_47"
                + " 5688236938 BP-1159253446-10.21.118.29-1568116770575"
                + " 7141b89d-984a-4f49-a211-2a29c33c603c 0 48551864 380461993891",
            // These two say no time: it is that of the line before.
            "2025-09-19T03:58:59.645Z READ DFSClient_NONMAPREDUCE_880426094_1 1073742025"
                + " BP-904282469-172.31.36.192-1758638658492"
                + " 4afa7677-552a-4246-84f6-54ae00a35b76 0 36 113447",
            "2025-09-19T03:58:59.645Z WRITE DFSClient_NONMAPREDUCE_-202827006_103 1074072709"
                + " BP-108841162-10.10.34.11-1440074360971"
                + " d9ef1b17-4314-4cd8-91eb-095413c3427f 0 234 2571934"),
        told);
  }

  /** What stands before and behind the fields that a version knows. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-11-20 19:34:39,940 INFO org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace: ",
        "2026-11-20 19:34:39,940 INFO  DataNode.clienttrace"
            + " (BlockReceiver.java:finalizeBlock(1533)) - ",
        ": ",
        "",
      })
  void findsTheSameInWhateverStandsAroundTheFields(String prefix) {
    String fields = HADOOP_3.substring(HADOOP_3.indexOf("src: "));
    for (String layout : List.of(fields, fields + ", endOffset:1556480")) {
      assertEquals(ClientTraceLine.Outcome.PARSED, parse(prefix + layout));
      assertEquals(
          "1970-01-01T00:00:00Z READ DFSClient_1 1073741925 BP-1-127.0.0.1-2 b8f36b9b"
              + " 499712 1048576 4677987",
          told(line));
    }
  }

  private static String told(BlockAccess access) {
    return Stream.of(
            Instant.ofEpochMilli(access.timeMillis()),
            access.kind(),
            access.client(),
            access.blockId(),
            access.poolId(),
            access.dataNode(),
            access.offset(),
            access.bytes(),
            access.durationNanos())
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  private ClientTraceLine.Outcome parse(String text) {
    byte[] bytes = Lines.bytes(text);
    return line.parse(bytes, 0, bytes.length, 0);
  }
}
