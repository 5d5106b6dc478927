// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads local files that have to be regular ones, or links to such. The open of a FIFO would wait for its writer, and a
 * device has no end. Errors name the file.
 */
public final class RegularFiles {

  private RegularFiles() {}

  /**
   * What the file system says of a regular file.
   *
   * @throws FileSystemException where the path names anything else, nothing, or a loop of links
   */
  public static BasicFileAttributes attributes(Path file) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      String kind = attributes.isDirectory() ? "a directory" : "a FIFO, a socket or a device";
      throw new FileSystemException(file.toString(), null, "is " + kind + ", not a regular file");
    }
    return attributes;
  }

  /**
   * Before an open that creates the file where there is none.
   *
   * @throws FileSystemException where the path names anything but a regular file
   */
  public static void requireIfPresent(Path file) throws IOException {
    if (Files.exists(file)) {
      attributes(file);
    }
  }

  /** Opens a file to read it. */
  public static FileChannel channel(Path file) throws IOException {
    attributes(file);
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /** The same as a stream. */
  public static InputStream stream(Path file) throws IOException {
    attributes(file);
    return Files.newInputStream(file);
  }

  /** All of a file. */
  public static byte[] bytes(Path file) throws IOException {
    attributes(file);
    return Files.readAllBytes(file);
  }

  /**
   * All of a file in UTF-8.
   *
   * @throws java.nio.charset.CharacterCodingException where it is in anything else
   */
  public static String text(Path file) throws IOException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(file))).toString();
  }
}
