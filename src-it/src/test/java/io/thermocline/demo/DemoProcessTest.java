// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.launcher.Launched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo as a user starts and stops it. */
class DemoProcessTest {

  @TempDir Path directory;
  private Launched.Running running;

  @AfterEach
  void kill() {
    if (running != null) {
      running.process().descendants().forEach(ProcessHandle::destroyForcibly);
      running.process().destroyForcibly();
    }
  }

  @Tag("cluster")
  @ParameterizedTest
  @ValueSource(strings = {"starting HDFS", " % "})
  void leavesNothingBehindWhenInterrupted(String after) throws Exception {
    running = start("--scale", "0.5", "--accesses", "5000");
    awaitOutput(out -> out.contains(after));

    interrupt(running.process().toHandle());
    Launched ended = running.await(Duration.ofMinutes(1));

    assertEquals(130, ended.status(), ended.err());
    assertEquals("thermocline demo: interrupted; nothing is left behind\n", ended.err());
    assertEquals(List.of(), thermoclineFiles());
    assertTrue(!Files.exists(directory.resolve("thermocline-demo.html")));
  }

  @Tag("cluster")
  @Test
  void leavesNothingBehindWhenInterruptedOnATerminal() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script(1) to make a terminal");
    running =
        Launched.startOnTerminal(
            directory, List.of("demo", "--scale", "0.5", "--accesses", "5000"));
    // What is drawn in place can't be searched for; the service's journal shows that all is
    // running.
    awaitOutput(out -> !journals().isEmpty());

    ProcessHandle java =
        running
            .process()
            .descendants()
            .filter(child -> child.info().command().orElse("").endsWith("/java"))
            .findFirst()
            .orElseThrow();
    interrupt(java);
    Launched ended = running.await(Duration.ofMinutes(1));

    assertEquals(130, ended.status(), ended.out());
    assertTrue(ended.out().contains("interrupted; nothing is left behind"), ended.out());
    assertEquals(List.of(), thermoclineFiles());
  }

  @Test
  void namesFileLineAndColumnOfABadRow() throws Exception {
    Path trace =
        Files.writeString(
            directory.resolve("bad.tsv"),
            "job_id\tsubmit_time_s\tmap_input_bytes\tshuffle_bytes\treduce_output_bytes\tinput_file\t"
                + "first_occurrence\n"
                + "job0\t1\tmany\t0\t0\tfile0\t1\n");

    Launched ended = start("--trace", trace.toString()).await(Duration.ofMinutes(1));

    assertEquals(2, ended.status());
    assertEquals(1, ended.err().lines().count(), ended.err());
    assertTrue(
        ended
            .err()
            .contains(
                trace
                    + ", line 2, column 3 (map_input_bytes): expected a whole number from 0 on, found 'many'"),
        ended.err());
  }

  @Test
  void saysThatATraceIsNotThere() throws Exception {
    Launched ended = start("--trace", "none.tsv").await(Duration.ofMinutes(1));

    assertEquals(2, ended.status());
    assertTrue(ended.err().startsWith("thermocline demo: --trace none.tsv: no such file"));
  }

  @Test
  void saysWhatIsWrongWithAnOption() throws Exception {
    Launched misspelt = start("--jsn", "x").await(Duration.ofMinutes(1));
    assertEquals(2, misspelt.status());
    assertEquals(1, misspelt.err().lines().count(), misspelt.err());
    assertTrue(misspelt.err().contains("did you mean --json?"), misspelt.err());

    Launched small = start("--scale", "0.01").await(Duration.ofMinutes(1));
    assertEquals(2, small.status());
    assertTrue(small.err().contains("--scale 0.01: expected 0.4 to 100"), small.err());
  }

  private Launched.Running start(String... arguments) throws IOException {
    List<String> line = new java.util.ArrayList<>(List.of("demo"));
    line.addAll(List.of(arguments));
    return Launched.start(Launched.LAUNCHER, directory, line);
  }

  private static void interrupt(ProcessHandle process) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }

  private void awaitOutput(Predicate<String> wanted) throws IOException, InterruptedException {
    // The process ends by itself, so this loop does too.
    while (!wanted.test(Files.readString(running.out()))) {
      if (running.process().waitFor(100, java.util.concurrent.TimeUnit.MILLISECONDS)) {
        throw new AssertionError("ended: " + Files.readString(running.err()));
      }
    }
  }

  private List<Path> journals() {
    try (Stream<Path> files = Files.walk(Launched.temporary(directory))) {
      return files.filter(file -> file.endsWith("journal.jsonl")).toList();
    } catch (IOException | java.io.UncheckedIOException e) {
      // Directories come and go while they are listed.
      return List.of();
    }
  }

  private List<Path> thermoclineFiles() throws IOException {
    try (Stream<Path> files = Files.list(Launched.temporary(directory))) {
      return files.filter(file -> !file.getFileName().toString().startsWith("hsperf")).toList();
    }
  }
}
