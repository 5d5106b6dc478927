// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that is only ever replaced as a whole: who reads it sees the old text or the new one. */
public final class ReplacedFile {

  private final Path path;

  public ReplacedFile(Path path) {
    this.path = path;
  }

  /** Returns when the text is on the disk under the file's name; leaves no other file behind. */
  public void write(String text) throws IOException {
    // Behind a symbolic link, so that the link stays.
    Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
    // Two processes may be at it. Made with the rights that the umask gives: NameNodes run as
    // another user, and temporary files of the JDK are for the owner alone.
    Path fresh =
        target.resolveSibling("." + target.getFileName() + "." + ProcessHandle.current().pid());
    try {
      try (FileChannel channel =
          FileChannel.open(
              fresh,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(
          fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(fresh);
    }
    try (FileChannel names = FileChannel.open(target.getParent(), StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
