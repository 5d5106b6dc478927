// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFollowerTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  @TempDir Path directory;
  private final List<String> lines = new ArrayList<>();
  private LogFollower follower;

  @AfterEach
  void close() throws IOException {
    if (follower != null) {
      follower.close();
    }
  }

  @Test
  void waitsForAFileThatIsNotThere() throws IOException {
    follow(LogStart.END);
    assertEquals(0, poll());

    write("first\n");
    assertEquals(1, poll());
    assertEquals(List.of("first"), lines);
  }

  @Test
  void leavesAnUnfinishedLineUntilItIsWhole() throws IOException {
    write("one\ntw");
    follow(LogStart.BEGINNING);
    poll();
    assertEquals(List.of("one"), lines);

    write("o\r\nthree\n");
    poll();
    assertEquals(List.of("one", "two", "three"), lines);
  }

  @Test
  void startsAtTheEndWhereAsked() throws IOException {
    write("old\nunfini");
    follow(LogStart.END);
    poll();
    write("shed\nnew\n");
    poll();

    assertEquals(List.of("unfinished", "new"), lines);
  }

  @Test
  void losesNothingWhenTheLogIsRolled() throws IOException {
    write("one\n");
    follow(LogStart.BEGINNING);
    poll();

    write("two\n");
    Files.move(log(), rolled("1"));
    write("three\n");
    poll();

    assertEquals(List.of("one", "two", "three"), lines);
  }

  @Test
  void findsWhatIsWrittenBetweenTheRenameAndTheNewFile() throws IOException {
    write("one\n");
    follow(LogStart.BEGINNING);
    poll();

    Path rolled = Files.move(log(), rolled("1"));
    Files.writeString(rolled, "two\n", StandardOpenOption.APPEND);
    poll();
    write("three\n");
    poll();

    assertEquals(List.of("one", "two", "three"), lines);
  }

  /** The NameNode ended after the log was rolled: no file has its name. */
  @Test
  void readsWhatWasRolledTwiceBeforeANewFileComes() throws IOException {
    write("one\n");
    follow(LogStart.BEGINNING);
    poll();

    Files.move(log(), rolled("2"));
    write("two\n");
    Files.move(log(), rolled("1"));
    poll();
    assertEquals(List.of("one", "two"), lines);
    assertEquals(0, poll());

    write("three\n");
    poll();
    assertEquals(List.of("one", "two", "three"), lines);
    assertEquals(0, follower.gaps());
  }

  @Test
  void readsATruncatedFileFromItsStart() throws IOException {
    write("one is long\n");
    follow(LogStart.BEGINNING);
    poll();

    Files.writeString(log(), "two\n", StandardOpenOption.TRUNCATE_EXISTING);
    poll();

    assertEquals(List.of("one is long", "two"), lines);
  }

  @Test
  void readsTheRestOfACopyThatWasTruncated() throws IOException {
    write("one\n");
    follow(LogStart.BEGINNING);
    poll();

    write("two\nthree\n");
    Files.copy(log(), rolled("1"));
    // More than before: only how it begins tells that it is another text.
    Files.writeString(
        log(), "four is longer than all before\nfive\n", StandardOpenOption.TRUNCATE_EXISTING);
    poll();

    assertEquals(List.of("one", "two", "three", "four is longer than all before", "five"), lines);
  }

  @Test
  void keepsALineWholeThatIsLongerThanItsBuffer() throws IOException {
    String line = "ü".repeat(400_000);
    write(line + "\nnext\n");
    follow(LogStart.BEGINNING);
    poll();

    assertEquals(List.of(line, "next"), lines);
  }

  @Test
  void endsTheLastLineOfARolledFileItself() throws IOException {
    write("one\ntwo is cut o");
    follow(LogStart.BEGINNING);
    poll();
    Files.move(log(), rolled("1"));
    write("three\n");
    poll();

    assertEquals(List.of("one", "two is cut o", "three"), lines);
  }

  @Test
  void findsFilesThatWereRolledAgainBeforeItLooked() throws IOException {
    write("one\n");
    follow(LogStart.BEGINNING);
    poll();

    write("two\n");
    for (int i = 3; i < 9; i++) {
      roll();
      write(i + "\n");
    }
    poll();

    assertEquals(List.of("one", "two", "3", "4", "5", "6", "7", "8"), lines);
    assertEquals(0, follower.gaps());
  }

  @ParameterizedTest
  @ValueSource(strings = {".gz", ".bz2", ".lz4", ".zst"})
  void goesOnInAFileThatWasCompressedWhileItWasDown(String ending) throws IOException {
    write("one\ntwo\n");
    follow(LogStart.BEGINNING);
    assertTrue(follower.next());
    follower.release(LogTime.NONE);
    LogPosition saved = follower.position();
    follower.close();

    write("three\n");
    roll();
    write("four\n");
    roll();
    write("five\n");
    compress(rolled("2"), ending);
    compress(rolled("1"), ending);
    resume(saved);
    poll();

    assertEquals(List.of("two", "three", "four", "five"), lines);
    assertEquals(0, follower.gaps());
  }

  @Test
  void readsDatedFilesInTheirOrder() throws IOException {
    write(Lines.at(0, "a", "open", "/1"));
    follow(LogStart.BEGINNING);
    poll();
    Files.move(log(), directory.resolve("hdfs-audit.log.2026-11-20"));
    write(Lines.at(1, "a", "open", "/2"));
    Files.move(log(), directory.resolve("hdfs-audit.log.2026-11-21"));
    write(Lines.at(2, "a", "open", "/3"));
    Files.move(log(), directory.resolve("hdfs-audit-20261122.log"));
    // Another log beside.
    Files.writeString(directory.resolve("hdfs-audit-nn2.log"), "other\n");
    Files.writeString(directory.resolve("hdfs-audit.log.swp"), "other\n");
    write(Lines.at(3, "a", "open", "/4"));
    poll();

    assertEquals(4, lines.size());
    for (int i = 0; i < 4; i++) {
      assertTrue(lines.get(i).contains("src=/" + (i + 1) + "\t"), lines.toString());
    }
  }

  @Test
  void saysThatAFileIsLost() throws IOException {
    write(Lines.at(0, "a", "open", "/1"));
    follow(LogStart.BEGINNING);
    poll();
    LogPosition saved = follower.position();
    follower.close();

    write(Lines.at(1000, "a", "open", "/lost"));
    roll();
    write(Lines.at(2000, "a", "open", "/2"));
    roll();
    write(Lines.at(3000, "a", "open", "/3"));
    Files.delete(rolled("2"));
    lines.clear();
    resume(saved);
    poll();

    assertEquals(1, follower.gaps());
    assertEquals(2, lines.size());
    assertTrue(lines.get(0).contains("src=/2\t") && lines.get(1).contains("src=/3\t"));
  }

  /** A FIFO would block the reader for good, /dev/zero would be read for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"fifo", "directory", "device", "loop"})
  void refusesWhatIsNoRegularFileAndGoesOnWhenThereIsOne(String kind) throws Exception {
    put(kind, log());
    put(kind, rolled("2"));
    follow(LogStart.BEGINNING);
    assertRefuses(kind);
    Files.delete(log());
    write("one\n");
    poll();
    assertEquals(List.of("one"), lines);

    Files.move(log(), rolled("1"));
    put(kind, log());
    assertRefuses(kind);
    Files.writeString(rolled("1"), "two\n", StandardOpenOption.APPEND);
    assertRefuses(kind);
    assertEquals(List.of("one", "two"), lines, "the file in our hands is read on");

    Files.delete(log());
    write("three\n");
    poll();
    assertEquals(List.of("one", "two", "three"), lines);
    assertEquals(0, follower.gaps());
  }

  @Test
  void waitsForWhatALinkWillPointTo() throws Exception {
    Files.createSymbolicLink(log(), directory.resolve("elsewhere"));
    follow(LogStart.END);
    assertEquals(0, poll());
    Files.writeString(directory.resolve("elsewhere"), "one\n");
    assertEquals(1, poll());
  }

  private void assertRefuses(String kind) {
    FileSystemException refused =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> assertThrows(FileSystemException.class, this::poll));
    assertEquals(log().toString(), refused.getFile(), kind);
  }

  private static void put(String kind, Path at) throws Exception {
    switch (kind) {
      case "fifo" -> assertEquals(0, new ProcessBuilder("mkfifo", at.toString()).start().waitFor());
      case "directory" -> Files.createDirectory(at);
      case "device" -> Files.createSymbolicLink(at, Path.of("/dev/zero"));
      default -> Files.createSymbolicLink(at, at);
    }
  }

  @Test
  void goesOnInAnEmptyFile() throws IOException {
    write("");
    follow(LogStart.END);
    poll();
    LogPosition saved = follower.position();
    follower.close();
    write("one\n");
    resume(saved);
    poll();

    assertEquals(List.of("one"), lines);
  }

  /**
   * A writer that writes, rolls, copies and truncates, compresses, and a reader that polls, stops in the middle and goes
   * on from its position, in any order: every line once, in order.
   */
  @ParameterizedTest
  @ValueSource(strings = {"rename", "copy"})
  void readsEveryLineExactlyOnceWhateverHappens(String way) throws IOException {
    int seeds = Boolean.getBoolean("test.short") ? 15 : 40;
    for (long seed = SEED; seed < SEED + seeds; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      deleteFiles();
      lines.clear();
      if (follower != null) {
        follower.close();
      }
      // An empty file that is copied and truncated before anybody looked leaves no trace of what
      // was in it.
      List<String> written = new ArrayList<>(List.of("first"));
      write("first\n");
      follow(LogStart.BEGINNING);
      poll();
      String unfinished = "";
      for (int step = 0; step < 120; step++) {
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> {
            int count = random.nextInt(30);
            for (int i = 0; i < count; i++) {
              String line = "line " + written.size() + " " + "x".repeat(random.nextInt(200));
              int cut = random.nextInt(line.length());
              write(line.substring(0, cut));
              if (i == count - 1 && random.nextBoolean()) {
                unfinished = line.substring(cut) + "\n";
              } else {
                write(line.substring(cut) + "\n");
              }
              written.add(line);
              if (!unfinished.isEmpty() && random.nextBoolean()) {
                poll();
              }
              write(unfinished);
              unfinished = "";
            }
          }
          case 3 -> {
            if (Files.size(log()) > 0) {
              if (way.equals("rename")) {
                roll();
                if (random.nextBoolean()) {
                  poll();
                }
                write("");
              } else {
                shift();
                Files.copy(log(), rolled("1"));
                Files.write(log(), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
              }
            }
          }
          case 4 -> {
            int number = 1 + random.nextInt(3);
            if (Files.exists(rolled("" + number))) {
              compress(rolled("" + number), random.nextBoolean() ? ".gz" : ".bz2");
            }
          }
          case 5 -> {
            LogPosition saved = follower.position();
            follower.close();
            if (saved == null) {
              follow(LogStart.BEGINNING);
            } else {
              resume(saved);
            }
          }
          case 6 -> {
            int most = random.nextInt(20);
            for (int i = 0; i < most && follower.next(); i++) {
              take();
            }
          }
          default -> poll();
        }
      }
      poll();
      poll();
      for (int i = 0; i < Math.min(written.size(), lines.size()); i++) {
        assertEquals(written.get(i), lines.get(i), "seed " + seed);
      }
      assertEquals(written.size(), lines.size(), "seed " + seed);
      assertEquals(0, follower.gaps());
    }
  }

  private void follow(LogStart start) {
    follower = new LogFollower(log(), start, null, ZoneOffset.UTC);
  }

  private void resume(LogPosition saved) {
    LogPosition stored = LogPosition.parse(saved.toText());
    assertEquals(saved, stored);
    follower = new LogFollower(log(), LogStart.END, stored, ZoneOffset.UTC);
  }

  private int poll() throws IOException {
    int count = 0;
    while (follower.next()) {
      take();
      count++;
    }
    return count;
  }

  private void take() {
    lines.add(
        new String(
            follower.buffer(),
            follower.lineFrom(),
            follower.lineTo() - follower.lineFrom(),
            StandardCharsets.UTF_8));
    follower.release(
        new LogTime(ZoneOffset.UTC)
            .parse(follower.buffer(), follower.lineFrom(), follower.lineTo()));
  }

  private Path log() {
    return directory.resolve("hdfs-audit.log");
  }

  private Path rolled(String number) {
    return directory.resolve("hdfs-audit.log." + number);
  }

  /** As log4j does: .1 becomes .2, and so on. */
  private void roll() throws IOException {
    shift();
    Files.move(log(), rolled("1"));
  }

  private void shift() throws IOException {
    for (int i = 60; i >= 1; i--) {
      for (String ending : new String[] {"", ".gz", ".bz2"}) {
        if (Files.exists(rolled(i + ending))) {
          Files.move(
              rolled(i + ending), rolled(i + 1 + ending), StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  private static void compress(Path file, String ending) throws IOException {
    Path target = file.resolveSibling(file.getFileName() + ending);
    try (OutputStream raw = Files.newOutputStream(target);
        OutputStream out =
            switch (ending) {
              case ".gz" -> new GZIPOutputStream(raw);
              case ".bz2" -> new BZip2CompressorOutputStream(raw);
              case ".lz4" -> new FramedLZ4CompressorOutputStream(raw);
              default -> new ZstdCompressorOutputStream(raw);
            }) {
      Files.copy(file, out);
    }
    Files.delete(file);
  }

  private void deleteFiles() throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }

  private void write(String text) throws IOException {
    Files.write(
        log(),
        text.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
