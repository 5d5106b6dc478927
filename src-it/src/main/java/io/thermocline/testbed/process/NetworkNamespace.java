// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.util.List;

/**
 * A host of its own as far as the network goes, with several cables to ours, each of which can be pulled. Made of Linux's
 * network namespaces; gone with this process, however that ends. For one thread.
 */
public final class NetworkNamespace implements AutoCloseable {

  private final Namespace space;

  private NetworkNamespace(Namespace space) {
    this.space = space;
  }

  /** Whether this machine lets us: for that one has to be root, with util-linux and iproute2. */
  public static boolean isPossible() {
    try {
      Namespace.run("unshare", "-n", "ip", "link", "set", "lo", "up");
      Namespace.run("nsenter", "--version");
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * @param cables how many; at most two
   */
  public static NetworkNamespace with(int cables) throws IOException {
    NetworkNamespace namespace = new NetworkNamespace(Namespace.open("-n", "net"));
    try {
      namespace.space.inside("ip", "link", "set", "lo", "up");
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
    String pid = Long.toString(space.pid());
    Namespace.run(
        ("ip link add " + end(cable, 'o') + " type veth peer name " + end(cable, 'i') + " netns ")
            .concat(pid)
            .split(" "));
    Namespace.run(("ip addr add " + host(cable, 1) + "/30 dev " + end(cable, 'o')).split(" "));
    Namespace.run("ip", "link", "set", end(cable, 'o'), "up");
    space.inside(("ip addr add " + host(cable, 2) + "/30 dev " + end(cable, 'i')).split(" "));
    space.inside("ip", "link", "set", end(cable, 'i'), "up");
  }

  private String end(int cable, char side) {
    return "tc" + space.pid() + side + cable;
  }

  /** In the range that is set aside for tests of networks, by the process so that two don't meet. */
  private String host(int cable, int number) {
    long pid = space.pid();
    return "198.18." + (pid >> 5 & 255) + "." + ((pid & 31) * 8 + cable * 4 + number);
  }

  /** Its address at the far end of a cable. */
  public String address(int cable) {
    return host(cable, 2);
  }

  /** From now on nothing passes through the cable, and nobody is told. */
  public void pull(int cable) throws IOException {
    space.inside("ip", "link", "set", end(cable, 'i'), "down");
  }

  /** What a command line begins with whose program is to run inside. */
  List<String> prefix() {
    return space.prefix();
  }

  /** Takes it down with its cables, once what ran inside has ended. */
  @Override
  public void close() {
    space.close();
  }
}
