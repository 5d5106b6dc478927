// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.app.groups.GroupReconciler;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.decide.admission.LearnedAdmission;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.observe.ReaderTally;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** On real files; a crash is an object that is dropped, and what a crash leaves on the disk. */
class ObservingTest {

  private static final String NAMESERVICE = "ns";
  private static final int LINES = 12_000;

  @TempDir Path temp;
  private static final long HALF_LIFE = Duration.ofMinutes(30).toMillis();
  private long nanos;
  private long clockMillis;

  private static final long SEED = Long.getLong("test.seed", 1);

  static LongStream seeds() {
    return LongStream.range(SEED, SEED + (Boolean.getBoolean("test.short") ? 1 : 6));
  }

  /** Crashes at any line, and at any byte of a checkpoint, with the log being rolled and compressed. */
  @ParameterizedTest
  @MethodSource("seeds")
  void isAsIfThereHadBeenNoCrash(long seed) throws Exception {
    byte[] whole = lines(new SplittableRandom(seed)).getBytes(StandardCharsets.UTF_8);
    Path calm = temp.resolve("calm");
    append(log(calm), whole, 0, whole.length);
    byte[] expected;
    ReaderTally.Counts readers;
    List<GroupReconciler.Found> together;
    try (Observing undisturbed = open(calm)) {
      readAll(undisturbed);
      assertEquals(LINES, undisturbed.counts().lines());
      assertTrue(
          undisturbed.counts().opens().scanned() > 100, () -> undisturbed.counts().toString());
      expected = state(undisturbed);
      readers = undisturbed.readers().counts();
      assertTrue(readers.total() > 100, readers::toString);
      together = undisturbed.mining().found(block -> null, 0.1);
      assertFalse(together.isEmpty(), "some files are read together");
    }

    SplittableRandom random = new SplittableRandom(~seed);
    Path rough = temp.resolve("rough");
    Files.createDirectories(rough);
    Observing observing = open(rough);
    int written = 0;
    int crashes = 0;
    int rolled = 0;
    while (written < whole.length || rolled < 4) {
      int until = Math.min(whole.length, written + 1_000 + random.nextInt(40_000));
      append(log(rough), whole, written, until);
      written = until;
      observing.pollOnce(1 + random.nextInt(60_000));
      int event = random.nextInt(12);
      if (rolled == 0 || event < 4) {
        observing.save();
      }
      if (rolled == 0 || (event == 4 && rolled < 40)) {
        int end = written;
        while (end > 0 && end < whole.length && whole[end - 1] != '\n') {
          end++;
        }
        append(log(rough), whole, written, end);
        written = end;
        roll(rough, ++rolled, random);
      }
      if (event > 9) {
        crashes++;
        if (event == 11 && Files.exists(checkpoint(rough))) {
          crashWhileSaving(rough, observing, random);
        }
        // Dropped, not closed.
        observing = open(rough);
      }
    }
    readAll(observing);
    assertTrue(crashes > 3, crashes + " crashes of seed " + seed);
    assertEquals(0, observing.counts().gaps(), "seed " + seed);
    assertArrayEquals(expected, state(observing), "seed " + seed + ", " + crashes + " crashes");
    assertEquals(readers, observing.readers().counts(), "seed " + seed);
    assertEquals(together, observing.mining().found(block -> null, 0.1), "seed " + seed);
  }

  @Test
  void savesWhereItIsTimeToAndAtTheEnd() throws Exception {
    Path file = checkpoint(temp);
    append(log(temp), line(0, "open", "/a", "null"));
    Observing observing = open(temp);
    observing.poll();
    assertTrue(Files.notExists(file), "after less than a minute");

    nanos += 60_000_000_000L;
    observing.poll();
    assertTrue(Files.exists(file));
    byte[] first = Files.readAllBytes(file);
    nanos += 60_000_000_000L;
    observing.poll();
    assertTrue(Files.notExists(previous(file)), "nothing was read since");

    append(log(temp), line(20_000, "open", "/a", "null"));
    observing.poll();
    assertArrayEquals(first, Files.readAllBytes(file));
    observing.close();
    assertTrue(Files.exists(previous(file)));
    append(log(temp), line(40_000, "open", "/a", "null"));
    observing.poll();
    assertEquals(2, observing.heat().reads(), "nothing is read after the end");
    try (Observing next = open(temp)) {
      next.poll();
      assertEquals(3, next.heat().of("/a"));
    }
  }

  /** A FIFO at the log's path once blocked the thread that reads, and nobody was told. */
  @Test
  void saysThatALogIsNotReadAndGoesOnByItself() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", log(temp).toString()).start().waitFor());
    try (Observing observing = open(temp)) {
      assertTimeoutPreemptively(Duration.ofSeconds(20), observing::pollAndLog);
      assertEquals(Optional.empty(), observing.objection(), "it may be a rotation");
      nanos += ReaderHealth.FAILING_NANOS;
      observing.pollAndLog();
      String why = observing.objection().orElseThrow();
      assertTrue(
          why.startsWith("planning nothing: the logs can't be read: " + log(temp) + ": is a FIFO"),
          why);

      Files.delete(log(temp));
      observing.pollAndLog();
      assertEquals(Optional.empty(), observing.objection());
      assertEquals(List.of(log(temp)), observing.missing());
      nanos += ReaderHealth.MISSING_NANOS;
      observing.pollAndLog();
      why = observing.objection().orElseThrow();
      assertTrue(why.contains("there is no file " + log(temp)), why);

      append(log(temp), line(0, "open", "/a", "null"));
      observing.pollAndLog();
      assertEquals(Optional.empty(), observing.objection());
      assertEquals(1, observing.heat().of("/a"));

      nanos += ReaderHealth.SILENT_NANOS + 2_000_000_000L;
      why = observing.objection().orElseThrow();
      assertTrue(why.contains("nothing was read of the logs for 32 s"), why);
    }
  }

  static Stream<Throwable> unchecked() {
    return Stream.of(
        new IllegalStateException("of a test"),
        new StackOverflowError("of a test"),
        new OutOfMemoryError("of a test"));
  }

  /** A reader that threw anything but an IOException once counted as healthy. */
  @ParameterizedTest
  @MethodSource("unchecked")
  void saysThatAReaderFailsWithoutAnIoException(Throwable failure) throws Exception {
    append(log(temp), line(0, "open", "/a", "null"));
    boolean[] fails = {true};
    try (Observing observing = open(temp)) {
      observing.tell(
          access -> {
            if (fails[0]) {
              ObservingTest.<RuntimeException>raise(failure);
            }
          });
      observing.pollAndLog();
      nanos += ReaderHealth.FAILING_NANOS;
      observing.pollAndLog();
      String why = observing.objection().orElseThrow();
      assertTrue(why.contains("the logs can't be read: "), why);
      assertTrue(why.contains(failure.toString()), why);

      fails[0] = false;
      observing.pollAndLog();
      assertEquals(Optional.empty(), observing.objection());
      assertTrue(observing.hasHeard());
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void raise(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** The wall clock cools while nobody reads; a log that is late, or can't be read, cools by its lines. */
  @Test
  void coolsByTheClockUnlessTheLogIsBehind() throws Exception {
    // Of the first line.
    clockMillis = Instant.parse("2026-11-20T10:00:00Z").toEpochMilli();
    append(log(temp), eightReads(1));
    try (Observing observing = open(temp)) {
      observing.pollAndLog();
      assertEquals(8, observing.heat().of("/a"));
      clockMillis += HALF_LIFE;
      observing.pollAndLog();
      assertEquals(4, observing.heat().of("/a"));

      // What came was written half an hour ago: what happened since isn't there yet.
      append(log(temp), eightReads(2));
      observing.pollAndLog();
      assertEquals(16, observing.heat().of("/a"));
      clockMillis += HALF_LIFE;
      observing.pollAndLog();
      assertEquals(8, observing.heat().of("/a"), "it goes on being late by as much");
      append(log(temp), line(2 * HALF_LIFE, "open", "/b", "null"));
      observing.pollAndLog();
      assertEquals(4, observing.heat().of("/a"), "it is late no more");

      Files.move(log(temp), temp.resolve("hdfs-audit.log.1"));
      Files.createDirectory(log(temp));
      clockMillis += HALF_LIFE;
      observing.pollAndLog();
      assertEquals(4, observing.heat().of("/a"), "nobody knows what happened");
      Files.delete(log(temp));
      append(log(temp), line(3 * HALF_LIFE, "open", "/b", "null"));
      observing.pollAndLog();
      assertEquals(2, observing.heat().of("/a"));
    }
  }

  /** Of /a, at the time of the first line. */
  private static String eightReads(int net) {
    return IntStream.range(0, 8)
        .mapToObj(i -> line(0, "open", "/a", "null").replace("10.0.0.1", "10.0." + net + "." + i))
        .collect(Collectors.joining());
  }

  /** With "start: end", lines that come while the service is down are neither lost nor "old". */
  @Test
  void goesOnInALogThatItBeganAtTheEndOf() throws Exception {
    append(log(temp), line(0, "open", "/old", "null"));
    Path config = config(temp, "end");
    try (Observing observing = open(config)) {
      observing.poll();
    }
    append(log(temp), line(1, "open", "/new", "null"));
    try (Observing observing = open(config)) {
      observing.poll();
      assertEquals(0, observing.heat().of("/old"));
      assertEquals(1, observing.heat().of("/new"));
    }
  }

  /** Reads that wait for a plan are there after a restart; without worth nobody asks for them. */
  @Test
  void whatWorthIsToBeLearnedFromIsSavedWithHeat() throws Exception {
    append(log(temp), line(0, "open", "/a", "null"));
    append(log(temp), line(20_000, "open", "/b", "null"));
    Path config = config(temp, "beginning");
    try (Observing observing = open(config)) {
      observing.poll();
      assertEquals(2, observing.admission().ask().lengths().size());
    }
    try (Observing observing = open(config)) {
      LearnedAdmission.Asked asked = observing.admission().ask();
      asked.tell("/a", 1_000);
      observing.admission().learn(asked, 1_000_000);
      assertEquals(1, observing.admission().estimate("/a", 0).reads());
      append(log(temp), line(40_000, "open", "/a", "null"));
      observing.poll();
    }
    try (Observing observing = open(config)) {
      assertEquals(1, observing.admission().estimate("/a", 0).reads(), "the other one waits");
      assertEquals(1, observing.admission().ask().lengths().size());
    }
    Files.writeString(
        config,
        Files.readString(config).replace("admission: on", "admission: off"),
        StandardCharsets.UTF_8);
    try (Observing observing = open(config)) {
      assertNull(observing.admission());
      assertEquals(2, observing.heat().of("/a"));
    }
  }

  @Test
  void refusesToBeginWithoutHeatThatIsThereButOfNoUse() throws Exception {
    append(log(temp), line(0, "open", "/a", "null"));
    try (Observing observing = open(temp)) {
      observing.poll();
    }
    Files.write(checkpoint(temp), new byte[100]);
    IOException problem = assertThrows(IOException.class, () -> open(temp));
    assertTrue(problem.getMessage().contains(checkpoint(temp).toString()), problem.getMessage());
    assertTrue(problem.getMessage().contains("--relearn"), problem.getMessage());
  }

  /** Leaves what a crash leaves: part of a new file, no file under the name, or a file half on disk. */
  private void crashWhileSaving(Path directory, Observing observing, SplittableRandom random)
      throws IOException {
    Path file = checkpoint(directory);
    Path kept = directory.resolve("kept");
    Files.copy(file, kept, StandardCopyOption.REPLACE_EXISTING);
    observing.save();
    byte[] newest = Files.readAllBytes(file);
    byte[] cut = Arrays.copyOf(newest, random.nextInt(newest.length));
    switch (random.nextInt(3)) {
      case 0 -> {
        Files.write(file.resolveSibling("heat.checkpoint.new"), cut);
        Files.move(kept, file, StandardCopyOption.REPLACE_EXISTING);
      }
      case 1 -> {
        Files.move(file, file.resolveSibling("heat.checkpoint.new"));
        Files.move(kept, previous(file), StandardCopyOption.REPLACE_EXISTING);
      }
      default -> {
        Files.write(file, cut);
        Files.move(kept, previous(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  /** As log4j does: each file gets the next number; some are compressed. */
  private static void roll(Path directory, int rolled, SplittableRandom random) throws IOException {
    for (int number = rolled - 1; number >= 1; number--) {
      for (String ending : new String[] {"", ".gz"}) {
        Path old = directory.resolve("hdfs-audit.log." + number + ending);
        if (Files.exists(old)) {
          Files.move(old, directory.resolve("hdfs-audit.log." + (number + 1) + ending));
        }
      }
    }
    Path first = directory.resolve("hdfs-audit.log.1");
    Files.move(log(directory), first);
    Path second = directory.resolve("hdfs-audit.log.2");
    if (Files.exists(second) && random.nextBoolean()) {
      try (OutputStream out =
          new GZIPOutputStream(Files.newOutputStream(directory.resolve("hdfs-audit.log.2.gz")))) {
        Files.copy(second, out);
      }
      Files.delete(second);
    }
  }

  private static void readAll(Observing observing) throws IOException {
    while (observing.pollOnce(1 << 20)) {
      continue;
    }
  }

  private byte[] state(Observing observing) throws IOException {
    Path file = temp.resolve("state");
    HeatCheckpoint.save(
        file, observing.heat().freeze(), new byte[0], observing.admission().freeze());
    return Files.readAllBytes(file);
  }

  private Observing open(Path directory) throws Exception {
    Path config = Files.isDirectory(directory) ? config(directory, "beginning") : directory;
    return Observing.open(
        ServiceConfigFile.read(config),
        new Configuration(false),
        NAMESERVICE,
        "thermocline",
        new ServiceRuntime(new WallClock(), () -> nanos, pause -> {}));
  }

  private final class WallClock extends Clock {
    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(clockMillis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("only instants are asked for");
    }
  }

  private static Path config(Path directory, String start) throws IOException {
    return Files.writeString(
        directory.resolve("thermocline.yaml"),
        """
        observe:
          auditLogs: [%s]
          start: %s
          timeZone: UTC
          scanFiles: 20
        heat: {halfLife: 30m, files: 1000}
        manage: {paths: [/w]}
        journal: {directory: %s}
        decide: {admission: on, actions: {groups: {maxBytes: 1 GB}}}
        """
            .formatted(log(directory), start, directory.resolve("journal")));
  }

  private static Path log(Path directory) {
    return directory.resolve("hdfs-audit.log");
  }

  private static Path checkpoint(Path directory) {
    return directory.resolve("journal/heat/heat.checkpoint");
  }

  private static Path previous(Path checkpoint) {
    return checkpoint.resolveSibling("heat.checkpoint.previous");
  }

  private static void append(Path log, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    append(log, bytes, 0, bytes.length);
  }

  private static void append(Path log, byte[] bytes, int from, int to) throws IOException {
    Files.createDirectories(log.getParent());
    try (OutputStream out =
        Files.newOutputStream(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      out.write(bytes, from, to - from);
    }
  }

  /** Users who come back, users who scan, and jobs that rename, rewrite and delete. */
  private static String lines(SplittableRandom random) {
    StringBuilder lines = new StringBuilder();
    long millis = 0;
    int scanned = 0;
    for (int i = 0; i < LINES; i++) {
      millis += random.nextInt(1_000);
      String table = "/w/t" + random.nextInt(10);
      String path =
          table
              + "/dt="
              + random.nextInt(6)
              + "/f"
              + (int) (200 * Math.pow(random.nextDouble(), 3));
      int kind = random.nextInt(100);
      if (kind < 70) {
        lines.append(line(millis, "open", path, "null"));
      } else if (kind < 85) {
        int file = scanned++;
        lines.append(
            line(millis, "open", "/w/t" + file / 120 % 10 + "/dt=1/f" + file % 120, "null")
                .replace("ip=/10.0.0.1", "ip=/10.0.0.2"));
      } else if (kind < 92) {
        lines.append(line(millis, "create", path, "null"));
      } else if (kind < 95) {
        lines.append(line(millis, "delete", path, "null"));
      } else if (kind < 98) {
        lines.append(line(millis, "rename", path, table + "/dt=1/g" + random.nextInt(50)));
      } else if (kind < 99) {
        lines.append(line(millis, "rename", table, "/w/t" + random.nextInt(10) + "x"));
      } else {
        lines.append(line(millis, "rename", table + "x", table));
      }
    }
    return lines.toString();
  }

  private static String line(long millis, String command, String source, String destination) {
    long seconds = millis / 1000;
    return "2026-11-20 %02d:%02d:%02d,%03d INFO FSNamesystem.audit: allowed=true\tugi=a (auth:SIMPLE)\tip=/10.0.0.1\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=rpc\n"
        .formatted(
            10 + seconds / 3600,
            seconds / 60 % 60,
            seconds % 60,
            millis % 1000,
            command,
            source,
            destination);
  }
}
