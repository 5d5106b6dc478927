// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.StorageType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/**
 * A live DataNode with its storages, which the NameNode tells superusers alone. Immutable.
 *
 * @param uuid its identity, which survives restarts and address changes
 * @param address where it takes blocks: ip and port
 * @param host its name, for people; with the same port
 * @param rack network location, as the NameNode resolved it
 * @param isInService neither being decommissioned nor in maintenance
 * @param web its web server's ip and port; empty where it speaks TLS alone
 * @param secureWeb its name and its port for TLS; port 0 where there is none
 * @param cacheCapacity bytes of memory that it has for cached blocks
 * @param cacheUsed bytes of them that are taken
 * @param silentMillis without a heartbeat, when another DataNode sent the last one
 */
public record DataNodeReport(
    String uuid,
    String address,
    String host,
    String rack,
    boolean isInService,
    String web,
    String secureWeb,
    long cacheCapacity,
    long cacheUsed,
    List<Storage> storages,
    long silentMillis) {

  public DataNodeReport {
    storages = List.copyOf(storages);
  }

  /**
   * Its web server, for instance http://10.0.0.7:9864; empty where it has none.
   *
   * @param byName certificates and tickets are for host names; else the address does that HDFS uses itself
   */
  String webServer(boolean byName) {
    if (!secureWeb.endsWith(":0")) {
      return "https://" + secureWeb;
    }
    String name = secureWeb.substring(0, secureWeb.lastIndexOf(':'));
    return web.isEmpty()
        ? ""
        : "http://" + (byName ? name + web.substring(web.lastIndexOf(':')) : web);
  }

  /**
   * A volume. Sizes in bytes.
   *
   * @param used by blocks of HDFS
   */
  public record Storage(
      String id, StorageType type, boolean isFailed, long capacity, long used, long remaining) {}

  /** Where these come from. */
  @FunctionalInterface
  public interface Source {
    /**
     * @throws IOException also where we may not ask
     */
    List<DataNodeReport> read() throws IOException;
  }

  /** As the NameNode says to a superuser; storages of types that are not known here are left out. */
  public static List<DataNodeReport> of(DFSClient client) throws IOException {
    List<DataNodeReport> reports = new ArrayList<>();
    DatanodeStorageReport[] live = client.getDatanodeStorageReport(DatanodeReportType.LIVE);
    long latest =
        Arrays.stream(live)
            .mapToLong(report -> report.getDatanodeInfo().getLastUpdateMonotonic())
            .max()
            .orElse(0);
    for (DatanodeStorageReport report : live) {
      DatanodeInfo node = report.getDatanodeInfo();
      List<Storage> storages = new ArrayList<>();
      for (StorageReport storage : report.getStorageReports()) {
        StorageType type = StorageType.ofHadoopName(storage.getStorage().getStorageType().name());
        if (type != null) {
          storages.add(
              new Storage(
                  storage.getStorage().getStorageID(),
                  type,
                  storage.isFailed(),
                  storage.getCapacity(),
                  storage.getDfsUsed(),
                  storage.getRemaining()));
        }
      }
      reports.add(
          new DataNodeReport(
              node.getDatanodeUuid(),
              node.getXferAddr(),
              node.getXferAddrWithHostname(),
              node.getNetworkLocation(),
              node.isInService(),
              node.getInfoPort() > 0 ? node.getInfoAddr() : "",
              node.getHostName() + ":" + node.getInfoSecurePort(),
              node.getCacheCapacity(),
              node.getCacheUsed(),
              storages,
              latest - node.getLastUpdateMonotonic()));
    }
    return reports;
  }
}
