// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.tiering.doctor.Servers.problem;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.doctor.Facts.Storage;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Whether there are tiers, and what their storages are like. */
final class StorageChecks {

  private StorageChecks() {}

  static List<Check> all() {
    return List.of(
        new Check(
            "storage.types",
            "the cluster has a faster or slower type than DISK",
            seen(StorageChecks::types)),
        new Check(
            "storage.listed",
            "decide.tiers includes all types of the cluster",
            StorageChecks::listed),
        new Check(
            "storage.policies",
            "dfs.storage.policy.enabled is on",
            facts -> Servers.conf(facts.nameNodes(), StorageChecks::policies)),
        new Check(
            "storage.default-policy",
            "dfs.storage.default.policy is HOT",
            facts -> Servers.conf(facts.nameNodes(), StorageChecks::defaultPolicy)),
        new Check(
            "storage.racks", "each fast type is on more than one rack", seen(StorageChecks::racks)),
        new Check(
            "storage.block-room",
            "each type has a storage with room for a block",
            StorageChecks::blockRoom),
        new Check("storage.reserved", "empty storages have room", seen(StorageChecks::reserved)),
        new Check(
            "storage.shared-device",
            "no two types of a node share a device",
            seen(StorageChecks::shared)),
        new Check(
            "storage.type-quotas",
            "quotas of types still hold after a restart of the NameNode",
            StorageChecks::quotas),
        new Check(
            "storage.cache-memory", "DataNodes have memory for the cache", StorageChecks::cache));
  }

  private static Function<Facts, List<Finding>> seen(Function<List<Storage>, List<Finding>> look) {
    return facts ->
        facts
            .hdfs()
            .storages()
            .value()
            .map(look)
            .orElseGet(() -> List.of(Finding.unseen("DataNodes", facts.hdfs().storages().why())));
  }

  private static Set<StorageType> typesOf(List<Storage> storages) {
    Set<StorageType> types = EnumSet.noneOf(StorageType.class);
    storages.forEach(storage -> types.add(storage.type()));
    types.remove(StorageType.RAM_DISK);
    return types;
  }

  private static List<Finding> types(List<Storage> storages) {
    Set<StorageType> types = typesOf(storages);
    return Servers.one(
        types.size() < 2,
        Severity.ERROR,
        "dfs.datanode.data.dir",
        "all storages are of the types " + types,
        "a directory without a type is DISK: nothing can be tiered",
        "dfs.datanode.data.dir=[SSD]/data/ssd1/dn,[DISK]/data/disk1/dn   on the DataNodes that have such"
            + " devices, then hdfs dfsadmin -reconfig datanode HOST:9867 start");
  }

  private static List<Finding> listed(Facts facts) {
    return seen(storages -> {
          Set<StorageType> left = typesOf(storages);
          left.removeAll(facts.settings().tiers());
          return Servers.one(
              !left.isEmpty(),
              Severity.NOTE,
              "decide.tiers",
              "leaves out " + left + ", which the cluster has",
              "no file moves to or from a type that takes no part",
              "take 'off' away from it in decide.tiers of thermocline.yaml, unless it is meant");
        })
        .apply(facts);
  }

  private static Optional<Servers.Problem> policies(Map<String, String> conf) {
    return Servers.isTrue(conf, "dfs.storage.policy.enabled", "true")
        ? Optional.empty()
        : problem(
            Severity.ERROR,
            "dfs.storage.policy.enabled is false",
            "a move that leaves the types of a file's policy is undone by the NameNode, and no policy can be"
                + " set",
            "dfs.storage.policy.enabled=true in hdfs-site.xml of the NameNodes, then restart them");
  }

  private static Optional<Servers.Problem> defaultPolicy(Map<String, String> conf) {
    String policy = conf.getOrDefault("dfs.storage.default.policy", "HOT").trim();
    return policy.equals("HOT")
        ? Optional.empty()
        : problem(
            Severity.WARNING,
            "dfs.storage.default.policy is " + policy,
            "files without a policy of their own are taken for written to DISK",
            "dfs.storage.default.policy=HOT in hdfs-site.xml of the NameNodes, then restart them");
  }

  private static List<Finding> racks(List<Storage> storages) {
    Map<StorageType, Set<String>> racks = new HashMap<>();
    Set<String> all = new HashSet<>();
    for (Storage storage : storages) {
      racks.computeIfAbsent(storage.type(), type -> new HashSet<>()).add(storage.rack());
      all.add(storage.rack());
    }
    List<Finding> findings = new ArrayList<>();
    for (StorageType type : List.of(StorageType.NVDIMM, StorageType.SSD)) {
      findings.addAll(
          Servers.one(
              all.size() > 1 && racks.getOrDefault(type, all).size() == 1,
              Severity.WARNING,
              type + " on " + racks.get(type),
              "all storages of the type are on one rack of " + all.size(),
              "ALL_SSD and the like can't be held there: the stock Mover ends with exit code 254, and a"
                  + " rack that fails takes all fast copies",
              "spread the nodes with such devices over racks; one fast copy a file"
                  + " works as it is (decide.promotion: one_or_all or one_copy)"));
    }
    return findings;
  }

  private static List<Finding> blockRoom(Facts facts) {
    Seen<Long> size = facts.hdfs().blockSize();
    if (size.value().isEmpty()) {
      return List.of(Finding.unseen("NameNode", size.why()));
    }
    long block = size.value().get();
    return seen(storages -> {
          List<Finding> findings = new ArrayList<>();
          for (StorageType type : typesOf(storages)) {
            long most =
                storages.stream()
                    .filter(storage -> storage.type() == type)
                    .mapToLong(Storage::left)
                    .max()
                    .orElse(0);
            findings.addAll(
                Servers.one(
                    most < block,
                    Severity.WARNING,
                    type.toString(),
                    "no storage has room for a block of "
                        + block
                        + " bytes; the roomiest has "
                        + most,
                    "HDFS chooses no storage that has less room than a whole block",
                    "make room on " + type + ", or use a smaller dfs.blocksize for new files"));
          }
          return findings;
        })
        .apply(facts);
  }

  private static List<Finding> reserved(List<Storage> storages) {
    List<String> full =
        storages.stream()
            .filter(s -> s.capacity() > 0 && s.left() == 0 && s.used() < s.capacity() / 10)
            .map(s -> s.type() + " of " + s.node())
            .toList();
    return Servers.one(
        !full.isEmpty(),
        Severity.WARNING,
        Servers.names(full),
        "is without room though HDFS has little on it",
        "what isn't HDFS's fills the device, or dfs.datanode.du.reserved is nearly all of it: what the file"
            + " system keeps for root counts too",
        "du -xsh DEVICE/*   says what fills it; where that is little, a smaller"
            + " dfs.datanode.du.reserved.ssd=BYTES (by type, since small devices need less)");
  }

  private static List<Finding> shared(List<Storage> storages) {
    Map<String, StorageType> seen = new HashMap<>();
    Set<String> nodes = new TreeSet<>();
    for (Storage storage : storages) {
      String device = storage.node() + ' ' + storage.capacity() + ' ' + storage.left();
      StorageType other = seen.putIfAbsent(device, storage.type());
      if (other != null && other != storage.type() && storage.capacity() > 0) {
        nodes.add(storage.node());
      }
    }
    return Servers.one(
        !nodes.isEmpty(),
        Severity.WARNING,
        Servers.names(List.copyOf(nodes)),
        "two types have the same capacity and room to the byte: probably one device",
        "its capacity counts twice, and a move between both makes nothing faster",
        "give each type in dfs.datanode.data.dir a device of its own");
  }

  private static List<Finding> quotas(Facts facts) {
    Seen<List<String>> exceeded = facts.hdfs().exceededQuotas();
    if (exceeded.value().isEmpty()) {
      return List.of(Finding.unseen("manage.paths", exceeded.why()));
    }
    return Servers.one(
        !exceeded.value().get().isEmpty(),
        Severity.ERROR,
        Servers.names(exceeded.value().get()),
        "the files below have storage policies for more bytes of a type than its quota allows",
        "HDFS counts again when the NameNode restarts; from then on it refuses writes there",
        "move files back or raise the quota; compare hdfs dfs -count -q -t with what is there");
  }

  private static List<Finding> cache(Facts facts) {
    Seen<Long> bytes = facts.hdfs().cacheBytes();
    if (!facts.settings().caches()) {
      return List.of(
          new Finding(
              Severity.OK,
              "decide.actions.cache",
              "is off, so the service caches nothing",
              "",
              ""));
    }
    if (bytes.value().isEmpty()) {
      return List.of(Finding.unseen("DataNodes", bytes.why()));
    }
    return Servers.one(
        bytes.value().get() == 0,
        Severity.ERROR,
        "dfs.datanode.max.locked.memory",
        "no DataNode has memory for the cache, and decide.actions.cache is on",
        "the default is 0; a DataNode that has more doesn't start without libhadoop and a limit of locked"
            + " memory (ulimit -l) as high",
        "dfs.datanode.max.locked.memory=BYTES in hdfs-site.xml of the DataNodes and ulimit -l unlimited for their"
            + " user, then restart them; or take out decide.actions.cache");
  }
}
