// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTailerTest {

  @TempDir Path directory;
  private final List<String> lines = new ArrayList<>();
  private AuditLogTailer tailer;

  @AfterEach
  void close() throws IOException {
    tailer.close();
  }

  @Test
  void waitsForAFileThatIsNotThere() throws IOException {
    tailer = new AuditLogTailer(log(), AuditLogTailer.Start.END);
    assertEquals(0, tailer.poll(lines::add));

    write("first\n");
    assertEquals(1, tailer.poll(lines::add));
    assertEquals(List.of("first"), lines);
  }

  @Test
  void leavesAnUnfinishedLineUntilItIsWhole() throws IOException {
    write("one\ntw");
    tailer = new AuditLogTailer(log(), AuditLogTailer.Start.BEGINNING);
    tailer.poll(lines::add);
    assertEquals(List.of("one"), lines);

    write("o\nthree\n");
    tailer.poll(lines::add);
    assertEquals(List.of("one", "two", "three"), lines);
  }

  @Test
  void startsAtTheEndWhereAsked() throws IOException {
    write("old\n");
    tailer = new AuditLogTailer(log(), AuditLogTailer.Start.END);
    tailer.poll(lines::add);
    write("new\n");
    tailer.poll(lines::add);

    assertEquals(List.of("new"), lines);
  }

  @Test
  void losesNothingWhenTheLogIsRolled() throws IOException {
    write("one\n");
    tailer = new AuditLogTailer(log(), AuditLogTailer.Start.BEGINNING);
    tailer.poll(lines::add);

    write("two\n");
    Files.move(log(), directory.resolve("hdfs-audit.log.1"));
    write("three\n");
    tailer.poll(lines::add);

    assertEquals(List.of("one", "two", "three"), lines);
  }

  @Test
  void findsWhatIsWrittenBetweenTheRenameAndTheNewFile() throws IOException {
    write("one\n");
    tailer = new AuditLogTailer(log(), AuditLogTailer.Start.BEGINNING);
    tailer.poll(lines::add);

    Path rolled = Files.move(log(), directory.resolve("hdfs-audit.log.1"));
    Files.writeString(rolled, "two\n", StandardOpenOption.APPEND);
    tailer.poll(lines::add);
    write("three\n");
    tailer.poll(lines::add);

    assertEquals(List.of("one", "two", "three"), lines);
  }

  @Test
  void readsATruncatedFileFromItsStart() throws IOException {
    write("one is long\n");
    tailer = new AuditLogTailer(log(), AuditLogTailer.Start.BEGINNING);
    tailer.poll(lines::add);

    Files.writeString(log(), "two\n", StandardOpenOption.TRUNCATE_EXISTING);
    tailer.poll(lines::add);
    tailer.poll(lines::add);

    assertEquals(List.of("one is long", "two"), lines);
  }

  @Test
  void keepsALineWholeThatIsLongerThanItsBuffer() throws IOException {
    String line = "ü".repeat(400_000);
    write(line + "\nnext\n");
    tailer = new AuditLogTailer(log(), AuditLogTailer.Start.BEGINNING);
    tailer.poll(lines::add);

    assertEquals(List.of(line, "next"), lines);
  }

  private Path log() {
    return directory.resolve("hdfs-audit.log");
  }

  private void write(String text) throws IOException {
    Files.write(
        log(),
        text.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
