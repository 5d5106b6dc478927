// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.time.Instant;

/** An access to keep: what it said when it was handed on. Of the nameservice "ns". Immutable. */
public record SeenAccess(
    Kind kind,
    long timeMillis,
    long key,
    String path,
    String newPath,
    long newKey,
    long partitionKey,
    long client,
    boolean isPart,
    int parts)
    implements Access {

  public static final long NAMESERVICE = PathKey.nameservice("ns");

  public static SeenAccess of(Access access) {
    return new SeenAccess(
        access.kind(),
        access.timeMillis(),
        access.key(),
        access.path(),
        access.newPath(),
        access.newHashes() == null ? 0 : access.newHashes().key(),
        access.partitionKey(),
        access.reader(),
        access.isPart(),
        access.parts());
  }

  public static SeenAccess of(Kind kind, String path) {
    return new SeenAccess(kind, 0, PathKey.of(NAMESERVICE, path), path, null, 0, 0, 0, false, 0);
  }

  public static SeenAccess rename(String path, String newPath) {
    return new SeenAccess(
        Kind.RENAME,
        0,
        PathKey.of(NAMESERVICE, path),
        path,
        newPath,
        PathKey.of(NAMESERVICE, newPath),
        0,
        0,
        false,
        0);
  }

  /** A read that shares the file with the one before it. */
  public static SeenAccess part(String path) {
    return new SeenAccess(
        Kind.READ, 0, PathKey.of(NAMESERVICE, path), path, null, 0, 0, 0, true, 0);
  }

  /** The same at another time. */
  public SeenAccess at(Instant time) {
    return new SeenAccess(
        kind, time.toEpochMilli(), key, path, newPath, newKey, partitionKey, client, isPart, parts);
  }

  @Override
  public PathHashes hashes() {
    return path == null ? null : PathHashes.of(NAMESERVICE, path);
  }

  @Override
  public PathHashes newHashes() {
    return newPath == null ? null : PathHashes.of(NAMESERVICE, newPath);
  }

  /** Its kind and paths, which is what most tests are about. */
  public String brief() {
    return kind + (isPart ? " part of " : " ") + path + (newPath == null ? "" : " " + newPath);
  }
}
