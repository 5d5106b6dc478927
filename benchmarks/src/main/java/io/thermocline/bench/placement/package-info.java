// SPDX-License-Identifier: Apache-2.0
/**
 * What places three replicas of a key on weighted nodes: ours and its peers, which are linked where their
 * licence allows, else written from their papers.
 */
package io.thermocline.bench.placement;
