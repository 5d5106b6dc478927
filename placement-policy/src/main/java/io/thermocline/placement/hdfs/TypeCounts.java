// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.StorageType;

/**
 * How many replicas of each storage type are wanted, in one long: eight bits a type, by the ordinal of
 * Hadoop's enum. The stock policy keeps an EnumMap for this; here it is copied and counted down on each
 * call without allocating.
 *
 * <p>Sets of types are masks, a bit a type by the same ordinal.
 */
final class TypeCounts {
  /** Nothing is wanted. */
  static final long NONE = 0;

  /** The list can't be expressed. */
  static final long TOO_MANY = -1;

  private static final StorageType[] TYPES = StorageType.values();
  private static final int BITS = 8;
  private static final int MOST = 127;

  private TypeCounts() {}

  static long of(List<StorageType> types) {
    if (types.size() > MOST || TYPES.length > Long.SIZE / BITS) {
      return TOO_MANY;
    }
    long counts = NONE;
    for (StorageType type : types) {
      counts = plusOne(counts, type.ordinal());
    }
    return counts;
  }

  static long plusOne(long counts, int type) {
    return counts + (1L << type * BITS);
  }

  static long minusOne(long counts, int type) {
    return counts - (1L << type * BITS);
  }

  static int count(long counts, int type) {
    return (int) (counts >>> type * BITS) & 0xff;
  }

  /** Ordinal of the first wanted type, in the order of an EnumMap. */
  static int first(long counts) {
    return Long.numberOfTrailingZeros(counts) / BITS;
  }

  /** What is wanted after the type of that ordinal. */
  static long after(long counts, int type) {
    return type == TYPES.length - 1 ? NONE : counts & -1L << (type + 1) * BITS;
  }

  /** What is wanted but for the types of the mask. */
  static long without(long counts, int mask) {
    long rest = counts;
    for (int type = 0; mask >>> type != 0; type++) {
      if ((mask >>> type & 1) != 0) {
        rest &= ~(0xffL << type * BITS);
      }
    }
    return rest;
  }

  /** The types of which at least one is wanted. */
  static int mask(long counts) {
    int mask = 0;
    for (long left = counts; left != NONE; left = after(left, first(left))) {
      mask |= 1 << first(left);
    }
    return mask;
  }

  static EnumSet<StorageType> types(int mask) {
    EnumSet<StorageType> types = EnumSet.noneOf(StorageType.class);
    for (StorageType type : TYPES) {
      if ((mask >>> type.ordinal() & 1) != 0) {
        types.add(type);
      }
    }
    return types;
  }
}
