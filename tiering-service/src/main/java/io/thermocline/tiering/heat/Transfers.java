// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.BlockAccess;
import io.thermocline.tiering.observe.CandidateBlocks;
import java.util.Arrays;

/**
 * Adds what DataNodes log of their blocks to the profiles of the files that these belong to: bytes, and whether they were
 * read in sequence. One thread, which is the one that hands accesses to {@link Heat}.
 *
 * <p>A read is sequential where it goes on, within 512 KB, from where the same client's last read of the block ended
 * (ChewAnalyzer, section 3.3.1), where it is itself as long as that, or where it takes the whole block. Each replica of a
 * block that is written is logged by its DataNode, with the same client and length: one of them counts.
 */
public final class Transfers {

  static final long NEAR = 512 * 1024;

  /** DataNodes log whole checksum chunks, and their bytes are known to within them. */
  private static final long CHUNK = 512;

  /** A power of two; what was first in a place is forgotten, and what follows it counts as another. */
  private static final int PLACES = 1 << 16;

  private final Heat heat;

  /** Null where nobody takes what it counts. */
  private final BlockTally tally;

  /** Never 0 where there is an end; the place of each is part of it. */
  private final long[] tags = new long[PLACES];

  private final long[] ends = new long[PLACES];
  private volatile long known;
  private volatile long unknown;
  private volatile long withoutBytes;

  public Transfers(Heat heat) {
    this(heat, null);
  }

  /**
   * @param tally counts reads by block too; null for none
   */
  public Transfers(Heat heat, BlockTally tally) {
    this.heat = heat;
    this.tally = tally;
  }

  /** Takes one transfer, where it is of a block of these. */
  public void accept(BlockAccess access, CandidateBlocks blocks) {
    CandidateBlocks.Block block = blocks.of(access);
    if (block == null) {
      unknown = unknown + 1;
      return;
    }
    switch (access.kind()) {
      case READ -> read(access, block);
      case WRITE -> written(access, block);
      case SHORT_CIRCUIT -> {
        withoutBytes = withoutBytes + 1;
        return;
      }
    }
    known = known + 1;
  }

  private void read(BlockAccess access, CandidateBlocks.Block block) {
    long from = access.offset();
    long bytes = access.bytes();
    int place = place(access, 1);
    boolean goesOn = ends[place] >= 0 && Math.abs(from - ends[place]) <= NEAR;
    ends[place] = from + bytes;
    boolean whole = from == 0 && bytes >= block.length() - CHUNK;
    Transfer read =
        goesOn || whole || bytes >= NEAR ? Transfer.SEQUENTIAL_READ : Transfer.RANDOM_READ;
    heat.transferred(block.path(), read, bytes);
    if (tally != null) {
      tally.count(access.blockId(), read, bytes);
    }
  }

  private void written(BlockAccess access, CandidateBlocks.Block block) {
    int place = place(access, 2);
    if (ends[place] != access.bytes()) {
      ends[place] = access.bytes();
      heat.transferred(block.path(), Transfer.WRITE, access.bytes());
    }
  }

  /** Of the last end of this client's reads of the block, or length it was written to; that is -1 for none. */
  private int place(BlockAccess access, long kind) {
    long tag = Mix.of(access.blockId() * 31 + access.client().hashCode() + (kind << 32)) | 1;
    int place = placeOf(tag);
    if (tags[place] != tag) {
      tags[place] = tag;
      ends[place] = -1;
    }
    return place;
  }

  private static int placeOf(long tag) {
    return (int) (tag >>> 1) & (PLACES - 1);
  }

  /** What is remembered of transfers for the sake of those to come; a megabyte at most. */
  public long[] windows() {
    long[] windows = new long[2 * PLACES];
    int length = 0;
    for (int place = 0; place < PLACES; place++) {
      if (tags[place] != 0) {
        windows[length++] = tags[place];
        windows[length++] = ends[place];
      }
    }
    return Arrays.copyOf(windows, length);
  }

  /** Goes on with what {@link #windows} gave. */
  public void restore(long[] windows) {
    for (int i = 0; i < windows.length; i += 2) {
      int place = placeOf(windows[i]);
      tags[place] = windows[i];
      ends[place] = windows[i + 1];
    }
  }

  /** Transfers that were added to a profile. */
  public long known() {
    return known;
  }

  /** Transfers of blocks of other files. */
  public long unknown() {
    return unknown;
  }

  /** Reads of the hottest files that went past the DataNode, so that nobody logs how much they took. */
  public long withoutBytes() {
    return withoutBytes;
  }
}
