// SPDX-License-Identifier: Apache-2.0
package io.thermocline.launcher;

import io.thermocline.testbed.process.Installation;
import io.thermocline.testbed.process.OsUser;
import io.thermocline.testbed.process.Reaper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How a run of {@code bin/thermocline} ended. It is started as a user does, but never builds.
 *
 * @param out all of its standard output
 */
public record Launched(int status, String out, String err) {

  public static final Path ROOT =
      Path.of(System.getProperty("project.root", "..")).toAbsolutePath().normalize();
  public static final Path LAUNCHER = ROOT.resolve("bin/thermocline");

  /** A run that goes on. */
  public record Running(Process process, Path out, Path err) {

    /** Waits for its end. Killed, it is a failure of the test. */
    public Launched await(Duration atMost) throws IOException, InterruptedException {
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            "did not end within " + atMost + ": " + Files.readString(out) + Files.readString(err));
      }
      return new Launched(process.exitValue(), Files.readString(out), Files.readString(err));
    }
  }

  /**
   * Starts it.
   *
   * @param directory where it runs, and where its outputs are kept
   */
  public static Running start(Path launcher, Path directory, List<String> arguments)
      throws IOException {
    List<String> line = new ArrayList<>(List.of(launcher.toString()));
    line.addAll(arguments);
    return start(line, directory);
  }

  /** Starts it on a terminal of its own, which util-linux's {@code script} makes. */
  public static Running startOnTerminal(Path directory, List<String> arguments) throws IOException {
    String command = LAUNCHER + " " + String.join(" ", arguments);
    return start(List.of("script", "-qec", command, "/dev/null"), directory);
  }

  /**
   * Runs a command of what is installed to its end, as an ordinary user of this host.
   *
   * @param directory where it runs, and where its outputs are kept
   * @param user in HDFS
   */
  public static Launched installed(Path directory, String user, List<String> words)
      throws IOException, InterruptedException {
    return installedBehind(
        OsUser.ordinary().map(OsUser::prefix).orElse(List.of()), directory, user, words);
  }

  /**
   * The same by another program.
   *
   * @param prefix that program, and what it takes before a command line
   */
  public static Launched installedBehind(
      List<String> prefix, Path directory, String user, List<String> words)
      throws IOException, InterruptedException {
    OsUser.openUpTo(directory);
    Path out = Files.createTempFile(directory, "command", ".out");
    Path err = Files.createTempFile(directory, "command", ".err");
    Process process =
        Installation.command(prefix, ROOT, directory, user, words)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    return new Running(Reaper.watch(process), out, err).await(Duration.ofMinutes(2));
  }

  private static Running start(List<String> line, Path directory) throws IOException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    // Where the tests run in the background, a shell has had them ignore Ctrl-C, and so would what
    // they start. The first does the same in each run of the tests, so that they show what the
    // second is for.
    List<String> interruptible =
        new ArrayList<>(List.of("env", "--ignore-signal=INT", "env", "--default-signal=INT"));
    interruptible.addAll(line);
    ProcessBuilder builder =
        new ProcessBuilder(interruptible)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("THERMOCLINE_BUILD", "never");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    // Most runs are short: starting fast counts, running fast doesn't.
    builder
        .environment()
        .put(
            "THERMOCLINE_JAVA_OPTS",
            "-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=" + temporary(directory));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("TERM", "xterm");
    Process process = builder.start();
    if (line.get(0).equals(LAUNCHER.toString())) {
      process.getOutputStream().close();
    }
    return new Running(Reaper.watch(process), out, err);
  }

  /** Where a run in this directory puts its temporary files. */
  public static Path temporary(Path directory) throws IOException {
    return Files.createDirectories(directory.resolve("tmp"));
  }
}
