// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.index;

/**
 * Where a chunk was when it was indexed. The file may have changed since.
 *
 * @param file its number in {@link KnownFiles}
 */
public record ChunkPlace(int file, long offset, int length) {}
