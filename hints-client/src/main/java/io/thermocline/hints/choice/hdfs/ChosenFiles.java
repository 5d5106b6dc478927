// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.choice.hdfs;

import io.thermocline.hints.choice.Server;
import io.thermocline.placement.choice.Location;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Files on chosen servers, by favored nodes. All blocks of a file go to the servers of its choice. HDFS
 * takes them as wishes: where one is full, busy, or out of service, another node gets that replica.
 *
 * <p>Uses only what has the same signature in Hadoop 3.3.6, 3.4.3 and 3.5.0.
 */
public final class ChosenFiles {
  private ChosenFiles() {}

  /**
   * A file to be created on these servers: set what else it needs, and {@code build()} it.
   *
   * @param servers the first replica's first, as many as the file has replicas
   */
  public static DistributedFileSystem.HdfsDataOutputStreamBuilder create(
      DistributedFileSystem fs, Path path, List<Server> servers) {
    InetSocketAddress[] favored = new InetSocketAddress[servers.size()];
    for (int i = 0; i < favored.length; i++) {
      favored[i] = new InetSocketAddress(servers.get(i).host(), servers.get(i).port());
    }
    return fs.createFile(path).replication((short) favored.length).favoredNodes(favored);
  }

  /**
   * The DataNodes that are alive and in service, for a table. HDFS gives its report to superusers only:
   * let one publish the table for everybody.
   *
   * @throws AccessControlException for others than superusers
   */
  public static List<Server> servers(DistributedFileSystem fs) throws IOException {
    List<Server> servers = new ArrayList<>();
    for (DatanodeInfo node : live(fs)) {
      if (node.getAdminState() == DatanodeInfo.AdminStates.NORMAL && node.getCapacity() > 0) {
        servers.add(
            Server.of(
                node.getDatanodeUuid(),
                node.getXferAddr(),
                web(node),
                Location.of(node.getHostName(), node.getNetworkLocation()),
                node.getCapacity()));
      }
    }
    return servers;
  }

  /** Certificates and principals are of names. */
  private static String web(DatanodeInfo node) {
    if (node.getInfoPort() > 0) {
      return node.getInfoAddr();
    }
    return node.getInfoSecurePort() > 0
        ? "https://" + node.getHostName() + ":" + node.getInfoSecurePort()
        : "-";
  }

  private static DatanodeInfo[] live(DistributedFileSystem fs) throws IOException {
    try {
      return fs.getDataNodeStats(DatanodeReportType.LIVE);
    } catch (RemoteException e) {
      throw e.unwrapRemoteException(AccessControlException.class);
    }
  }
}
