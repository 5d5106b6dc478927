// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;

/** An access as a source tells it. */
record Told(Kind kind, long timeMillis, String path, String newPath) implements Access {
  static final String NAMESERVICE = "ns1";
  private static final long START = PathKey.nameservice(NAMESERVICE);

  static Told read(String path, long timeMillis) {
    return new Told(Kind.READ, timeMillis, path, null);
  }

  static Told rename(String from, String to, long timeMillis) {
    return new Told(Kind.RENAME, timeMillis, from, to);
  }

  /** Takes back a read of before. */
  static Told withdraw(String path, long timeMillis) {
    return new Told(Kind.WITHDRAW, timeMillis, path, null);
  }

  /** Counts a read of before after all. */
  static Told restore(String path, long timeMillis) {
    return new Told(Kind.RESTORE, timeMillis, path, null);
  }

  private boolean isOfThePast() {
    return kind == Kind.WITHDRAW || kind == Kind.RESTORE;
  }

  @Override
  public long nameservice() {
    return START;
  }

  @Override
  public String path() {
    return isOfThePast() ? null : path;
  }

  @Override
  public long partitionKey() {
    String partition = partition();
    return partition == null ? 0 : PathKey.of(START, partition);
  }

  @Override
  public PathHashes hashes() {
    return isOfThePast() ? null : PathHashes.of(START, path);
  }

  @Override
  public PathHashes newHashes() {
    return newPath == null ? null : PathHashes.of(START, newPath);
  }

  /** The innermost directory above the path that is named like "dt=2026-11-20". */
  private String partition() {
    int end = path.lastIndexOf('/');
    while (end > 0 && path.substring(path.lastIndexOf('/', end - 1), end).indexOf('=') < 0) {
      end = path.lastIndexOf('/', end - 1);
    }
    return end <= 0 ? null : path.substring(0, end);
  }

  @Override
  public long key() {
    return PathKey.of(START, path);
  }
}
