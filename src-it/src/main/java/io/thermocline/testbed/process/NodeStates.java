// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;

/** What the NameNode says of DataNodes, and waiting until it says so. Thread-safe. */
final class NodeStates {

  private static final Duration START = Duration.ofSeconds(120);
  private static final Duration DEATH = Duration.ofSeconds(60);

  private final DistributedFileSystem client;
  private final Processes processes;

  NodeStates(DistributedFileSystem client, Processes processes) {
    this.client = client;
    this.processes = processes;
  }

  DatanodeInfo info(ProcessNode node) throws IOException {
    for (DatanodeInfo info : client.getDataNodeStats(DatanodeReportType.ALL)) {
      if (info.getHostName().equals(node.host())) {
        return info;
      }
    }
    throw new IOException("The NameNode doesn't know " + node.host());
  }

  /** Returns when a NameNode that was started again answers, whatever becomes of connections to the one before. */
  void awaitAnswers(Supplier<String> said) throws IOException {
    Deadline.await(
        START,
        "the NameNode answers",
        () -> {
          try {
            client.getDataNodeStats(DatanodeReportType.LIVE);
            return true;
          } catch (IOException e) {
            return false;
          }
        },
        said);
  }

  /** Returns when these are live and have reported all their storages. */
  void awaitLive(Collection<ProcessNode> nodes) throws IOException {
    Map<String, Integer> wanted =
        nodes.stream().collect(Collectors.toMap(ProcessNode::host, node -> node.types().size()));
    Deadline.await(
        START,
        "live: " + nodes.stream().map(ProcessNode::name).toList(),
        () -> {
          for (ProcessNode node : nodes) {
            processes.requireAlive(node.name());
          }
          Map<String, Integer> live = new HashMap<>();
          for (DatanodeStorageReport report :
              client.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE)) {
            live.put(report.getDatanodeInfo().getHostName(), report.getStorageReports().length);
          }
          return wanted.entrySet().stream()
              .allMatch(entry -> entry.getValue().equals(live.get(entry.getKey())));
        },
        () ->
            nodes.stream()
                .map(node -> processes.get(node.name()).tail())
                .collect(Collectors.joining()));
  }

  void awaitDead(ProcessNode node) throws IOException {
    Deadline.await(
        DEATH,
        "dead: " + node.name(),
        () -> {
          for (DatanodeInfo info : client.getDataNodeStats(DatanodeReportType.DEAD)) {
            if (info.getHostName().equals(node.host())) {
              return true;
            }
          }
          return false;
        },
        () -> "");
  }
}
