// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Where a cluster has its configurations, logs and data; gone when it is closed. For one thread. */
final class ClusterDirectory implements AutoCloseable {

  static final String NAME_NODE = "namenode";
  static final String CLIENT = "client";

  private final Path path;
  private final Path excluded;
  private final Janitor janitor;

  private ClusterDirectory(Path path) throws IOException {
    this.path = path;
    this.janitor = Janitor.watch(path);
    this.excluded = Files.createFile(path.resolve("excluded"));
    Files.createDirectories(logs());
    Files.createDirectories(temporary());
  }

  static ClusterDirectory under(Path parent) throws IOException {
    Path path = Files.createTempDirectory(parent, "thermocline-processes-").toAbsolutePath();
    // As on a host of Hadoop, whose users read its logs and its configuration.
    OsUser.openUpTo(path);
    return new ClusterDirectory(path);
  }

  Path path() {
    return path;
  }

  /** The file that names the DataNodes to decommission. */
  Path excluded() {
    return excluded;
  }

  /** Where the NameNode says its addresses. */
  Path addresses() {
    return path.resolve("addresses");
  }

  /** For what JVMs unpack, as web pages: who is killed removes nothing. */
  Path temporary() {
    return path.resolve("tmp");
  }

  /** The configuration directory of a server, or of {@link #CLIENT}. */
  Path conf(String server) {
    return path.resolve("conf").resolve(server);
  }

  Path log(String process) {
    return logs().resolve(process + ".log");
  }

  private Path logs() {
    return path.resolve("logs");
  }

  /**
   * Writes the configurations of all.
   *
   * @param capacity of each storage, 0 for what the file system has
   */
  void write(Site site, Collection<ProcessNode> nodes, long capacity) throws IOException {
    site.write(conf(NAME_NODE));
    site.write(conf(CLIENT));
    for (ProcessNode node : nodes) {
      Map<String, String> own = new HashMap<>(ClusterSettings.dataNode(node, data(node)));
      if (capacity > 0) {
        own.put("dfs.datanode.du.reserved", Long.toString(Scratch.reservation(path, capacity)));
      }
      site.with(own).write(conf(node.name()));
    }
  }

  private String data(ProcessNode node) {
    return IntStream.range(0, node.types().size())
        .mapToObj(i -> "[%s]%s".formatted(node.types().get(i), storage(node, i)))
        .collect(Collectors.joining(","));
  }

  /** Where a node has one of its storages. */
  Path storage(ProcessNode node, int number) {
    return path.resolve("data").resolve(node.name()).resolve(Integer.toString(number));
  }

  /** Copies the logs to a directory that then has nothing else in it. */
  void keepLogs(Path kept) throws IOException {
    Files.createDirectories(kept);
    for (Path earlier : in(kept)) {
      Files.delete(earlier);
    }
    for (Path log : in(logs())) {
      Files.copy(log, kept.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static List<Path> in(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList();
    }
  }

  /** Deletes all. */
  @Override
  public void close() throws IOException {
    janitor.close();
  }
}
