// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

import io.thermocline.redundancy.flow.FlowState.Phase;
import java.util.Locale;

/** Decides at the end of an interval which rule a flow gets (4.3.3), from what the monitor measured. Pure. */
public final class FlowController {

  private static final int MAX_DOUBLINGS = 4;

  private final ControllerSettings settings;

  public FlowController(ControllerSettings settings) {
    this.settings = settings;
  }

  /**
   * @param reason with its numbers; empty if nothing changes
   */
  public record Decision(FlowState state, String reason) {}

  /**
   * @param measured since the last decision
   * @param now in milliseconds
   */
  public Decision decide(FlowState state, ChunkingRecord measured, long now) {
    if (state.phase() == Phase.OFF) {
      return probeIfDue(state, now);
    }
    if (measured.dataSize() < settings.minBytes()) {
      return new Decision(state, "");
    }
    double ratio = measured.chunkingRatio();
    double throughput = measured.throughput();
    String numbers =
        String.format(Locale.ROOT, "RE %.1f %%, %.0f MB/s", 100 * ratio, throughput / 1e6);
    return switch (state.phase()) {
      case WARM_UP -> warmUp(state, ratio, throughput, numbers, now);
      case PROBE -> probed(state, ratio, numbers, now);
      default -> steady(state, ratio, throughput, numbers, now);
    };
  }

  private Decision warmUp(
      FlowState state, double ratio, double throughput, String numbers, long now) {
    ChunkingRule rule = state.rule();
    boolean canShrink = rule.expectedSize() > settings.minSize();
    if (throughput < settings.minThroughput()) {
      return steady(to(state, Phase.STEADY, now), ratio, throughput, numbers, now);
    }
    if (ratio >= settings.targetRatio()) {
      return new Decision(to(state, Phase.STEADY, now), "warm-up reached its target: " + numbers);
    }
    if (canShrink) {
      return new Decision(
          new FlowState(rule.withSize(rule.expectedSize() / 2), Phase.WARM_UP, now, 0),
          "warm-up: chunks get smaller: " + numbers);
    }
    if (ratio < settings.minRatio()) {
      return off(state, 0, "warm-up found no redundancy: " + numbers, now);
    }
    return new Decision(to(state, Phase.STEADY, now), "warm-up reached its smallest: " + numbers);
  }

  private Decision steady(
      FlowState state, double ratio, double throughput, String numbers, long now) {
    ChunkingRule rule = state.rule();
    int size = rule.expectedSize();
    if (ratio < settings.minRatio()) {
      return off(state, 0, "no redundancy: " + numbers, now);
    }
    if (throughput < settings.minThroughput()) {
      if (size < settings.maxSize()) {
        return new Decision(
            new FlowState(rule.withSize(2 * size), Phase.STEADY, now, 0),
            "too slow: chunks get larger: " + numbers);
      }
      if (rule.policy() == ChunkingPolicy.CONTENT_DEFINED) {
        return new Decision(
            new FlowState(rule.withPolicy(ChunkingPolicy.FIXED), Phase.STEADY, now, 0),
            "too slow: chunks of one size: " + numbers);
      }
      return new Decision(state, "");
    }
    // Twice the throughput that is needed: so that the next interval doesn't turn it back.
    boolean hasTime = throughput >= 2 * settings.minThroughput();
    if (ratio < settings.targetRatio() && hasTime && size > settings.minSize()) {
      return new Decision(
          new FlowState(rule.withSize(size / 2), Phase.STEADY, now, 0),
          "RE is low: chunks get smaller: " + numbers);
    }
    return new Decision(state, "");
  }

  private Decision probeIfDue(FlowState state, long now) {
    long wait = settings.probeAfter().toMillis() << Math.min(MAX_DOUBLINGS, state.vainProbes());
    if (now - state.phaseSince() < wait) {
      return new Decision(state, "");
    }
    ChunkingRule rule = state.rule().withPolicy(ChunkingPolicy.CONTENT_DEFINED);
    return new Decision(
        new FlowState(rule, Phase.PROBE, now, state.vainProbes()),
        "probe after " + (now - state.phaseSince()) / 1000 + " s off");
  }

  private Decision probed(FlowState state, double ratio, String numbers, long now) {
    if (ratio < settings.minRatio()) {
      return off(state, state.vainProbes() + 1, "probe found no redundancy: " + numbers, now);
    }
    return new Decision(
        new FlowState(state.rule(), Phase.STEADY, now, 0), "probe found redundancy: " + numbers);
  }

  private static Decision off(FlowState state, int vainProbes, String reason, long now) {
    ChunkingRule rule = state.rule().withPolicy(ChunkingPolicy.NONE);
    return new Decision(new FlowState(rule, Phase.OFF, now, vainProbes), reason);
  }

  private static FlowState to(FlowState state, Phase phase, long now) {
    return new FlowState(state.rule(), phase, now, 0);
  }
}
