// SPDX-License-Identifier: Apache-2.0
/**
 * Tiering on a virtual clock: a trace of accesses, tiers with capacities and speeds, a policy that decides,
 * and what came of it. {@code trace} reads traces, {@code device} says how long a request takes,
 * {@code policy} holds the policies of others that ours is measured against.
 */
package io.thermocline.tiering.sim;
