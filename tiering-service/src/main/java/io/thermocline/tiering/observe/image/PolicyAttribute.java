// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The extended attribute in which HDFS keeps the storage policy of a directory. Its name stands in the section
 * STRING_TABLE, its number there in the attribute. Immutable.
 */
final class PolicyAttribute {
  static final int ANOTHER = -1;

  private static final byte[] NAME =
      "hsm.block.storage.policy.id".getBytes(StandardCharsets.US_ASCII);

  /** Which of NameNode's four tables of strings: all, users, groups, names of attributes. */
  private static final int TABLE_OF_NAMES = 3;

  private static final int NAMESPACE_SYSTEM = 3;

  private final int number;

  private PolicyAttribute(int number) {
    this.number = number;
  }

  /** From STRING_TABLE. */
  static PolicyAttribute find(SectionInput in) throws IOException {
    int maskBits = 0;
    long header = in.begin(Long.MAX_VALUE);
    while (in.position() < header) {
      int tag = in.tag();
      if (tag == 2 << 3) {
        maskBits = (int) in.varint();
      } else {
        in.skipField(tag, header);
      }
    }
    in.expectEnd(header);
    if (maskBits < 0 || maskBits > 16) {
      throw in.damaged("a table of strings with " + maskBits + " bits for its kinds");
    }
    // Images of early 3.x have one table for all.
    int mask = maskBits == 0 ? 0 : -1 << (Integer.SIZE - maskBits);
    int table = maskBits == 0 ? 0 : TABLE_OF_NAMES << (Integer.SIZE - maskBits);
    int number = ANOTHER;
    while (!in.atEnd()) {
      int id = entry(in);
      if (id != 0 && (id & mask) == table) {
        number = id ^ table;
      }
    }
    // No directory has a policy where nothing has that name.
    return new PolicyAttribute(number);
  }

  /** The id, where the string is our name, or 0. */
  private static int entry(SectionInput in) throws IOException {
    int id = 0;
    boolean ours = false;
    long stop = in.begin(Long.MAX_VALUE);
    while (in.position() < stop) {
      int tag = in.tag();
      if (tag == 1 << 3) {
        id = (int) in.varint();
      } else if (tag == (2 << 3 | SectionInput.BYTES)) {
        long end = in.begin(stop);
        if (end - in.position() == NAME.length) {
          byte[] text = new byte[NAME.length];
          in.bytes(text, text.length);
          ours = Arrays.equals(text, NAME);
        }
        in.skipTo(end);
      } else {
        in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
    return ours ? id : 0;
  }

  /** An attribute of an inode: the policy it sets, or {@link #ANOTHER}. */
  int read(SectionInput in, long end) throws IOException {
    int name = 0;
    int value = ImageFile.UNSPECIFIED;
    long stop = in.begin(end);
    while (in.position() < stop) {
      int tag = in.tag();
      if (tag == (1 << 3 | SectionInput.FIXED32)) {
        name = in.fixed32();
      } else if (tag == (2 << 3 | SectionInput.BYTES)) {
        long valueEnd = in.begin(stop);
        if (valueEnd - in.position() == 1) {
          byte[] one = new byte[1];
          in.bytes(one, 1);
          value = one[0];
        }
        in.skipTo(valueEnd);
      } else {
        in.skipField(tag, stop);
      }
    }
    in.expectEnd(stop);
    // From the top: 2 bits of namespace, 24 of number, 1 more of namespace.
    int namespace = name >>> 30 | (name >>> 5 & 1) << 2;
    return namespace == NAMESPACE_SYSTEM && (name >>> 6 & 0xffffff) == number ? value : ANOTHER;
  }
}
