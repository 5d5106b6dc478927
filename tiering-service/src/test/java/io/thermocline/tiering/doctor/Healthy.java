// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import io.thermocline.placement.model.StorageType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Facts in which no check finds anything; tests break them. Not thread-safe. */
final class Healthy {

  static final String POLICY = "io.thermocline.placement.hdfs.ThermoclinePlacementPolicy";

  final Map<String, String> nameNode =
      new HashMap<>(
          Map.of(
              "dfs.block.replicator.classname", POLICY,
              "thermocline.placement.replaces",
                  "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault",
              "dfs.net.topology.impl", "io.thermocline.placement.hdfs.FastestReplicaFirstTopology",
              "thermocline.placement.directory-hints", "/etc/hadoop/conf/directory-hints",
              "hadoop.caller.context.enabled", "true",
              "hadoop.proxyuser.tiering.hosts", "tiering1.example.com",
              "hadoop.proxyuser.tiering.groups", "etl,analysts"));
  final Map<String, String> dataNode = new HashMap<>();
  final Map<String, String> properties =
      new HashMap<>(Map.of("hdfs.audit.logger", "INFO,RFAAUDIT", "user.timezone", "Etc/UTC"));
  final Map<String, String> status =
      new HashMap<>(
          Map.of(
              "SoftwareVersion", "3.3.6",
              "Safemode", "",
              "PostponedMisreplicatedBlocks", "0",
              "PlacementStopped", "0",
              "AttributesBad", "0",
              "BadSetting", "0",
              "DirectoryHintsBad", "0"));
  final Map<String, String> here = new HashMap<>(Map.of("dfs.block.replicator.classname", POLICY));
  final List<Facts.Storage> storages =
      new ArrayList<>(
          List.of(
              storage("n1", "/r1", StorageType.SSD, 100),
              storage("n1", "/r1", StorageType.DISK, 1000),
              storage("n2", "/r2", StorageType.SSD, 101),
              storage("n2", "/r2", StorageType.DISK, 1001)));
  final List<Facts.LocalPath> paths =
      new ArrayList<>(
          List.of(
              path(Facts.Use.CORE_SITE, true),
              path(Facts.Use.HDFS_SITE, true),
              path(Facts.Use.AUDIT_LOG, true),
              directory(Facts.Use.CLIENT_TRACE_DIRECTORY),
              path(Facts.Use.CLIENT_TRACE_LOG, true),
              path(Facts.Use.IMAGE, true),
              path(Facts.Use.SECRET, true),
              directory(Facts.Use.WRITTEN)));
  final Map<String, Seen<Boolean>> zooKeepers =
      new TreeMap<>(Map.of("zk1:2181", Seen.of(true), "zk2:2181", Seen.of(true)));
  boolean asksSatisfier;
  boolean clientTrace = true;
  boolean measured = true;
  boolean caches = true;
  Facts.Sample sample = new Facts.Sample(Path.of("/log"), Seen.of(1000), 1, 300, 0);
  Seen<Boolean> plugin = Seen.of(true);
  Optional<Facts.Served> served = Optional.of(new Facts.Served(0.04, "2026-11-20T10:00:00Z", ""));
  Seen<Boolean> superuser = Seen.of(true);
  Optional<Seen<Boolean>> mover = Optional.empty();
  Seen<Long> blockSize = Seen.of(10L);
  Seen<Long> cacheBytes = Seen.of(1L);
  Seen<List<String>> others = Seen.of(List.of());
  Seen<List<String>> exceededQuotas = Seen.of(List.of());
  Seen<List<String>> missing = Seen.of(List.of());
  Seen<Map<String, String>> refusals = Seen.of(Map.of());
  Seen<Facts.Spread> spread = Seen.of(new Facts.Spread(100, 3));
  boolean listens = true;
  Seen<Duration> skew = Seen.of(Duration.ofSeconds(1));
  String auditLevel = "INFO";
  String traceLevel = "DEBUG";
  boolean isAsked = true;

  /** Why nobody knows which servers there are, nor what storages they have; null where they are known. */
  String unknown;

  Map<String, String> secondNameNode;

  static Facts.Storage storage(String node, String rack, StorageType type, long left) {
    return new Facts.Storage(node, rack, node + type, type, 2 * left, left / 2, left);
  }

  static Facts.LocalPath path(Facts.Use use, boolean readable) {
    return new Facts.LocalPath(
        use,
        "setting." + use,
        Path.of("/p"),
        true,
        false,
        Optional.empty(),
        true,
        readable,
        true,
        1L << 40);
  }

  static Facts.LocalPath directory(Facts.Use use) {
    return new Facts.LocalPath(
        use,
        "setting." + use,
        Path.of("/p"),
        true,
        true,
        Optional.empty(),
        true,
        true,
        true,
        1L << 40);
  }

  /** One such path in the place of the good one. */
  void replace(Facts.LocalPath path) {
    paths.removeIf(each -> each.use() == path.use());
    paths.add(path);
  }

  Facts facts() {
    List<Facts.Server> nameNodes = new ArrayList<>();
    if (unknown == null) {
      nameNodes.add(server("nn1", nameNode, auditLevel));
    }
    if (secondNameNode != null) {
      nameNodes.add(server("nn2", secondNameNode, auditLevel));
    }
    return new Facts(
        settings(),
        new Facts.Host(here, "3.3.6", plugin, paths, List.of(sample), Seen.of(served)),
        new Facts.Hdfs(
            "tiering",
            superuser,
            mover,
            unknown == null ? Seen.of(storages) : Seen.not(unknown),
            blockSize,
            cacheBytes,
            others,
            exceededQuotas,
            missing,
            refusals,
            spread),
        nameNodes,
        unknown == null
            ? List.of(server("dn1", dataNode, traceLevel), server("dn2", dataNode, traceLevel))
            : List.of(),
        zooKeepers);
  }

  private Facts.Settings settings() {
    return new Facts.Settings(
        true,
        asksSatisfier,
        1,
        clientTrace,
        measured,
        caches,
        ZoneOffset.UTC,
        4,
        100L << 30,
        Set.of(StorageType.SSD, StorageType.DISK),
        Optional.of(Duration.ofDays(30)),
        true,
        listens);
  }

  private Facts.Server server(String name, Map<String, String> conf, String level) {
    return isAsked
        ? new Facts.Server(
            name, Seen.of(conf), Seen.of(properties), Seen.of(status), skew, Seen.of(level))
        : Facts.Server.unseen(name, "down");
  }
}
