// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.chunk.ChunkSize;
import io.thermocline.redundancy.chunk.Chunker;
import io.thermocline.redundancy.chunk.Cuts;
import io.thermocline.redundancy.flow.ChunkingPolicy;
import io.thermocline.redundancy.flow.ChunkingRule;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a file in batches. Where chunks end doesn't depend on the batches. For one thread. */
public final class BatchReader {

  /** Bytes of a batch, roughly; never more than that and one chunk. */
  public static final int BATCH = 4 << 20;

  /** What no batch exceeds. */
  public static final int MAX_BATCH = BATCH + ChunkSize.MAX;

  /** What no batch's number of chunks exceeds: all of the smallest size, and the last of the file. */
  public static final int MAX_CHUNKS = MAX_BATCH / (ChunkSize.SMALLEST / 4) + 1;

  private final InputStream in;
  private final Chunker chunker;
  private byte[] rest = new byte[0];
  private boolean atEnd;

  public BatchReader(InputStream in, ChunkingRule rule) {
    this.in = in;
    this.chunker = rule.policy() == ChunkingPolicy.NONE ? null : rule.chunker();
  }

  /** The bytes that follow, up to the next batch: read, but not split. */
  public byte[] read() throws IOException {
    byte[] data = Arrays.copyOf(rest, rest.length + BATCH);
    int read = in.readNBytes(data, rest.length, BATCH);
    atEnd = read < BATCH;
    int length = rest.length + read;
    return length == data.length ? data : Arrays.copyOf(data, length);
  }

  /** Splits what {@link #read} gave; null at the file's end. */
  public Batch split(byte[] data) {
    if (data.length == 0) {
      return null;
    }
    if (chunker == null) {
      return new Batch(data, data.length, new int[] {data.length});
    }
    Cuts cuts = Cuts.of(chunker, data, data.length, atEnd);
    rest = Arrays.copyOfRange(data, cuts.end(), data.length);
    return new Batch(data, cuts.end(), cuts.lengths());
  }

  public Batch next() throws IOException {
    return split(read());
  }
}
