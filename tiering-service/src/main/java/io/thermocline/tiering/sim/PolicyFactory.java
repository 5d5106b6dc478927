// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import io.thermocline.tiering.sim.cluster.ClusterSpec;
import java.util.List;
import java.util.function.Function;

/**
 * A policy that can be run, by name.
 *
 * @param name in lower case with underscores, as in the names of figures; empty for ours
 * @param title for people
 * @param make a fresh policy for a run; what it is given is what the administrator would know beforehand
 */
public record PolicyFactory(String name, String title, Function<Setting, TieringPolicy> make) {

  /**
   * What a policy is made for. The trace is for those that know the future, and for the manual one, whose
   * administrator looked at a trial period: an online policy reads only the number of files from it.
   *
   * @param trace that will be run
   * @param tiers slowest first
   * @param home index of the tier where files begin
   * @param mode in which it will run
   * @param seed of the policy's own randomness
   * @param cluster nodes and devices that the tiers are made of; null where there are none
   */
  public record Setting(
      Trace trace, List<SimTier> tiers, int home, MoveMode mode, long seed, ClusterSpec cluster) {

    /** Without nodes. */
    public Setting(Trace trace, List<SimTier> tiers, int home, MoveMode mode, long seed) {
      this(trace, tiers, home, mode, seed, null);
    }
  }
}
