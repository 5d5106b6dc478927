// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.attributed;

import java.util.Arrays;

/**
 * The ring cut into sectors: for each its position, its kind and its members. Immutable, safe for any
 * thread. A sector is named by its offset among the records; positions are unsigned 32-bit numbers.
 *
 * <p>Source: attributedCH, sections 3.3 and 3.5.
 */
final class Sectors {
  // Within a sector the strategies decide, not positions. So of s positions only the last one,
  // which is the sector's, has to be kept: a record is that position, a header, and the members'
  // device numbers, 4 (s + 2) bytes for s virtual nodes. Records lie in the order of the ring, so
  // that the successors of a sector, where further replicas go, are in the same or the next cache
  // line.
  //
  // The search for a key's sector is a table instead of a binary search: the ring is cut into 2^b
  // equal cells, at least as many as sectors, and each cell names the first sector that ends in
  // it or behind it. Positions are uniform, so from there it's under one sector further on
  // average. All told 24 + 4 to 8 bytes for four virtual nodes, and two cache misses however long
  // the ring, where a binary search has one for each halving that doesn't fit the cache.
  //
  // A virtual node whose device has a range on its heterogeneous sector's line already would be
  // ignored there (section 3.4.2) and is left out of the record.

  private static final int END = 0;
  private static final int HEADER = 1;
  private static final int MEMBERS = 2;

  /** Header: kind, 1 bit; base, 15 bits; size, 16 bits. */
  private static final int HETEROGENEOUS = 0x8000_0000;

  private static final int MAX_BASE = 0x7FFF;
  private static final int MAX_SIZE = 0xFFFF;

  private final int[] records;
  private final int[] cells;
  private final int shift;
  private final int count;

  /** Length of a record, 0 where they differ; the last one may be shorter. */
  private final int stride;

  private Sectors(int[] records, int count) {
    this.records = records;
    this.count = count;
    this.stride = strideOf(records);
    int bits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, count - 1)));
    this.shift = Integer.SIZE - bits;
    this.cells = new int[1 << bits];
    int sector = 0;
    for (int cell = 0; cell < cells.length; cell++) {
      int start = cell << shift;
      while (sector < records.length && below(records[sector + END], start)) {
        sector = behind(sector);
      }
      cells[cell] = sector;
    }
  }

  /**
   * Cuts a ring into sectors of s successive virtual nodes; the last may have fewer.
   *
   * @param virtualNodes as of {@link #virtualNode}, ascending
   */
  static Sectors cut(long[] virtualNodes, int s, float[] bandwidths) {
    int count = (virtualNodes.length + s - 1) / s;
    int[] records = new int[virtualNodes.length + count * MEMBERS];
    int[] members = new int[s];
    int end = 0;
    for (int from = 0; from < virtualNodes.length; from += s) {
      int size = Math.min(s, virtualNodes.length - from);
      for (int i = 0; i < size; i++) {
        members[i] = (int) virtualNodes[from + i];
      }
      boolean mixed = isMixed(members, size, bandwidths);
      int kept = mixed ? distinct(members, size) : size;
      int position = position(virtualNodes[from + size - 1]);
      end = write(records, end, position, header(mixed, kept, kept), members, kept);
    }
    return new Sectors(end == records.length ? records : Arrays.copyOf(records, end), count);
  }

  /**
   * These sectors with more virtual nodes, each merged into its first successor sector. Positions of
   * sectors stay. A sector that becomes heterogeneous is laid out anew.
   *
   * @param added as of {@link #virtualNode}, ascending
   * @throws IllegalStateException if a sector would have more members than a record can say
   */
  Sectors merge(long[] added, RingRules.Merge rule, float[] bandwidths) {
    long[] bySector = new long[added.length];
    for (int i = 0; i < added.length; i++) {
      bySector[i] = ((long) find(position(added[i])) << 32) | i;
    }
    Arrays.sort(bySector);
    int[] grown = new int[records.length + added.length];
    int end = 0;
    int next = 0;
    for (int sector = 0; sector < records.length; sector = behind(sector)) {
      int from = next;
      while (next < bySector.length && (int) (bySector[next] >>> 32) == sector) {
        next++;
      }
      if (next == from) {
        int length = length(records, sector);
        System.arraycopy(records, sector, grown, end, length);
        end += length;
        continue;
      }
      int old = size(sector);
      int[] members =
          Arrays.copyOfRange(records, sector + MEMBERS, sector + MEMBERS + old + next - from);
      for (int i = from; i < next; i++) {
        members[old + i - from] = (int) added[(int) bySector[i]];
      }
      boolean mixed = isHeterogeneous(sector) || isMixed(members, members.length, bandwidths);
      int size = mixed ? distinct(members, members.length) : members.length;
      if (size > MAX_SIZE || (rule == RingRules.Merge.RECALCULATED && size > MAX_BASE)) {
        throw new IllegalStateException(
            "a sector of " + size + " virtual nodes: build the ring anew from its devices");
      }
      boolean kept = rule == RingRules.Merge.KEPT && mixed == isHeterogeneous(sector);
      int header = header(mixed, kept ? base(sector) : Math.min(size, MAX_BASE), size);
      end = write(grown, end, records[sector + END], header, members, size);
    }
    return new Sectors(end == grown.length ? grown : Arrays.copyOf(grown, end), count);
  }

  /** Number of bytes that as many virtual nodes take in homogeneous sectors of s. */
  static long bytes(long virtualNodes, int s) {
    long count = (virtualNodes + s - 1) / s;
    long cells = Math.max(2, Long.highestOneBit(2 * count - 1));
    return Integer.BYTES * (virtualNodes + count * MEMBERS + cells);
  }

  /** A virtual node as one number; in the numbers' order as signed ones lies the ring's. */
  static long virtualNode(int position, int device) {
    return ((long) (position ^ Integer.MIN_VALUE) << 32) | device;
  }

  /** Number of sectors. */
  int count() {
    return count;
  }

  long bytes() {
    return (long) Integer.BYTES * (records.length + cells.length);
  }

  /** The first successor sector of a position; there must be a sector. */
  int find(int position) {
    int[] all = records;
    int sector = cells[position >>> shift];
    while (sector < all.length && below(all[sector + END], position)) {
      sector = behind(sector);
    }
    return sector < all.length ? sector : 0;
  }

  /** The sector clockwise of another. */
  int next(int sector) {
    int next = behind(sector);
    return next < records.length ? next : 0;
  }

  /** Share of the ring whose first successor is that sector. */
  double arc(int sector, int predecessor) {
    long arc = (records[sector + END] - records[predecessor + END]) & 0xFFFFFFFFL;
    return arc == 0 && sector == predecessor ? 1 : arc * 0x1.0p-32;
  }

  /** Number of heterogeneous sectors. */
  int heterogeneous() {
    int heterogeneous = 0;
    for (int sector = 0; sector < records.length; sector = behind(sector)) {
      heterogeneous += isHeterogeneous(sector) ? 1 : 0;
    }
    return heterogeneous;
  }

  boolean isHeterogeneous(int sector) {
    return records[sector + HEADER] < 0;
  }

  /** Number of members. */
  int size(int sector) {
    return records[sector + HEADER] & MAX_SIZE;
  }

  /** Number of members that the sector was laid out with: the first of them. */
  int base(int sector) {
    return (records[sector + HEADER] >>> 16) & MAX_BASE;
  }

  /** Device number of a member. */
  int member(int sector, int index) {
    return records[sector + MEMBERS + index];
  }

  private int behind(int sector) {
    // Where records are alike the address of the next doesn't wait for this one to arrive from
    // memory.
    return sector + (stride != 0 ? stride : length(records, sector));
  }

  private static int length(int[] records, int sector) {
    return MEMBERS + (records[sector + HEADER] & MAX_SIZE);
  }

  private static int strideOf(int[] records) {
    int stride = records.length == 0 ? 0 : length(records, 0);
    int length = stride;
    for (int sector = 0; sector < records.length; sector += length) {
      length = length(records, sector);
      if (length != stride && (length > stride || sector + length < records.length)) {
        return 0;
      }
    }
    return stride;
  }

  private static boolean below(int a, int b) {
    return a + Integer.MIN_VALUE < b + Integer.MIN_VALUE;
  }

  private static int position(long virtualNode) {
    return (int) (virtualNode >> 32) ^ Integer.MIN_VALUE;
  }

  private static int header(boolean mixed, int base, int size) {
    return (mixed ? HETEROGENEOUS : 0) | base << 16 | size;
  }

  private static int write(int[] to, int at, int position, int header, int[] members, int size) {
    to[at + END] = position;
    to[at + HEADER] = header;
    System.arraycopy(members, 0, to, at + MEMBERS, size);
    return at + MEMBERS + size;
  }

  private static boolean isMixed(int[] members, int size, float[] bandwidths) {
    float slowest = Float.MAX_VALUE;
    float fastest = 0;
    for (int i = 0; i < size; i++) {
      slowest = Math.min(slowest, bandwidths[members[i]]);
      fastest = Math.max(fastest, bandwidths[members[i]]);
    }
    return BandwidthStrategy.applies(slowest, fastest);
  }

  /** Moves the first virtual node of each device to the front, order kept, and counts them. */
  private static int distinct(int[] members, int size) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      boolean seen = false;
      for (int j = 0; j < kept; j++) {
        seen |= members[j] == members[i];
      }
      if (!seen) {
        members[kept++] = members[i];
      }
    }
    return kept;
  }
}
