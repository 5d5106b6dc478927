// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.image;

/**
 * What was read out of an image. Immutable.
 *
 * @param inodes of all types: the sum of the others
 * @param files handed on
 * @param directories those that only snapshots have among them
 * @param symlinks passed over
 * @param inSnapshotsOnly files that only snapshots have, passed over
 */
public record ImageCounts(
    long inodes, long files, long directories, long symlinks, long inSnapshotsOnly) {}
