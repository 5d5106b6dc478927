// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    Path log = directory.resolve("clienttrace.log");
    List<String> lines = new ArrayList<>();
    for (String name : List.of("format-variants.log", "chukwa_ClientTrace.log")) {
      lines.addAll(Files.readAllLines(samples.resolve(name)));
    }
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
    assertEquals("READ -4693506771893277444", seen.get(0));
  }

  private ClientTraceLine.Outcome parse(String text) {
    byte[] bytes = Lines.bytes(text);
    return line.parse(bytes, 0, bytes.length, 0);
  }
}
