// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * A file as it is at one moment, as far as a group needs it. HDFS is asked by calls that are audited as listStatus.
 *
 * @param inode its id, by which it is found again wherever it is renamed to
 * @param block the only one
 * @param readers who may read it, as long as its directories are open to all
 */
record Original(long inode, ExtendedBlock block, long length, Readers readers) {

  private static final short READ_BITS = 0444;

  /** The same in every HDFS. */
  private static final long ROOT_INODE = 16385;

  /** Two files with equal ones may be read by the same people. */
  record Readers(String owner, String group, FsPermission permission) {

    /** As it is, but for writing. */
    static Readers of(HdfsFileStatus status) {
      FsPermission reading =
          new FsPermission((short) (status.getPermission().toShort() & READ_BITS));
      return new Readers(status.getOwner(), status.getGroup(), reading);
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
    if (blocks.isUnderConstruction()) {
      return "is being written";
    }
    return blocks.locatedBlockCount() == 1 ? "" : "has more or less than one block";
  }

  /** The file of that path; empty where it is gone, or can't be of a group. */
  static Optional<Original> of(GroupStore store, Path path) throws IOException {
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
    return Optional.of(
        new Original(
            status.getFileId(),
            status.getLocatedBlocks().get(0).getBlock(),
            status.getLen(),
            Readers.of(status)));
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

  /** Whether the bytes are those that a copy was made of. */
  boolean isStill(ExtendedBlock copied, long copiedLength) {
    return block.getBlockId() == copied.getBlockId()
        && block.getGenerationStamp() == copied.getGenerationStamp()
        && length == copiedLength;
  }
}
