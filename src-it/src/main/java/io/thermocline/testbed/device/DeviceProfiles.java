// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.device;

import io.thermocline.placement.model.StorageType;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The profile of each storage type. Immutable.
 *
 * @param byType one profile for each storage type that the cluster has
 */
public record DeviceProfiles(Map<StorageType, DeviceProfile> byType) {

  /** Testbed bytes per real byte and second: at this scale a DISK reads 9 MB/s instead of 176. */
  public static final double DEFAULT_SCALE = 9.0 / 176;

  private static final double MEGABYTE = 1e6;

  /**
   * @throws IllegalArgumentException if there is no profile at all
   */
  public DeviceProfiles {
    if (byType.isEmpty()) {
      throw new IllegalArgumentException("No storage type has a device profile");
    }
    byType = Collections.unmodifiableMap(new EnumMap<>(byType));
  }

  /**
   * The devices of SUORA's table 4, slowed down so that two cores can serve them.
   *
   * <p>Bandwidth is the table's average throughput times {@code scale}, so the ratios between the
   * types are the paper's: ARCHIVE is the raw WD hard disk (95 MB/s), DISK the raw Seagate hard disk
   * (176), SSD the Intel S3700 (500), NVDIMM the Intel P3500 (1800), the fastest device of the table.
   * The RAID5 of four disks (263) stands for no storage type. RAM_DISK, which the table lacks, gets
   * the P3500's profile: nothing here reads from it.
   *
   * <p>Latency comes from table 1, as table 4 has none: hard disks 5 ms (ARCHIVE) and 3.5 ms (DISK),
   * SSD 100 us of 35 to 350, phase-change memory 15 us for NVDIMM. It is not stretched by 1 / scale.
   * If it were, a disk would seek for 68 ms before a block of 256 KB that takes 29 ms to transfer, as
   * if HDFS had blocks of 256 KB; in reality such a block stands for 128 MB, of which the seek is half
   * a percent. Left as it is, the seek is a ninth of a full block, 8 times the transfer of a 4 KB
   * file, and nothing on SSD: small files on disks stay seek-bound, large ones bandwidth-bound.
   *
   * @param scale testbed bytes per second for each real byte per second, positive
   */
  public static DeviceProfiles table4(double scale) {
    if (!(scale > 0)) {
      throw new IllegalArgumentException("The scale must be positive, not " + scale);
    }
    Map<StorageType, DeviceProfile> profiles = new EnumMap<>(StorageType.class);
    profiles.put(StorageType.ARCHIVE, scaled(5_000, 95, scale));
    profiles.put(StorageType.DISK, scaled(3_500, 176, scale));
    profiles.put(StorageType.SSD, scaled(100, 500, scale));
    profiles.put(StorageType.NVDIMM, scaled(15, 1800, scale));
    profiles.put(StorageType.RAM_DISK, scaled(15, 1800, scale));
    return new DeviceProfiles(profiles);
  }

  /** {@link #table4(double)} at {@link #DEFAULT_SCALE}. */
  public static DeviceProfiles table4() {
    return table4(DEFAULT_SCALE);
  }

  /**
   * @throws IllegalArgumentException if this storage type has no profile
   */
  public DeviceProfile of(StorageType type) {
    DeviceProfile profile = byType.get(type);
    if (profile == null) {
      throw new IllegalArgumentException(
          "No device profile for " + type + ", only for " + byType.keySet());
    }
    return profile;
  }

  private static DeviceProfile scaled(long latencyMicros, double megabytesPerSecond, double scale) {
    return DeviceProfile.symmetric(
        latencyMicros, Math.max(1, Math.round(megabytesPerSecond * MEGABYTE * scale)));
  }
}
