// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplacedFileTest {

  @TempDir Path directory;

  @Test
  void isReplacedAsAWholeAndLeavesNothingBehind() throws IOException {
    Path path = directory.resolve("node-attributes");
    // Made as anybody makes a file here: the rights must be the same.
    Path other = Files.writeString(directory.resolve("other"), "");
    new ReplacedFile(path).write("long text ü\n");
    Object before = Files.getAttribute(path, "unix:ino");
    new ReplacedFile(path).write("short\n");
    assertEquals("short\n", Files.readString(path));
    assertNotEquals(before, Files.getAttribute(path, "unix:ino"));
    assertEquals(Files.getPosixFilePermissions(other), Files.getPosixFilePermissions(path));
    assertEquals(2, files());
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path target = Files.writeString(Files.createDirectory(directory.resolve("d")).resolve("t"), "");
    Path link = Files.createSymbolicLink(directory.resolve("link"), target);
    new ReplacedFile(link).write("text");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("text", Files.readString(target));
  }

  @Test
  void aFailureLeavesTheOldFileAlone() throws IOException {
    // A rename can't replace a directory that isn't empty.
    Path path = Files.createDirectory(directory.resolve("taken"));
    Path inside = Files.writeString(path.resolve("x"), "old");
    assertThrows(IOException.class, () -> new ReplacedFile(path).write("new"));
    assertEquals("old", Files.readString(inside));
    assertEquals(1, files());
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }
}
