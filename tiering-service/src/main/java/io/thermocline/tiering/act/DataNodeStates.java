// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * How the live DataNodes are, and whether they are being upgraded: what the NameNode tells
 * superusers alone, without their storages. Immutable.
 *
 * @param isUpgrading a rolling upgrade isn't finalised
 */
public record DataNodeStates(List<Node> nodes, boolean isUpgrading) {

  public DataNodeStates {
    nodes = List.copyOf(nodes);
  }

  /**
   * @param name host and port, for people
   * @param rack network location, as the NameNode resolved it
   * @param isLeaving it is being decommissioned, or enters maintenance
   * @param transfers threads that serve some
   * @param web its web server, for instance http://10.0.0.7:9864
   * @param silentMillis without a heartbeat, when another DataNode sent the last one
   * @param addresses by which reports of slow DataNodes name it
   */
  public record Node(
      String uuid,
      String name,
      String rack,
      boolean isLeaving,
      int transfers,
      String web,
      long silentMillis,
      List<String> addresses) {
    public Node {
      addresses = List.copyOf(addresses);
    }
  }

  /** Where these come from. */
  @FunctionalInterface
  public interface Source {
    /**
     * @throws IOException also where we may not ask
     */
    DataNodeStates read() throws IOException;
  }

  /** As the NameNode says to a superuser. */
  public static DataNodeStates of(DFSClient client, OperationBudget budget) throws IOException {
    List<Node> nodes = new ArrayList<>();
    budget.take();
    DatanodeInfo[] live = client.datanodeReport(DatanodeReportType.LIVE);
    // The NameNode doesn't say what time it is for it.
    long latest =
        Arrays.stream(live).mapToLong(DatanodeInfo::getLastUpdateMonotonic).max().orElse(0);
    for (DatanodeInfo node : live) {
      nodes.add(
          new Node(
              node.getDatanodeUuid(),
              node.getHostName() + ":" + node.getXferPort(),
              node.getNetworkLocation(),
              node.isDecommissionInProgress() || node.isEnteringMaintenance(),
              node.getXceiverCount(),
              web(node),
              latest - node.getLastUpdateMonotonic(),
              // Peers are reported by their web address, disks by the address for calls.
              List.of(node.getInfoAddr(), node.getInfoSecureAddr(), node.getIpcAddr(false))));
    }
    budget.take();
    RollingUpgradeInfo rolling = client.getNamenode().rollingUpgrade(RollingUpgradeAction.QUERY);
    return new DataNodeStates(nodes, rolling != null && !rolling.isFinalized());
  }

  /** Certificates and tickets are for host names; else the address does that HDFS uses itself. */
  private static String web(DatanodeInfo node) {
    if (node.getInfoSecurePort() > 0) {
      return "https://" + node.getHostName() + ":" + node.getInfoSecurePort();
    }
    return "http://"
        + (UserGroupInformation.isSecurityEnabled()
            ? node.getHostName() + ":" + node.getInfoPort()
            : node.getInfoAddr());
  }
}
