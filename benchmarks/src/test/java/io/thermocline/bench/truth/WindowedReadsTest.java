// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowedReadsTest {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS");

  @TempDir private Path directory;

  private final List<String> lines = new ArrayList<>();

  private void open(int second, String address, String path, String context) {
    lines.add(
        LocalDateTime.of(2026, 11, 20, 0, 0).plusSeconds(second).format(TIME)
            + " INFO FSNamesystem.audit: allowed=true\tugi=ana (auth:SIMPLE)\tip=/"
            + address
            + "\tcmd=open\tsrc="
            + path
            + "\tdst=null\tperm=null\tproto=rpc"
            + (context == null ? "" : "\tcallerContext=" + context));
  }

  private WindowedReads reads() throws IOException {
    Path log = directory.resolve("hdfs-audit.log");
    Files.write(log, lines);
    return new WindowedReads(log);
  }

  @Test
  void opensOfAClientWithinTenSecondsAreOneRead() throws IOException {
    open(0, "10.0.0.1", "/a", null);
    open(9, "10.0.0.1", "/a", null);
    open(9, "10.0.0.2", "/a", null);
    open(10, "10.0.0.1", "/a", null);

    assertEquals(3, reads().of("/a"));
  }

  @Test
  void aScanDoesNotCount() throws IOException {
    for (int job = 0; job < 2; job++) {
      for (int file = 0; file < 257; file++) {
        open(job, "10.0.0." + file, "/t/dt=1/f" + file, "job_1700000000000_000" + job);
      }
      for (int file = 0; file < 256; file++) {
        open(job, "10.0.0." + file, "/small/f" + file, "job_1700000000000_000" + job);
      }
    }

    assertEquals(0, reads().of("/t/dt=1/f0"));
    assertEquals(0, reads().of("/t/dt=1/f256"));
    assertEquals(2, reads().of("/small/f0"));
  }
}
