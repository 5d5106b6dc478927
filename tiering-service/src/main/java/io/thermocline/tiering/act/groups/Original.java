// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.hints.redirect.RedirectTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * A file of one block, or a block of a larger one, as it is at one moment, as far as a group
 * needs it. HDFS is asked by calls that are audited as listStatus.
 *
 * @param inode its id, by which it is found again wherever it is renamed to
 * @param offset of the block in the file
 * @param length of the block
 * @param readers who may read it, as long as its directories are open to all
 */
record Original(long inode, ExtendedBlock block, long offset, long length, Readers readers) {

  private static final short READ_BITS = 0444;

  /** The same in every HDFS. */
  private static final long ROOT_INODE = 16385;

  /**
   * Two files with equal ones may be read by the same people.
   *
   * @param owner null where all may read: whose file it is says nothing then
   * @param group as the owner
   */
  record Readers(String owner, String group, FsPermission permission) {

    /** As it is, but for writing. */
    static Readers of(String owner, String group, FsPermission permission) {
      short bits = (short) (permission.toShort() & READ_BITS);
      boolean isForAll = bits == READ_BITS;
      return new Readers(isForAll ? null : owner, isForAll ? null : group, new FsPermission(bits));
    }
  }

  /** The path by which a superuser finds an inode. */
  static Path pathOf(long inode) {
    return new Path("/.reserved/.inodes/" + inode);
  }

  /** What keeps a file from a group, or empty. */
  private static String obstacle(HdfsLocatedFileStatus status) {
    LocatedBlocks blocks = status.getLocatedBlocks();
    if (status.isDirectory() || status.isSymlink()) {
      return "is no file";
    }
    if (status.isEncrypted() || status.isErasureCoded() || status.hasAcl()) {
      return "is encrypted, erasure-coded, or has an ACL";
    }
    if (blocks.locatedBlockCount() > RedirectTable.MOST_FILE_BLOCKS) {
      return "has more blocks than a client looks for copies of";
    }
    return blocks.isUnderConstruction() ? "is being written" : "";
  }

  /**
   * What is called so; empty where it is gone, or can't be of a group: of a whole file, where it
   * has more than one block.
   */
  static Optional<Original> of(GroupStore store, MemberName name) throws IOException {
    return of(
        store,
        new Path(name.path()),
        blocks ->
            name.isWhole()
                ? blocks.locatedBlockCount() == 1 ? blocks.get(0) : null
                : find(blocks, name.block()));
  }

  /** The block of that file, wherever it was renamed to; empty as above. */
  static Optional<Original> of(GroupStore store, long inode, long block) throws IOException {
    return of(store, pathOf(inode), blocks -> find(blocks, block));
  }

  private static LocatedBlock find(LocatedBlocks blocks, long id) {
    return blocks.getLocatedBlocks().stream()
        .filter(block -> block.getBlock().getBlockId() == id)
        .findAny()
        .orElse(null);
  }

  private static Optional<Original> of(
      GroupStore store, Path path, Function<LocatedBlocks, LocatedBlock> which) throws IOException {
    DirectoryListing listing;
    try {
      listing =
          store.fs().getClient().listPaths(path.toUri().getPath(), HdfsFileStatus.EMPTY_NAME, true);
    } catch (FileNotFoundException e) {
      // Of a path there would be no listing; of an inode there is this.
      return Optional.empty();
    }
    if (listing == null || listing.getPartialListing().length != 1) {
      return Optional.empty();
    }
    HdfsFileStatus found = listing.getPartialListing()[0];
    // A directory with one entry lists that under its name; a file itself under none.
    if (!found.getLocalName().isEmpty()
        || !(found instanceof HdfsLocatedFileStatus status)
        || !obstacle(status).isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(which.apply(status.getLocatedBlocks()))
        .map(
            block ->
                new Original(
                    status.getFileId(),
                    block.getBlock(),
                    block.getStartOffset(),
                    block.getBlockSize(),
                    Readers.of(status.getOwner(), status.getGroup(), status.getPermission())));
  }

  /**
   * Whether everybody may pass all directories above a file, so that the file's own permission alone tells who may
   * read it.
   *
   * @param known of directories, by inode, from this look; is added to
   */
  static boolean isOpenToAll(GroupStore store, long inode, Map<Long, Boolean> known)
      throws IOException {
    if (inode == ROOT_INODE) {
      return true;
    }
    HdfsFileStatus above;
    try {
      above = store.fs().getClient().getFileInfo(pathOf(inode) + "/..");
    } catch (FileNotFoundException e) {
      above = null;
    }
    if (above == null) {
      return false;
    }
    Boolean open = known.get(above.getFileId());
    if (open == null) {
      open =
          !above.hasAcl()
              && isOpenToAll(above.getPermission())
              && isOpenToAll(store, above.getFileId(), known);
      known.put(above.getFileId(), open);
    }
    return open;
  }

  private static boolean isOpenToAll(FsPermission permission) {
    return permission.getUserAction().implies(FsAction.EXECUTE)
        && permission.getGroupAction().implies(FsAction.EXECUTE)
        && permission.getOtherAction().implies(FsAction.EXECUTE);
  }

  boolean hasSameBlock(Original other) {
    return block.getBlockId() == other.block.getBlockId();
  }

  /** Whether the bytes are those that a copy was made of. */
  boolean isStill(ExtendedBlock copied, long copiedLength) {
    return block.getBlockId() == copied.getBlockId()
        && block.getGenerationStamp() == copied.getGenerationStamp()
        && length == copiedLength;
  }
}
