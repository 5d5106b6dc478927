// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Servers.problem;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whether replicas can move, and nobody else moves them. */
public final class MoveChecks {

  private static final long SLOW = 10L << 20;
  private static final String CONCURRENT = "dfs.datanode.balance.max.concurrent.moves";
  private static final String BANDWIDTH = "dfs.datanode.balance.bandwidthPerSec";

  /** Keys of how data is protected on its way, with their defaults. */
  private static final Map<String, String> PROTECTION =
      new TreeMap<>(
          Map.of("dfs.data.transfer.protection", "", "dfs.encrypt.data.transfer", "false"));

  private MoveChecks() {}

  static List<Check> all() {
    return List.of(
        new Check(
            "moves.satisfier",
            "dfs.storage.policy.satisfier.mode is none, or external with act.backEnd satisfier",
            facts ->
                Servers.conf(
                    facts.nameNodes(),
                    facts.settings().asksSatisfier()
                        ? MoveChecks::noSatisfier
                        : MoveChecks::satisfier)),
        new Check(
            "moves.apart",
            "HDFS separates replicas by racks only, as moves do",
            facts -> apart(facts.settings().moves(), facts.nameNodes(), facts.host().conf())),
        new Check("moves.others", "no Mover, Balancer or satisfier runs", MoveChecks::others),
        new Check(
            "moves.stock-mover",
            "the stock Mover and Balancer of this version work",
            facts -> Servers.each(facts.nameNodes(), Facts.Server::status, MoveChecks::stockMover)),
        new Check(
            "moves.concurrent",
            "DataNodes accept as many copies at once as the service sends",
            MoveChecks::concurrent),
        new Check(
            "moves.bandwidth", "DataNodes have enough bandwidth for copies", MoveChecks::bandwidth),
        new Check(
            "moves.protection",
            "service and DataNodes use the same protection of transfers",
            MoveChecks::protection),
        new Check(
            "moves.postponed",
            "no deletion of surplus replicas is postponed",
            facts -> Servers.each(facts.nameNodes(), Facts.Server::status, MoveChecks::postponed)));
  }

  /**
   * Whether moves could bring replicas together that HDFS keeps apart.
   *
   * @param moves whether data is moved at all
   * @param here Hadoop's configuration of this host, for where no NameNode tells its own
   */
  public static List<Finding> apart(
      boolean moves, List<Facts.Server> nameNodes, Map<String, String> here) {
    Optional<Servers.Problem> known =
        nameNodes.stream().allMatch(server -> server.conf().value().isEmpty())
            ? distance(moves, here)
            : Optional.empty();
    return known
        .map(
            found ->
                List.of(
                    new Finding(
                        found.severity(),
                        "hdfs.configuration",
                        found.what(),
                        found.why(),
                        found.fix())))
        .orElseGet(() -> Servers.conf(nameNodes, conf -> distance(moves, conf)));
  }

  private static Optional<Servers.Problem> distance(boolean moves, Map<String, String> conf) {
    String name = conf.getOrDefault(PluginChecks.KEY, "");
    boolean isByGroups =
        name.contains("NodeGroup") || Servers.isTrue(conf, "net.topology.nodegroup.aware", "false");
    return isByGroups || name.contains("UpgradeDomain")
        ? problem(
            moves ? Severity.ERROR : Severity.NOTE,
            "HDFS keeps a block's replicas "
                + (isByGroups ? PluginChecks.NODE_GROUPS : PluginChecks.UPGRADE_DOMAINS),
            "moves keep a block's racks and nothing else, so they would break this guarantee",
            "act.mode: shadow and act.apply: [] in thermocline.yaml: moves aren't supported on such a cluster")
        : Optional.empty();
  }

  private static Optional<Servers.Problem> satisfier(Map<String, String> conf) {
    String mode = conf.getOrDefault("dfs.storage.policy.satisfier.mode", "none").trim();
    return mode.equalsIgnoreCase("none")
        ? Optional.empty()
        : problem(
            Severity.WARNING,
            "dfs.storage.policy.satisfier.mode is " + mode,
            "the satisfier moves the same files, heeds no rack, and loses its queue at a restart; without a"
                + " process of it, what is asked of it is queued for ever",
            "hdfs dfsadmin -reconfig namenode HOST:PORT start   with dfs.storage.policy.satisfier.mode=none,"
                + " and stop ExternalStoragePolicySatisfier");
  }

  private static Optional<Servers.Problem> noSatisfier(Map<String, String> conf) {
    String mode = conf.getOrDefault("dfs.storage.policy.satisfier.mode", "none").trim();
    return mode.equalsIgnoreCase("external")
        ? Optional.empty()
        : problem(
            Severity.ERROR,
            "dfs.storage.policy.satisfier.mode is " + mode + ", and act.backEnd is satisfier",
            "the NameNode refuses what the satisfier is asked for, so nothing is moved",
            "hdfs dfsadmin -reconfig namenode HOST:PORT start   with dfs.storage.policy.satisfier.mode=external,"
                + " and hdfs --daemon start sps");
  }

  private static List<Finding> others(Facts facts) {
    Seen<List<String>> others = facts.hdfs().others();
    if (others.value().isEmpty()) {
      return List.of(Finding.unseen("/system", others.why()));
    }
    // The satisfier has the Mover's mutex while it runs.
    List<String> running =
        others.value().get().stream()
            .filter(path -> !(facts.settings().asksSatisfier() && path.contains("mover")))
            .toList();
    boolean mover = running.stream().anyMatch(path -> path.contains("mover"));
    return Servers.one(
        !running.isEmpty(),
        mover ? Severity.ERROR : Severity.WARNING,
        Servers.names(running),
        "another mover runs",
        mover
            ? "the Mover undoes or repeats what the service does, after storage policies alone"
            : "the Balancer changes no layout, but it fills the same DataNodes' limits of copies: by default the"
                + " service begins no move until it ends (act.throttle.waitFor)",
        mover
            ? "stop it while the service moves data: hdfs --daemon stop mover   (or sps, which has the same file)"
            : "let it end, or hdfs --daemon stop balancer");
  }

  private static Optional<Servers.Problem> stockMover(Map<String, String> status) {
    String version = status.getOrDefault("SoftwareVersion", "");
    boolean isBalancerToo = version.startsWith("3.4.");
    return isBalancerToo || version.startsWith("3.5.")
        ? problem(
            Severity.NOTE,
            (isBalancerToo ? "hdfs mover and hdfs balancer" : "hdfs mover")
                + " of Hadoop "
                + version
                + (isBalancerToo ? " end" : " ends")
                + " with exit code 255 at the second iteration",
            "HDFS-16867: what the first iteration moved stays, the rest isn't done",
            "the service needs neither. If you run one, start it again until it ends with 0: docs/concepts/layouts.md")
        : Optional.empty();
  }

  private static List<Finding> concurrent(Facts facts) {
    return Servers.conf(
        facts.dataNodes(),
        conf -> {
          long most = Servers.number(conf, CONCURRENT).orElse(100L);
          return most >= facts.settings().maxConcurrentCopiesPerNode()
              ? Optional.empty()
              : problem(
                  Severity.ERROR,
                  CONCURRENT
                      + " is "
                      + most
                      + ", act.maxConcurrentCopiesPerNode "
                      + facts.settings().maxConcurrentCopiesPerNode(),
                  "DataNodes refuse what is more, and those copies are tried again and again",
                  "hdfs dfsadmin -reconfig datanode HOST:9867 start   with "
                      + CONCURRENT
                      + "=100; or maxConcurrentCopiesPerNode: "
                      + Math.max(1, most)
                      + "   in section act");
        });
  }

  private static List<Finding> bandwidth(Facts facts) {
    return Servers.conf(
        facts.dataNodes(),
        conf -> {
          long bytes = Servers.number(conf, BANDWIDTH).orElse(100L << 20);
          return bytes >= SLOW
              ? Optional.empty()
              : problem(
                  Severity.WARNING,
                  BANDWIDTH + " is " + bytes,
                  "what one plan may move in this cluster ("
                      + facts.settings().bytesPerPlan()
                      + " bytes) takes "
                      + facts.settings().bytesPerPlan()
                          / Math.max(1, facts.dataNodes().size())
                          / Math.max(1, bytes)
                          / 60
                      + " minutes if all DataNodes copy at this rate",
                  "hdfs dfsadmin -setBalancerBandwidth 104857600   and "
                      + BANDWIDTH
                      + "=100m in hdfs-site.xml of the DataNodes");
        });
  }

  private static List<Finding> protection(Facts facts) {
    Map<String, String> here = facts.host().conf();
    return Servers.conf(
        facts.dataNodes(),
        conf -> {
          for (Map.Entry<String, String> key : PROTECTION.entrySet()) {
            String theirs = conf.getOrDefault(key.getKey(), key.getValue()).trim();
            String ours = here.getOrDefault(key.getKey(), key.getValue()).trim();
            if (!theirs.equalsIgnoreCase(ours)) {
              return problem(
                  Severity.ERROR,
                  key.getKey() + " is '" + theirs + "', and '" + ours + "' here",
                  "DataNodes close connections that aren't protected as theirs are: no copy is made",
                  "copy hdfs-site.xml of the DataNodes to the directory of hdfs.configuration");
            }
          }
          return Optional.empty();
        });
  }

  private static Optional<Servers.Problem> postponed(Map<String, String> status) {
    String count = status.getOrDefault("PostponedMisreplicatedBlocks", "0");
    return count.equals("0")
        ? Optional.empty()
        : problem(
            Severity.NOTE,
            count + " blocks wait for full reports of DataNodes before surplus replicas go",
            "after a start or a failover moves aren't confirmed until then",
            "wait for it; where it stays, hdfs dfsadmin -triggerBlockReport HOST:9867 for each DataNode");
  }
}
