// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

/**
 * An access that doesn't change any more, without who made it. About 150 bytes beside its path.
 *
 * @param path null where it has none
 * @param newPath null where it has none
 */
public record KeptAccess(
    Kind kind,
    long timeMillis,
    long nameservice,
    long key,
    String path,
    String newPath,
    long partitionKey,
    boolean isPart,
    boolean isAgain,
    ReadExtent extent,
    int parts,
    By by)
    implements Access {

  /** A copy of what a source tells. */
  public static KeptAccess of(Access access) {
    return new KeptAccess(
        access.kind(),
        access.timeMillis(),
        access.nameservice(),
        access.key(),
        access.path(),
        access.newPath(),
        access.partitionKey(),
        access.isPart(),
        access.isAgain(),
        access.extent(),
        access.parts(),
        access.by());
  }

  /** A READ, WRITE or CREATE of one file, by nobody in particular. */
  public static KeptAccess of(Kind kind, long timeMillis, long nameservice, String path) {
    PathHashes hashes = PathHashes.of(nameservice, path);
    long partition = hashes.partitionDepth() == 0 ? 0 : hashes.key(hashes.partitionDepth());
    return new KeptAccess(
        kind,
        timeMillis,
        nameservice,
        hashes.key(),
        path,
        null,
        partition,
        false,
        false,
        ReadExtent.WHOLE,
        0,
        By.OTHERS);
  }

  /** The same client opens the file once more and reads on. */
  public KeptAccess goingOn() {
    return new KeptAccess(
        kind,
        timeMillis,
        nameservice,
        key,
        path,
        newPath,
        partitionKey,
        true,
        true,
        extent,
        parts,
        by);
  }

  @Override
  public PathHashes hashes() {
    return path == null ? null : PathHashes.of(nameservice, path);
  }

  @Override
  public PathHashes newHashes() {
    return newPath == null ? null : PathHashes.of(nameservice, newPath);
  }
}
