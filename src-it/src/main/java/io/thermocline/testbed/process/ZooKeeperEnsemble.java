// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Three ZooKeeper servers, each a process of its own, from the jars of this one. For one thread. */
public final class ZooKeeperEnsemble implements AutoCloseable {

  private static final int SERVERS = 3;
  private static final String LOCAL = "127.0.0.1";
  private static final Duration START = Duration.ofSeconds(120);

  /** Sessions last 2 to 20 ticks. */
  private static final int TICK_MILLIS = 400;

  private final Path directory;
  private final List<Integer> ports;
  private final List<String> flags;

  /** Empty: on this host. */
  private final Optional<NetworkNamespace> inside;

  private final Jvm[] servers = new Jvm[SERVERS];

  private ZooKeeperEnsemble(
      Path directory, List<Integer> ports, List<String> flags, Optional<NetworkNamespace> inside) {
    this.flags = List.copyOf(flags);
    this.directory = directory;
    this.ports = ports;
    this.inside = inside;
  }

  /**
   * An ensemble that serves.
   *
   * @param directory of its own
   */
  public static ZooKeeperEnsemble start(Path directory) throws IOException {
    return start(directory, List.of(), Optional.empty());
  }

  /**
   * @param flags of the servers' JVMs
   */
  public static ZooKeeperEnsemble start(Path directory, List<String> flags) throws IOException {
    return start(directory, flags, Optional.empty());
  }

  /**
   * @param inside the host where it runs; empty: this one
   */
  public static ZooKeeperEnsemble start(
      Path directory, List<String> flags, Optional<NetworkNamespace> inside) throws IOException {
    List<Integer> free = freePorts(3 * SERVERS);
    ZooKeeperEnsemble ensemble =
        new ZooKeeperEnsemble(directory, free.subList(0, SERVERS), flags, inside);
    try {
      for (int i = 0; i < SERVERS; i++) {
        ensemble.configure(i, free.subList(SERVERS, 3 * SERVERS));
        ensemble.restart(i);
      }
      for (int i = 0; i < SERVERS; i++) {
        ensemble.awaitServing(i);
      }
      return ensemble;
    } catch (IOException | RuntimeException e) {
      ensemble.close();
      throw e;
    }
  }

  /** So many that nobody listens on. */
  static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  private void configure(int server, List<Integer> between) throws IOException {
    Path data = Files.createDirectories(directory.resolve("zk" + server));
    Files.writeString(data.resolve("myid"), Integer.toString(server + 1));
    List<String> lines = new ArrayList<>();
    lines.add("tickTime=" + TICK_MILLIS);
    lines.add("initLimit=50");
    lines.add("syncLimit=25");
    lines.add("dataDir=" + data);
    lines.add("clientPort=" + ports.get(server));
    lines.add("clientPortAddress=" + (inside.isPresent() ? "0.0.0.0" : LOCAL));
    lines.add("admin.enableServer=false");
    lines.add("4lw.commands.whitelist=srvr");
    for (int i = 0; i < SERVERS; i++) {
      lines.add(
          "server.%d=127.0.0.1:%d:%d".formatted(i + 1, between.get(2 * i), between.get(2 * i + 1)));
    }
    Files.write(directory.resolve("zk" + server + ".cfg"), lines);
  }

  /** Starts a server, again where it was killed. */
  public void restart(int server) throws IOException {
    List<String> all = new ArrayList<>(List.of("-Xmx96m", "-Dzookeeper.jmx.log4j.disable=true"));
    all.addAll(flags);
    servers[server] =
        Jvm.start(
            "zookeeper" + server,
            inside.map(NetworkNamespace::prefix).orElse(List.of()),
            new Jvm.Command(
                System.getProperty("java.class.path"),
                all,
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                List.of(directory.resolve("zk" + server + ".cfg").toString())),
            directory.resolve("zk" + server + ".log"));
  }

  /** Ends a server as {@code kill -9} does. */
  public void kill(int server) {
    servers[server].kill();
  }

  /** Sends all servers a signal, as {@code kill -STOP} does. */
  public void signal(String signal) throws IOException {
    for (Jvm server : servers) {
      server.signal(signal);
    }
  }

  /** Returns when the server is part of a quorum. */
  public void awaitServing(int server) throws IOException {
    Deadline.await(
        START,
        "ZooKeeper serves",
        () -> {
          if (!servers[server].isAlive()) {
            throw new IOException("A ZooKeeper server ended" + servers[server].tail());
          }
          return answer(server).contains("Mode: ");
        },
        servers[server]::tail);
  }

  private String answer(int server) {
    String host = inside.map(namespace -> namespace.address(0)).orElse(LOCAL);
    try (Socket socket = new Socket(host, ports.get(server))) {
      socket.setSoTimeout(1_000);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  /** Where each server listens, in order. */
  public List<Integer> ports() {
    return ports;
  }

  /** All servers, as clients name them. */
  public String addresses() {
    return addresses(LOCAL);
  }

  /** The same under another address of their host. */
  public String addresses(String host) {
    return ports.stream().map(port -> host + ":" + port).collect(Collectors.joining(","));
  }

  @Override
  public void close() {
    Arrays.stream(servers).filter(server -> server != null).forEach(Jvm::kill);
  }
}
