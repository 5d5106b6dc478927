// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

/**
 * How an object was read, counted elsewhere.
 *
 * @param met how often it was together with others
 * @param readers a bit of 64 for each, see {@link CorrelationMiner#bitOf}
 * @param lastMillis of its last read
 * @param largestBytes of one read
 * @param bytes how long it is
 */
public record ReadCounts(
    int reads, int met, long readers, long lastMillis, long largestBytes, long bytes) {}
