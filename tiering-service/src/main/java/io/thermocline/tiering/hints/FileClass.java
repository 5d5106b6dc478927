// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.hints;

/**
 * What a file is, by its name and length alone: the static hints of HintStor (thesis, tables 2.1 and 2.2).
 *
 * @param role level 1: metadata or data
 * @param size level 2: number of the range that its length is in, from 0, the smallest
 * @param type what its name says that it is
 */
public record FileClass(Role role, int size, Type type) {

  /** Level 1. In HDFS the file system's own metadata is in the NameNode's memory; this is what data formats keep beside data. */
  public enum Role {
    METADATA,
    DATA
  }

  /** By suffix, directory, or the conventions of a table format. */
  public enum Type {
    OTHER,
    /** A table's or dataset's description, manifest, index, marker: read before the data, each time. */
    TABLE_METADATA,
    ORC,
    PARQUET,
    /** Written ahead of a store, read only after a failure. */
    WRITE_AHEAD_LOG,
    /** Gone soon. */
    TEMPORARY,
    /** Read only where a job starts again. */
    CHECKPOINT
  }
}
