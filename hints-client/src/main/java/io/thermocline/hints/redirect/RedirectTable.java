// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.redirect;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.CRC32;

/**
 * From the block of an original to its copy in a group file, by binary search. Immutable, safe for any thread. It names no
 * path of an original, so that everybody may read it.
 *
 * <p>As bytes: magic, version, block pool, groups with their members, and a CRC-32 of all that; 8 bytes a number.
 * A reader takes a table whole or not at all.
 */
public final class RedirectTable {
  /** Of the file in the directory of group files. */
  public static final String FILE_NAME = "redirect-table";

  /** A larger one is not read. */
  public static final int MOST_BYTES = 256 << 20;

  /**
   * Of a file that a client looks for copies of: HDFS's client asks for so many with the open, of its own
   * block size, unless {@code dfs.client.read.prefetch.size} says otherwise.
   */
  public static final int MOST_FILE_BLOCKS = 10;

  private static final int MAGIC = 0x54435254;
  private static final int VERSION = 1;
  private static final int CHECKSUM_BYTES = 8;

  private final String pool;
  private final List<GroupFile> groups;
  private final long[] blocks;
  private final Found[] found;

  /** A copy, and the file it is in. */
  public static final class Found {
    private final GroupFile group;
    private final GroupFile.Member member;

    private Found(GroupFile group, GroupFile.Member member) {
      this.group = group;
      this.member = member;
    }

    public GroupFile group() {
      return group;
    }

    public GroupFile.Member member() {
      return member;
    }
  }

  private RedirectTable(String pool, List<GroupFile> groups) {
    this.pool = pool;
    this.groups = Collections.unmodifiableList(new ArrayList<>(groups));
    List<Found> all = new ArrayList<>();
    for (GroupFile group : groups) {
      for (GroupFile.Member member : group.members()) {
        all.add(new Found(group, member));
      }
    }
    all.sort((a, b) -> Long.compare(a.member.blockId(), b.member.blockId()));
    found = all.toArray(new Found[0]);
    blocks = new long[found.length];
    for (int i = 0; i < found.length; i++) {
      blocks[i] = found[i].member.blockId();
      if (i > 0 && blocks[i] == blocks[i - 1]) {
        throw new IllegalArgumentException(
            "blk_"
                + blocks[i]
                + " is in groups "
                + found[i - 1].group.id()
                + " and "
                + found[i].group.id()
                + "; an original has one copy at most");
      }
    }
  }

  /**
   * @param pool block pool of the originals
   * @throws IllegalArgumentException if an original is in two groups
   */
  public static RedirectTable of(String pool, List<GroupFile> groups) {
    return new RedirectTable(pool, groups);
  }

  /** Without any. */
  public static RedirectTable empty() {
    return new RedirectTable("", Collections.<GroupFile>emptyList());
  }

  public List<GroupFile> groups() {
    return groups;
  }

  /**
   * The copy of a block exactly as it is now; null where there is none, or only one of what it was before.
   *
   * @param length bytes that a reader sees of the file
   */
  public Found find(String ofPool, long blockId, long generationStamp, long length) {
    int index = Arrays.binarySearch(blocks, blockId);
    if (index < 0 || !pool.equals(ofPool)) {
      return null;
    }
    GroupFile.Member member = found[index].member;
    return member.generationStamp() == generationStamp && member.length() == length
        ? found[index]
        : null;
  }

  /** What {@link #read} reads. */
  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(MAGIC);
      out.writeInt(VERSION);
      out.writeUTF(pool);
      out.writeInt(groups.size());
      for (GroupFile group : groups) {
        write(group, out);
      }
      out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory doesn't fail", e);
    }
    return bytes.toByteArray();
  }

  private static void write(GroupFile group, DataOutputStream out) throws IOException {
    out.writeLong(group.id());
    out.writeUTF(group.path());
    out.writeLong(group.length());
    out.writeUTF(group.pattern());
    out.writeUTF(group.sequence());
    out.writeInt(group.members().size());
    for (GroupFile.Member member : group.members()) {
      out.writeLong(member.inode());
      out.writeLong(member.blockId());
      out.writeLong(member.generationStamp());
      out.writeLong(member.length());
      out.writeLong(member.offset());
      out.writeLong(member.checksum());
    }
  }

  /**
   * @throws IOException if it is damaged, cut short, or of a version this class doesn't know
   */
  public static RedirectTable read(byte[] bytes) throws IOException {
    int end = bytes.length - CHECKSUM_BYTES;
    if (end < 0) {
      throw new IOException("a redirect table of " + bytes.length + " bytes is cut short");
    }
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int magic = in.readInt();
    if (magic != MAGIC) {
      throw new IOException(
          "this is no redirect table: it begins with " + Integer.toHexString(magic));
    }
    int version = in.readInt();
    if (version != VERSION) {
      throw new IOException("a redirect table of version " + version + "; known is " + VERSION);
    }
    DataInputStream tail =
        new DataInputStream(new ByteArrayInputStream(bytes, end, CHECKSUM_BYTES));
    if (tail.readLong() != checksum(bytes, end)) {
      throw new IOException("the redirect table's checksum is wrong: it is damaged");
    }
    try {
      String pool = in.readUTF();
      List<GroupFile> groups = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        groups.add(readGroup(in));
      }
      return new RedirectTable(pool, groups);
    } catch (IllegalArgumentException e) {
      throw new IOException("the redirect table contradicts itself: " + e.getMessage(), e);
    }
  }

  private static GroupFile readGroup(DataInputStream in) throws IOException {
    long id = in.readLong();
    String path = in.readUTF();
    long length = in.readLong();
    String pattern = in.readUTF();
    String sequence = in.readUTF();
    List<GroupFile.Member> members = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      members.add(
          new GroupFile.Member(
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong(),
              in.readLong()));
    }
    return new GroupFile(id, path, length, pattern, sequence, members);
  }

  private static long checksum(byte[] bytes, int end) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, end);
    return crc.getValue();
  }
}
