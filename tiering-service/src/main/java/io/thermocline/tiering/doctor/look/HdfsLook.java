// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor.look;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Seen;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** What HDFS says to a client. One thread. */
public final class HdfsLook {

  private final DistributedFileSystem hdfs;
  private final DFSClient client;
  private final String user;
  private Seen<DatanodeStorageReport[]> reports;

  public HdfsLook(DistributedFileSystem hdfs, String user) {
    this.hdfs = hdfs;
    this.client = hdfs.getClient();
    this.user = user;
  }

  @FunctionalInterface
  private interface Question<T> {
    T ask() throws IOException;
  }

  private static <T> Seen<T> seen(Question<T> question) {
    try {
      return Seen.of(question.ask());
    } catch (IOException e) {
      return Seen.not(first(e));
    }
  }

  /** A NameNode's refusal carries its stack trace along. */
  private static String first(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
  }

  /** Where nobody answers. */
  public static Facts.Hdfs unreached(String user, String why) {
    return new Facts.Hdfs(
        user,
        Seen.not(why),
        Seen.not(why),
        Seen.not(why),
        Seen.not(why),
        Seen.not(why),
        Seen.not(why));
  }

  /**
   * Asks all of it.
   *
   * @param mutex path of our own mover's file
   * @param managed directories that are asked, with those above, whether they have a quota of a
   *     type. Of one without any
   *     quota the NameNode counts what is below
   */
  public Facts.Hdfs look(String mutex, List<String> managed) {
    Seen<Boolean> superuser;
    try {
      reports = Seen.of(client.getDatanodeStorageReport(DatanodeReportType.LIVE));
      superuser = Seen.of(true);
    } catch (IOException e) {
      reports = Seen.not(first(e));
      superuser = isRefusal(e) ? Seen.of(false) : Seen.not(first(e));
    }
    return new Facts.Hdfs(
        user,
        superuser,
        storages(),
        seen(() -> client.getServerDefaults().getBlockSize()),
        cacheBytes(),
        seen(() -> others(mutex)),
        seen(() -> quotas(managed)));
  }

  /** The web servers of the DataNodes that were seen. */
  public List<URI> webs() {
    boolean isSecure = "https".equals(DFSUtil.getHttpClientScheme(hdfs.getConf()));
    List<URI> webs = new ArrayList<>();
    for (DatanodeStorageReport report : reports.value().orElse(new DatanodeStorageReport[0])) {
      DatanodeInfo node = report.getDatanodeInfo();
      // By address, as names of DataNodes needn't be known here; but certificates and principals
      // are of names. One without a plain port speaks TLS alone, whatever the configuration here
      // says (dfs.http.policy).
      webs.add(
          URI.create(
              isSecure || node.getInfoPort() <= 0
                  ? "https://" + node.getHostName() + ":" + node.getInfoSecurePort()
                  : "http://" + node.getIpAddr() + ":" + node.getInfoPort()));
    }
    return webs;
  }

  private static boolean isRefusal(IOException e) {
    IOException cause = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    return cause instanceof AccessControlException;
  }

  private Seen<List<Facts.Storage>> storages() {
    if (reports.value().isEmpty()) {
      return Seen.not(reports.why());
    }
    List<Facts.Storage> storages = new ArrayList<>();
    for (DatanodeStorageReport report : reports.value().get()) {
      DatanodeInfo node = report.getDatanodeInfo();
      for (StorageReport storage : report.getStorageReports()) {
        StorageType type = StorageType.ofHadoopName(storage.getStorage().getStorageType().name());
        if (type != null) {
          storages.add(
              new Facts.Storage(
                  node.getXferAddrWithHostname(),
                  node.getNetworkLocation(),
                  storage.getStorage().getStorageID(),
                  type,
                  storage.getCapacity(),
                  storage.getDfsUsed(),
                  storage.getRemaining()));
        }
      }
    }
    return Seen.of(storages);
  }

  private Seen<Long> cacheBytes() {
    if (reports.value().isEmpty()) {
      return Seen.not(reports.why());
    }
    long bytes = 0;
    for (DatanodeStorageReport report : reports.value().get()) {
      bytes += report.getDatanodeInfo().getCacheCapacity();
    }
    return Seen.of(bytes);
  }

  /** Movers hold a file open; one that was left by a crash is closed by the NameNode. */
  private List<String> others(String mutex) throws IOException {
    List<String> open = new ArrayList<>();
    FileStatus[] files;
    try {
      files = hdfs.listStatus(new Path("/system"));
    } catch (FileNotFoundException e) {
      return open;
    }
    for (FileStatus file : files) {
      String path = file.getPath().toUri().getPath();
      if (path.endsWith(".id") && !path.equals(mutex)) {
        HdfsLocatedFileStatus located = client.getLocatedFileInfo(path, false);
        if (located != null
            && located.getLocatedBlocks() != null
            && located.getLocatedBlocks().isUnderConstruction()) {
          open.add(path);
        }
      }
    }
    return open;
  }

  private List<String> quotas(List<String> managed) throws IOException {
    Set<String> paths = new TreeSet<>();
    for (String directory : managed) {
      for (Path at = new Path(directory); at != null; at = at.getParent()) {
        paths.add(at.toUri().getPath());
      }
    }
    List<String> limited = new ArrayList<>();
    for (String path : paths) {
      try {
        QuotaUsage usage = hdfs.getQuotaUsage(new Path(path));
        if (usage.isTypeQuotaSet()) {
          limited.add(path);
        }
      } catch (FileNotFoundException e) {
        // One that isn't there has none.
        continue;
      }
    }
    return limited;
  }
}
