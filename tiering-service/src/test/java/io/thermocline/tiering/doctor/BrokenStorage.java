// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static io.thermocline.tiering.doctor.Severity.ERROR;
import static io.thermocline.tiering.doctor.Severity.NOTE;
import static io.thermocline.tiering.doctor.Severity.WARNING;

import java.util.List;

/** What {@link StorageChecks} find. */
final class BrokenStorage {

  private BrokenStorage() {}

  static List<Broken> cases() {
    return List.of(
        new Broken(
            "storage.types",
            ERROR,
            "[DISK]",
            h -> h.storages.removeIf(storage -> storage.type() == SSD)),
        new Broken(
            "storage.listed",
            NOTE,
            "[ARCHIVE]",
            h -> h.storages.add(Healthy.storage("n3", "/r1", ARCHIVE, 5000))),
        new Broken(
            "storage.policies",
            ERROR,
            "is false",
            h -> h.nameNode.put("dfs.storage.policy.enabled", "false")),
        new Broken(
            "storage.default-policy",
            WARNING,
            "is WARM",
            h -> h.nameNode.put("dfs.storage.default.policy", "WARM")),
        new Broken(
            "storage.racks",
            WARNING,
            "one rack of 2",
            h -> h.storages.removeIf(s -> s.type() == SSD && s.node().equals("n2"))),
        new Broken("storage.block-room", WARNING, "block of 500", h -> h.blockSize = Seen.of(500L)),
        new Broken(
            "storage.reserved",
            WARNING,
            "without room",
            h -> h.storages.add(new Facts.Storage("n3", "/r1", "s", DISK, 1000, 0, 0))),
        new Broken(
            "storage.shared-device",
            WARNING,
            "probably one device",
            h -> h.storages.add(Healthy.storage("n1", "/r1", DISK, 100))),
        new Broken(
            "storage.type-quotas",
            ERROR,
            "more bytes of a type than its quota",
            h -> h.exceededQuotas = Seen.of(List.of("/w/a"))),
        new Broken("storage.cache-memory", ERROR, "no DataNode", h -> h.cacheBytes = Seen.of(0L)));
  }
}
