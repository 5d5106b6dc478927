// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import io.thermocline.placement.model.StorageType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that checks look at. Immutable.
 *
 * @param zooKeepers by address, whether they were reached
 */
public record Facts(
    Settings settings,
    Host host,
    Hdfs hdfs,
    List<Server> nameNodes,
    List<Server> dataNodes,
    Map<String, Seen<Boolean>> zooKeepers) {

  /** A check of servers that nobody knows says so, where it would find nothing of none. */
  public Facts {
    if (nameNodes.isEmpty()) {
      nameNodes =
          List.of(
              Server.unseen(
                  "NameNodes",
                  "no web address of one is known: name them in observe.nameNodeWebs"));
    }
    if (dataNodes.isEmpty()) {
      String why = hdfs.storages().why();
      dataNodes = List.of(Server.unseen("DataNodes", why.isEmpty() ? "none is live" : why));
    }
  }

  /**
   * What the service's configuration asks for.
   *
   * @param moves whether it moves data, or only says what it would move
   * @param auditLogs how many logs of NameNodes it reads
   * @param clientTrace whether it reads DataNodes' logs
   * @param measured whether it knows which NameNodes to ask how complete the logs are
   * @param unreadFor the shortest that a rule asks for
   * @param takesHints whether applications are listened to
   * @param listens whether commands and pages have something to ask
   */
  public record Settings(
      boolean moves,
      boolean asksSatisfier,
      int auditLogs,
      boolean clientTrace,
      boolean measured,
      boolean caches,
      ZoneId zone,
      int maxConcurrentCopiesPerNode,
      long bytesPerPlan,
      Set<StorageType> tiers,
      Optional<Duration> unreadFor,
      boolean takesHints,
      boolean listens) {}

  /**
   * What this host has.
   *
   * @param conf Hadoop's, as it is here
   * @param version of Hadoop's jars here
   * @param plugin whether Hadoop's own class path here has the placement policy
   * @param samples of the ends of audit logs
   * @param served what a service found last; empty before there were reads enough to tell
   */
  public record Host(
      Map<String, String> conf,
      String version,
      Seen<Boolean> plugin,
      List<LocalPath> paths,
      List<Sample> samples,
      Seen<Optional<Served>> served) {}

  /**
   * What DataNodes served, beside what the model of reads expected of them.
   *
   * @param differenceShare of the bytes, that other DataNodes served
   * @param until when that was
   * @param finding what is likely to be the matter; empty where the difference is small
   */
  public record Served(double differenceShare, String until, String finding) {}

  /** What a local path is for. */
  public enum Use {
    CORE_SITE,
    HDFS_SITE,
    AUDIT_LOG,
    CLIENT_TRACE_DIRECTORY,
    CLIENT_TRACE_LOG,
    IMAGE,
    /** A file of tokens, keys or a password. */
    SECRET,
    WRITTEN
  }

  /**
   * A local file or directory.
   *
   * @param setting that names it
   * @param exists itself
   * @param closed the directory above it that this user can't enter, so that nobody knows whether it is there
   * @param hasParent whether the directory that it is in is there
   * @param writable whether it, or else the nearest above that is there, can be written
   * @param room bytes that this user may write there
   */
  public record LocalPath(
      Use use,
      String setting,
      Path path,
      boolean exists,
      boolean isDirectory,
      Optional<Path> closed,
      boolean hasParent,
      boolean readable,
      boolean writable,
      long room) {}

  /**
   * The last lines of an audit log.
   *
   * @param malformed of the lines, those that are no audit record
   * @param opens of the lines
   * @param ownOpens of the opens, those by this process's user without a caller context
   */
  public record Sample(Path log, Seen<Integer> lines, int malformed, int opens, int ownOpens) {}

  /**
   * What HDFS says to a client.
   *
   * @param user who asked
   * @param superuser whether that is one
   * @param mover that it answers, or why it doesn't; empty where the service moves by itself
   * @param cacheBytes that DataNodes may keep in memory, all together
   * @param others files of other movers that are open: their paths
   * @param exceededQuotas directories below which storage policies want more of a type than its quota, of those that
   *     were looked at
   * @param missing of the directories that are managed, those that aren't there
   * @param refusals to act for another user, by that user; none where the NameNode let this one act for somebody; unseen
   *     where that can't be tried
   * @param spread of some blocks over racks
   */
  public record Hdfs(
      String user,
      Seen<Boolean> superuser,
      Optional<Seen<Boolean>> mover,
      Seen<List<Storage>> storages,
      Seen<Long> blockSize,
      Seen<Long> cacheBytes,
      Seen<List<String>> others,
      Seen<List<String>> exceededQuotas,
      Seen<List<String>> missing,
      Seen<Map<String, String>> refusals,
      Seen<Spread> spread) {

    /** Of one that doesn't answer. */
    public static Hdfs unreached(String user, String why) {
      return new Hdfs(
          user,
          Seen.not(why),
          Optional.empty(),
          Seen.not(why),
          Seen.not(why),
          Seen.not(why),
          Seen.not(why),
          Seen.not(why),
          Seen.not(why),
          Seen.not(why),
          Seen.not(why));
    }
  }

  /**
   * How blocks lie.
   *
   * @param blocks with three replicas or more, of a cluster with as many racks; those that were looked at
   * @param apart of them, those with each replica on a rack of its own
   */
  public record Spread(int blocks, int apart) {}

  /** A storage of a DataNode; bytes. */
  public record Storage(
      String node, String rack, String id, StorageType type, long capacity, long used, long left) {}

  /**
   * A NameNode or a DataNode, by its web server.
   *
   * @param conf as it runs with, defaults too
   * @param properties of its JVM
   * @param status of its beans, what checks ask for
   * @param skew its clock against this host's
   * @param logLevel a NameNode's of its audit log, a DataNode's of its clienttrace
   */
  public record Server(
      String name,
      Seen<Map<String, String>> conf,
      Seen<Map<String, String>> properties,
      Seen<Map<String, String>> status,
      Seen<Duration> skew,
      Seen<String> logLevel) {

    /** One of which nothing is known. */
    public static Server unseen(String name, String why) {
      return new Server(
          name, Seen.not(why), Seen.not(why), Seen.not(why), Seen.not(why), Seen.not(why));
    }
  }
}
