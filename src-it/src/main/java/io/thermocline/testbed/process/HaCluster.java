// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import io.thermocline.testbed.process.inside.Tether;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;

/**
 * An HDFS with two NameNodes, three JournalNodes and some DataNodes, each a process of its own. An administrator says which
 * NameNode is active. For one thread; nothing outlives it, as of {@link ProcessCluster}.
 */
public final class HaCluster implements AutoCloseable {

  /** What clients call it. */
  public static final String NAMESERVICE = "pair";

  private static final Duration START = Duration.ofSeconds(120);
  private static final List<String> NAME_NODES = List.of("nn1", "nn2");
  private static final int JOURNAL_NODES = 3;
  private static final String LOCAL = "127.0.0.1:";
  private static final String NAME_NODE = "org.apache.hadoop.hdfs.server.namenode.NameNode";

  /** The audit log goes to a file of its own, named on each NameNode's command line. */
  private static final String LOGGING =
      """
      log4j.rootLogger=INFO, out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=%d{ISO8601} %-5p %c{2}: %m%n
      log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=INFO, audit
      log4j.additivity.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=false
      log4j.appender.audit=org.apache.log4j.FileAppender
      log4j.appender.audit.File=${thermocline.audit}
      log4j.appender.audit.layout=org.apache.log4j.PatternLayout
      log4j.appender.audit.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
      """;

  private final HadoopLine line;
  private final ClusterDirectory directory;
  private final Site site;
  private final Map<String, Jvm> servers = new LinkedHashMap<>();
  private DistributedFileSystem client;

  private HaCluster(HadoopLine line, Path parent, Map<String, String> settings) throws IOException {
    this.line = line;
    this.directory = ClusterDirectory.under(parent);
    Map<String, String> pair =
        new HashMap<>(settings(directory.path(), ZooKeeperEnsemble.freePorts(7)));
    pair.putAll(settings);
    this.site = ClusterSettings.of(directory.path(), directory.excluded()).with(pair);
  }

  private static Map<String, String> settings(Path directory, List<Integer> free) {
    Map<String, String> all = new HashMap<>();
    all.put("fs.defaultFS", "hdfs://" + NAMESERVICE);
    all.put("dfs.nameservices", NAMESERVICE);
    all.put("dfs.ha.namenodes." + NAMESERVICE, String.join(",", NAME_NODES));
    all.put("dfs.ha.fencing.methods", "shell(/bin/true)");
    all.put(
        "dfs.client.failover.proxy.provider." + NAMESERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    all.put("dfs.client.failover.sleep.base.millis", "50");
    all.put("dfs.client.failover.sleep.max.millis", "500");
    all.put("dfs.ha.tail-edits.period", "1");
    // The testbed's own, which would say the ports.
    all.put("dfs.namenode.plugins", "");
    for (int i = 0; i < NAME_NODES.size(); i++) {
      String of = "." + NAMESERVICE + "." + NAME_NODES.get(i);
      all.put("dfs.namenode.rpc-address" + of, LOCAL + free.get(2 * i));
      all.put("dfs.namenode.http-address" + of, LOCAL + free.get(2 * i + 1));
      all.put("dfs.namenode.name.dir" + of, directory.resolve(NAME_NODES.get(i)).toString());
    }
    all.put(
        "dfs.namenode.shared.edits.dir",
        IntStream.range(4, 4 + JOURNAL_NODES)
            .mapToObj(i -> LOCAL + free.get(i))
            .collect(Collectors.joining(";", "qjournal://", "/" + NAMESERVICE)));
    return all;
  }

  /**
   * A cluster whose first NameNode is active, and whose DataNodes are live.
   *
   * @param settings of all processes besides
   * @throws IOException if that doesn't come about; then nothing is left of it
   */
  public static HaCluster start(
      HadoopLine line, Path parent, List<ProcessNode> nodes, Map<String, String> settings)
      throws IOException {
    HaCluster cluster = new HaCluster(line, parent, settings);
    try {
      cluster.start(nodes);
      return cluster;
    } catch (IOException | RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private void start(List<ProcessNode> nodes) throws IOException {
    site.write(conf());
    Files.writeString(conf().resolve("log4j.properties"), LOGGING);
    String shared = site.settings().get("dfs.namenode.shared.edits.dir");
    List<String> journals =
        List.of(shared.substring("qjournal://".length(), shared.lastIndexOf('/')).split(";"));
    for (int i = 0; i < JOURNAL_NODES; i++) {
      server(
          "jn" + i,
          "org.apache.hadoop.hdfs.qjournal.server.JournalNode",
          Map.of(
              "dfs.journalnode.rpc-address", journals.get(i),
              "dfs.journalnode.http-address", LOCAL + "0",
              "dfs.journalnode.edits.dir", directory.path().resolve("jn" + i).toString()));
    }
    for (int i = 0; i < JOURNAL_NODES; i++) {
      awaitListening("jn" + i, journals.get(i));
    }
    tool("nn1", "-format", "-nonInteractive");
    startNameNode("nn1");
    tool("nn2", "-bootstrapStandby", "-nonInteractive");
    startNameNode("nn2");
    activate("nn1");
    for (ProcessNode node : nodes) {
      String directories =
          IntStream.range(0, node.types().size())
              .mapToObj(
                  i ->
                      "[%s]%s"
                          .formatted(
                              node.types().get(i),
                              directory.path().resolve("data/" + node.name() + "/" + i)))
              .collect(Collectors.joining(","));
      server(
          node.name(),
          "org.apache.hadoop.hdfs.server.datanode.DataNode",
          ClusterSettings.dataNode(node, directories));
    }
    client = (DistributedFileSystem) FileSystem.newInstance(uri(), configuration());
    Deadline.await(
        START,
        nodes.size() + " DataNodes are live",
        () -> client.getDataNodeStats(DatanodeReportType.LIVE).length == nodes.size(),
        servers.get(nodes.get(0).name())::tail);
  }

  private void startNameNode(String name) throws IOException {
    server(name, NAME_NODE, Map.of("dfs.ha.namenode.id", name));
    awaitListening(name, site.settings().get("dfs.namenode.rpc-address.pair." + name));
  }

  private void server(String name, String main, Map<String, String> own) throws IOException {
    List<String> arguments = new ArrayList<>();
    own.forEach((key, value) -> arguments.addAll(List.of("-D", key + "=" + value)));
    servers.put(name, Jvm.start(name, command(name, main, arguments), directory.log(name)));
  }

  private void tool(String nameNode, String... arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("-D", "dfs.ha.namenode.id=" + nameNode));
    all.addAll(List.of(arguments));
    String name = nameNode + arguments[0];
    Jvm jvm = Jvm.start(name, command(name, NAME_NODE, all), directory.log(name));
    if (jvm.await(START) != 0) {
      throw new IOException(name + " failed" + jvm.tail());
    }
  }

  private Jvm.Command command(String name, String main, List<String> arguments) {
    return new Jvm.Command(
        String.join(
            File.pathSeparator,
            conf().toString(),
            ProcessCluster.codeOf(Tether.class),
            line.classPath()),
        List.of(
            "-Xmx256m",
            "-Djava.io.tmpdir=" + directory.temporary(),
            "-Dthermocline.audit=" + auditLog(name)),
        main,
        arguments);
  }

  private void awaitListening(String server, String address) throws IOException {
    int port = Integer.parseInt(address.substring(LOCAL.length()));
    Deadline.await(
        START,
        server + " listens",
        () -> {
          if (!servers.get(server).isAlive()) {
            throw new IOException("A server ended at its start" + servers.get(server).tail());
          }
          try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
          } catch (IOException e) {
            return false;
          }
        },
        servers.get(server)::tail);
  }

  private Path conf() {
    return directory.conf(ClusterDirectory.CLIENT);
  }

  public URI uri() {
    return URI.create("hdfs://" + NAMESERVICE);
  }

  /** What clients of this cluster are configured with. */
  public Map<String, String> settings() {
    return site.settings();
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

  /** Where a NameNode, {@code nn1} or {@code nn2}, writes its audit log. */
  public Path auditLog(String nameNode) {
    return directory.path().resolve(nameNode + "-audit.log");
  }

  /** Makes a NameNode the active one, as {@code hdfs haadmin} does; the other one isn't, or is dead. */
  public void activate(String nameNode) throws IOException {
    DFSHAAdmin admin = new DFSHAAdmin();
    admin.setConf(configuration());
    try {
      if (admin.run(new String[] {"-transitionToActive", "--forceactive", nameNode}) != 0) {
        throw new IOException(nameNode + " can't be made active" + servers.get(nameNode).tail());
      }
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Ends a server as {@code kill -9} does. */
  public void kill(String server) {
    servers.get(server).kill();
  }

  /** Starts a NameNode again that was killed, as the standby. */
  public void restart(String nameNode) throws IOException {
    startNameNode(nameNode);
  }

  /** Sends a server a signal, as {@code kill -STOP} does. */
  public void signal(String server, String signal) throws IOException {
    servers.get(server).signal(signal);
  }

  /** Ends all processes and deletes the directory. */
  @Override
  public void close() throws IOException {
    if (client != null) {
      client.close();
    }
    servers.values().forEach(Jvm::kill);
    directory.close();
  }
}
