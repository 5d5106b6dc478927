// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.IOException;

/**
 * The inode at which the reader of the section INODE stands. Numbers of fields are those of fsimage.proto, equal in
 * all of Hadoop 3. Reused for each inode; not thread-safe.
 */
final class InodeRecord {
  static final int FILE = 1;
  static final int DIRECTORY = 2;
  static final int SYMLINK = 3;

  private static final int LONGEST_NAME = 1 << 16;

  private final int wanted;
  private final PolicyAttribute policyAttribute;

  int type;
  long id;
  byte[] name = new byte[256];
  int nameLength;
  int policy;

  int replication;
  long modified;
  long accessed;
  long length;
  int blocks;
  int erasureCoding;
  boolean striped;
  boolean underConstruction;

  /** @param wanted of others it reads the type and the id only */
  InodeRecord(int wanted, PolicyAttribute policyAttribute) {
    this.wanted = wanted;
    this.policyAttribute = policyAttribute;
  }

  void read(SectionInput in) throws IOException {
    type = 0;
    id = -1;
    nameLength = 0;
    policy = ImageFile.UNSPECIFIED;
    long stop = in.begin(Long.MAX_VALUE);
    while (in.position() < stop) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 -> type = (int) in.varint();
        case 2 << 3 -> {
          id = in.varint();
          // The first two fields: writers of protobuf write in order.
          if (type != 0 && type != wanted) {
            in.skipTo(stop);
          }
        }
        case 3 << 3 | SectionInput.BYTES -> name(in, stop);
        case 4 << 3 | SectionInput.BYTES -> file(in, stop);
        case 5 << 3 | SectionInput.BYTES -> directory(in, stop);
        default -> in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
    if (type < FILE || type > SYMLINK || id < 0 || id > SparseIds.LARGEST) {
      throw in.damaged("an inode of type " + type + " with id " + id);
    }
  }

  private void name(SectionInput in, long end) throws IOException {
    long bytes = in.begin(end) - in.position();
    if (bytes > LONGEST_NAME) {
      throw in.damaged("a name of " + bytes + " bytes, of inode " + id);
    }
    nameLength = (int) bytes;
    if (nameLength > name.length) {
      name = new byte[nameLength];
    }
    in.bytes(name, nameLength);
  }

  private void file(SectionInput in, long end) throws IOException {
    replication = 0;
    modified = 0;
    accessed = 0;
    length = 0;
    blocks = 0;
    erasureCoding = 0;
    striped = false;
    underConstruction = false;
    long stop = in.begin(end);
    while (in.position() < stop) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 -> replication = (int) in.varint();
        case 2 << 3 -> modified = in.varint();
        case 3 << 3 -> accessed = in.varint();
        case 6 << 3 | SectionInput.BYTES -> block(in, stop);
        case 7 << 3 | SectionInput.BYTES -> {
          underConstruction = true;
          in.skipField(tag, stop);
        }
        case 10 << 3 -> policy = (int) in.varint();
        case 12 << 3 -> {
          striped = true;
          erasureCoding = (int) in.varint();
        }
        default -> in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
  }

  private void block(SectionInput in, long end) throws IOException {
    long stop = in.begin(end);
    while (in.position() < stop) {
      int tag = in.tag();
      if (tag == 3 << 3) {
        length += in.varint();
      } else {
        in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
    blocks++;
  }

  private void directory(SectionInput in, long end) throws IOException {
    long stop = in.begin(end);
    while (in.position() < stop) {
      int tag = in.tag();
      if (tag == (6 << 3 | SectionInput.BYTES)) {
        attributes(in, stop);
      } else {
        in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
  }

  private void attributes(SectionInput in, long end) throws IOException {
    long stop = in.begin(end);
    while (in.position() < stop) {
      int tag = in.tag();
      if (tag == (1 << 3 | SectionInput.BYTES)) {
        int found = policyAttribute.read(in, stop);
        policy = found == PolicyAttribute.ANOTHER ? policy : found;
      } else {
        in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
  }
}
