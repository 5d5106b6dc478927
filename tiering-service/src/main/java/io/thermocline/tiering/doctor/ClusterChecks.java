// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Servers.problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whether the cluster lets the service work. */
final class ClusterChecks {

  private static final Duration SKEWED = Duration.ofSeconds(10);

  /** Kerberos refuses more, and so do logs that are set in order by time. */
  private static final Duration FAR_APART = Duration.ofMinutes(5);

  /** An attribute of a hint, with its name. */
  private static final long LEAST_XATTR = 1024;

  /** How the NameNode's refusal begins where this host isn't named, whoever is acted for. */
  private static final String WRONG_HOST = "Unauthorized connection";

  private ClusterChecks() {}

  static List<Check> all() {
    return List.of(
        new Check("cluster.reached", "a NameNode and its DataNodes answer", ClusterChecks::reached),
        new Check(
            "cluster.superuser",
            "either the service or its mover is an HDFS superuser",
            ClusterChecks::superuser),
        new Check(
            "cluster.proxy-user",
            "the service's user may act for some users, not for everybody",
            ClusterChecks::proxyUser),
        new Check(
            "cluster.safe-mode",
            "no NameNode is in safe mode",
            facts ->
                Servers.each(facts.nameNodes(), Facts.Server::status, ClusterChecks::safeMode)),
        new Check("cluster.clocks", "clocks agree", ClusterChecks::clocks),
        new Check(
            "cluster.versions",
            "all servers run one known Hadoop version",
            ClusterChecks::versions),
        new Check("cluster.access-time", "HDFS records access times", ClusterChecks::accessTime),
        new Check(
            "cluster.xattrs",
            "extended attributes are on, and large enough for hints",
            facts -> Servers.conf(facts.nameNodes(), ClusterChecks::xattrs)),
        new Check("cluster.zookeeper", "each ZooKeeper server answers", ClusterChecks::zooKeeper),
        new Check(
            "cluster.api",
            "the service has a REST interface (api.listen)",
            facts ->
                Servers.one(
                    !facts.settings().listens(),
                    Severity.WARNING,
                    "api",
                    "there is no section api",
                    "commands and pages have nothing to ask: each command says that no service answers",
                    "api: {listen: 127.0.0.1:8480}   in thermocline.yaml")),
        new Check("cluster.paths", "the directories of manage.paths exist", ClusterChecks::paths),
        new Check(
            "cluster.failover-ports",
            "failover controllers on one host use different ports",
            ClusterChecks::failoverPorts));
  }

  private static List<Finding> reached(Facts facts) {
    return Servers.one(
        facts.hdfs().blockSize().value().isEmpty(),
        Severity.ERROR,
        "HDFS",
        facts.hdfs().blockSize().why(),
        "the service can't work without",
        "look at hdfs.nameNode, and at fs.defaultFS in the directory of hdfs.configuration");
  }

  private static List<Finding> paths(Facts facts) {
    Seen<List<String>> missing = facts.hdfs().missing();
    if (missing.value().isEmpty()) {
      return List.of(Finding.unseen("manage.paths", missing.why()));
    }
    List<String> paths = missing.value().get();
    return Servers.one(
        !paths.isEmpty(),
        Severity.WARNING,
        "manage.paths",
        "there is no " + Servers.names(paths) + " in HDFS",
        "nothing below it is tiered until somebody creates it",
        "name directories that there are: hdfs dfs -ls /");
  }

  private static List<Finding> superuser(Facts facts) {
    Facts.Hdfs hdfs = facts.hdfs();
    if (hdfs.superuser().value().isEmpty()) {
      return List.of(Finding.unseen("NameNode", hdfs.superuser().why()));
    }
    if (hdfs.mover().isPresent()) {
      return apart(hdfs, hdfs.mover().get());
    }
    return Servers.one(
        !hdfs.superuser().value().get(),
        Severity.ERROR,
        hdfs.user(),
        "is no superuser of HDFS",
        "only one may see what storages DataNodes have, and get the keys for moves",
        "put "
            + hdfs.user()
            + " into the group of dfs.permissions.superusergroup on the NameNodes, then hdfs dfsadmin"
            + " -refreshUserToGroupsMappings");
  }

  private static List<Finding> apart(Facts.Hdfs hdfs, Seen<Boolean> mover) {
    List<Finding> findings = new ArrayList<>();
    findings.addAll(
        Servers.one(
            mover.value().isEmpty(),
            Severity.ERROR,
            "mover",
            mover.why(),
            "without it nothing can be planned or moved",
            "systemctl start thermocline-mover; listen.user in mover.yaml is to be the service's user,"
                + " and section mover in thermocline.yaml that one's socket and user; run doctor as the"
                + " service's user, because the mover answers nobody else"));
    findings.addAll(
        Servers.one(
            hdfs.superuser().value().get(),
            Severity.WARNING,
            hdfs.user(),
            "is a superuser of HDFS, and needs not be, as there is a mover",
            "whoever takes the service over has all of HDFS",
            "take "
                + hdfs.user()
                + " out of the group of dfs.permissions.superusergroup on the NameNodes, then hdfs dfsadmin"
                + " -refreshUserToGroupsMappings"));
    return findings;
  }

  /** Only who asks over the network for others needs it. */
  private static List<Finding> proxyUser(Facts facts) {
    String user = facts.hdfs().user();
    String prefix = "hadoop.proxyuser." + user + ".";
    String fix =
        prefix
            + "hosts=HOST, the service's, and "
            + prefix
            + "groups=GROUP,... or "
            + prefix
            + "users=USER,..., those whose hints are taken, in core-site.xml of the NameNodes, then"
            + " hdfs dfsadmin -refreshSuperUserGroupsConfiguration";
    // What was refreshed since a NameNode's start isn't shown at /conf.
    Seen<Map<String, String>> refusals = facts.hdfs().refusals();
    return Servers.conf(
        facts.nameNodes(),
        conf -> {
          boolean isMissing =
              !conf.containsKey(prefix + "hosts")
                  || !conf.containsKey(prefix + "groups") && !conf.containsKey(prefix + "users");
          List<String> named =
              List.of(conf.getOrDefault(prefix + "users", "").trim().split("\\s*,\\s*"));
          Optional<String> refusal =
              refusals.value().orElse(Map.of()).entrySet().stream()
                  .filter(
                      each ->
                          isMissing
                              || named.contains(each.getKey())
                              || each.getValue().startsWith(WRONG_HOST))
                  .map(Map.Entry::getValue)
                  .findFirst();
          if (refusal.isPresent() || isMissing && refusals.value().isEmpty()) {
            return problem(
                Severity.NOTE,
                refusal.isPresent()
                    ? "refuses to let " + user + " act for other users: " + refusal.get()
                    : "its /conf doesn't let " + user + " act for other users",
                "hints by REST are then refused, as they are set with the rights of who gives them"
                    + (refusal.isPresent() ? "" : ". It couldn't be tried: " + refusals.why()),
                fix);
          }
          List<String> wide =
              Stream.of("hosts", "groups", "users")
                  .map(prefix::concat)
                  .filter(key -> conf.getOrDefault(key, "").contains("*"))
                  .toList();
          return wide.isEmpty()
              ? Optional.empty()
              : problem(
                  Severity.WARNING,
                  String.join(" and ", wide) + (wide.size() == 1 ? " is *" : " are *"),
                  "whoever has the service's ticket may do in HDFS what anybody may, or from any host",
                  fix);
        });
  }

  private static Optional<Servers.Problem> safeMode(Map<String, String> status) {
    return status.getOrDefault("Safemode", "").isBlank()
        ? Optional.empty()
        : problem(
            Severity.ERROR,
            "is in safe mode",
            "no storage policy can be set and nothing moved",
            "wait until all DataNodes have reported; where somebody turned it on, hdfs dfsadmin -safemode"
                + " leave");
  }

  private static List<Finding> clocks(Facts facts) {
    List<Facts.Server> all = new ArrayList<>(facts.nameNodes());
    all.addAll(facts.dataNodes());
    Map<Severity, List<String>> skewed = new LinkedHashMap<>();
    List<Finding> findings =
        new ArrayList<>(Servers.each(all, Facts.Server::skew, skew -> Optional.empty()));
    for (Facts.Server server : all) {
      Duration skew = server.skew().value().map(Duration::abs).orElse(Duration.ZERO);
      if (skew.compareTo(SKEWED) > 0) {
        skewed
            .computeIfAbsent(
                skew.compareTo(FAR_APART) > 0 ? Severity.ERROR : Severity.WARNING,
                key -> new ArrayList<>())
            .add(server.name() + " by " + skew.toSeconds() + " s");
      }
    }
    skewed.forEach(
        (severity, names) ->
            findings.add(
                new Finding(
                    severity,
                    Servers.names(names),
                    "its clock differs from this host's",
                    "heat cools by the times in logs; Kerberos refuses more than 5 minutes",
                    "chronyc tracking   there and here; let all hosts follow the same time servers")));
    return findings;
  }

  private static List<Finding> versions(Facts facts) {
    List<Facts.Server> all = new ArrayList<>(facts.nameNodes());
    all.addAll(facts.dataNodes());
    Set<String> theirs = new TreeSet<>();
    for (Facts.Server server : all) {
      server.status().value().map(status -> status.get("SoftwareVersion")).ifPresent(theirs::add);
    }
    if (theirs.isEmpty()) {
      return List.of(Finding.unseen("NameNodes and DataNodes", "none told its version"));
    }
    List<Finding> findings = new ArrayList<>();
    findings.addAll(
        Servers.one(
            theirs.size() > 1,
            Severity.WARNING,
            "NameNodes and DataNodes",
            "have versions " + String.join(", ", theirs),
            "as during a rolling upgrade; settings may differ with them",
            "finish the upgrade"));
    String unknown =
        theirs.stream().filter(version -> !isKnown(version)).collect(Collectors.joining(", "));
    findings.addAll(
        Servers.one(
            !unknown.isEmpty(),
            Severity.WARNING,
            "NameNodes and DataNodes",
            "Hadoop " + unknown + " isn't among those this was run with: 3.3, 3.4, 3.5",
            "",
            "try it in mode shadow first"));
    String ours = line(facts.host().version());
    findings.addAll(
        Servers.one(
            unknown.isEmpty() && theirs.stream().noneMatch(version -> line(version).equals(ours)),
            Severity.NOTE,
            "this host",
            "the service runs with Hadoop " + facts.host().version() + ", the cluster is " + theirs,
            "works between 3.3, 3.4 and 3.5; moves use the DataNodes' own protocol",
            "where something is refused, run the service with the cluster's own jars"));
    return findings;
  }

  private static boolean isKnown(String version) {
    return Set.of("3.3", "3.4", "3.5").contains(line(version));
  }

  /** 3.4 of 3.4.3. */
  private static String line(String version) {
    String[] parts = version.split("[.-]");
    return parts.length < 2 ? version : parts[0] + "." + parts[1];
  }

  private static List<Finding> accessTime(Facts facts) {
    Optional<Duration> unread = facts.settings().unreadFor();
    return Servers.conf(
        facts.nameNodes(),
        conf -> {
          long millis =
              Servers.number(conf, "dfs.namenode.accesstime.precision").orElse(3_600_000L);
          if (millis == 0) {
            return problem(
                unread.isPresent() ? Severity.ERROR : Severity.NOTE,
                "dfs.namenode.accesstime.precision is 0: no access time is written",
                "rules with unreadFor take a file for unread since it was made; only the service's own heat"
                    + " says otherwise",
                "dfs.namenode.accesstime.precision=3600000 in hdfs-site.xml of the NameNodes, then restart"
                    + " them");
          }
          return unread.isPresent() && unread.get().toMillis() < 2 * millis
              ? problem(
                  Severity.WARNING,
                  "dfs.namenode.accesstime.precision is " + Duration.ofMillis(millis),
                  "a rule has unreadFor " + unread.get() + ", which is hardly longer",
                  "a longer unreadFor, or a smaller precision at the price of more edits")
              : Optional.empty();
        });
  }

  private static Optional<Servers.Problem> xattrs(Map<String, String> conf) {
    boolean on = Servers.isTrue(conf, "dfs.namenode.xattrs.enabled", "true");
    long size = Servers.number(conf, "dfs.namenode.fs-limits.max-xattr-size").orElse(16384L);
    long count = Servers.number(conf, "dfs.namenode.fs-limits.max-xattrs-per-inode").orElse(32L);
    return on && size >= LEAST_XATTR && count >= 8
        ? Optional.empty()
        : problem(
            Severity.WARNING,
            on
                ? "extended attributes may have "
                    + size
                    + " bytes, and a file "
                    + count
                    + " of them"
                : "dfs.namenode.xattrs.enabled is false",
            "hints live with the files, as extended attributes of up to a KB, one for each operation",
            "dfs.namenode.xattrs.enabled=true, dfs.namenode.fs-limits.max-xattr-size=16384,"
                + " dfs.namenode.fs-limits.max-xattrs-per-inode=32 in hdfs-site.xml of the NameNodes");
  }

  private static List<Finding> zooKeeper(Facts facts) {
    List<String> silent = new ArrayList<>();
    facts
        .zooKeepers()
        .forEach(
            (address, reached) -> {
              if (!reached.value().orElse(false)) {
                silent.add(address + " (" + reached.why() + ")");
              }
            });
    boolean most = silent.size() * 2 >= facts.zooKeepers().size();
    return Servers.one(
        !silent.isEmpty(),
        most ? Severity.ERROR : Severity.WARNING,
        Servers.names(silent),
        "isn't reached",
        most ? "without most of its servers ZooKeeper elects nobody" : "one server less may fail",
        "look at ha.zookeeper.quorum, at the server's process, and at firewalls between it and this host");
  }

  /**
   * Of two NameNodes on one host; the second controller ends at once, and there is no failover.
   */
  private static List<Finding> failoverPorts(Facts facts) {
    Map<String, String> conf = facts.host().conf();
    if (!Servers.isTrue(conf, "dfs.ha.automatic-failover.enabled", "false")) {
      return List.of();
    }
    Map<String, List<String>> byHost = new LinkedHashMap<>();
    conf.forEach(
        (key, value) -> {
          if (key.startsWith("dfs.namenode.rpc-address.") && key.split("\\.").length >= 5) {
            String id = key.substring("dfs.namenode.rpc-address.".length());
            String port =
                conf.getOrDefault(
                    "dfs.ha.zkfc.port." + id, conf.getOrDefault("dfs.ha.zkfc.port", "8019"));
            byHost
                .computeIfAbsent(
                    value.split(":")[0].trim() + ", port " + port, at -> new ArrayList<>())
                .add(id);
          }
        });
    List<Finding> findings = new ArrayList<>();
    byHost.forEach(
        (at, ids) ->
            findings.addAll(
                Servers.one(
                    ids.size() > 1,
                    Severity.ERROR,
                    at,
                    "failover controllers of " + String.join(" and ", ids) + " share it",
                    "the second one ends at once, and there is no failover",
                    "dfs.ha.zkfc.port." + ids.get(1) + "=8018   and restart that controller")));
    return findings;
  }
}
