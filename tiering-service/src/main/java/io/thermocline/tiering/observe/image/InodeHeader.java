// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.IOException;

/**
 * What the section INODE begins with. Immutable.
 *
 * @param lastId given out
 * @param inodes of all types, those that only snapshots have among them
 */
record InodeHeader(long lastId, long inodes) {

  static InodeHeader read(SectionInput in) throws IOException {
    long lastId = 0;
    long inodes = 0;
    long stop = in.begin(Long.MAX_VALUE);
    while (in.position() < stop) {
      int tag = in.tag();
      switch (tag) {
        case 1 << 3 -> lastId = in.varint();
        case 2 << 3 -> inodes = in.varint();
        default -> in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
    if (lastId <= 0 || lastId > SparseIds.LARGEST || inodes <= 0 || inodes > Integer.MAX_VALUE) {
      throw in.damaged(inodes + " inodes, the last with id " + lastId);
    }
    return new InodeHeader(lastId, inodes);
  }

  long check(SectionInput in, long id) throws IOException {
    if (id < 0 || id > lastId) {
      throw in.damaged("inode id " + id + ", but the last one given out is " + lastId);
    }
    return id;
  }

  void checkCount(SectionInput in, long found) throws IOException {
    if (found != inodes) {
      throw in.damaged(found + " inodes, but " + inodes + " were announced");
    }
  }
}
