// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

/**
 * Where the controller is with a flow.
 *
 * @param phaseSince in milliseconds
 * @param vainProbes in sequence
 */
public record FlowState(ChunkingRule rule, Phase phase, long phaseSince, int vainProbes) {

  /** Of a flow's life. */
  public enum Phase {
    /** Chunks get smaller until the target is reached. */
    WARM_UP,
    STEADY,
    /** Chunking doesn't pay. */
    OFF,
    /** Chunking is on for an interval, to see whether it pays by now. */
    PROBE
  }

  public static FlowState first(ChunkingRule rule, long now) {
    Phase phase = rule.policy() == ChunkingPolicy.NONE ? Phase.OFF : Phase.WARM_UP;
    return new FlowState(rule, phase, now, 0);
  }
}
