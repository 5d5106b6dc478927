// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Severity.ERROR;
import static io.thermocline.tiering.doctor.Severity.NOTE;
import static io.thermocline.tiering.doctor.Severity.WARNING;

import java.util.List;

/** What {@link MoveChecks} find. */
final class BrokenMoves {

  private BrokenMoves() {}

  static List<Broken> cases() {
    return List.of(
        new Broken(
            "moves.satisfier",
            WARNING,
            "is external",
            h -> h.nameNode.put("dfs.storage.policy.satisfier.mode", "external")),
        new Broken(
            "moves.apart",
            ERROR,
            "in different upgrade domains",
            h ->
                h.nameNode.put(
                    "dfs.block.replicator.classname",
                    "org.apache.hadoop.hdfs.server.blockmanagement"
                        + ".BlockPlacementPolicyWithUpgradeDomain")),
        new Broken(
            "moves.apart",
            ERROR,
            "on different node groups",
            h -> h.nameNode.put("net.topology.nodegroup.aware", "true")),
        new Broken(
            "moves.apart",
            ERROR,
            "on different node groups",
            h -> {
              h.here.put("net.topology.nodegroup.aware", "true");
              h.isAsked = false;
            }),
        new Broken(
            "moves.others",
            ERROR,
            "another mover",
            h -> h.others = Seen.of(List.of("/system/mover.id"))),
        new Broken(
            "moves.others",
            WARNING,
            "let it end",
            h -> h.others = Seen.of(List.of("/system/balancer.id"))),
        new Broken(
            "moves.stock-mover",
            NOTE,
            "hdfs mover and hdfs balancer of Hadoop 3.4.3 end with exit code 255",
            h -> h.status.put("SoftwareVersion", "3.4.3")),
        new Broken(
            "moves.stock-mover",
            NOTE,
            "start it again until it ends with 0",
            h -> h.status.put("SoftwareVersion", "3.5.0")),
        new Broken(
            "moves.concurrent",
            ERROR,
            "is 2, act.maxConcurrentCopiesPerNode 4",
            h -> h.dataNode.put("dfs.datanode.balance.max.concurrent.moves", "2")),
        new Broken(
            "moves.bandwidth",
            WARNING,
            "(107374182400 bytes) takes 853 minutes",
            h -> h.dataNode.put("dfs.datanode.balance.bandwidthPerSec", "1m")),
        new Broken(
            "moves.protection",
            ERROR,
            "is 'privacy', and '' here",
            h -> h.dataNode.put("dfs.data.transfer.protection", "privacy")),
        new Broken(
            "moves.protection",
            ERROR,
            "is 'false', and 'true' here",
            h -> h.here.put("dfs.encrypt.data.transfer", "true")),
        new Broken(
            "moves.postponed",
            NOTE,
            "12 blocks",
            h -> h.status.put("PostponedMisreplicatedBlocks", "12")));
  }
}
