// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegularFilesTest {

  @TempDir Path directory;

  @Test
  void readsAFileAndWhatALinkPointsTo() throws Exception {
    Path file = directory.resolve("file");
    assertThrows(NoSuchFileException.class, () -> RegularFiles.text(file));
    RegularFiles.requireIfPresent(file);
    Files.write(file, new byte[] {'a', (byte) 0xc3, (byte) 0xa4});
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertEquals("a\u00e4", RegularFiles.text(link));
    RegularFiles.requireIfPresent(link);
    Files.write(file, new byte[] {(byte) 0xc3});
    assertThrows(CharacterCodingException.class, () -> RegularFiles.text(link));
  }
}
