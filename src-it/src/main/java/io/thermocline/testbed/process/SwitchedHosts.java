// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Hosts with a network that is as slow as asked for: each has a link of its own to one switch, which this host is on, too,
 * without a limit. Made of Linux's namespaces, a bridge and token buckets; gone with this process, however that ends. For
 * one thread.
 */
public final class SwitchedHosts implements AutoCloseable {

  /** What this host is called there. */
  static final String MASTER = "master";

  private final List<Namespace> hosts = new ArrayList<>();
  private final Namespace hub;
  private final Path names;

  private SwitchedHosts(Namespace hub, Path names) {
    this.hub = hub;
    this.names = names;
  }

  /**
   * @param count of hosts; at most 250
   * @param names file to write the hosts' names to, as /etc/hosts
   */
  public static SwitchedHosts of(int count, Path names) throws IOException {
    SwitchedHosts all = new SwitchedHosts(Namespace.open("-n", "net"), names);
    try {
      all.hub.inside("ip", "link", "add", "switch", "type", "bridge");
      all.hub.inside("ip", "link", "set", "switch", "up");
      StringBuilder text = new StringBuilder("127.0.0.1 localhost\n");
      text.append(all.address(MASTER)).append(' ').append(MASTER).append('\n');
      text.append("127.0.0.1 ").append(InetAddress.getLocalHost().getHostName()).append('\n');
      // Ours first: the end here is named by the hub, so that two don't meet.
      String ours = "tcs" + all.hub.pid();
      Namespace.run(
          words("ip link add " + ours + " type veth peer name uplink netns " + all.hub.pid()));
      Namespace.run(words("ip addr add " + all.address(MASTER) + "/24 dev " + ours));
      Namespace.run("ip", "link", "set", ours, "up");
      all.hub.inside(words("ip link set uplink master switch up"));
      for (int i = 0; i < count; i++) {
        all.hosts.add(Namespace.open("-n", "net"));
        all.join(i);
        text.append(all.address(name(i))).append(' ').append(name(i)).append('\n');
      }
      Files.writeString(names, text);
      return all;
    } catch (IOException | RuntimeException e) {
      all.close();
      throw e;
    }
  }

  private void join(int i) throws IOException {
    Namespace host = hosts.get(i);
    hub.inside(words("ip link add h" + i + " type veth peer name eth0 netns " + host.pid()));
    hub.inside(words("ip link set h" + i + " master switch up"));
    host.inside(words("ip addr add " + address(name(i)) + "/24 dev eth0"));
    host.inside(words("ip link set lo up"));
    host.inside(words("ip link set eth0 up"));
  }

  /** Limits each host's link, in each direction. */
  public void limit(long bitsPerSecond) throws IOException {
    for (int i = 0; i < hosts.size(); i++) {
      hub.inside(words(bucket("h" + i, bitsPerSecond)));
      hosts.get(i).inside(words(bucket("eth0", bitsPerSecond)));
    }
  }

  private static String bucket(String device, long bitsPerSecond) {
    return "tc qdisc replace dev "
        + device
        + " root tbf burst 64kb latency 50ms rate "
        + bitsPerSecond
        + "bit";
  }

  private static String[] words(String line) {
    return line.split(" ");
  }

  int size() {
    return hosts.size();
  }

  static String name(int host) {
    return "node" + host;
  }

  /** In the range that is set aside for tests of networks, by the process so that two don't meet. */
  String address(String name) {
    int number = name.equals(MASTER) ? 254 : Integer.parseInt(name.substring(4)) + 1;
    return "198.19." + (hub.pid() & 255) + "." + number;
  }

  /** What a command line begins with whose program is to run on a host; all that it starts ends with it. */
  List<String> prefix(int host) {
    List<String> line = new ArrayList<>(hosts.get(host).prefix());
    line.addAll(List.of("unshare", "--pid", "--fork", "--kill-child"));
    return line;
  }

  /** Flag of a JVM that is to know the names. */
  String flag() {
    return "-Djdk.net.hosts.file=" + names;
  }

  /** Takes all down, once what ran there has ended. */
  @Override
  public void close() {
    hosts.forEach(Namespace::close);
    hub.close();
  }
}
