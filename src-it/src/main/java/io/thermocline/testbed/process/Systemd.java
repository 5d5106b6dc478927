// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A host with a systemd of its own: this host's files, of which it sees each change of its own and this host sees none,
 * and this host's network. Made of Linux's namespaces and an overlay in memory; gone with this process, however that
 * ends. None of this host's services run there. For one thread.
 */
public final class Systemd implements AutoCloseable {

  private static final AtomicInteger STARTED = new AtomicInteger();
  private static final Path PROGRAM = Path.of("/usr/lib/systemd/systemd");
  private static final List<Path> CONTROL_GROUPS =
      List.of(Path.of("/sys/fs/cgroup/unified"), Path.of("/sys/fs/cgroup"));
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration END = Duration.ofMinutes(3);

  private final Path directory;
  private final Process keeper;
  private long pid;
  private int runs;

  private Systemd(Path directory, Process keeper) {
    this.directory = directory;
    this.keeper = keeper;
  }

  /** Why there can be none here, or nothing. */
  public static Optional<String> obstacle() {
    if (!System.getProperty("user.name").equals("root") || !Files.isExecutable(PROGRAM)) {
      return Optional.of("only root starts a systemd, by " + PROGRAM);
    }
    if (controlGroups().isEmpty()) {
      return Optional.of("no control groups of version 2 are mounted on this host");
    }
    try {
      Namespace.run(
          "unshare",
          "--mount",
          "--pid",
          "--fork",
          "--mount-proc",
          "--uts",
          "--ipc",
          "--cgroup",
          "sh",
          "-ec",
          "mount -t tmpfs none /mnt; mkdir /mnt/u /mnt/w /mnt/r;"
              + " mount -t overlay none -o lowerdir=/,upperdir=/mnt/u,workdir=/mnt/w /mnt/r;"
              + " mount -t cgroup2 none /mnt/r/mnt");
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of("this host doesn't let us make what systemd needs: " + e.getMessage());
    }
  }

  private static Optional<Path> controlGroups() {
    return CONTROL_GROUPS.stream()
        .filter(each -> Files.isRegularFile(each.resolve("cgroup.procs")))
        .filter(each -> Files.isRegularFile(each.resolve("cgroup.controllers")))
        .findFirst();
  }

  /**
   * Boots it.
   *
   * @param directory for its files, and for what commands say; not in the temporary directory of the host that it is
   * @param shown directories of this host, and where that host has them
   */
  public static Systemd start(Path directory, Map<Path, String> shown) throws IOException {
    Path group =
        controlGroups()
            .orElseThrow()
            .resolve(
                "thermocline-test-"
                    + ProcessHandle.current().pid()
                    + "-"
                    + STARTED.incrementAndGet());
    List<String> line = new ArrayList<>(List.of("bash", script(directory, "keep").toString()));
    line.addAll(List.of(group.toString(), script(directory, "boot").toString()));
    line.add(Files.createDirectories(directory.resolve("root")).toString());
    shown.forEach((from, to) -> line.addAll(List.of(from.toString(), to)));
    File log = directory.resolve("systemd.log").toFile();
    Systemd systemd =
        new Systemd(
            directory,
            new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log).start());
    try {
      Deadline.await(
          START,
          "systemd runs",
          () -> {
            if (!systemd.keeper.isAlive()) {
              throw new IOException("systemd ended: " + Files.readString(log.toPath()));
            }
            return systemd.find() && systemd.state().equals("running");
          },
          () -> ", but it is " + systemd.state());
      return systemd;
    } catch (IOException | RuntimeException e) {
      systemd.close();
      throw e;
    }
  }

  private static Path script(Path directory, String name) throws IOException {
    Path file = directory.resolve("systemd-" + name + ".sh");
    try (InputStream in = Systemd.class.getResourceAsStream("systemd-" + name + ".sh")) {
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  /** Whether the first process in the namespaces is systemd already. */
  private boolean find() {
    Optional<ProcessHandle> found =
        keeper
            .descendants()
            .filter(each -> each.info().command().filter(it -> it.endsWith("/systemd")).isPresent())
            .findFirst();
    found.ifPresent(process -> pid = process.pid());
    return found.isPresent();
  }

  private String state() {
    try {
      return run("systemctl is-system-running || true").strip();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Runs commands there as root to their end, which is to be status 0, and returns what they say. */
  public String run(String commands) throws IOException {
    return run(commands, 0);
  }

  /** The same for commands that end with that status. */
  public String run(String commands, int status) throws IOException {
    Path out = directory.resolve("run-" + runs++ + ".out");
    ProcessBuilder builder =
        new ProcessBuilder(
                "nsenter",
                "-t",
                Long.toString(pid),
                "-m",
                "-p",
                "-u",
                "-i",
                "-C",
                "-w",
                "bash",
                "-euo",
                "pipefail",
                "-c",
                commands)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile());
    builder.environment().keySet().removeIf(key -> !key.equals("PATH"));
    builder.environment().put("SYSTEMD_PAGER", "cat");
    builder.environment().put("DEBIAN_FRONTEND", "noninteractive");
    Process process = Reaper.watch(builder.start());
    try {
      if (!process.waitFor(END.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(commands + " did not end: " + Files.readString(out));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted").initCause(e);
    } finally {
      Reaper.kill(process);
    }
    String said = Files.readString(out);
    if (process.exitValue() != status) {
      throw new IOException(
          commands + " ended with " + process.exitValue() + ", not " + status + ": " + said);
    }
    return said;
  }

  /** Where this process finds a file of that host. */
  public Path seen(String path) {
    return Path.of("/proc/" + pid + "/root" + path);
  }

  @Override
  public void close() throws IOException {
    keeper.getOutputStream().close();
    keeper.onExit().join();
  }
}
