// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

/**
 * A line of the chunking log (figure 4.8), or the sum of several.
 *
 * @param dataSize bytes that were to be copied
 * @param processingNanos time of chunking, hashing and compressing; waiting for the link doesn't count
 * @param chunkedSize bytes of missing chunks and of all fingerprints, before compression
 * @param sendingSize bytes sent
 */
public record ChunkingRecord(
    long dataSize, long processingNanos, long chunkedSize, long sendingSize) {

  public static final ChunkingRecord NOTHING = new ChunkingRecord(0, 0, 0, 0);

  public ChunkingRecord plus(ChunkingRecord other) {
    return new ChunkingRecord(
        dataSize + other.dataSize,
        processingNanos + other.processingNanos,
        chunkedSize + other.chunkedSize,
        sendingSize + other.sendingSize);
  }

  /** Sum of data / sum of processing time, in bytes a second. */
  public double throughput() {
    return processingNanos == 0 ? Double.POSITIVE_INFINITY : dataSize * 1e9 / processingNanos;
  }

  /** 1 - sum of sent / sum of data, of chunking alone: the controller can't change what zstd saves. */
  public double chunkingRatio() {
    return ratio(chunkedSize);
  }

  /** 1 - sum of sent / sum of data. */
  public double ratio() {
    return ratio(sendingSize);
  }

  private double ratio(long sent) {
    return dataSize == 0 ? 0 : 1 - (double) sent / dataSize;
  }
}
