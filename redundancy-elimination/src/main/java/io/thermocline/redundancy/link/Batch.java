// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

/**
 * A part of a file, in whole chunks.
 *
 * @param data only its first {@code length} bytes count
 * @param chunks length of each; one for all of it if the flow isn't chunked
 */
public record Batch(byte[] data, int length, int[] chunks) {}
