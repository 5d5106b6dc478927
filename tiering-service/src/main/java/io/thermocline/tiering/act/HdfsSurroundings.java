// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.tiering.observe.JmxPage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ECBlockGroupStats;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.ReplicatedBlockStats;

/**
 * Asks the NameNode what else goes on: a handful of small calls, and its /jmx page where its
 * address is known. Changes nothing.
 */
public final class HdfsSurroundings implements ClusterWatch.Reader {

  /** Who keeps others away by which file. Held while it is there and open for write. */
  private static final Map<String, String> MOVERS =
      Map.of(
          "/system/mover.id", "Hadoop's Mover or Storage Policy Satisfier runs",
          "/system/balancer.id", "Hadoop's Balancer runs");

  private static final long LEAST_SILENCE_MILLIS = 10_000;
  private static final int HEARTBEATS_MISSED = 3;

  private final DFSClient client;
  private final DataNodeStates.Source nodes;
  private final Set<String> yieldTo;
  private final List<JmxPage> pages;
  private final OperationBudget budget;
  private final ReadsSource reads;
  private final long silentMillis;

  /** What DataNodes say of reads by clients. */
  @FunctionalInterface
  public interface ReadsSource {
    Map<String, ReadTimes.Reads> of(DataNodeStates states) throws InterruptedException;
  }

  /**
   * @param yieldTo paths of the files of those movers that are given way to
   * @param pages of NameNodes; none: slow DataNodes and waiting calls aren't known
   * @param reads where they aren't minded, none
   * @param silentAfter as {@link #silentAfter(Configuration)} has it
   */
  public HdfsSurroundings(
      DFSClient client,
      DataNodeStates.Source nodes,
      Set<String> yieldTo,
      List<JmxPage> pages,
      OperationBudget budget,
      ReadsSource reads,
      Duration silentAfter) {
    this.client = client;
    this.nodes = nodes;
    this.yieldTo = Set.copyOf(yieldTo);
    this.pages = List.copyOf(pages);
    this.budget = budget;
    this.reads = reads;
    this.silentMillis = silentAfter.toMillis();
  }

  /** Without how many heartbeats a DataNode is silent: three, but not less than ten seconds. */
  public static Duration silentAfter(Configuration hadoop) {
    long interval =
        hadoop.getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS,
            TimeUnit.MILLISECONDS);
    return Duration.ofMillis(Math.max(LEAST_SILENCE_MILLIS, HEARTBEATS_MISSED * interval));
  }

  /** That a DataNode is silent, in words. */
  public static String silence(String node, long millis) {
    return "DataNode " + node + " has sent no heartbeat for " + millis / 1000 + " s";
  }

  @Override
  public Surroundings read() throws IOException, InterruptedException {
    budget.take();
    boolean isInSafeMode = client.setSafeMode(SafeModeAction.SAFEMODE_GET);
    List<String> leaving = new ArrayList<>();
    Map<String, Integer> transfers = new HashMap<>();
    Map<String, String> names = new HashMap<>();
    Map<String, String> silent = new HashMap<>();
    DataNodeStates states = nodes.read();
    for (DataNodeStates.Node node : states.nodes()) {
      if (node.isLeaving()) {
        leaving.add(node.name());
      }
      transfers.put(node.uuid(), node.transfers());
      if (node.silentMillis() > silentMillis) {
        silent.put(node.uuid(), silence(node.name(), node.silentMillis()));
      }
      node.addresses().forEach(address -> names.put(address, node.uuid()));
    }
    Surroundings.LowRedundancy lowRedundancy = lowRedundancy();
    Set<String> slow = new HashSet<>();
    double queueMillis = Double.NaN;
    int answered = 0;
    IOException unanswered = null;
    for (JmxPage page : pages) {
      try {
        queueMillis = active(page, names, slow, queueMillis);
        answered++;
      } catch (IOException e) {
        // One of a pair may be down: the other says what is to be known.
        unanswered = e;
      }
    }
    if (answered == 0 && unanswered != null) {
      throw unanswered;
    }
    return new Surroundings(
        isInSafeMode,
        states.isUpgrading() || isUpgrading(),
        leaving,
        lowRedundancy,
        movers(),
        transfers,
        slow,
        silent,
        queueMillis,
        reads.of(states));
  }

  /**
   * Adds what a NameNode's page says of slow DataNodes, where it is the active one.
   *
   * @return the longest time that calls wait, this one's included
   */
  private double active(
      JmxPage page, Map<String, String> names, Set<String> slow, double queueMillis)
      throws IOException, InterruptedException {
    JsonNode status = page.bean("NameNodeStatus");
    if (!status.path("State").asText("").equals("active")) {
      return queueMillis;
    }
    slow.addAll(slow(page, status.path("SlowPeersReport"), "SlowNode", names));
    slow.addAll(slow(page, status.path("SlowDisksReport"), "SlowDiskID", names));
    double longest = queueMillis;
    for (JsonNode port : page.beans("RpcActivityForPort*")) {
      double millis = port.path("RpcQueueTimeAvgTime").asDouble(0);
      longest = Double.isNaN(longest) ? millis : Math.max(longest, millis);
    }
    return longest;
  }

  /**
   * Without lost blocks, which there is nothing to copy from: these numbers leave them out, as getStats doesn't
   * (LowRedundancyBlocks of Hadoop 3.3.6 to 3.5.0).
   */
  private Surroundings.LowRedundancy lowRedundancy() throws IOException {
    budget.take();
    ReplicatedBlockStats blocks = client.getNamenode().getReplicatedBlockStats();
    budget.take();
    ECBlockGroupStats groups = client.getNamenode().getECBlockGroupStats();
    long urgent =
        (blocks.hasHighestPriorityLowRedundancyBlocks()
                ? blocks.getHighestPriorityLowRedundancyBlocks()
                : 0)
            + (groups.hasHighestPriorityLowRedundancyBlocks()
                ? groups.getHighestPriorityLowRedundancyBlocks()
                : 0);
    return new Surroundings.LowRedundancy(
        blocks.getLowRedundancyBlocks() + groups.getLowRedundancyBlockGroups(), urgent);
  }

  private boolean isUpgrading() throws IOException {
    budget.take();
    return !client.getNamenode().upgradeStatus();
  }

  private List<String> movers() throws IOException {
    List<String> running = new ArrayList<>();
    for (Map.Entry<String, String> mover : MOVERS.entrySet()) {
      if (yieldTo.contains(mover.getKey()) && isHeld(mover.getKey())) {
        running.add(mover.getValue() + " (it holds " + mover.getKey() + ")");
      }
    }
    return running;
  }

  private boolean isHeld(String path) throws IOException {
    budget.take();
    HdfsLocatedFileStatus status = client.getLocatedFileInfo(path, false);
    return status != null && status.getLocatedBlocks().isUnderConstruction();
  }

  /**
   * These reports are JSON in a text: "ip:port" of a DataNode's web server, or "ip:port:directory" with the port for
   * calls (BlockReceiver and DatanodeManager of Hadoop 3.3.6 to 3.5.0).
   */
  private static Set<String> slow(
      JmxPage page, JsonNode report, String key, Map<String, String> names) throws IOException {
    Set<String> slow = new HashSet<>();
    String text = report.asText("");
    if (text.isEmpty() || text.equals("null")) {
      return slow;
    }
    for (JsonNode one : page.parse(text)) {
      String named = one.path(key).asText("");
      names.forEach(
          (name, uuid) -> {
            if (named.equals(name) || named.startsWith(name + ":")) {
              slow.add(uuid);
            }
          });
    }
    return slow;
  }
}
