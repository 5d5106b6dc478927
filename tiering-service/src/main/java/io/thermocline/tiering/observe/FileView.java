// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import io.thermocline.placement.model.StorageType;
import java.util.List;

/**
 * A closed file as HDFS showed it at one moment, with where each replica lies. Immutable.
 *
 * <p>An erasure-coded file is one whose blocks have one replica each: the internal blocks of its block groups, data
 * and parity, as DataNodes know and HDFS moves them.
 *
 * @param path absolute, inside the nameservice
 * @param length bytes of one replica; where erasure coded, of all internal blocks
 * @param replication how many replicas the file asks for; 1 where erasure coded
 * @param storagePolicy id of the storage policy in force on the inode, its own or inherited; 0 where
 *     nobody set one
 * @param blocks in order; empty for an empty file
 * @param owner short name of the user it belongs to; empty where not known
 * @param coding null where the file is replicated
 * @param group that it belongs to; empty where not known
 */
public record FileView(
    String path,
    long length,
    int replication,
    int storagePolicy,
    List<Block> blocks,
    String owner,
    Coding coding,
    String group,
    Times times) {

  public FileView {
    blocks = List.copyOf(blocks);
  }

  /** A file of which neither group nor times are known. */
  public FileView(
      String path,
      long length,
      int replication,
      int storagePolicy,
      List<Block> blocks,
      String owner,
      Coding coding) {
    this(path, length, replication, storagePolicy, blocks, owner, coding, "", Times.UNKNOWN);
  }

  /** A replicated file. */
  public FileView(
      String path,
      long length,
      int replication,
      int storagePolicy,
      List<Block> blocks,
      String owner) {
    this(path, length, replication, storagePolicy, blocks, owner, null);
  }

  /** A file of which the owner isn't known. */
  public FileView(
      String path, long length, int replication, int storagePolicy, List<Block> blocks) {
    this(path, length, replication, storagePolicy, blocks, "");
  }

  public FileView withStoragePolicy(int id) {
    return new FileView(path, length, replication, id, blocks, owner, coding, group, times);
  }

  public boolean isErasureCoded() {
    return coding != null;
  }

  /** Whether each block has as many replicas as the file asks for: none is still to be made, or deleted. */
  public boolean isSettled() {
    return blocks.stream().allMatch(block -> block.replicas().size() == replication);
  }

  /**
   * When it was changed and read last, milliseconds since 1970; 0 where not known.
   *
   * @param accessed as exact as dfs.namenode.accesstime.precision; where that is 0, when it was made
   */
  public record Times(long modified, long accessed) {
    public static final Times UNKNOWN = new Times(0, 0);
  }

  /** How many internal blocks of a group hold data, and how many parity. */
  public record Coding(int data, int parity) {}

  /** A block: what identifies it to a DataNode, its bytes, and its replicas. */
  public record Block(
      String poolId, long id, long generation, long length, List<Replica> replicas) {
    public Block {
      replicas = List.copyOf(replicas);
    }

    /** The id of the block group that it is of, in an erasure-coded file: HDFS numbers 16 ids on from there. */
    public long group() {
      return id & ~0xFL;
    }

    /** Of its replicas, in their order. */
    public List<StorageType> types() {
      return replicas.stream().map(Replica::type).toList();
    }
  }

  /** One copy of a block: on which node (UUID), on which of its storages, of which type. */
  public record Replica(String node, String storageId, StorageType type) {}
}
