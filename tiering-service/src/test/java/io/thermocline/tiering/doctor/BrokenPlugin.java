// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static io.thermocline.tiering.doctor.Severity.ERROR;
import static io.thermocline.tiering.doctor.Severity.NOTE;
import static io.thermocline.tiering.doctor.Severity.WARNING;

import java.util.HashMap;
import java.util.List;

/** What {@link PluginChecks} find. */
final class BrokenPlugin {

  private static final String HADOOPS = "org.apache.hadoop.hdfs.server.blockmanagement.";

  private BrokenPlugin() {}

  static List<Broken> cases() {
    return List.of(
        new Broken(
            "plugin.placement",
            WARNING,
            "is not set",
            h -> h.nameNode.remove("dfs.block.replicator.classname")),
        hadoops("BlockPlacementPolicyWithNodeGroup", "on different node groups"),
        hadoops("BlockPlacementPolicyWithUpgradeDomain", "in different upgrade domains"),
        hadoops("BlockPlacementPolicyRackFaultTolerant", "on as many racks as possible"),
        new Broken(
            "plugin.placement",
            NOTE,
            "on different node groups",
            h -> {
              h.nameNode.remove("dfs.block.replicator.classname");
              h.nameNode.put("net.topology.nodegroup.aware", "true");
            }),
        new Broken(
            "plugin.replaces",
            WARNING,
            "is not set",
            h -> h.nameNode.remove("thermocline.placement.replaces")),
        new Broken(
            "plugin.replaces",
            ERROR,
            "98 of 100 blocks have each replica on a rack of its own",
            h -> {
              h.nameNode.remove("thermocline.placement.replaces");
              h.spread = Seen.of(new Facts.Spread(100, 98));
            }),
        new Broken(
            "plugin.in-use",
            WARNING,
            "can't look at the cluster",
            h -> h.status.put("PlacementStopped", "1")),
        new Broken(
            "plugin.settings",
            WARNING,
            "can't be used as it is",
            h -> h.status.put("AttributesBad", "1")),
        new Broken(
            "plugin.settings", NOTE, "BadSetting is 2", h -> h.status.put("BadSetting", "2")),
        new Broken(
            "plugin.same",
            WARNING,
            "this host doesn't name it",
            h -> h.here.remove("dfs.block.replicator.classname")),
        new Broken(
            "plugin.same",
            WARNING,
            "on as many racks as possible, and the NameNodes load ours",
            h ->
                h.here.put(
                    "dfs.block.replicator.classname",
                    HADOOPS + "BlockPlacementPolicyRackFaultTolerant")),
        new Broken(
            "plugin.same",
            WARNING,
            "in different upgrade domains, and no NameNode told",
            h -> {
              h.here.put(
                  "dfs.block.replicator.classname",
                  HADOOPS + "BlockPlacementPolicyWithUpgradeDomain");
              h.isAsked = false;
            }),
        new Broken("plugin.same", ERROR, "others don't", h -> h.secondNameNode = new HashMap<>()),
        new Broken("plugin.class-path", WARNING, "no jar", h -> h.plugin = Seen.of(false)),
        new Broken(
            "plugin.class-path", NOTE, "could not look", h -> h.plugin = Seen.not("no Hadoop")),
        new Broken("plugin.other-hosts", NOTE, "hdfs classpath --glob", h -> {}),
        new Broken(
            "plugin.read-order",
            WARNING,
            "not set",
            h -> h.nameNode.remove("dfs.net.topology.impl")),
        new Broken(
            "plugin.read-order",
            WARNING,
            "puts copies on NVDIMM behind those on ARCHIVE",
            h -> {
              h.nameNode.remove("dfs.net.topology.impl");
              h.nameNode.put("dfs.namenode.read.considerStorageType", "true");
              h.storages.add(Healthy.storage("n1", "/r1", NVDIMM, 77));
            }),
        new Broken(
            "plugin.consider-storage-type",
            NOTE,
            "is false",
            h -> h.nameNode.remove("dfs.net.topology.impl")),
        new Broken(
            "plugin.consider-storage-type",
            WARNING,
            "considerLoad is true",
            h -> {
              h.nameNode.remove("dfs.net.topology.impl");
              h.nameNode.put("dfs.namenode.read.considerStorageType", "true");
              h.nameNode.put("dfs.namenode.read.considerLoad", "true");
            }),
        new Broken(
            "plugin.directory-hints",
            NOTE,
            "is not set",
            h -> h.nameNode.remove("thermocline.placement.directory-hints")),
        new Broken(
            "plugin.directory-hints",
            WARNING,
            "counts as empty",
            h -> h.status.put("DirectoryHintsBad", "1")),
        new Broken(
            "plugin.directory-hints",
            NOTE,
            "not in force",
            h -> h.status.remove("DirectoryHintsBad")),
        new Broken(
            "plugin.volumes",
            NOTE,
            "any volume",
            h -> h.storages.add(Healthy.storage("n1", "/r1", SSD, 77))));
  }

  /** A NameNode with another policy, whose guarantee is named. */
  private static Broken hadoops(String policy, String guarantee) {
    return new Broken(
        "plugin.placement",
        NOTE,
        guarantee,
        h -> h.nameNode.put("dfs.block.replicator.classname", HADOOPS + policy));
  }
}
