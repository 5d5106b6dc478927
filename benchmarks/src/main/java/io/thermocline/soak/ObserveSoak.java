// SPDX-License-Identifier: Apache-2.0
package io.thermocline.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.observe.PathKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes an audit log, rolls and compresses it, kills its reader again and again, and compares what was counted. */
@Command(
    name = "observe",
    description = {
      "Writes an audit log at a steady rate and rolls it each minute, compressing older files, while a"
          + " reader in a process of its own counts the reads of each file; kills that process with"
          + " SIGKILL every few minutes and starts it again from its checkpoint. In the end the counts"
          + " must be exactly those that were written.",
      "Exit code 0 when no event was lost or counted twice, else 1."
    },
    mixinStandardHelpOptions = true)
final class ObserveSoak implements Callable<Integer> {

  private static final int FILES = 100_000;
  private static final int KEPT = 12;

  /** After so many rotations the file that was read when the reader died is compressed. */
  private static final int UNTIL_COMPRESSED = 3;

  private static final int LONGEST_LINE = 1024;

  @Option(names = "--minutes", paramLabel = "N", description = "How long (default: 30).")
  private double minutes = 30;

  @Option(names = "--rate", paramLabel = "N", description = "Lines a second (default: 100000).")
  private int rate = 100_000;

  @Option(
      names = "--rotate-seconds",
      paramLabel = "S",
      description = "From one rotation to the next (default: 60).")
  private double rotateSeconds = 60;

  @Option(
      names = "--kill-seconds",
      paramLabel = "S",
      description = "From one kill to the next, on average (default: 180).")
  private double killSeconds = 180;

  @Option(names = "--seed", paramLabel = "N", description = "Of lines and kills (default: 1).")
  private long seed = 1;

  private final int[] written = new int[FILES];
  private final long nameservice = PathKey.nameservice("soak");
  private SplittableRandom random;
  private long checksum;
  private long lines;
  private long reads;
  private long rotations;
  private long kills;

  /** When the reader is to be started again; 0 while it runs. */
  private long restartAt;

  /** And not before there were so many rotations. */
  private long restartAfter;

  private long rotationsAtKill;
  private long mostRotationsDown;

  @Override
  public Integer call() throws IOException, InterruptedException {
    random = new SplittableRandom(seed);
    Path directory = Files.createTempDirectory("thermocline-soak");
    Thread removal = new Thread(() -> remove(directory));
    Runtime.getRuntime().addShutdownHook(removal);
    Process reader = null;
    try {
      reader = start(directory);
      awaitFirstState(directory, reader);
      reader = write(directory, reader);
      Files.createFile(directory.resolve("end"));
      if (!reader.waitFor(10, TimeUnit.MINUTES) || reader.exitValue() != 0) {
        throw new IOException("the reader did not come to its end");
      }
      SoakReader.State state = SoakReader.stored(directory.resolve("state"), FILES);
      return report(state);
    } finally {
      if (reader != null) {
        reader.destroyForcibly().waitFor();
      }
      remove(directory);
      Runtime.getRuntime().removeShutdownHook(removal);
    }
  }

  private int report(SoakReader.State state) {
    long lost = 0;
    long twice = 0;
    for (int i = 0; i < FILES; i++) {
      lost += Math.max(0, written[i] - state.counts()[i]);
      twice += Math.max(0, state.counts()[i] - written[i]);
    }
    boolean exact =
        lost == 0 && twice == 0 && state.checksum() == checksum && state.lines() == lines;
    Map<String, Object> report = new TreeMap<>();
    report.put("soak", "observe");
    report.put("minutes", minutes);
    report.put("lines_written", lines);
    report.put("lines_read", state.lines());
    report.put("events_written", reads);
    report.put("events_lost", lost);
    report.put("events_counted_twice", twice);
    report.put("malformed", state.malformed());
    report.put("gaps", state.gaps());
    report.put("rotations", rotations);
    report.put("rotations_while_down_most", mostRotationsDown);
    report.put("kills", kills);
    report.put("seed", seed);
    report.put("exact", exact);
    try {
      System.out.println(new ObjectMapper().writeValueAsString(report));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalStateException("numbers and booleans", e);
    }
    return exact ? 0 : 1;
  }

  /**
   * A reader that knows no position begins with the file being written: one that is rolled before the first look isn't
   * its to read.
   */
  @SystemRuntime
  private static void awaitFirstState(Path directory, Process reader)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!Files.exists(directory.resolve("state"))) {
      if (!reader.isAlive() || System.nanoTime() > until) {
        throw new IOException("the reader did not come to its first look");
      }
      Thread.sleep(20);
    }
  }

  /** Writes until the time is over; returns the reader that then runs. */
  @SystemRuntime
  private Process write(Path directory, Process first) throws IOException, InterruptedException {
    Process reader = first;
    Path log = directory.resolve("hdfs-audit.log");
    long start = System.nanoTime();
    long end = start + (long) (minutes * 60e9);
    long rotateAt = start + (long) (rotateSeconds * 1e9);
    long killAt = nextKill(start);
    long sayAt = start;
    FileTime storedAtStart = storedState(directory);
    OutputStream out = Files.newOutputStream(log);
    byte[] buffer = new byte[1 << 16];
    try {
      long now;
      while ((now = System.nanoTime()) < end) {
        long due = (long) ((now - start) / 1e9 * rate);
        int used = 0;
        while (lines < due) {
          used = append(buffer, used);
          if (used > buffer.length - LONGEST_LINE) {
            out.write(buffer, 0, used);
            used = 0;
          }
        }
        out.write(buffer, 0, used);
        if (now >= rotateAt) {
          out.close();
          rotate(log);
          out = Files.newOutputStream(log);
          rotateAt += (long) (rotateSeconds * 1e9);
        }
        // One that always dies before it stores a position would never get on.
        if (now >= killAt && restartAt == 0 && !storedState(directory).equals(storedAtStart)) {
          reader.destroyForcibly().waitFor();
          kills++;
          killAt = nextKill(now);
          rotationsAtKill = rotations;
          // Down for up to a rotation and a half, so that a whole file may pass it by; the first
          // time, and each third one after it, until what it was reading is compressed.
          restartAt = now + (long) (random.nextDouble() * 1.5 * rotateSeconds * 1e9);
          restartAfter = kills % 3 == 1 ? rotations + UNTIL_COMPRESSED : 0;
        }
        if (restartAt != 0 && now >= restartAt && rotations >= restartAfter) {
          mostRotationsDown = Math.max(mostRotationsDown, rotations - rotationsAtKill);
          storedAtStart = storedState(directory);
          reader = start(directory);
          restartAt = 0;
          killAt = Math.max(killAt, now + 2_000_000_000L);
        }
        if (now >= sayAt) {
          sayAt = now + 10_000_000_000L;
          System.out.printf(
              "%.0f %%: %d lines, %d rotations, %d kills, %.0f s left%n",
              100.0 * (now - start) / (end - start), lines, rotations, kills, (end - now) / 1e9);
        }
        Thread.sleep(5);
      }
    } finally {
      out.close();
    }
    return restartAt == 0 ? reader : start(directory);
  }

  /** When the reader stored its position last; the epoch before it did. */
  private static FileTime storedState(Path directory) throws IOException {
    Path state = directory.resolve("state");
    return Files.exists(state) ? Files.getLastModifiedTime(state) : FileTime.fromMillis(0);
  }

  private long nextKill(long now) {
    return now + (long) ((0.5 + random.nextDouble()) * killSeconds * 1e9);
  }

  /** As log4j rolls; the second oldest is compressed, as logrotate would. */
  private void rotate(Path log) throws IOException {
    rotations++;
    Path directory = log.getParent();
    Files.deleteIfExists(directory.resolve("hdfs-audit.log." + KEPT + ".gz"));
    for (int i = KEPT - 1; i >= 1; i--) {
      for (String ending : List.of("", ".gz")) {
        Path from = directory.resolve("hdfs-audit.log." + i + ending);
        if (Files.exists(from)) {
          Files.move(from, directory.resolve("hdfs-audit.log." + (i + 1) + ending));
        }
      }
    }
    Files.move(log, directory.resolve("hdfs-audit.log.1"));
    Path third = directory.resolve("hdfs-audit.log.3");
    if (Files.exists(third)) {
      compress(third);
    }
  }

  private static void compress(Path file) throws IOException {
    Path target = file.resolveSibling(file.getFileName() + ".gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(target), 1 << 16)) {
      Files.copy(file, out);
    }
    Files.delete(file);
  }

  private int append(byte[] buffer, int used) {
    boolean open = random.nextInt(10) < 4;
    int file = random.nextInt(FILES);
    long millis = lines * 1000 / rate;
    String path = "/soak/dt=" + file % 100 + "/part-" + file;
    String text =
        "2026-11-20 "
            + two(millis / 3_600_000 % 24)
            + ':'
            + two(millis / 60_000 % 60)
            + ':'
            + two(millis / 1000 % 60)
            + ','
            + (char) ('0' + millis / 100 % 10)
            + two(millis % 100)
            + " INFO FSNamesystem.audit: allowed=true\tugi=u (auth:SIMPLE)\tip=/10.0.0.1\tcmd="
            + (open ? "open" : "getfileinfo")
            + "\tsrc="
            + path
            + "\tdst=null\tperm=null\tproto=rpc\n";
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(bytes, 0, buffer, used, bytes.length);
    lines++;
    if (open) {
      written[file]++;
      checksum += PathKey.of(nameservice, path);
      reads++;
    }
    return used + bytes.length;
  }

  private static String two(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }

  private static Process start(Path directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(SoakReader.class.getName());
    command.add(directory.toString());
    command.add(Integer.toString(FILES));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("reader.out").toFile()))
        .start();
  }

  private static void remove(Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      System.err.println("could not remove " + directory + ": " + e);
    }
  }
}
