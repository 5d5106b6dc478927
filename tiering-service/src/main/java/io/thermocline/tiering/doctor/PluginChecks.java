// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Servers.problem;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.readorder.ReadOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether our classes are where they should be. */
final class PluginChecks {

  static final String KEY = "dfs.block.replicator.classname";
  static final String NODE_GROUPS = "on different node groups";
  static final String UPGRADE_DOMAINS = "in different upgrade domains";
  private static final String POLICY = "io.thermocline.placement.hdfs.ThermoclinePlacementPolicy";
  private static final String TOPOLOGY = ReadOrder.TOPOLOGY;
  private static final String VOLUMES =
      "io.thermocline.placement.hdfs.NominatedVolumeChoosingPolicy";

  /** Fewer may lie so by chance, as after repairs. */
  private static final int LEAST_BLOCKS = 20;

  private PluginChecks() {}

  static List<Check> all() {
    return List.of(
        new Check(
            "plugin.placement",
            "NameNodes load our placement policy",
            facts -> Servers.conf(facts.nameNodes(), PluginChecks::placement)),
        new Check(
            "plugin.replaces",
            "NameNodes that load our placement policy name the class that it replaced",
            PluginChecks::replaces),
        new Check("plugin.in-use", "the placement policy sees the cluster", PluginChecks::inUse),
        new Check(
            "plugin.settings",
            "the placement policy uses all of its settings and node attributes",
            PluginChecks::settings),
        new Check(
            "plugin.same",
            "all NameNodes and this host name the same placement policy",
            PluginChecks::same),
        new Check(
            "plugin.class-path",
            "Hadoop's class path on this host has the jar",
            PluginChecks::classPath),
        new Check(
            "plugin.other-hosts",
            "other hosts that run the Balancer or the Mover have the jar",
            PluginChecks::otherHosts),
        new Check(
            "plugin.read-order", "readers get the fastest replica first", PluginChecks::readOrders),
        new Check(
            "plugin.consider-storage-type",
            "readers without our topology class prefer the faster of equally near replicas",
            facts -> Servers.conf(facts.nameNodes(), PluginChecks::considerStorageType)),
        new Check(
            "plugin.directory-hints",
            "hints on directories reach NameNodes that load our placement policy",
            PluginChecks::directoryHints),
        new Check(
            "plugin.volumes",
            "DataNodes with several volumes of a type put replicas on the nominated one",
            PluginChecks::volumes));
  }

  private static boolean isOurs(Map<String, String> conf) {
    return conf.getOrDefault(KEY, "").trim().equals(POLICY);
  }

  private static Optional<Servers.Problem> placement(Map<String, String> conf) {
    if (isOurs(conf)) {
      return Optional.empty();
    }
    Optional<String> guarantee = guarantee(conf);
    return guarantee.isPresent()
        ? problem(
            Severity.NOTE,
            KEY + " is " + conf.getOrDefault(KEY, "not set"),
            "our placement policy doesn't keep a block's replicas " + guarantee.get(),
            "keep Hadoop's placement policy if you need this guarantee")
        : problem(
            Severity.WARNING,
            KEY + " is " + conf.getOrDefault(KEY, "not set"),
            "without it NVDIMM is left alone, the NameNode undoes moves to types that a policy doesn't"
                + " name, and a move that changes racks can leave a block over-replicated for good",
            "the jar of placement-policy onto the NameNode's class path, "
                + KEY
                + "="
                + POLICY
                + " in hdfs-site.xml, then hdfs dfsadmin -reconfig namenode HOST:PORT start (or a restart,"
                + " if the jar is new there)");
  }

  /** Where blocks lie tells what placed them, as HDFS's default puts two of three on one rack. */
  private static List<Finding> replaces(Facts facts) {
    Facts.Spread spread = facts.hdfs().spread().value().orElse(new Facts.Spread(0, 0));
    boolean isApart = spread.blocks() >= LEAST_BLOCKS && 2 * spread.apart() > spread.blocks();
    String key = "thermocline.placement.replaces";
    return Servers.conf(
        facts.nameNodes(),
        conf ->
            isOurs(conf) && conf.getOrDefault(key, "").isBlank()
                ? problem(
                    isApart ? Severity.ERROR : Severity.WARNING,
                    isApart
                        ? "%s is not set, and %d of %d blocks have each replica on a rack of its own"
                            .formatted(key, spread.apart(), spread.blocks())
                        : key + " is not set",
                    isApart
                        ? "a policy like BlockPlacementPolicyRackFaultTolerant placed them; ours puts two of three replicas"
                            + " of new blocks on one rack"
                        : "our placement policy can't know what it replaced: with BlockPlacementPolicyRackFaultTolerant"
                            + " before, new blocks silently lost a rack for each replica",
                    isApart
                        ? KEY
                            + " to the class that was there before, in hdfs-site.xml of the NameNodes"
                        : key
                            + " to the class that "
                            + KEY
                            + " named before, in hdfs-site.xml of the NameNodes"
                            + " (org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault if it"
                            + " wasn't set)")
                : Optional.empty());
  }

  /** The guarantee of another of Hadoop's placement policies that ours doesn't give. */
  private static Optional<String> guarantee(Map<String, String> conf) {
    String name = conf.getOrDefault(KEY, "");
    if (name.contains("NodeGroup")
        || Servers.isTrue(conf, "net.topology.nodegroup.aware", "false")) {
      return Optional.of(NODE_GROUPS);
    }
    if (name.contains("UpgradeDomain")) {
      return Optional.of(UPGRADE_DOMAINS);
    }
    return name.contains("RackFaultTolerant")
        ? Optional.of("on as many racks as possible")
        : Optional.empty();
  }

  private static List<Finding> inUse(Facts facts) {
    return Servers.each(
        facts.nameNodes(),
        Facts.Server::status,
        status ->
            status.getOrDefault("PlacementStopped", "0").equals("0")
                ? Optional.empty()
                : problem(
                    Severity.WARNING,
                    "the placement policy can't look at the cluster",
                    "Hadoop's own policy places all blocks",
                    "the NameNode's log says why, with the words: the stock policy places all blocks"));
  }

  /** Its bandwidths and zones, for instance, have no effect with every selection. */
  private static List<Finding> settings(Facts facts) {
    return Servers.each(
        facts.nameNodes(),
        Facts.Server::status,
        status -> {
          if (status.getOrDefault("AttributesBad", "0").equals("1")) {
            return problem(
                Severity.WARNING,
                "the node attributes file can't be used as it is",
                "the placement policy goes by the file's last good content",
                "the NameNode's log names each mistake with line and column");
          }
          String ignored = status.getOrDefault("BadSetting", "0");
          return ignored.equals("0")
              ? Optional.empty()
              : problem(
                  Severity.NOTE,
                  "the placement policy has ignored settings or node attributes since it was loaded:"
                      + " BadSetting is "
                      + ignored,
                  "bandwidth and zone have an effect only with thermocline.placement.selection=attributed,"
                      + " and a bad value counts as the default",
                  "the NameNode's log names each of them; the count ends with a restart of the NameNode");
        });
  }

  private static List<Finding> same(Facts facts) {
    List<Boolean> theirs = new ArrayList<>();
    for (Facts.Server server : facts.nameNodes()) {
      server.conf().value().ifPresent(conf -> theirs.add(isOurs(conf)));
    }
    // Once the NameNodes load ours, only an older file tells what they kept before.
    Optional<String> guarantee = guarantee(facts.host().conf());
    if (guarantee.isPresent() && !theirs.contains(false)) {
      return List.of(
          new Finding(
              Severity.WARNING,
              "hdfs.configuration",
              "hdfs-site.xml of this host asks for a placement policy that keeps a block's replicas "
                  + guarantee.get()
                  + (theirs.isEmpty()
                      ? ", and no NameNode told its configuration"
                      : ", and the NameNodes load ours, which doesn't"),
              "new blocks lose this guarantee with our placement policy",
              "keep "
                  + facts.host().conf().getOrDefault(KEY, "Hadoop's placement policy")
                  + " on the NameNodes if you need the guarantee; else copy their hdfs-site.xml to the"
                  + " directory of hdfs.configuration"));
    }
    if (theirs.isEmpty()) {
      return List.of(Finding.unseen("NameNodes", "none told its configuration"));
    }
    if (theirs.contains(true) && theirs.contains(false)) {
      return Servers.one(
          true,
          Severity.ERROR,
          KEY,
          "some NameNodes load our placement policy, others don't",
          "after a failover moves are undone",
          "the same hdfs-site.xml and class path on all of them");
    }
    return Servers.one(
        theirs.contains(true) != isOurs(facts.host().conf()),
        Severity.WARNING,
        "hdfs.configuration",
        theirs.contains(true)
            ? "the NameNodes load our placement policy, and hdfs-site.xml of this host doesn't name it"
            : "hdfs-site.xml of this host names our placement policy, and no NameNode loads it",
        "the service goes by its own configuration: it would "
            + (theirs.contains(true)
                ? "leave NVDIMM alone"
                : "make moves that the NameNode undoes"),
        "copy hdfs-site.xml of the NameNodes to the directory of hdfs.configuration");
  }

  /** Whether anybody's hdfs-site.xml names it. */
  private static boolean isNamed(Facts facts) {
    return isOurs(facts.host().conf())
        || facts.nameNodes().stream()
            .anyMatch(server -> server.conf().value().map(PluginChecks::isOurs).orElse(false));
  }

  /** HDFS doesn't know them: a Balancer is a client, and only its own run shows its class path. */
  private static List<Finding> otherHosts(Facts facts) {
    return isNamed(facts)
        ? List.of(
            new Finding(
                Severity.NOTE,
                "hosts of the Balancer and the Mover",
                "could not look: HDFS doesn't know which these are, nor their class paths",
                "one without the jar ends with ClassNotFoundException " + POLICY,
                "on each of them: hdfs classpath --glob | tr : '\\n' | grep placement-policy   prints a line"
                    + " where the jar is there"))
        : List.of();
  }

  private static List<Finding> classPath(Facts facts) {
    if (!isNamed(facts)) {
      return List.of();
    }
    Seen<Boolean> there = facts.host().plugin();
    String why =
        "hdfs balancer, hdfs mover and hdfs fsck load the class that hdfs-site.xml names:"
            + " ClassNotFoundException on each host where it isn't";
    String fix =
        "export HADOOP_CLASSPATH=/opt/thermocline/plugin/*:$HADOOP_CLASSPATH   in hadoop-env.sh, on each"
            + " host that runs them (of the .deb: /usr/lib/thermocline/plugin/*)";
    return there.value().isEmpty()
        ? List.of(
            new Finding(Severity.NOTE, "this host", "could not look: " + there.why(), why, fix))
        : Servers.one(
            !there.value().get(),
            Severity.WARNING,
            "this host",
            "Hadoop's class path has no jar with " + POLICY,
            why,
            fix);
  }

  private static List<Finding> readOrders(Facts facts) {
    boolean hasNvdimm =
        facts
            .hdfs()
            .storages()
            .value()
            .map(all -> all.stream().anyMatch(one -> one.type() == StorageType.NVDIMM))
            .orElse(false);
    return Servers.conf(facts.nameNodes(), conf -> readOrder(conf, hasNvdimm));
  }

  private static Optional<Servers.Problem> readOrder(Map<String, String> conf, boolean hasNvdimm) {
    String topology = conf.getOrDefault("dfs.net.topology.impl", "").trim();
    String ours =
        "dfs.net.topology.impl="
            + TOPOLOGY
            + " in hdfs-site.xml of the NameNodes, then restart them: docs/guides/read-order.md";
    return switch (ReadOrder.of(conf::get)) {
      case FASTEST -> Optional.empty();
      // Right where our class isn't loaded: nothing to mend, but for what it gets wrong.
      case NEAREST_THEN_TYPE ->
          hasNvdimm
              ? problem(
                  Severity.WARNING,
                  "dfs.namenode.read.considerStorageType is true, and the cluster has NVDIMM",
                  "HDFS puts copies on NVDIMM behind those on ARCHIVE",
                  ours)
              : Optional.empty();
      case NEAREST ->
          problem(
              Severity.WARNING,
              topology.equals(TOPOLOGY)
                  ? "dfs.use.dfs.network.topology is false, so dfs.net.topology.impl does nothing"
                  : "dfs.net.topology.impl is " + (topology.isEmpty() ? "not set" : topology),
              "readers take the nearest replica, whatever type it is on: one fast copy of three serves"
                  + " about a third of its file's reads",
              ours);
    };
  }

  private static Optional<Servers.Problem> considerStorageType(Map<String, String> conf) {
    if (ReadOrder.of(conf::get) != ReadOrder.NEAREST) {
      return Optional.empty();
    }
    String key = "dfs.namenode.read.considerStorageType";
    return Servers.isTrue(conf, key, "false")
        ? problem(
            Severity.WARNING,
            "dfs.namenode.read.considerLoad is true",
            "HDFS then ignores " + key,
            "dfs.namenode.read.considerLoad=false, or dfs.net.topology.impl=" + TOPOLOGY)
        : problem(
            Severity.NOTE,
            key + " is false",
            "of equally near replicas readers take any; with it they take one on SSD before one on DISK",
            key
                + "=true and a restart of the NameNodes, unless you set dfs.net.topology.impl="
                + TOPOLOGY
                + ". Keep it false where blocks lie on NVDIMM, which HDFS puts behind ARCHIVE:"
                + " docs/guides/read-order.md");
  }

  private static List<Finding> directoryHints(Facts facts) {
    if (!facts.settings().takesHints()) {
      return List.of();
    }
    String key = "thermocline.placement.directory-hints";
    List<Facts.Server> ours =
        facts.nameNodes().stream()
            .filter(server -> server.conf().value().map(PluginChecks::isOurs).orElse(true))
            .toList();
    String keep = "thermocline directory-hints --out FILE --every 10s on the NameNode's host";
    List<Finding> findings =
        new ArrayList<>(
            Servers.conf(
                ours,
                conf ->
                    conf.getOrDefault(key, "").isBlank()
                        ? problem(
                            Severity.NOTE,
                            key + " is not set",
                            "hints to redirect new files of a directory reach only clients that use our file"
                                + " system",
                            key + "=FILE in hdfs-site.xml, " + keep + ", then reconfigure")
                        : Optional.empty()));
    findings.addAll(
        Servers.each(
            ours.stream()
                .filter(
                    server ->
                        server
                            .conf()
                            .value()
                            .filter(conf -> !conf.getOrDefault(key, "").isBlank())
                            .isPresent())
                .toList(),
            Facts.Server::status,
            status ->
                switch (status.getOrDefault("DirectoryHintsBad", "")) {
                  case "0" -> Optional.empty();
                  case "" ->
                      problem(
                          Severity.NOTE,
                          key + " is set and not in force: the placement policy doesn't tell of it",
                          "new files of hinted directories are placed as ever",
                          "the jar of this release on the NameNode's class path, then a restart");
                  default ->
                      problem(
                          Severity.WARNING,
                          "the file of " + key + " can't be used or is stale, and counts as empty",
                          "new files of hinted directories are placed as ever",
                          keep + ", running; the NameNode's log says what is wrong with the file");
                }));
    return findings;
  }

  private static List<Finding> volumes(Facts facts) {
    Seen<List<Facts.Storage>> storages = facts.hdfs().storages();
    if (storages.value().isEmpty()) {
      return List.of(Finding.unseen("DataNodes", storages.why()));
    }
    Map<String, Long> most = new HashMap<>();
    storages.value().get().forEach(s -> most.merge(s.node() + ' ' + s.type(), 1L, Long::sum));
    if (most.values().stream().noneMatch(count -> count > 1)) {
      return List.of();
    }
    return Servers.conf(
        facts.dataNodes(),
        conf ->
            conf.getOrDefault("dfs.datanode.fsdataset.volume.choosing.policy", "")
                    .trim()
                    .equals(VOLUMES)
                ? Optional.empty()
                : problem(
                    Severity.NOTE,
                    "replicas go to any volume of their type",
                    "the DataNode ignores which one was chosen: of two volumes half of the moves land on"
                        + " the other",
                    "conf/hdfs-site.thermocline-datanode.xml into hdfs-site.xml, and the jar onto the class"
                        + " path of the DataNodes"));
  }
}
