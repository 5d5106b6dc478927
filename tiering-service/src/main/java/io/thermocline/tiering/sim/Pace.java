// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/**
 * When a policy decides that carries out one plan after the other, in live mode: only when all that it asked for was
 * moved, and once more at the end.
 *
 * @param everyMicros from one decision to the next, at least
 * @param endMicros when all is over, since the trace's begin: not before its last access
 */
public record Pace(long everyMicros, long endMicros) {}
