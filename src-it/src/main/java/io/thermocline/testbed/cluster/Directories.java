// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Deletes what a cluster leaves. */
final class Directories {

  private static final int ATTEMPTS = 5;

  private Directories() {}

  /**
   * Deletes a directory with all in it. A DataNode deletes replicas in the background until the end,
   * so files may vanish meanwhile, or one more appear: that is no reason to give up at once.
   *
   * @throws UncheckedIOException if something is still there after a few attempts
   */
  static void delete(Path directory) {
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS && Files.exists(directory); attempt++) {
      try {
        Files.walkFileTree(directory, new Deleter());
      } catch (IOException e) {
        last = e;
      }
    }
    if (last != null && Files.exists(directory)) {
      throw new UncheckedIOException("Can't delete " + directory, last);
    }
  }

  private static final class Deleter extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
      if (e != null) {
        throw e;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
