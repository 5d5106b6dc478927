// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.classify.groups;

/**
 * An object of a group.
 *
 * @param key as the accesses named it
 * @param reads of it; never more than there were
 * @param largestBytes of one read
 * @param bytes how long it is, as far as was seen: the furthest byte read
 */
public record GroupedObject(long key, int reads, long largestBytes, long bytes) {}
