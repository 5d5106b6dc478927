// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolEntry;
import org.apache.hadoop.security.AccessControlException;

/**
 * What remains in HDFS of a service that took back all that it did: its cache pool, its journal, and the directories and
 * attributes that it works with. Immutable.
 */
public final class HdfsLeftovers {

  private final DistributedFileSystem hdfs;
  private final String pool;
  private final Path journal;
  private final Path groups;
  private final Path mutex;
  private final boolean isPoolOurs;

  /** Removes one of them. */
  @FunctionalInterface
  private interface Removal {
    void run() throws IOException;
  }

  /** @param command by which a superuser does the same */
  private record Removing(String command, Removal removal) {}

  /**
   * @param pool of cache directives
   * @param journal its directory; null where it isn't in HDFS
   * @param groups directory of group files
   * @param isPoolOurs whether cache directives of the pool that nobody knows are the service's
   */
  public HdfsLeftovers(
      DistributedFileSystem hdfs,
      String pool,
      Path journal,
      Path groups,
      Path mutex,
      boolean isPoolOurs) {
    this.isPoolOurs = isPoolOurs;
    this.hdfs = hdfs;
    this.pool = pool;
    this.journal = journal;
    this.groups = groups;
    this.mutex = mutex;
  }

  /** What there is, in words. */
  public List<String> found() throws IOException {
    return List.copyOf(all().keySet());
  }

  /**
   * Removes it, the journal after all else but the directory of the mutex.
   *
   * @return why something is left, by its name
   */
  public Map<String, String> remove() throws IOException {
    Map<String, String> left = new LinkedHashMap<>();
    for (Map.Entry<String, Removing> each : all().entrySet()) {
      try {
        each.getValue().removal().run();
      } catch (FileNotFoundException e) {
        // It went along with another.
        continue;
      } catch (AccessControlException e) {
        left.put(
            each.getKey(),
            "only an HDFS superuser may remove it. Stop the mover, and run as one: "
                + each.getValue().command());
      } catch (IOException e) {
        left.put(each.getKey(), String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      }
    }
    return left;
  }

  private Map<String, Removing> all() throws IOException {
    Map<String, Removing> all = new LinkedHashMap<>();
    if (hasPool()) {
      all.put(
          "cache pool " + pool,
          new Removing("hdfs cacheadmin -removePool " + pool, this::removePool));
    }
    if (hdfs.exists(groups)) {
      all.put(groups.toString(), new Removing(delete(groups), this::removeGroups));
    }
    Path directory = mutex.getParent();
    List<Path> files = new ArrayList<>(List.of(mutex));
    if (journal != null) {
      files.add(journal);
    }
    for (Path file : files) {
      if (hdfs.exists(file)) {
        all.put(file.toString(), new Removing(delete(file), () -> hdfs.delete(file, true)));
      }
    }
    if (!hdfs.exists(directory)) {
      return all;
    }
    for (String attribute : hdfs.getXAttrs(directory).keySet()) {
      if (attribute.equals(JournalMark.ATTRIBUTE) || attribute.equals(EpochFence.ATTRIBUTE)) {
        all.put(
            "attribute " + attribute + " of " + directory,
            new Removing(
                "hdfs dfs -setfattr -x " + attribute + " " + directory,
                () -> hdfs.removeXAttr(directory, attribute)));
      }
    }
    if (!directory.isRoot()) {
      all.put(
          directory + ", where it is empty",
          new Removing(
              "hdfs dfs -rmdir " + directory,
              () -> {
                if (hdfs.listStatus(directory).length == 0) {
                  hdfs.delete(directory, false);
                }
              }));
    }
    return all;
  }

  private static String delete(Path path) {
    return "hdfs dfs -rm -r -skipTrash " + path;
  }

  private boolean hasPool() throws IOException {
    RemoteIterator<CachePoolEntry> pools = hdfs.listCachePools();
    while (pools.hasNext()) {
      if (Objects.equals(pools.next().getInfo().getPoolName(), pool)) {
        return true;
      }
    }
    return false;
  }

  private void removePool() throws IOException {
    if (!isPoolOurs
        && hdfs.listCacheDirectives(new CacheDirectiveInfo.Builder().setPool(pool).build())
            .hasNext()) {
      throw new IOException("it has cache directives that aren't the service's own");
    }
    hdfs.removeCachePool(pool);
  }

  private void removeGroups() throws IOException {
    if (hdfs.getContentSummary(groups).getFileCount() > 0) {
      throw new IOException("it still has files");
    }
    hdfs.delete(groups, true);
  }
}
