// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.store.LocalStore;
import io.thermocline.redundancy.store.RemoteStore;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Either side dies at each of its steps: the file is whole or absent, and the next attempt completes it. */
@Timeout(180)
class KilledLinkTest {

  private static final long SEED = Long.getLong("test.seed", 3);

  private static final byte[] TEXT = Rig.words(1, 9_000_000);
  private static final byte[] OLD = java.util.Arrays.copyOf(TEXT, 3_000_000);

  @TempDir Path directory;

  @Test
  void aGatewayThatDiesAtAnyStepLeavesTheFileWholeOrAbsent() throws Exception {
    int step = 0;
    boolean died = true;
    int resumed = 0;
    for (; died; step++) {
      Path root = Files.createDirectory(directory.resolve("g" + step));
      DyingStore dying = new DyingStore(new LocalStore(root), step);
      try (Rig rig = new Rig(dying)) {
        rig.send(Rig.item("file", TEXT));
      }
      died = dying.died;
      assertWholeOrAbsent(root);
      long begun = partialLength(root);
      // Another gateway: its index is empty.
      try (Rig rig = new Rig(new LocalStore(root))) {
        Sender.Report report = rig.send(Rig.item("file", TEXT));
        assertEquals(List.of(), report.problems(), "step " + step);
        if (begun > 0) {
          assertTrue(report.sent().dataSize() <= TEXT.length - begun, "step " + step);
          resumed++;
        }
      }
      assertWhole(root);
      delete(root);
    }
    assertTrue(step > 10, "steps: " + step);
    assertTrue(resumed >= 2, "resumed: " + resumed);
  }

  /** The same for small files, which are under way together. */
  @Test
  void aGatewayThatDiesAmongSmallFilesLeavesEachWholeOrAbsent() throws Exception {
    Sender.Item[] items = new Sender.Item[6];
    for (int i = 0; i < items.length; i++) {
      items[i] = Rig.item("f" + i, Rig.words(i / 2, 20_000));
    }
    boolean died = true;
    int step = 0;
    for (; died; step++) {
      Path root = Files.createDirectory(directory.resolve("m" + step));
      DyingStore dying = new DyingStore(new LocalStore(root), step);
      try (Rig rig = new Rig(dying)) {
        rig.send(items);
      }
      died = dying.died;
      for (int attempt = 0; attempt < 2; attempt++) {
        for (int i = 0; i < items.length; i++) {
          Path file = root.resolve("blue/f" + i);
          if (attempt == 1 || Files.exists(file)) {
            assertArrayEquals(Rig.words(i / 2, 20_000), Files.readAllBytes(file), "step " + step);
          }
        }
        try (Rig rig = new Rig(new LocalStore(root))) {
          assertEquals(List.of(), rig.send(items).problems(), "step " + step);
        }
      }
      delete(root);
    }
    assertTrue(step > 40, "steps: " + step);
  }

  @Test
  void aSenderThatDiesAtAnyPointLeavesTheFileWholeOrAbsent() throws Exception {
    Random random = new Random(SEED);
    int kills = Integer.getInteger("link.kills", 25);
    for (int kill = 0; kill < kills; kill++) {
      Path root = Files.createDirectory(directory.resolve("s" + kill));
      // Often in the greeting and the first messages.
      long bytes = kill % 3 == 0 ? random.nextInt(300) : random.nextInt(9_000_000);
      try (Rig rig = new Rig(new LocalStore(root))) {
        rig.send(Rig.item("old", OLD));
        rig.send(
            Rig.KEY, 1, 1, () -> new DyingSocket(rig.connect(), bytes), Rig.item("file", TEXT));
        assertWholeOrAbsent(root);
        // The gateway may still be about to find out.
        Sender.Report report = rig.send(Rig.KEY, 1, 2000, rig::connect, Rig.item("file", TEXT));
        assertEquals(List.of(), report.problems(), "after " + bytes + " bytes");
      }
      assertWhole(root);
      delete(root);
    }
  }

  /** A disk that writes something else: found by reading back what is stored, before the file has its name. */
  @Test
  void aDiskThatCorruptsDataIsFoundBeforeTheFileAppears() throws Exception {
    RemoteStore good = new LocalStore(directory);
    DyingStore corrupting = new DyingStore(good, Integer.MAX_VALUE);
    corrupting.corrupts = true;
    try (Rig rig = new Rig(corrupting)) {
      Sender.Report report = rig.send(Rig.item("file", TEXT));
      assertEquals(
          List.of("file: gateway: the file isn't what was sent: it is deleted; try again"),
          report.problems());
      assertFalse(Files.exists(directory.resolve("blue/file")));
      corrupting.corrupts = false;
      assertEquals(1, rig.send(Rig.item("file", TEXT)).copied());
    }
    assertWhole(directory);
  }

  /** What an earlier attempt left is another file's beginning: it isn't used. */
  @Test
  void aTemporaryFileOfOtherContentIsReplaced() throws Exception {
    Path partial = directory.resolve("blue").resolve(RemotePath.partial("file"));
    Files.createDirectories(partial.getParent());
    for (byte[] before : List.of(Rig.words(9, 1_000_000), Rig.words(9, 10_000_000), new byte[0])) {
      Files.write(partial, before);
      try (Rig rig = new Rig(new LocalStore(directory))) {
        assertEquals(1, rig.send(Rig.item("file", TEXT)).copied());
      }
      assertWhole(directory);
      Files.delete(directory.resolve("blue/file"));
    }
  }

  private static void assertWholeOrAbsent(Path root) throws IOException {
    if (Files.exists(root.resolve("blue/file"))) {
      assertWhole(root);
    }
  }

  private static void assertWhole(Path root) throws IOException {
    assertArrayEquals(TEXT, Files.readAllBytes(root.resolve("blue/file")));
    if (Files.exists(root.resolve("blue/old"))) {
      assertArrayEquals(OLD, Files.readAllBytes(root.resolve("blue/old")));
    }
  }

  private static long partialLength(Path root) throws IOException {
    Path partial = root.resolve("blue").resolve(RemotePath.partial("file"));
    return Files.exists(partial) ? Files.size(partial) : 0;
  }

  private static void delete(Path root) throws IOException {
    try (var files = Files.walk(root)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** From a certain call on nothing happens any more; a write that was under way happens in part. */
  private static final class DyingStore implements RemoteStore {
    private final RemoteStore store;
    private int left;
    volatile boolean died;
    volatile boolean corrupts;

    DyingStore(RemoteStore store, int steps) {
      this.store = store;
      this.left = steps;
    }

    private synchronized boolean isLast() throws IOException {
      if (died) {
        throw new IOException("dead");
      }
      died = left-- == 0;
      return died;
    }

    private void step() throws IOException {
      if (isLast()) {
        throw new IOException("dead");
      }
    }

    @Override
    public OptionalLong length(String path) throws IOException {
      step();
      return store.length(path);
    }

    @Override
    public Writer create(String path) throws IOException {
      step();
      return dying(store.create(path));
    }

    @Override
    public Writer append(String path) throws IOException {
      step();
      return dying(store.append(path));
    }

    private Writer dying(Writer writer) {
      return new Writer() {
        @Override
        public void write(byte[] data, int from, int length) throws IOException {
          if (isLast()) {
            writer.write(data, from, length / 3);
            throw new IOException("dead");
          }
          if (corrupts) {
            data[from + length / 2] ^= 1;
            writer.write(data, from, length);
            data[from + length / 2] ^= 1;
            return;
          }
          writer.write(data, from, length);
        }

        @Override
        public void finish() throws IOException {
          step();
          writer.finish();
        }

        @Override
        public void close() throws IOException {
          writer.close();
        }
      };
    }

    @Override
    public Reader open(String path) throws IOException {
      step();
      return store.open(path);
    }

    @Override
    public int checksum(String path) throws IOException {
      step();
      return store.checksum(path);
    }

    /** Once before and once after it happened. */
    @Override
    public void rename(String from, String to) throws IOException {
      step();
      store.rename(from, to);
      step();
    }

    @Override
    public void delete(String path) throws IOException {
      step();
      store.delete(path);
    }
  }

  /** A connection that ends after so many bytes were sent. */
  private static final class DyingSocket extends Socket {
    private final Socket socket;
    private long left;

    DyingSocket(Socket socket, long bytes) {
      this.socket = socket;
      this.left = bytes;
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(socket.getOutputStream()) {
        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
          int part = (int) Math.min(left, length);
          out.write(bytes, from, part);
          left -= part;
          if (left == 0) {
            socket.close();
            throw new IOException("killed");
          }
        }
      };
    }

    @Override
    public java.io.InputStream getInputStream() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public void setTcpNoDelay(boolean on) throws java.net.SocketException {
      socket.setTcpNoDelay(on);
    }

    @Override
    public InetAddress getInetAddress() {
      return socket.getInetAddress();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
