// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

/**
 * The storage types of HDFS that hold data of ours, from slow to fast. The order is the order of the
 * SUORA buckets (section 3.1.1): {@code ARCHIVE} is b0.
 *
 * <p>A type of its own rather than Hadoop's, so that placement and decisions need no Hadoop class,
 * and because Hadoop's enum is not ordered by speed (NVDIMM comes after ARCHIVE there). The names are
 * identical.
 */
public enum StorageType {
  ARCHIVE,
  DISK,
  SSD,
  NVDIMM,
  /** Chosen at write time and by the cache only: HDFS cannot move a replica to or from it. */
  RAM_DISK;

  /** Index of the SUORA bucket, 0 being the slowest. */
  public int bucket() {
    return ordinal();
  }

  /** Whether HDFS can move replicas to and from storages of this type. */
  public boolean isMovable() {
    return this != RAM_DISK;
  }

  /** Whether a read from this type counts as fast: faster than any spinning disk. */
  public boolean isFast() {
    return compareTo(SSD) >= 0;
  }

  /**
   * The type of this name as Hadoop spells it.
   *
   * @return null where Hadoop has a type that is no bucket of ours (PROVIDED), or one we don't know
   */
  public static StorageType ofHadoopName(String name) {
    for (StorageType type : values()) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    return null;
  }
}
