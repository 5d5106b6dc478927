// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

import io.thermocline.redundancy.chunk.ChunkSize;
import io.thermocline.redundancy.chunk.Chunker;
import io.thermocline.redundancy.chunk.FixedChunker;
import io.thermocline.redundancy.chunk.GearChunker;
import io.thermocline.redundancy.content.FileKind;

/**
 * What is done to the data of a flow, in this order: deduplicated, compressed.
 *
 * @param expectedSize of a chunk, in bytes; kept while the policy is none, for a later probe
 * @param compress whether missing chunks are compressed with zstd
 */
public record ChunkingRule(ChunkingPolicy policy, int expectedSize, boolean compress) {

  public ChunkingRule {
    ChunkSize.of(expectedSize);
  }

  /** The first rule of a flow, after table 4.3 of the chapter. */
  public static ChunkingRule first(FileKind kind) {
    return switch (kind) {
      case TEXT -> new ChunkingRule(ChunkingPolicy.CONTENT_DEFINED, 4 << 10, true);
      case ARCHIVE, BINARY -> new ChunkingRule(ChunkingPolicy.CONTENT_DEFINED, 8 << 10, true);
      case COLUMNAR -> new ChunkingRule(ChunkingPolicy.CONTENT_DEFINED, 16 << 10, true);
      case DISK_IMAGE -> new ChunkingRule(ChunkingPolicy.FIXED, 8 << 10, true);
      case MEDIA -> new ChunkingRule(ChunkingPolicy.FIXED, 32 << 10, false);
      case PACKED -> new ChunkingRule(ChunkingPolicy.NONE, 64 << 10, false);
    };
  }

  public ChunkingRule withSize(int size) {
    return new ChunkingRule(policy, size, compress);
  }

  public ChunkingRule withPolicy(ChunkingPolicy other) {
    return new ChunkingRule(other, expectedSize, compress);
  }

  /** Of a flow that is split; fails for policy none. */
  public Chunker chunker() {
    return switch (policy) {
      case FIXED -> new FixedChunker(expectedSize);
      case CONTENT_DEFINED -> new GearChunker(ChunkSize.of(expectedSize));
      case NONE -> throw new IllegalStateException("policy none has no chunks");
    };
  }

  /** Such as {@code content-defined, 4096 B, zstd}. */
  @Override
  public String toString() {
    String name =
        switch (policy) {
          case NONE -> "none";
          case FIXED -> "fixed, " + expectedSize + " B";
          case CONTENT_DEFINED -> "content-defined, " + expectedSize + " B";
        };
    return compress ? name + ", zstd" : name;
  }
}
