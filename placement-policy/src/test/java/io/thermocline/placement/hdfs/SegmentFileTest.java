// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.suora.Device;
import io.thermocline.placement.suora.SegmentLog;
import io.thermocline.placement.suora.SegmentLogException;
import io.thermocline.placement.suora.SegmentOperation;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SegmentFileTest {
  private static final long GB = 1L << 30;

  @TempDir Path directory;

  @Test
  void whatWasWrittenIsThereAfterARestart() throws Exception {
    SegmentFile file = file();
    SegmentLog log = assigned("a", "b", "c");
    assertTrue(file.poll().isEmpty());
    assertSame(log, file.write(log));
    SegmentLog longer = removed(log, "b");
    assertSame(longer, file.write(longer));
    assertSame(longer, file.poll());
    assertEquals(longer.text(), Files.readString(file.path()));
    assertEquals(longer.fingerprint(), file().poll().fingerprint());
  }

  /** The NameNode's thread would wait for whoever writes to it. */
  @Test
  @Timeout(20)
  void aFifoIsRefused() throws Exception {
    makeFifo(file().path());
    SegmentFile file = file();
    String why = assertThrows(IOException.class, file::poll).getMessage();
    assertTrue(why.startsWith(file.path() + ": is a FIFO"), why);
    Files.delete(file.path());
    Path lock = directory.resolve(".segments.lock");
    makeFifo(lock);
    why = assertThrows(IOException.class, () -> file.write(assigned("a"))).getMessage();
    assertTrue(why.startsWith(lock + ": is a FIFO"), why);
  }

  private static void makeFifo(Path at) throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", at.toString()).start().waitFor());
  }

  @Test
  void crashInTheMiddleOfALineLosesThatLineOnly() throws Exception {
    SegmentLog log = assigned("a", "b", "c");
    SegmentLog longer = removed(log, "b");
    byte[] whole = bytes(longer.text());
    for (int length = bytes(log.text()).length; length < whole.length; length++) {
      Files.write(file().path(), Arrays.copyOf(whole, length));
      SegmentFile file = file();
      SegmentLog read = file.poll();
      assertEquals(log.sequence(), read.sequence(), "length " + length);
      SegmentLog other = removed(read, "c");
      assertSame(other, file.write(other));
      // The torn line is gone, and the new one stands in its place.
      assertEquals(other.text(), Files.readString(file.path()));
    }
  }

  @Test
  void whoWritesSecondSeesWhatTheFirstWrote() throws Exception {
    SegmentFile one = file();
    SegmentFile other = file();
    SegmentLog log = assigned("a", "b", "c");
    one.write(log);
    SegmentLog same = other.poll();
    SegmentLog first = removed(log, "a");
    one.write(first);
    SegmentLog told = other.write(removed(same, "b"));
    assertEquals(first.fingerprint(), told.fingerprint());
    assertEquals(first.text(), Files.readString(other.path()));
    SegmentLog second = removed(told, "b");
    assertSame(second, other.write(second));
    assertEquals(second.fingerprint(), one.poll().fingerprint());
  }

  @Test
  void nothingIsWrittenWhileAnotherHoldsTheLock() throws Exception {
    SegmentFile file = file();
    SegmentLog log = assigned("a");
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve(".segments.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.lock()) {
      assertNotNull(lock);
      assertNull(file.write(log));
      assertTrue(file.poll().isEmpty());
    }
    assertSame(log, file.write(log));
  }

  @Test
  void damagedFileIsKeptAsideAndWrittenAnewFromWhatIsKnown() throws Exception {
    SegmentFile file = file();
    SegmentLog log = removed(assigned("a", "b", "c"), "b");
    file.write(log);
    byte[] damaged = bytes(log.text());
    damaged[damaged.length / 2] ^= 1;
    replace(damaged);
    SegmentLogException e = assertThrows(SegmentLogException.class, file::poll);
    assertTrue(e.getMessage().contains("damaged"), e.getMessage());
    Path aside = file.setAside(log);
    assertEquals(Arrays.toString(damaged), Arrays.toString(Files.readAllBytes(aside)));
    assertSame(log, file.poll());
    assertEquals(log.text(), Files.readString(file.path()));
    // Whoever comes second finds it done.
    assertNull(file().setAside(log));
    replace(damaged);
    assertThrows(SegmentLogException.class, file::poll);
    assertTrue(!file.setAside(log).equals(aside));
  }

  @Test
  void fileThatWasPutInItsPlaceIsReadAsAWhole() throws Exception {
    SegmentFile file = file();
    file.write(assigned("a", "b"));
    SegmentLog other = assigned("b", "a", "c");
    replace(bytes(other.text()));
    assertEquals(other.fingerprint(), file.poll().fingerprint());
    Files.delete(file.path());
    assertTrue(file.poll().isEmpty());
  }

  @Test
  void directoryThatCannotBeSaysSo() throws IOException {
    Path blocked = directory.resolve("file");
    Files.createFile(blocked);
    SegmentFile file = new SegmentFile(blocked.resolve("tables"), "DISK");
    assertThrows(IOException.class, () -> file.write(assigned("a")));
  }

  private SegmentFile file() {
    return new SegmentFile(directory, "DISK");
  }

  /** As an administrator or a crashed disk would: another file under the name. */
  private void replace(byte[] content) throws IOException {
    Path fresh = Files.createTempFile(directory, "copy", "");
    Files.write(fresh, content);
    Files.move(fresh, file().path(), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static SegmentLog assigned(String... ids) {
    Device[] devices = Arrays.stream(ids).map(id -> Device.of(id, GB)).toArray(Device[]::new);
    return SegmentLog.empty("DISK").with(SegmentOperation.assign(List.of(devices), GB));
  }

  private static SegmentLog removed(SegmentLog log, String id) {
    return log.with(SegmentOperation.remove(List.of(id)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
