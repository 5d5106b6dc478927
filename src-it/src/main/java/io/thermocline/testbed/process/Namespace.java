// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One of Linux's namespaces, held by a process that ends with this one, however that ends; the namespace with it, and with
 * the last process inside. For one thread.
 */
final class Namespace implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(30);

  private final Process holder;
  private final String flag;

  private Namespace(Process holder, String flag) {
    this.holder = holder;
    this.flag = flag;
  }

  /**
   * @param flag of unshare and nsenter, for example {@code -n}
   * @param name below /proc/PID/ns, for example {@code net}
   */
  static Namespace open(String flag, String name) throws IOException {
    // It ends when our end of its input does.
    Namespace namespace = new Namespace(new ProcessBuilder("unshare", flag, "cat").start(), flag);
    try {
      Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns", name));
      Path its = Path.of("/proc/" + namespace.pid() + "/ns/" + name);
      Deadline.await(
          START, "a namespace", () -> !Files.readSymbolicLink(its).equals(ours), () -> "");
      return namespace;
    } catch (IOException | RuntimeException e) {
      namespace.close();
      throw e;
    }
  }

  long pid() {
    return holder.pid();
  }

  /** What a command line begins with whose program is to run inside. */
  List<String> prefix() {
    return List.of("nsenter", "-t", Long.toString(pid()), flag);
  }

  /** Runs a command inside. */
  void inside(String... line) throws IOException {
    List<String> all = new ArrayList<>(prefix());
    all.addAll(List.of(line));
    run(all.toArray(String[]::new));
  }

  /** Runs a command to its end; what it said is the message where it fails. */
  static void run(String... line) throws IOException {
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", line) + ": " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted").initCause(e);
    }
  }

  @Override
  public void close() {
    holder.destroyForcibly().onExit().join();
  }
}
