// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.StorageType;
import java.util.EnumMap;
import java.util.Map;

/**
 * The bytes that HDFS counts for a file against quotas of storage types. HDFS counts by the file's storage policy,
 * wherever the copies lie. A file for which nobody set a policy counts against no quota of a type. Pure.
 */
public final class QuotaCharge {

  private QuotaCharge() {}

  /**
   * @param policy name of the storage policy; empty where nobody set one
   * @param length bytes of one copy
   * @param space bytes of all copies
   * @return bytes by type; types without any are absent
   */
  public static Map<StorageType, Long> of(String policy, long length, long space) {
    return switch (policy) {
      case "HOT" -> charge(StorageType.DISK, StorageType.DISK, length, space);
      case "WARM" -> charge(StorageType.DISK, StorageType.ARCHIVE, length, space);
      case "COLD" -> charge(StorageType.ARCHIVE, StorageType.ARCHIVE, length, space);
      case "ONE_SSD" -> charge(StorageType.SSD, StorageType.DISK, length, space);
      case "ALL_SSD" -> charge(StorageType.SSD, StorageType.SSD, length, space);
      case "ALL_NVDIMM" -> charge(StorageType.NVDIMM, StorageType.NVDIMM, length, space);
      // The first copy is in memory or elsewhere, which has no quota here.
      case "LAZY_PERSIST", "PROVIDED" -> charge(null, StorageType.DISK, length, space);
      default -> Map.of();
    };
  }

  /** The name of a storage policy; the ids are the same in all versions of HDFS. Empty where nobody set one. */
  public static String policyName(int id) {
    return switch (id) {
      case 1 -> "PROVIDED";
      case 2 -> "COLD";
      case 5 -> "WARM";
      case 7 -> "HOT";
      case 10 -> "ONE_SSD";
      case 12 -> "ALL_SSD";
      case 14 -> "ALL_NVDIMM";
      case 15 -> "LAZY_PERSIST";
      default -> "";
    };
  }

  private static Map<StorageType, Long> charge(
      StorageType first, StorageType others, long length, long space) {
    Map<StorageType, Long> bytes = new EnumMap<>(StorageType.class);
    if (first != null) {
      bytes.merge(first, Math.min(length, space), Long::sum);
    }
    if (space > length) {
      bytes.merge(others, space - length, Long::sum);
    }
    return bytes;
  }
}
