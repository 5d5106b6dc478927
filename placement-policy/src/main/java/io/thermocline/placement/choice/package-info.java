// SPDX-License-Identifier: Apache-2.0
/**
 * CHOICE's placement, pure: several candidate placements of one key by salted hashing, and a policy that
 * picks one of them by what is known of the servers.
 *
 * <p>A key leads to {@link io.thermocline.placement.choice.CandidateSets} through {@link
 * io.thermocline.placement.choice.SaltedCandidates}; {@link
 * io.thermocline.placement.choice.ChoiceEngine} picks one by a {@link
 * io.thermocline.placement.choice.ChoicePolicy} from a {@link
 * io.thermocline.placement.choice.MetricsView}. With one candidate all of it is the plain placement.
 *
 * <p>Source: Li, Xu: Optimizing Hash-based Distributed Storage Using Client Choices, APSys 2016.
 */
package io.thermocline.placement.choice;
