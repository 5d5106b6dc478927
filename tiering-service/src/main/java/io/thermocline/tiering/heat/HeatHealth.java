// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/**
 * How far heat can be trusted.
 *
 * @param items files with counts
 * @param capacity files there is room for; above nine tenths of it counts begin to be lost
 * @param evictions files whose counts gave way to others' for want of room
 * @param lostReads cooled reads that were dropped for want of room
 * @param errorBound how likely the count shown for a file contains another's
 * @param renames renames, deletions and replaced files that are remembered
 * @param renamesDroppedEarly those that were forgotten before their time for want of room
 */
public record HeatHealth(
    long items,
    long capacity,
    long evictions,
    double lostReads,
    double errorBound,
    int renames,
    long renamesDroppedEarly) {}
