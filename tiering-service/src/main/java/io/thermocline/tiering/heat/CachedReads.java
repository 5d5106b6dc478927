// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * Of the reads of one file, the share that page caches leave to disks. Not thread-safe.
 *
 * <p>A block that was read stays in the page cache of its DataNode for a while. Each reader takes any of three replicas, so a
 * reader whom so many readers came before within that while finds none of them at its replica with a chance of 2/3 to the power
 * of their number. Older readers count less and less in it, and those who leave only a part of a block count as that part.
 */
final class CachedReads {
  private static final double OTHER_REPLICA = 2 / 3.0;

  /** Of readers that came before, if opens that share the file read different blocks of it. */
  private float before;

  /** The same if all read the same block. */
  private float beforeAtBlock;

  private float fromDisk = 1;
  private float fromDiskAtBlock = 1;
  private long lastMillis;

  /**
   * Notes an open.
   *
   * @param isPart whether it shares the file with an open before
   * @param leaves of a block, what later readers find of what they read, 0 to 1
   * @param weight of this open in the averages
   * @param keptMillis how long page caches keep a block
   */
  void read(long millis, boolean isPart, float leaves, double weight, long keptMillis) {
    float left = (float) Math.max(0, 1 - Math.abs(millis - lastMillis) / (double) keptMillis);
    lastMillis = millis;
    before *= left;
    beforeAtBlock *= left;
    // What the same application opened just before was another block.
    double others = isPart ? Math.max(0, before - leaves) : before;
    fromDisk += (float) ((Math.pow(OTHER_REPLICA, others) - fromDisk) * weight);
    fromDiskAtBlock +=
        (float) ((Math.pow(OTHER_REPLICA, beforeAtBlock) - fromDiskAtBlock) * weight);
    before += isPart ? 0 : leaves;
    beforeAtBlock++;
  }

  double fromDisk() {
    return fromDisk;
  }

  double fromDiskAtBlock() {
    return fromDiskAtBlock;
  }

  CachedReads copy() {
    CachedReads copy = new CachedReads();
    copy.before = before;
    copy.beforeAtBlock = beforeAtBlock;
    copy.fromDisk = fromDisk;
    copy.fromDiskAtBlock = fromDiskAtBlock;
    copy.lastMillis = lastMillis;
    return copy;
  }

  /** Five words. */
  void writeTo(StateSink sink) {
    sink.real(before);
    sink.real(beforeAtBlock);
    sink.real(fromDisk);
    sink.real(fromDiskAtBlock);
    sink.number(lastMillis);
  }

  static CachedReads readFrom(StateSource source) {
    CachedReads read = new CachedReads();
    read.before = (float) source.real();
    read.beforeAtBlock = (float) source.real();
    read.fromDisk = (float) source.real();
    read.fromDiskAtBlock = (float) source.real();
    read.lastMillis = source.number();
    return read;
  }
}
