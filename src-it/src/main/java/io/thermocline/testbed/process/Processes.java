// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The processes of a cluster by their names: its servers, and tools that run or ran. Thread-safe. */
final class Processes {

  private static final Duration TOOL = Duration.ofSeconds(180);

  private final ClusterDirectory directory;
  private final List<String> ours;
  private final HadoopLine line;
  private final List<String> flags;
  private final Map<String, Jvm> all = new ConcurrentHashMap<>();
  private final AtomicInteger runs = new AtomicInteger();

  /**
   * @param plugins after Hadoop's jars on the class path
   * @param flags of all JVMs
   */
  Processes(ClusterDirectory directory, List<String> plugins, List<String> flags, HadoopLine line) {
    this.directory = directory;
    this.flags = List.copyOf(flags);
    this.ours = new ArrayList<>(plugins);
    ours.add(ProcessCluster.codeOf(ProcessCluster.class));
    this.line = line;
  }

  /** Starts a server with the configuration of its name. */
  Jvm daemon(String name, String main, List<String> own) throws IOException {
    return daemon(name, main, own, new Unlike(line, List.of()));
  }

  /**
   * What a server has of its own.
   *
   * @param prefix of its command line
   */
  record Unlike(HadoopLine line, List<String> prefix) {}

  Jvm daemon(String name, String main, List<String> own, Unlike others) throws IOException {
    Jvm.Command command =
        new Jvm.Command(classPath(name, others.line()), plus(own, others.line()), main, List.of());
    return start(name, others.prefix(), command);
  }

  private List<String> plus(List<String> own, HadoopLine line) throws IOException {
    List<String> all = new ArrayList<>(SharedClasses.of(line).flags());
    all.addAll(flags);
    all.add("-Djava.io.tmpdir=" + directory.temporary());
    all.addAll(own);
    return all;
  }

  /** Runs a tool to its end. */
  ToolRun run(List<String> own, String main, String... arguments) throws IOException {
    String name = main.substring(main.lastIndexOf('.') + 1) + "-" + runs.incrementAndGet();
    Jvm jvm = client(name, own, main, arguments);
    return new ToolRun(jvm.await(TOOL), jvm.output());
  }

  /** Starts a program with the configuration of clients. */
  Jvm client(String name, List<String> own, String main, String... arguments) throws IOException {
    List<String> more = new ArrayList<>(List.of("-Xmx256m"));
    more.addAll(plus(own, line));
    return start(
        name,
        List.of(),
        new Jvm.Command(classPath(ClusterDirectory.CLIENT, line), more, main, List.of(arguments)));
  }

  private Jvm start(String name, List<String> prefix, Jvm.Command command) throws IOException {
    Jvm jvm = Jvm.start(name, prefix, command, directory.log(name));
    all.put(name, jvm);
    return jvm;
  }

  private String classPath(String server, HadoopLine line) throws IOException {
    List<String> all = new ArrayList<>(List.of(SharedClasses.of(line).classPath()));
    all.add(directory.conf(server).toString());
    all.addAll(ours);
    return String.join(File.pathSeparator, all);
  }

  Jvm get(String name) {
    return all.get(name);
  }

  void requireAlive(String name) throws IOException {
    Jvm jvm = get(name);
    if (!jvm.isAlive()) {
      throw new IOException("A server ended at its start" + jvm.tail());
    }
  }

  /** Bytes of memory of each that lives. */
  Map<String, Long> residentBytes() throws IOException {
    Map<String, Long> bytes = new HashMap<>();
    for (Map.Entry<String, Jvm> entry : all.entrySet()) {
      if (entry.getValue().isAlive()) {
        bytes.put(entry.getKey(), entry.getValue().residentBytes());
      }
    }
    return bytes;
  }

  void killAll() {
    // Not in parallel: who waits for an end in the common pool may wait for itself.
    all.values().forEach(Jvm::kill);
  }
}
