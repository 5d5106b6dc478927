// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor.look;

import io.thermocline.tiering.cluster.DataNodeReport;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Seen;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;

/** What HDFS says to a client. One thread. */
public final class HdfsLook {

  /** Each is a connection. */
  private static final int MOST_TRIED = 10;

  /** Of a directory. */
  private static final int MOST_LISTED = 1_000;

  /** Of a block that can be on more racks than HDFS's default puts it on. */
  private static final int REPLICAS = 3;

  private final DistributedFileSystem hdfs;
  private final DFSClient client;
  private final String user;
  private final Optional<DataNodeReport.Source> mover;
  private Seen<List<DataNodeReport>> reports;

  /**
   * @param mover who asks in our place what superusers may; empty where there is none
   */
  public HdfsLook(DistributedFileSystem hdfs, String user, Optional<DataNodeReport.Source> mover) {
    this.hdfs = hdfs;
    this.client = hdfs.getClient();
    this.user = user;
    this.mover = mover;
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

  /**
   * Asks all of it.
   *
   * @param mutex path of our own mover's file
   * @param managed directories whose quotas of types are looked at, with those above. Below one without any
   *     quota the NameNode counts what is there
   * @param others whom the NameNodes' configuration lets this user act for, by name
   */
  public Facts.Hdfs look(String mutex, List<String> managed, Set<String> others) {
    Seen<Boolean> superuser = superuser();
    reports = seen(mover.orElse(() -> DataNodeReport.of(client))::read);
    return new Facts.Hdfs(
        user,
        superuser,
        mover.map(
            there ->
                reports.value().isPresent() ? Seen.of(true) : Seen.<Boolean>not(reports.why())),
        storages(),
        seen(() -> client.getServerDefaults().getBlockSize()),
        cacheBytes(),
        seen(() -> others(mutex)),
        seen(() -> exceededQuotas(managed)),
        seen(() -> missing(managed)),
        seen(() -> refusals(managed, others)),
        seen(() -> spread(managed)));
  }

  /** None where the cluster has too few racks for it to say anything. */
  private Facts.Spread spread(List<String> managed) throws IOException {
    long racks =
        reports.value().orElse(List.of()).stream().map(DataNodeReport::rack).distinct().count();
    int files = 0;
    int blocks = 0;
    int apart = 0;
    for (String path : racks < REPLICAS ? List.<String>of() : managed) {
      if (!hdfs.exists(new Path(path))) {
        continue;
      }
      RemoteIterator<LocatedFileStatus> below = hdfs.listFiles(new Path(path), true);
      while (below.hasNext() && files++ < MOST_LISTED) {
        for (BlockLocation block : below.next().getBlockLocations()) {
          String[] places = block.getTopologyPaths();
          long own = Arrays.stream(places).map(HdfsLook::rack).distinct().count();
          blocks += places.length >= REPLICAS ? 1 : 0;
          apart += places.length >= REPLICAS && own == places.length ? 1 : 0;
        }
      }
    }
    return new Facts.Spread(blocks, apart);
  }

  private static String rack(String place) {
    return place.substring(0, place.lastIndexOf('/'));
  }

  /** Tried with these, and with owners of what is managed, until one call is answered; none is audited. */
  private Map<String, String> refusals(List<String> managed, Set<String> others)
      throws IOException {
    Set<String> users = new LinkedHashSet<>(others);
    for (String path : managed) {
      for (FileStatus file : hdfs.exists(new Path(path)) ? owned(path) : List.<FileStatus>of()) {
        users.add(file.getOwner());
      }
    }
    users.remove(user);
    Map<String, String> refused = new LinkedHashMap<>();
    for (String other : users.stream().limit(MOST_TRIED).toList()) {
      try {
        actFor(other);
        return Map.of();
      } catch (RemoteException e) {
        if (!(e.unwrapRemoteException() instanceof AuthorizationException)) {
          throw e;
        }
        refused.put(other, first(e));
      }
    }
    if (refused.isEmpty()) {
      throw new IOException("nobody else owns what is managed");
    }
    return refused;
  }

  private List<FileStatus> owned(String path) throws IOException {
    List<FileStatus> some = new ArrayList<>(List.of(hdfs.getFileStatus(new Path(path))));
    RemoteIterator<FileStatus> below = hdfs.listStatusIterator(new Path(path));
    while (below.hasNext() && some.size() < MOST_LISTED) {
      some.add(below.next());
    }
    return some;
  }

  private void actFor(String other) throws IOException {
    UserGroupInformation caller =
        UserGroupInformation.createProxyUser(other, UserGroupInformation.getCurrentUser());
    try {
      caller.doAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                try (DFSClient asOther = new DFSClient(hdfs.getUri(), hdfs.getConf())) {
                  asOther.getNamenode().getServerDefaults();
                }
                return null;
              });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking HDFS as " + other, e);
    }
  }

  private List<String> missing(List<String> managed) throws IOException {
    List<String> missing = new ArrayList<>();
    for (String path : managed) {
      if (client.getFileInfo(path) == null) {
        missing.add(path);
      }
    }
    return missing;
  }

  /** The web servers of the DataNodes that were seen. */
  public List<URI> webs() {
    boolean isSecure = "https".equals(DFSUtil.getHttpClientScheme(hdfs.getConf()));
    List<URI> webs = new ArrayList<>();
    for (DataNodeReport node : reports.value().orElse(List.of())) {
      // By address, as names of DataNodes needn't be known here; but certificates and principals
      // are of names. One without a plain port speaks TLS alone, whatever the configuration here
      // says (dfs.http.policy).
      webs.add(
          URI.create(
              isSecure || node.web().isEmpty()
                  ? "https://" + node.secureWeb()
                  : "http://" + node.web()));
    }
    return webs;
  }

  /** By a small question that is answered to nobody else. */
  private Seen<Boolean> superuser() {
    try {
      client.getNamenode().rollingUpgrade(RollingUpgradeAction.QUERY);
      return Seen.of(true);
    } catch (IOException e) {
      return isRefusal(e) ? Seen.of(false) : Seen.not(first(e));
    }
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
    for (DataNodeReport node : reports.value().get()) {
      for (DataNodeReport.Storage storage : node.storages()) {
        storages.add(
            new Facts.Storage(
                node.host(),
                node.rack(),
                storage.id(),
                storage.type(),
                storage.capacity(),
                storage.used(),
                storage.remaining()));
      }
    }
    return Seen.of(storages);
  }

  private Seen<Long> cacheBytes() {
    if (reports.value().isEmpty()) {
      return Seen.not(reports.why());
    }
    long bytes = 0;
    for (DataNodeReport node : reports.value().get()) {
      bytes += node.cacheCapacity();
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

  private List<String> exceededQuotas(List<String> managed) throws IOException {
    // One look: no time passes in it.
    return new Quotas(client, () -> 0)
        .look(managed).quotas().stream()
            .filter(quota -> quota.type() != null && quota.used() > quota.max())
            .map(Quotas.Quota::directory)
            .distinct()
            .sorted()
            .toList();
  }
}
