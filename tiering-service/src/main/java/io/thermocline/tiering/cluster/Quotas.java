// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.Paths;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The quotas of directories in HDFS, and what a change of a file would make of them. Thread-safe. */
public final class Quotas implements QuotaSource {

  /*
   * HDFS keeps a counter for each directory with a quota, and setStoragePolicy doesn't change it: only a restart of the
   * NameNode counts anew. A content summary counts as the restart will, so usage by type comes from there.
   *
   * HDFS doesn't list directories with quotas. getQuotaUsage is cheap for one that has a quota; below one that has none
   * the NameNode counts everything, so such a directory is asked again only after a time that grows with that count.
   */
  private static final Logger LOG = LoggerFactory.getLogger(Quotas.class);

  private static final List<org.apache.hadoop.fs.StorageType> TYPES =
      List.copyOf(org.apache.hadoop.fs.StorageType.getTypesSupportingQuota());

  /** Directories that one look asks about for the first time, or again. */
  private static final int MAX_ASKED = 10_000;

  /** Directories without a quota that are remembered. */
  private static final int MAX_REMEMBERED = 1_000_000;

  private static final long ASK_AGAIN_NANOS = Duration.ofMinutes(10).toNanos();

  /** NameNodes count about a million inodes a second. */
  private static final long ASK_AGAIN_NANOS_AN_INODE = Duration.ofMillis(1).toNanos();

  /** Usage is counted again after this time, or after a hundred times as long as the count took. */
  private static final long COUNT_AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

  private static final long COUNT_SHARE = 100;

  private final ClientProtocol nameNode;
  private final LongSupplier nanos;

  /** When to ask again about a directory that has no quota. */
  private final Map<String, Long> without = new HashMap<>();

  private final Map<String, Counted> limited = new HashMap<>();
  private final Set<Change> underWay = new HashSet<>();
  private boolean hasLooked;

  /**
   * A quota of a directory.
   *
   * @param type null: of space on all types
   * @param max bytes of all copies
   * @param used bytes that a restarted NameNode would count
   */
  public record Quota(String directory, StorageType type, long max, long used) {}

  /**
   * What a look found.
   *
   * @param unknown of the directories, those of which it isn't known whether they are below a quota
   */
  public record Look(List<Quota> quotas, Set<String> unknown) {}

  /** A change of a file would exceed a quota. */
  public static final class ExceededException extends IOException {
    private static final long serialVersionUID = 1L;

    ExceededException(String message) {
      super(message);
    }
  }

  private static final class Counted {
    private final Map<StorageType, Long> max = new EnumMap<>(StorageType.class);
    private final Map<StorageType, Long> used = new EnumMap<>(StorageType.class);

    /** What HDFS's own counter was then. */
    private final Map<StorageType, Long> counter = new EnumMap<>(StorageType.class);

    private long maxSpace = -1;
    private long usedSpace;
    private long countAgainNanos;

    /** Takes over what is allowed, and what HDFS counted since. */
    private void update(QuotaUsage usage) {
      max.clear();
      for (org.apache.hadoop.fs.StorageType type : TYPES) {
        StorageType ours = StorageType.ofHadoopName(type.name());
        if (ours != null) {
          long now = usage.getTypeConsumed(type);
          used.merge(ours, now - counter.put(ours, now), Long::sum);
          if (usage.getTypeQuota(type) >= 0) {
            max.put(ours, usage.getTypeQuota(type));
          }
        }
      }
      maxSpace = usage.getSpaceQuota();
      usedSpace = usage.getSpaceConsumed();
    }
  }

  /** A change that was begun. What it needs is used from then on; what it frees, when it is done. */
  public final class Change implements AutoCloseable {
    private final Set<String> directories;
    private final Map<StorageType, Long> more;
    private final boolean isCountedByHdfs;

    private Change(Set<String> directories, Map<StorageType, Long> more, boolean isCountedByHdfs) {
      this.directories = directories;
      this.more = more;
      this.isCountedByHdfs = isCountedByHdfs;
    }

    /** HDFS made the change. */
    public void done() {
      synchronized (Quotas.this) {
        if (!isCountedByHdfs) {
          directories.stream()
              .map(limited::get)
              .filter(Objects::nonNull)
              .forEach(counted -> add(counted.used, bytes -> Math.min(0, bytes)));
        }
      }
    }

    private void add(Map<StorageType, Long> used, LongUnaryOperator part) {
      more.forEach((type, bytes) -> used.merge(type, part.applyAsLong(bytes), Long::sum));
    }

    @Override
    public void close() {
      synchronized (Quotas.this) {
        underWay.remove(this);
      }
    }
  }

  /**
   * @param nanos monotonic
   */
  public Quotas(DFSClient client, LongSupplier nanos) {
    this.nameNode = client.getNamenode();
    this.nanos = nanos;
  }

  @Override
  public synchronized Look look(Collection<String> directories) throws IOException {
    hasLooked = true;
    Set<String> all = new LinkedHashSet<>();
    directories.forEach(directory -> all.addAll(upwards(directory)));
    List<Quota> quotas = new ArrayList<>();
    Set<String> unasked = new HashSet<>();
    int asked = 0;
    for (String directory : all) {
      if (!isKnown(directory) && asked++ >= MAX_ASKED) {
        unasked.add(directory);
        continue;
      }
      Counted counted = counted(directory, false);
      if (counted != null) {
        counted.max.forEach(
            (type, max) -> quotas.add(new Quota(directory, type, max, counted.used.get(type))));
        if (counted.maxSpace >= 0) {
          quotas.add(new Quota(directory, null, counted.maxSpace, counted.usedSpace));
        }
      }
    }
    Set<String> unknown = new HashSet<>();
    if (!unasked.isEmpty()) {
      for (String directory : directories) {
        if (upwards(directory).stream().anyMatch(unasked::contains)) {
          unknown.add(directory);
        }
      }
    }
    return new Look(quotas, unknown);
  }

  /**
   * Call it before a storage policy is set.
   *
   * @param policy name; empty: the path will have none of its own
   * @throws ExceededException where HDFS would count more than a quota allows
   */
  public Change beforePolicy(String path, String policy) throws IOException {
    return before(
        path,
        false,
        (summary, status) -> {
          String next =
              policy.isEmpty()
                  ? QuotaCharge.policyName(status(Paths.above(path)).getStoragePolicy())
                  : policy;
          return QuotaCharge.of(next, summary.getLength(), summary.getSpaceConsumed());
        });
  }

  /**
   * Call it before the replication factor of a file is set. HDFS itself keeps to quotas of space.
   *
   * @throws ExceededException where HDFS would count more than a quota of a type allows
   */
  public Change beforeReplication(String path, int factor) throws IOException {
    return before(
        path,
        true,
        (summary, status) ->
            QuotaCharge.of(
                QuotaCharge.policyName(Byte.toUnsignedInt(status.getStoragePolicy())),
                summary.getLength(),
                summary.getLength() * factor));
  }

  @FunctionalInterface
  private interface After {
    Map<StorageType, Long> of(ContentSummary summary, HdfsFileStatus status) throws IOException;
  }

  private synchronized Change before(String path, boolean isCountedByHdfs, After after)
      throws IOException {
    // Plans look at the directories of all their files first.
    boolean isDirectory =
        hasLooked ? isKnown(path) : path.equals("/") || status(path).isDirectory();
    Set<String> above = new HashSet<>();
    for (String directory : upwards(isDirectory ? path : Paths.above(path))) {
      Counted counted = counted(directory, true);
      if (counted != null && !counted.max.isEmpty()) {
        above.add(directory);
      }
    }
    if (above.isEmpty()) {
      return new Change(Set.of(), Map.of(), isCountedByHdfs);
    }
    Change change = new Change(above, more(path, after), isCountedByHdfs);
    for (String directory : above) {
      refuse(path, directory, limited.get(directory), change.more);
    }
    for (String directory : above) {
      change.add(limited.get(directory).used, bytes -> Math.max(0, bytes));
    }
    underWay.add(change);
    return change;
  }

  private Map<StorageType, Long> more(String path, After after) throws IOException {
    try {
      ContentSummary now = nameNode.getContentSummary(path);
      HdfsFileStatus status = status(path);
      Map<StorageType, Long> more = new EnumMap<>(StorageType.class);
      more.putAll(after.of(now, status));
      // Below a directory, files may keep policies of their own: what they use stays.
      if (!status.isDirectory()) {
        for (StorageType type : StorageType.values()) {
          more.merge(type, -used(now, type), Long::sum);
        }
      }
      return more;
    } catch (RemoteException e) {
      throw e.unwrapRemoteException();
    }
  }

  private static void refuse(
      String path, String directory, Counted counted, Map<StorageType, Long> more)
      throws ExceededException {
    for (Map.Entry<StorageType, Long> quota : counted.max.entrySet()) {
      long bytes = more.getOrDefault(quota.getKey(), 0L);
      long used = counted.used.getOrDefault(quota.getKey(), 0L);
      if (bytes > 0 && used + bytes > quota.getValue()) {
        throw new ExceededException(
            "the "
                + quota.getKey()
                + " quota of "
                + directory
                + " is "
                + quota.getValue()
                + " bytes, "
                + used
                + " are used, and "
                + path
                + " needs "
                + bytes
                + " more");
      }
    }
  }

  private boolean isKnown(String directory) {
    Long again = without.get(directory);
    return limited.containsKey(directory) || again != null && nanos.getAsLong() - again < 0;
  }

  /**
   * What a directory may have and has; null where it has no quota.
   *
   * @param isRecentEnough whether a count of before will do, with what HDFS counted since. A storage policy that
   *     somebody else set since isn't in it
   */
  private Counted counted(String directory, boolean isRecentEnough) throws IOException {
    if (!limited.containsKey(directory) && isKnown(directory)) {
      return null;
    }
    try {
      // Of a directory that has one, this is what the NameNode has at hand.
      QuotaUsage usage = nameNode.getQuotaUsage(directory);
      if (usage.isTypeQuotaSet() || usage.getSpaceQuota() >= 0) {
        Counted counted = limited.get(directory);
        if (counted == null
            || !isRecentEnough
            || nanos.getAsLong() - counted.countAgainNanos >= 0) {
          counted = count(directory, usage);
        }
        counted.update(usage);
        limited.put(directory, counted);
        without.remove(directory);
        return counted;
      }
      remember(directory, usage.getFileAndDirectoryCount());
    } catch (RemoteException e) {
      IOException why = e.unwrapRemoteException();
      if (why instanceof AccessControlException) {
        if (!without.containsKey(directory)) {
          LOG.warn(
              "quotas of {} can't be asked, so plans don't keep to them: {}",
              directory,
              why.getMessage());
        }
        remember(directory, 0);
      } else if (!(why instanceof FileNotFoundException)) {
        throw e;
      }
    }
    limited.remove(directory);
    return null;
  }

  private Counted count(String directory, QuotaUsage usage) throws IOException {
    Counted counted = new Counted();
    long began = nanos.getAsLong();
    QuotaUsage types = usage;
    if (usage.isTypeQuotaSet()) {
      try {
        types = nameNode.getContentSummary(directory);
      } catch (RemoteException e) {
        if (!(e.unwrapRemoteException() instanceof AccessControlException)) {
          throw e;
        }
        // What HDFS keeps is better than nothing: it has all but changes of policies.
      }
    }
    for (org.apache.hadoop.fs.StorageType type : TYPES) {
      StorageType ours = StorageType.ofHadoopName(type.name());
      if (ours != null) {
        counted.used.put(ours, types.getTypeConsumed(type));
        counted.counter.put(ours, usage.getTypeConsumed(type));
      }
    }
    for (Change change : underWay) {
      if (change.directories.contains(directory)) {
        change.add(counted.used, bytes -> Math.max(0, bytes));
      }
    }
    long now = nanos.getAsLong();
    counted.countAgainNanos = now + Math.max(COUNT_AGAIN_NANOS, COUNT_SHARE * (now - began));
    return counted;
  }

  private void remember(String directory, long inodes) {
    if (without.size() >= MAX_REMEMBERED) {
      without.clear();
    }
    without.put(
        directory,
        nanos.getAsLong() + Math.max(ASK_AGAIN_NANOS, inodes * ASK_AGAIN_NANOS_AN_INODE));
  }

  private static long used(ContentSummary summary, StorageType type) {
    for (org.apache.hadoop.fs.StorageType each : TYPES) {
      if (each.name().equals(type.name())) {
        return summary.getTypeConsumed(each);
      }
    }
    return 0;
  }

  private HdfsFileStatus status(String path) throws IOException {
    HdfsFileStatus status = nameNode.getFileInfo(path);
    if (status == null) {
      throw new FileNotFoundException(path + " is not there");
    }
    return status;
  }

  /** A directory and those above it. */
  private static List<String> upwards(String path) {
    List<String> all = new ArrayList<>();
    for (String at = path; !at.equals("/"); at = Paths.above(at)) {
      all.add(at);
    }
    all.add("/");
    return all;
  }
}
