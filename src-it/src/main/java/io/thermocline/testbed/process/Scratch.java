// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where clusters put their files: in memory where there is room, because nothing of them is kept. */
public final class Scratch {

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ROOM = 1L << 30;

  private Scratch() {}

  /** A directory that is there. */
  public static Path directory() {
    return Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() >= ROOM
        ? MEMORY
        : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /**
   * Bytes to reserve on the file system, so that a DataNode shows this capacity; or -1 where that would
   * leave it no space. All storages lie on one file system, and what that keeps back for its own ends
   * counts as used.
   */
  static long reservation(Path directory, long capacity) {
    File files = directory.toFile();
    long keptBack = files.getFreeSpace() - files.getUsableSpace();
    return keptBack < capacity / 100 ? files.getTotalSpace() - capacity : -1;
  }
}
