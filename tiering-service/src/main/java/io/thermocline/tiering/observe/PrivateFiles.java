// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Makes files and directories that only their owner may read, because they have paths of users' files: whatever the umask
 * is. Those that are there keep their rights.
 */
public final class PrivateFiles {

  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private PrivateFiles() {}

  /** With those above it that are missing. */
  public static void createDirectories(Path directory) throws IOException {
    Files.createDirectories(directory, DIRECTORY);
  }

  /**
   * @throws java.nio.file.FileSystemException also where the path names anything but a regular file
   */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    RegularFiles.requireIfPresent(file);
    return FileChannel.open(file, Set.of(options), FILE);
  }

  /** In place of what the file has. */
  public static void write(Path file, byte[] content) throws IOException {
    try (FileChannel channel =
        open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer left = ByteBuffer.wrap(content);
      while (left.hasRemaining()) {
        channel.write(left);
      }
    }
  }
}
