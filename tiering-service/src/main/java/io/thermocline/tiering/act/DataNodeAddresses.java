// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Where each DataNode listens, by its UUID. Asked of the NameNode where it isn't known, and
 * again after {@link #forget}: a DataNode that was away may come back on another port or host.
 * Thread-safe.
 */
final class DataNodeAddresses {

  private final Report report;
  private final Map<String, DatanodeInfo> known = new ConcurrentHashMap<>();

  /** Host and port of each that was live at some time. */
  private final Map<String, String> hosts = new ConcurrentHashMap<>();

  DataNodeAddresses(Report report) {
    this.report = report;
  }

  /** What the NameNode says. */
  @FunctionalInterface
  interface Report {
    /** The DataNodes that are live now. */
    DatanodeInfo[] live() throws IOException;
  }

  /**
   * @throws IOException if the DataNode isn't live, or the NameNode doesn't answer
   */
  DatanodeInfo of(String uuid) throws IOException {
    DatanodeInfo found = known.get(uuid);
    if (found == null) {
      for (DatanodeInfo info : report.live()) {
        known.put(info.getDatanodeUuid(), info);
        hosts.put(info.getDatanodeUuid(), info.getXferAddrWithHostname());
      }
      found = known.get(uuid);
    }
    if (found == null) {
      throw new IOException("DataNode " + hosts.getOrDefault(uuid, uuid) + " is not live any more");
    }
    return found;
  }

  /** Host and port for people, also of one that is dead by now; the UUID where it was never seen. */
  String host(String uuid) {
    if (!hosts.containsKey(uuid)) {
      try {
        of(uuid);
      } catch (IOException e) {
        // Until a report has it.
        hosts.putIfAbsent(uuid, uuid);
      }
    }
    return hosts.get(uuid);
  }

  /** To be called with the DataNodes of a copy that failed: an address may be the reason. */
  void forget(List<String> uuids) {
    uuids.forEach(known::remove);
  }
}
