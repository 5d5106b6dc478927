// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.api.auth.Tls;
import io.thermocline.tiering.api.auth.TokenFile;
import io.thermocline.tiering.config.ChewFile;
import io.thermocline.tiering.config.ClusterFile;
import io.thermocline.tiering.config.RulesFile;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.PrivateFiles;
import io.thermocline.tiering.observe.image.ImageDigest;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.shadow.DayFiles;
import io.thermocline.tiering.sim.trace.TraceFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A FIFO would block whoever opens it, and /dev/zero would be read for ever: both are refused, by name, whatever reads. */
class NoRegularFileTest {

  @TempDir private Path directory;

  /** Reads a file of that name in a directory. */
  private record Reader(String name, Read read) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  private interface Read {
    void in(Path directory, Path file) throws Exception;
  }

  private static final List<Reader> READERS =
      List.of(
          new Reader("thermocline.yaml", (dir, file) -> ServiceConfigFile.read(file)),
          new Reader("chew.yaml", (dir, file) -> ChewFile.read(file)),
          new Reader("rules.yaml", (dir, file) -> RulesFile.read(file)),
          new Reader("cluster.yaml", (dir, file) -> ClusterFile.read(file)),
          new Reader("tokens", (dir, file) -> new TokenFile(file)),
          new Reader(
              "password", (dir, file) -> Tls.of(Files.createFile(dir.resolve("store")), file)),
          new Reader(
              "key-store", (dir, file) -> Tls.of(file, Files.createFile(dir.resolve("password")))),
          new Reader("journal.jsonl", (dir, file) -> Journal.open(dir).close()),
          new Reader("journal.jsonl", (dir, file) -> Journal.read(dir).close()),
          new Reader("journal-0000000001.jsonl", (dir, file) -> Journal.read(dir).close()),
          new Reader(
              "report-2026-11-20.json",
              (dir, file) ->
                  new DayFiles<>(dir, "report", Map.class).read(LocalDate.of(2026, 11, 20))),
          new Reader(
              "heat.checkpoint",
              (dir, file) ->
                  HeatCheckpoint.load(
                      file, new HeatSettings(Duration.ofHours(1), 1 << 16, 50, 1_000, 100), "ns")),
          new Reader("written", (dir, file) -> PrivateFiles.write(file, new byte[1])),
          new Reader("fsimage", (dir, file) -> readImage(file)),
          new Reader("trace.csv", (dir, file) -> TraceFormat.of(file)),
          new Reader("core-site.xml", (dir, file) -> HadoopConfiguration.read(dir, "--conf")),
          new Reader(
              "hdfs-site.xml",
              (dir, file) -> {
                Files.writeString(dir.resolve("core-site.xml"), "<configuration/>");
                HadoopConfiguration.read(dir, "--conf");
              }));

  private static void readImage(Path file) throws Exception {
    Files.writeString(file.resolveSibling("fsimage.md5"), "0 *fsimage\n");
    ImageDigest.check(file);
  }

  static Stream<Arguments> cases() {
    List<Arguments> all = new ArrayList<>();
    for (Reader reader : READERS) {
      for (String kind : List.of("fifo", "directory", "device", "loop")) {
        // A directory is a trace, of many files.
        if (!(reader.name().equals("trace.csv") && kind.equals("directory"))) {
          all.add(Arguments.of(reader, kind));
        }
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void isRefusedByName(Reader reader, String kind) throws Exception {
    Path file = directory.resolve(reader.name());
    put(kind, file);
    Exception refused =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20),
            () -> assertThrows(Exception.class, () -> reader.read().in(directory, file)));
    String why = refused.getMessage();
    assertTrue(why.contains(kind.equals("loop") ? directory.toString() : file.toString()), why);
    if (kind.equals("fifo") || kind.equals("device")) {
      assertTrue(why.contains("is a FIFO, a socket or a device, not a regular file"), why);
    }
  }

  private static void put(String kind, Path at) throws Exception {
    switch (kind) {
      case "fifo" -> assertEquals(0, new ProcessBuilder("mkfifo", at.toString()).start().waitFor());
      case "directory" -> Files.createDirectory(at);
      case "device" -> Files.createSymbolicLink(at, Path.of("/dev/zero"));
      default -> Files.createSymbolicLink(at, at);
    }
  }
}
