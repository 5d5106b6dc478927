// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import io.thermocline.placement.model.StorageType;

/**
 * Hadoop's storage types as ours, by name: which constants there are, and their ordinals, differ
 * between Hadoop versions.
 */
final class StorageTypes {
  private static final StorageType[] OURS =
      new StorageType[org.apache.hadoop.fs.StorageType.values().length];

  static {
    for (org.apache.hadoop.fs.StorageType theirs : org.apache.hadoop.fs.StorageType.values()) {
      OURS[theirs.ordinal()] = StorageType.ofHadoopName(theirs.name());
    }
  }

  private StorageTypes() {}

  /** Null for a type that is no bucket of ours. */
  static StorageType ours(org.apache.hadoop.fs.StorageType theirs) {
    return theirs == null ? null : OURS[theirs.ordinal()];
  }
}
