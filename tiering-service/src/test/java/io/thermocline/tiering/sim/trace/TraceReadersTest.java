// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Happened;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceReadersTest {

  private static final AccessSettings COUNTS =
      AccessSettings.defaults(AccessSettings.Ignored.nothing());

  private static final ZoneId UTC = ZoneOffset.UTC;
  private static final String JOBS =
      "job_id\tsubmit_time_s\tmap_input_bytes\tshuffle_bytes\treduce_output_bytes\tinput_file"
          + "\tfirst_occurrence\n";
  private static final long SECOND = 1_000_000;

  @TempDir private Path directory;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  @Test
  void aJobReadsItsWholeFile() throws IOException {
    Path jobs =
        file(
            "jobs.tsv",
            JOBS + "j0\t5\t10\t0\t0\tx\t1\nj1\t7\t30\t0\t0\tx\t0\nj2\t7\t4\t0\t0\ty\t1\n");

    Trace trace = Fb2010Reader.read(jobs);

    assertEquals(List.of(new TracedFile("x", 30), new TracedFile("y", 4)), trace.files());
    assertEquals(
        List.of(
            new FileAccess(0, 0, 30, false),
            new FileAccess(2 * SECOND, 0, 30, false),
            new FileAccess(2 * SECOND, 1, 4, false)),
        trace.accesses());
    assertEquals(TraceFormat.FB2010, TraceFormat.of(jobs));
  }

  @Test
  void partsFollowEachOther() throws IOException {
    file("b.tsv", JOBS + "j1\t9\t30\t0\t0\tx\t0\n");
    file("a.tsv", JOBS + "j0\t5\t10\t0\t0\tx\t1\n");
    file("LICENSE", "not a part");

    Trace trace = Fb2010Reader.readFolder(directory);

    assertEquals(List.of(new TracedFile("x", 30)), trace.files());
    assertEquals(4 * SECOND, trace.accesses().get(1).atMicros());
    assertEquals(TraceFormat.FB2010, TraceFormat.of(directory));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "j0\t5\t10\t0\t0\tx\t1\nj1\t4\t10\t0\t0\tx\t0\n",
        "j0\t5\t10\t0\t0\tx\t1\nj1\t6\t-10\t0\t0\tx\t0\n",
        "j0\t5\t10\t0\t0\tx\t1\nj1\t6\tmany\t0\t0\tx\t0\n",
        "j0\t5\t10\t0\t0\tx\t1\nj1\t6\t10\t0\n"
      })
  void aBadJobIsNamedByItsLine(String rows) throws IOException {
    Path jobs = file("jobs.tsv", JOBS + rows);

    String message =
        assertThrows(TraceFormatException.class, () -> Fb2010Reader.read(jobs)).getMessage();

    assertTrue(message.startsWith(jobs + ", line 3: expected "), message);
  }

  @Test
  void whatIsNoTraceIsRefused() throws IOException {
    Path empty = file("empty", "");
    Path headerOnly = file("jobs.tsv", JOBS);
    Path other = file("other", "hello\n");

    assertThrows(TraceFormatException.class, () -> TraceFormat.of(empty));
    assertThrows(TraceFormatException.class, () -> TraceFormat.of(other));
    assertThrows(TraceFormatException.class, () -> Fb2010Reader.read(headerOnly));
    assertThrows(TraceFormatException.class, () -> Fb2010Reader.read(other));
    Path folder = Files.createDirectory(directory.resolve("nothing"));
    assertThrows(TraceFormatException.class, () -> Fb2010Reader.readFolder(folder));
  }

  @Test
  void aBlockDeviceIsCutIntoChunks() throws IOException {
    Path packed = directory.resolve("io.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write(
          (BlockTraceReader.HEADER + "\n100,R,0,512\n150,W,1000,24\n170,R,1023,512\n")
              .getBytes(StandardCharsets.US_ASCII));
    }

    Trace trace = BlockTraceReader.read(packed, 1000);

    assertEquals(
        List.of(new TracedFile("chunk0", 1000), new TracedFile("chunk1", 1000)), trace.files());
    assertEquals(
        List.of(
            new FileAccess(0, 0, 512, false),
            new FileAccess(50, 1, 24, true),
            new FileAccess(70, 1, 512, false)),
        trace.accesses());
    assertEquals(TraceFormat.BLOCKS, TraceFormat.of(packed));
  }

  @Test
  void aBadRequestIsNamedByItsLine() throws IOException {
    Path requests = file("io.csv", BlockTraceReader.HEADER + "\n100,X,0,512\n");

    String message =
        assertThrows(TraceFormatException.class, () -> BlockTraceReader.read(requests, 1000))
            .getMessage();

    assertTrue(message.startsWith(requests + ", line 2: expected "), message);
  }

  private static String audit(int second, String command, String source, String destination) {
    return ("2026-11-20 10:00:%02d,000 INFO FSNamesystem.audit: allowed=true\tugi=u\tip=/10.0.0.%d\tcmd=%s"
            + "\tsrc=%s\tdst=%s\tperm=null\n")
        .formatted(second, 1 + second, command, source, destination);
  }

  @Test
  void opensAreReadsAndNamesFollowRenames() throws IOException {
    Path log =
        file(
            "hdfs-audit.log",
            audit(1, "create", "/t/part", "null")
                + audit(2, "rename", "/t", "/warm")
                + audit(3, "open", "/warm/part", "null")
                + audit(4, "listStatus", "/warm", "null")
                + audit(5, "delete", "/warm", "null")
                + audit(6, "create", "/warm/part", "null")
                + audit(7, "open", "/warm/part", "null"));

    Trace trace =
        AuditLogReader.read(List.of(log), new AuditLogReader.Sizes(null, 9), COUNTS, UTC, () -> 0);

    assertEquals(
        List.of(new TracedFile("/t/part", 9), new TracedFile("/warm/part", 9)), trace.files());
    assertEquals(
        List.of(
            new FileAccess(0, 0, 9, true),
            new FileAccess(2 * SECOND, 0, 9, false),
            new FileAccess(5 * SECOND, 1, 9, true),
            new FileAccess(6 * SECOND, 1, 9, false)),
        trace.accesses());
    assertEquals(
        List.of(
            new Happened.Name(0, 0, "/t/part"),
            new Happened.Name(SECOND, 0, "/warm/part"),
            new Happened.Name(4 * SECOND, 0, null),
            new Happened.Name(5 * SECOND, 1, "/warm/part")),
        trace.happened().names());
    assertEquals(
        "hdfs-audit.log, with 2 files of unknown size taken for 9 bytes each", trace.name());
    assertEquals(TraceFormat.AUDIT, TraceFormat.of(log));
  }

  @Test
  void logsWithoutAccessesAreRefused() throws IOException {
    Path log = file("hdfs-audit.log", audit(1, "listStatus", "/t", "null"));
    AuditLogReader.Sizes sizes = new AuditLogReader.Sizes(null, 9);

    assertThrows(
        IOException.class, () -> AuditLogReader.read(List.of(log), sizes, COUNTS, UTC, () -> 0));
    Path absent = directory.resolve("absent.log");
    String message =
        assertThrows(
                IOException.class,
                () -> AuditLogReader.read(List.of(log, absent), sizes, COUNTS, UTC, () -> 0))
            .getMessage();
    assertTrue(message.contains(absent.toString()), message);
  }

  @Test
  void transfersOfABlockAreParts() throws IOException {
    String line =
        "2026-11-20 10:00:0%d,000 INFO clienttrace: src: /10.0.0.1:9866, dest: /10.0.0.2:5, bytes: %d, op: %s,"
            + " cliID: c, offset: %d, srvID: s, blockid: BP-1:blk_7_1001, duration(ns): 5\n";
    Path log =
        file(
            "datanode.log",
            line.formatted(1, 2000, "HDFS_WRITE", 0) + line.formatted(3, 516, "HDFS_READ", 512));

    Trace trace = ClientTraceReader.read(List.of(log), UTC);

    assertEquals(List.of(new TracedFile("BP-1/blk_7", 2000)), trace.files());
    assertEquals(
        List.of(new FileAccess(0, 0, 2000, true), new FileAccess(2 * SECOND, 0, 512, false)),
        trace.accesses());
    assertEquals(TraceFormat.CLIENTTRACE, TraceFormat.of(log));
  }
}
