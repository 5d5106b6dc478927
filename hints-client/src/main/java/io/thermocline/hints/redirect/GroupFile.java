// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A file of one block with copies of blocks that are read together, those of small files or
 * single ones of larger files, and where in it they are. A group file is written once, and its id
 * never given again, so what was true of it stays true while it is there. Immutable.
 *
 * <p>Source: PRS, section 3.5 and figure 9. An original is a block and known as such, not by a path: bytes of
 * a block of one id, generation stamp and length never change, wherever the file is renamed to, and whatever is
 * written to the file gives one of the three another value.
 */
public final class GroupFile {
  private final long id;
  private final String path;
  private final long length;
  private final String pattern;
  private final String sequence;
  private final List<Member> members;

  /**
   * @param path absolute
   * @param length bytes of members, one after the other from 0 on
   * @param pattern local or global
   * @param sequence as random_small
   */
  public GroupFile(
      long id, String path, long length, String pattern, String sequence, List<Member> members) {
    this.id = id;
    this.path = path;
    this.length = length;
    this.pattern = pattern;
    this.sequence = sequence;
    this.members = Collections.unmodifiableList(new ArrayList<>(members));
    for (Member member : members) {
      if (member.offset < 0 || member.length < 0 || member.offset > length - member.length) {
        throw new IllegalArgumentException(
            member + " isn't within the " + length + " bytes of group " + id);
      }
    }
  }

  public long id() {
    return id;
  }

  public String path() {
    return path;
  }

  public long length() {
    return length;
  }

  public String pattern() {
    return pattern;
  }

  public String sequence() {
    return sequence;
  }

  /** Unmodifiable. */
  public List<Member> members() {
    return members;
  }

  @Override
  public String toString() {
    return "group " + id + " " + path + " " + members;
  }

  /** The copy of one original. Immutable. */
  public static final class Member {
    private final long inode;
    private final long blockId;
    private final long generationStamp;
    private final long length;
    private final long offset;
    private final long checksum;

    /**
     * @param inode id of the original's file, by which the service finds it again
     * @param blockId of the original: the only block of its file, or one of several
     * @param generationStamp which the block had when it was copied
     * @param length bytes of the block
     * @param offset in the group file
     * @param checksum CRC-32 of the bytes
     */
    public Member(
        long inode, long blockId, long generationStamp, long length, long offset, long checksum) {
      this.inode = inode;
      this.blockId = blockId;
      this.generationStamp = generationStamp;
      this.length = length;
      this.offset = offset;
      this.checksum = checksum;
    }

    public long inode() {
      return inode;
    }

    public long blockId() {
      return blockId;
    }

    public long generationStamp() {
      return generationStamp;
    }

    public long length() {
      return length;
    }

    public long offset() {
      return offset;
    }

    public long checksum() {
      return checksum;
    }

    @Override
    public String toString() {
      return "blk_" + blockId + "_" + generationStamp + " " + length + "@" + offset;
    }
  }
}
