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
 * A host of its own as far as the network goes, with several cables to ours, each of which can be pulled. Made of Linux's
 * network namespaces; gone with this process, however that ends. For one thread.
 */
public final class NetworkNamespace implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(30);

  private final Process holder;

  private NetworkNamespace(Process holder) {
    this.holder = holder;
  }

  /** Whether this machine lets us: for that one has to be root, with util-linux and iproute2. */
  public static boolean isPossible() {
    try {
      run("unshare", "-n", "ip", "link", "set", "lo", "up");
      run("nsenter", "--version");
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * @param cables how many; at most two
   */
  public static NetworkNamespace with(int cables) throws IOException {
    // It ends when our end of its input does.
    Process holder = new ProcessBuilder("unshare", "-n", "cat").start();
    NetworkNamespace namespace = new NetworkNamespace(holder);
    try {
      Path ours = Files.readSymbolicLink(Path.of("/proc/self/ns/net"));
      Path its = Path.of("/proc/" + holder.pid() + "/ns/net");
      Deadline.await(
          START, "a network namespace", () -> !Files.readSymbolicLink(its).equals(ours), () -> "");
      namespace.inside("ip", "link", "set", "lo", "up");
      for (int i = 0; i < cables; i++) {
        namespace.lay(i);
      }
      return namespace;
    } catch (IOException | RuntimeException e) {
      namespace.close();
      throw e;
    }
  }

  private void lay(int cable) throws IOException {
    String pid = Long.toString(holder.pid());
    run(
        ("ip link add " + end(cable, 'o') + " type veth peer name " + end(cable, 'i') + " netns ")
            .concat(pid)
            .split(" "));
    run(("ip addr add " + host(cable, 1) + "/30 dev " + end(cable, 'o')).split(" "));
    run("ip", "link", "set", end(cable, 'o'), "up");
    inside(("ip addr add " + host(cable, 2) + "/30 dev " + end(cable, 'i')).split(" "));
    inside("ip", "link", "set", end(cable, 'i'), "up");
  }

  private String end(int cable, char side) {
    return "tc" + holder.pid() + side + cable;
  }

  /** In the range that is set aside for tests of networks, by the process so that two don't meet. */
  private String host(int cable, int number) {
    long pid = holder.pid();
    return "198.18." + (pid >> 5 & 255) + "." + ((pid & 31) * 8 + cable * 4 + number);
  }

  /** Its address at the far end of a cable. */
  public String address(int cable) {
    return host(cable, 2);
  }

  /** From now on nothing passes through the cable, and nobody is told. */
  public void pull(int cable) throws IOException {
    inside("ip", "link", "set", end(cable, 'i'), "down");
  }

  /** What a command line begins with whose program is to run inside. */
  List<String> prefix() {
    return List.of("nsenter", "-t", Long.toString(holder.pid()), "-n");
  }

  private void inside(String... line) throws IOException {
    List<String> all = new ArrayList<>(prefix());
    all.addAll(List.of(line));
    run(all.toArray(String[]::new));
  }

  private static void run(String... line) throws IOException {
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

  /** Takes it down with its cables, once what ran inside has ended. */
  @Override
  public void close() {
    holder.destroyForcibly().onExit().join();
  }
}
