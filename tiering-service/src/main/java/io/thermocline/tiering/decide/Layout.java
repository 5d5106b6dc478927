// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.QuotaCharge;
import io.thermocline.tiering.observe.FileView;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How the copies of one file lie over the storage types, now or once a target is reached.
 *
 * @param lead the slowest, over the file's blocks, of the fastest type that holds a copy: what a reader
 *     of the whole file waits for. A file of which one block is still on its way up counts as not there
 *     yet. DISK where no block has a live copy
 * @param bytes that the copies take on each type; types without any are absent
 * @param charge bytes that HDFS counts against quotas of types
 * @param space bytes that HDFS counts against quotas of space
 */
record Layout(
    StorageType lead, Map<StorageType, Long> bytes, Map<StorageType, Long> charge, long space) {

  /** As HDFS shows the file. */
  static Layout of(FileView file) {
    return of(file, null);
  }

  /** As it will be when the copies of each block have gone where the target sends them. */
  static Layout of(FileView file, Target target) {
    StorageType lead = null;
    Map<StorageType, Long> bytes = new EnumMap<>(StorageType.class);
    for (FileView.Block block : file.blocks()) {
      List<StorageType> types = block.types();
      if (types.isEmpty()) {
        continue;
      }
      if (target != null) {
        types = target.applied(types);
      }
      types.forEach(type -> bytes.merge(type, block.length(), Long::sum));
      StorageType fastest = Collections.max(types);
      lead = lead == null || fastest.compareTo(lead) < 0 ? fastest : lead;
    }
    String policy =
        target == null ? QuotaCharge.policyName(file.storagePolicy()) : target.storagePolicy();
    return of(
        lead == null ? StorageType.DISK : lead,
        bytes,
        policy,
        file,
        target == null ? file.replication() : target.replication());
  }

  /** As HDFS shows the file, with another replication factor; HDFS places what it adds. */
  static Layout replicated(FileView file, int factor) {
    Layout now = of(file);
    Map<StorageType, Long> bytes = new EnumMap<>(StorageType.class);
    bytes.putAll(now.bytes);
    bytes.merge(StorageType.DISK, file.length() * (factor - file.replication()), Long::sum);
    return of(now.lead, bytes, QuotaCharge.policyName(file.storagePolicy()), file, factor);
  }

  private static Layout of(
      StorageType lead,
      Map<StorageType, Long> bytes,
      String policy,
      FileView file,
      int replication) {
    long space = file.isErasureCoded() ? file.length() : file.length() * replication;
    Map<StorageType, Long> charge = new EnumMap<>(StorageType.class);
    charge.putAll(QuotaCharge.of(policy, file.length(), space));
    // No policy has one copy on NVDIMM: what lies there counts, so that a quota of NVDIMM bounds
    // it.
    charge.merge(StorageType.NVDIMM, bytes.getOrDefault(StorageType.NVDIMM, 0L), Math::max);
    return new Layout(lead, bytes, charge, space);
  }

  /** Whether copies lie alike, whatever HDFS counts. */
  boolean liesAs(Layout other) {
    return lead == other.lead && bytes.equals(other.bytes);
  }

  long charged(StorageType type) {
    return charge.getOrDefault(type, 0L);
  }

  long bytesOn(StorageType type) {
    return bytes.getOrDefault(type, 0L);
  }

  /** Whether some copy lies on any of the types. */
  boolean touches(StorageType... types) {
    return Arrays.stream(types).anyMatch(type -> bytesOn(type) > 0);
  }
}
