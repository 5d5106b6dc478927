// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

/**
 * What a plan of the service would do to a file.
 *
 * @param atMicros when, since the trace's begin
 * @param plan its number, from 1
 * @param path of the file then
 * @param cause why, as the service's journal says it: PROMOTED, DISPLACED, ...
 * @param target where its copies are to be, and the storage policy
 * @param bytes of the copies that the plan makes
 */
public record PlannedFile(
    long atMicros, long plan, String path, String cause, String target, long bytes) {}
