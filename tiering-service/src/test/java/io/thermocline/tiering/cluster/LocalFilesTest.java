// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A FIFO that nobody writes to hangs like a file of a server that is away. */
@Timeout(60)
class LocalFilesTest {

  @TempDir Path temp;

  @Test
  void readsWhatIsThere() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "text");
    assertEquals("text", LocalFiles.text(file));
    assertThrows(NoSuchFileException.class, () -> LocalFiles.text(temp.resolve("none")));
    Files.write(file, new byte[] {(byte) 0xc3, 0});
    assertThrows(IOException.class, () -> LocalFiles.text(file), "no UTF-8");
  }

  @Test
  void aReadThatHangsFailsAndSoDoOthersUntilItEnds() throws Exception {
    Path hanging = temp.resolve("SSD.segments");
    assertEquals(0, new ProcessBuilder("mkfifo", hanging.toString()).start().waitFor());
    Path other = Files.writeString(temp.resolve("other"), "");

    String why = assertThrows(IOException.class, () -> new SegmentTables(temp).read()).getMessage();
    assertTrue(why.startsWith(hanging + " can't be read: a read of " + hanging), why);

    IOException behind =
        assertThrows(
            LocalFiles.HangingException.class, () -> new AttributesFile(other).read(), "behind it");
    assertTrue(
        behind.getMessage().startsWith(other + " can't be read: a read of " + hanging),
        behind.getMessage());
    assertEquals(
        1,
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("thermocline-local-files"))
            .count());

    // Whoever opens it to write lets the read end.
    Files.writeString(hanging, "");
    assertEquals("", LocalFiles.text(other));
    Files.delete(hanging);
    assertEquals(Map.of(), new SegmentTables(temp).read());
  }
}
