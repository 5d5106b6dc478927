// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

/** How a flow is split, with the state bits of the chapter's flow table. */
public enum ChunkingPolicy {
  /** Not at all: nothing is looked for at the gateway. */
  NONE(0b00),
  FIXED(0b01),
  CONTENT_DEFINED(0b11);

  private final int stateBits;

  ChunkingPolicy(int stateBits) {
    this.stateBits = stateBits;
  }

  public int stateBits() {
    return stateBits;
  }
}
