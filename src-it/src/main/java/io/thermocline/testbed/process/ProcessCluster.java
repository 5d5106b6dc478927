// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.process.inside.NameNodeProbe;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * An HDFS of one Hadoop version, each server a process of its own, on ports that the system chooses.
 * For one thread, except that {@link #client()} and {@link #run} may be used by any.
 *
 * <p>Nothing outlives it: {@link #close} ends all processes and deletes the directory, and if this
 * process dies instead, even by {@code kill -9}, the processes end by themselves and a shell that waits
 * for it deletes the directory.
 */
public final class ProcessCluster implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(120);

  /** Name of the NameNode among the servers. */
  public static final String NAME_NODE = ClusterDirectory.NAME_NODE;

  private final HadoopLine line;
  private final long capacity;
  private final Optional<Path> kept;
  private final ClusterDirectory directory;
  private final Processes processes;
  private final AdminTool admin;
  private final Map<String, ProcessNode> nodes = new LinkedHashMap<>();
  private Site site;
  private NameNodeView nameNode;
  private NodeStates states;
  private volatile DistributedFileSystem client;

  private ProcessCluster(Builder builder) throws IOException {
    this.line = builder.line;
    this.capacity = builder.capacity;
    this.kept = builder.kept;
    this.directory = ClusterDirectory.under(builder.parent);
    this.processes = new Processes(directory, builder.plugins, builder.flags, line);
    this.admin = new AdminTool(processes);
    this.site = ClusterSettings.of(directory.path(), directory.excluded()).with(builder.settings);
    builder.nodes.forEach(node -> nodes.put(node.name(), node));
  }

  public static Builder builder(HadoopLine line) {
    return new Builder(line);
  }

  private void start() throws IOException {
    writeSites();
    run("org.apache.hadoop.hdfs.server.namenode.NameNode", "-format", "-nonInteractive")
        .succeeded();
    startNameNode();
    for (ProcessNode node : nodes.values()) {
      startDataNode(node);
    }
    client = (DistributedFileSystem) FileSystem.newInstance(uri(), configuration());
    states = new NodeStates(client, processes);
    awaitLive(nodes.keySet());
  }

  private void startNameNode() throws IOException {
    Path addresses = directory.addresses();
    Jvm jvm =
        processes.daemon(
            NAME_NODE,
            "org.apache.hadoop.hdfs.server.namenode.NameNode",
            List.of("-Xmx384m", "-D" + NameNodeProbe.ADDRESSES + "=" + addresses));
    Deadline.await(
        START,
        "the NameNode serves",
        () -> {
          processes.requireAlive(NAME_NODE);
          return Files.exists(addresses);
        },
        jvm::tail);
    List<String> found = Files.readAllLines(addresses);
    nameNode = new NameNodeView(found.get(1));
    site =
        site.with(
            Map.of(
                "fs.defaultFS",
                "hdfs://" + found.get(0),
                "HTTPS_ONLY".equals(site.settings().get("dfs.http.policy"))
                    ? "dfs.namenode.https-address"
                    : "dfs.namenode.http-address",
                found.get(1)));
    writeSites();
  }

  private void startDataNode(ProcessNode node) throws IOException {
    startDataNode(node, line, List.of());
  }

  private void startDataNode(ProcessNode node, HadoopLine of, List<String> prefix)
      throws IOException {
    processes.daemon(
        node.name(),
        "org.apache.hadoop.hdfs.server.datanode.DataNode",
        List.of("-Xmx192m"),
        new Processes.Unlike(of, prefix));
  }

  // --- what it is ---

  public HadoopLine line() {
    return line;
  }

  public URI uri() {
    return URI.create(site.settings().get("fs.defaultFS"));
  }

  public NameNodeView nameNode() {
    return nameNode;
  }

  /** The superuser's client, of the Hadoop version of this process. Don't close it. */
  public DistributedFileSystem client() {
    return client;
  }

  /** A new copy of what clients of this cluster use. */
  public Configuration configuration() {
    Configuration conf = new Configuration();
    site.settings().forEach(conf::set);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    return conf;
  }

  /** The directory that holds all its files until it is closed. */
  public Path directory() {
    return directory.path();
  }

  /** What a server printed and logged since its first start. */
  public String output(String server) throws IOException {
    return processes.get(server).output();
  }

  /** Bytes of memory of each server that lives, by its name. */
  public Map<String, Long> residentBytes() throws IOException {
    return processes.residentBytes();
  }

  /** What HDFS says of a node, by its name here. */
  public DatanodeInfo info(String node) throws IOException {
    return states.info(nodes.get(node));
  }

  /** The directory of one of a node's storages, by its number. */
  public Path storage(ProcessNode node, int number) {
    return directory.storage(node, number);
  }

  // --- what changes it ---

  /** Starts one DataNode more, and returns when it is live. */
  public void join(ProcessNode node) throws IOException {
    join(node, line, List.of());
  }

  /**
   * The same for a DataNode that is unlike the others.
   *
   * @param of the Hadoop that it runs
   * @param prefix of its command line: a program that starts the rest of it
   */
  public void join(ProcessNode node, HadoopLine of, List<String> prefix) throws IOException {
    nodes.put(node.name(), node);
    writeSites();
    startDataNode(node, of, prefix);
    awaitLive(Set.of(node.name()));
  }

  /** Ends a server as {@code kill -9} does. */
  public void kill(String server) {
    processes.get(server).kill();
  }

  /** Freezes a server: it takes connections, as the kernel does that, and answers nothing. */
  public void freeze(String server) throws IOException {
    processes.get(server).signal("STOP");
  }

  /** Has a frozen server go on. */
  public void thaw(String server) throws IOException {
    processes.get(server).signal("CONT");
  }

  /** Starts a server again that was killed, on the ports of its own and with what it had; returns when all it serves are live. */
  public void restart(String server) throws IOException {
    if (server.equals(NAME_NODE)) {
      Files.delete(directory.addresses());
      startNameNode();
      states.awaitAnswers(processes.get(NAME_NODE)::tail);
      awaitLive(nodes.keySet());
    } else {
      startDataNode(nodes.get(server));
      awaitLive(Set.of(server));
    }
  }

  /**
   * Gives a running DataNode one storage more, as an administrator does: {@code dfsadmin -reconfig}.
   *
   * <p>The DataNode then reports the storage's blocks at once. If that comes before the first heartbeat
   * that names the storage, the NameNode takes what lies on it for stale, and deletes no replica too
   * many of these blocks, until the next full report hours later: so one is asked for.
   */
  public void addStorage(String node, StorageType type) throws IOException {
    nodes.put(node, nodes.get(node).with(type));
    writeSites();
    String address = info(node).getIpcAddr(false);
    admin.reconfigure("datanode", address);
    awaitLive(Set.of(node));
    admin.triggerBlockReport(address);
  }

  /** Changes a setting in the NameNode's configuration file, and has the NameNode take it over. */
  public void setInNameNode(String key, String value) throws IOException {
    site = site.with(Map.of(key, value));
    writeSites();
    admin.reconfigure(NAME_NODE, uri().getAuthority());
  }

  /** Names the DataNodes to decommission, all others are to serve; returns when the NameNode knows. */
  public void exclude(Collection<String> names) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (String name : names) {
      addresses.add(info(name).getXferAddr());
    }
    Files.write(directory.excluded(), addresses);
    admin.refreshNodes();
  }

  /** Returns when these DataNodes are live and have reported all their storages. */
  public void awaitLive(Collection<String> names) throws IOException {
    states.awaitLive(names.stream().map(nodes::get).toList());
  }

  /** Returns when the NameNode takes the node for dead. */
  public void awaitDead(String node) throws IOException {
    states.awaitDead(nodes.get(node));
  }

  // --- tools ---

  /** Runs a command-line tool of Hadoop in a process of its own, to its end. */
  public ToolRun run(String main, String... arguments) throws IOException {
    return run(List.of(), main, arguments);
  }

  /**
   * Runs a tool.
   *
   * @param flags of its JVM
   */
  public ToolRun run(List<String> flags, String main, String... arguments) throws IOException {
    return processes.run(flags, main, arguments);
  }

  /** Starts a program of Hadoop that runs until {@link #kill} or the end of the cluster. */
  public void startServer(String name, String main, String... arguments) throws IOException {
    processes.client(name, List.of(), main, arguments);
  }

  private void writeSites() throws IOException {
    directory.write(site, nodes.values(), capacity);
  }

  /** Where a class comes from: a jar, or a directory of classes. */
  public static String codeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("No place for " + type, e);
    }
  }

  /** Ends all processes and deletes the directory. */
  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
    processes.killAll();
    try {
      if (kept.isPresent()) {
        directory.keepLogs(kept.get());
      }
    } finally {
      directory.close();
    }
  }

  /** What a cluster is made of. For one thread. */
  public static final class Builder {
    private final HadoopLine line;
    private final List<String> plugins = new ArrayList<>();
    private final Map<String, String> settings = new HashMap<>();
    private final List<String> flags = new ArrayList<>();
    private final List<ProcessNode> nodes = new ArrayList<>();
    private Path parent = Scratch.directory();
    private long capacity;
    private Optional<Path> kept = Optional.empty();

    private Builder(HadoopLine line) {
      this.line = line;
    }

    /** A jar or a directory of classes on the class path of all processes. */
    public Builder plugin(String jar) {
      plugins.add(jar);
      return this;
    }

    /** A flag of all JVMs. */
    public Builder flag(String flag) {
      flags.add(flag);
      return this;
    }

    public Builder node(ProcessNode node) {
      nodes.add(node);
      return this;
    }

    /** A setting for all processes. */
    public Builder setting(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** Where the cluster's directory is made; {@link Scratch} by default. Before {@link #capacity}. */
    public Builder parent(Path directory) {
      parent = directory;
      return this;
    }

    /** A directory for the logs once the cluster is closed, nothing else in it; by default they go too. */
    public Builder keepLogs(Path directory) {
      kept = Optional.of(directory);
      return this;
    }

    /**
     * Bytes that each storage shows as its capacity; without this, what the file system has. Taken back
     * where the file system keeps too much for itself: see {@link #limitsCapacity}.
     */
    public Builder capacity(long bytes) {
      capacity = Scratch.reservation(parent, bytes) > 0 ? bytes : 0;
      return this;
    }

    /** Whether the storages will show the capacity that was asked for. */
    public boolean limitsCapacity() {
      return capacity > 0;
    }

    /**
     * A cluster that runs, all of its DataNodes live.
     *
     * @throws IOException if that doesn't come about; then nothing is left of it
     */
    public ProcessCluster start() throws IOException {
      ProcessCluster cluster = new ProcessCluster(this);
      try {
        cluster.start();
        return cluster;
      } catch (IOException | RuntimeException | Error e) {
        cluster.close();
        throw e;
      }
    }
  }
}
