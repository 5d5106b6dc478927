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
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
    Path hanging = Files.writeString(temp.resolve("SSD.segments"), "");
    Path other = Files.writeString(temp.resolve("other"), "");
    CountDownLatch answered = new CountDownLatch(1);

    String why =
        assertThrows(
                LocalFiles.HangingException.class,
                () -> LocalFiles.bytes(hanging, () -> awaited(answered)))
            .getMessage();
    assertTrue(why.startsWith(hanging + " can't be read: a read of " + hanging), why);

    IOException behind =
        assertThrows(
            LocalFiles.HangingException.class, () -> new AttributesFile(other).read(), "behind it");
    assertTrue(
        behind.getMessage().startsWith(other + " can't be read: a read of " + hanging),
        behind.getMessage());
    assertThrows(LocalFiles.HangingException.class, () -> new SegmentTables(temp).read());
    assertEquals(
        1,
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("thermocline-local-files"))
            .count());

    answered.countDown();
    assertEquals("", LocalFiles.text(other));
    assertEquals(Map.of(), new SegmentTables(temp).read());
  }

  /** As a file system whose server is away: it heeds no interrupt. */
  private static byte[] awaited(CountDownLatch answered) {
    while (true) {
      try {
        answered.await();
        return new byte[0];
      } catch (InterruptedException e) {
        // Goes on waiting.
      }
    }
  }

  @Test
  void aFifoIsRefused() throws Exception {
    Path fifo = temp.resolve("rules.yaml");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    String why = assertThrows(IOException.class, () -> LocalFiles.text(fifo)).getMessage();
    assertEquals(fifo + ": is a FIFO, a socket or a device, not a regular file", why);
  }
}
