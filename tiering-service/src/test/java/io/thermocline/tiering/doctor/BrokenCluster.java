// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Severity.ERROR;
import static io.thermocline.tiering.doctor.Severity.NOTE;
import static io.thermocline.tiering.doctor.Severity.WARNING;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@link ClusterChecks} find. */
final class BrokenCluster {

  private BrokenCluster() {}

  static List<Broken> cases() {
    return List.of(
        new Broken("cluster.reached", ERROR, "refused", h -> h.blockSize = Seen.not("refused")),
        new Broken("cluster.api", WARNING, "no section api", h -> h.listens = false),
        new Broken(
            "cluster.paths",
            WARNING,
            "there is no /gone in HDFS",
            h -> h.missing = Seen.of(List.of("/gone"))),
        new Broken("cluster.paths", NOTE, "refused", h -> h.missing = Seen.not("refused")),
        new Broken("cluster.superuser", ERROR, "no superuser", h -> h.superuser = Seen.of(false)),
        new Broken("cluster.superuser", NOTE, "refused", h -> h.superuser = Seen.not("refused")),
        new Broken(
            "cluster.superuser",
            WARNING,
            "needs not be",
            h -> h.mover = Optional.of(Seen.of(true))),
        new Broken(
            "cluster.superuser",
            ERROR,
            "the mover doesn't answer",
            h -> {
              h.superuser = Seen.of(false);
              h.mover = Optional.of(Seen.not("the mover doesn't answer"));
            }),
        new Broken(
            "cluster.proxy-user",
            NOTE,
            "/conf doesn't let",
            h -> {
              h.nameNode.remove("hadoop.proxyuser.tiering.hosts");
              h.refusals = Seen.not("nobody else owns what is managed");
            }),
        new Broken(
            "cluster.proxy-user",
            NOTE,
            "refuses to let tiering act for other users: not allowed to impersonate ann",
            h -> {
              h.nameNode.remove("hadoop.proxyuser.tiering.groups");
              h.refusals = Seen.of(Map.of("ann", "not allowed to impersonate ann"));
            }),
        new Broken(
            "cluster.proxy-user",
            NOTE,
            "act for other users: not from this host",
            h -> {
              h.nameNode.put("hadoop.proxyuser.tiering.users", "ann, bob");
              h.refusals = Seen.of(Map.of("bob", "not from this host"));
            }),
        new Broken(
            "cluster.proxy-user",
            WARNING,
            "hadoop.proxyuser.tiering.hosts is *",
            h -> h.nameNode.put("hadoop.proxyuser.tiering.hosts", "*")),
        new Broken(
            "cluster.proxy-user",
            WARNING,
            "hadoop.proxyuser.tiering.groups and hadoop.proxyuser.tiering.users are *",
            h -> {
              h.nameNode.put("hadoop.proxyuser.tiering.groups", "*");
              h.nameNode.put("hadoop.proxyuser.tiering.users", "ann, *");
            }),
        new Broken(
            "cluster.safe-mode",
            ERROR,
            "safe mode",
            h -> h.status.put("Safemode", "Safe mode is ON.")),
        new Broken(
            "cluster.clocks", WARNING, "differs", h -> h.skew = Seen.of(Duration.ofSeconds(-60))),
        new Broken(
            "cluster.clocks", ERROR, "differs", h -> h.skew = Seen.of(Duration.ofMinutes(6))),
        new Broken(
            "cluster.versions",
            WARNING,
            "3.2.4 isn't",
            h -> h.status.put("SoftwareVersion", "3.2.4")),
        new Broken(
            "cluster.versions",
            NOTE,
            "runs with Hadoop 3.3.6",
            h -> h.status.put("SoftwareVersion", "3.5.0")),
        new Broken(
            "cluster.access-time",
            ERROR,
            "is 0",
            h -> h.nameNode.put("dfs.namenode.accesstime.precision", "0")),
        new Broken(
            "cluster.access-time",
            WARNING,
            "is PT480H",
            h ->
                h.nameNode.put(
                    "dfs.namenode.accesstime.precision", "" + Duration.ofDays(20).toMillis())),
        new Broken(
            "cluster.xattrs",
            WARNING,
            "64 bytes",
            h -> h.nameNode.put("dfs.namenode.fs-limits.max-xattr-size", "64")),
        new Broken(
            "cluster.xattrs",
            WARNING,
            "is false",
            h -> h.nameNode.put("dfs.namenode.xattrs.enabled", "false")),
        new Broken(
            "cluster.zookeeper",
            ERROR,
            "isn't reached",
            h -> h.zooKeepers.put("zk2:2181", Seen.not("refused"))),
        new Broken(
            "cluster.failover-ports",
            ERROR,
            "nn1 and ns.nn2",
            h -> {
              h.here.put("dfs.ha.automatic-failover.enabled", "true");
              h.here.put("dfs.namenode.rpc-address.ns.nn1", "host:8020");
              h.here.put("dfs.namenode.rpc-address.ns.nn2", "host:8021");
            }));
  }
}
