// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.List;

/**
 * Files, and the accesses to them in the order of time.
 *
 * @param name what it is, for people
 * @param files which the accesses name by index
 * @param accesses ordered by time
 * @param happened what the service is told of it; null: no more than the accesses
 */
public record Trace(
    String name, List<TracedFile> files, List<FileAccess> accesses, Happened happened) {
  /**
   * @throws IllegalArgumentException if an access names no file, or is earlier than the one before it
   */
  public Trace {
    files = List.copyOf(files);
    accesses = List.copyOf(accesses);
    long last = 0;
    for (FileAccess access : accesses) {
      if (access.file() >= files.size() || access.atMicros() < last) {
        throw new IllegalArgumentException(
            "%s: %s, but there are %d files, and the access before was at %d"
                .formatted(name, access, files.size(), last));
      }
      last = access.atMicros();
    }
  }

  /** A trace that says no more than its accesses. */
  public Trace(String name, List<TracedFile> files, List<FileAccess> accesses) {
    this(name, files, accesses, null);
  }

  /** What the service is told of it. */
  @Override
  public Happened happened() {
    return happened == null ? Happened.of(files, accesses) : happened;
  }

  /** Sum of the sizes of all files. */
  public long uniqueBytes() {
    return files.stream().mapToLong(TracedFile::bytes).sum();
  }
}
