// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.function.LongSupplier;

/**
 * When a policy decides that carries out one plan after the other, in live mode: first at the trace's begin, then only
 * when all that it asked for was moved, and once more at the end.
 *
 * @param toNextMicros asked after each decision: from it to the next, at least
 * @param endMicros when all is over, since the trace's begin: not before its last access
 */
public record Pace(LongSupplier toNextMicros, long endMicros) {}
