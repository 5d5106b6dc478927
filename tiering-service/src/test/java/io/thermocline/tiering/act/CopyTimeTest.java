// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.BlockOpResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer on a real socket, which answers as a DataNode does. */
@Timeout(30)
class CopyTimeTest {

  private static final String PHASE = "waiting for DataNode h:9866 to copy from g";

  private final List<String> phases = new ArrayList<>();
  private final CountDownLatch left = new CountDownLatch(1);
  private final ServerSocket server;

  CopyTimeTest() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  @Test
  void endsACopyThatGoesOnWithoutEnd() throws Exception {
    answer(List.of(), answer(Status.IN_PROGRESS));

    SlowCopyException slow = assertThrows(SlowCopyException.class, this::copy);

    assertEquals(
        PHASE + ": no end within 1 s: 4000 bytes at less than 4000 bytes a second",
        slow.getMessage());
    assertTrue(phases.size() > 3, "each answer is progress: " + phases.size());
    assertTrue(left.await(10, TimeUnit.SECONDS), "the DataNode learns of it");
  }

  @Test
  void endsAnAnswerThatComesAByteAtATime() throws Exception {
    // A message of a hundred bytes, and in it a text of 98.
    answer(List.of(new byte[] {100, 2 << 3 | 2, 98}), new byte[] {'x'});

    assertThrows(SlowCopyException.class, this::copy);
    assertTrue(left.await(10, TimeUnit.SECONDS), "the DataNode learns of it");
  }

  @Test
  void waitsForACopyThatEnds() throws Exception {
    answer(
        List.of(answer(Status.IN_PROGRESS), answer(Status.IN_PROGRESS), answer(Status.SUCCESS)),
        new byte[0]);
    copy();
    assertEquals(List.of(PHASE, PHASE, PHASE), phases);
  }

  @Test
  void aRefusalIsNotSlow() throws Exception {
    answer(List.of(answer(Status.ERROR)), new byte[0]);

    IOException refused = assertThrows(IOException.class, this::copy);

    assertFalse(refused instanceof SlowCopyException, refused::toString);
  }

  @Test
  void hasTimeByItsBytes() {
    assertEquals(Duration.ofMinutes(5), CopyTime.of(1).within());
    assertEquals(Duration.ofSeconds(512), CopyTime.of(128 << 20).within());
  }

  private void copy() throws IOException {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      socket.setSoTimeout(10_000);
      new CopyTime(4000, Duration.ofSeconds(1))
          .bound(
              socket,
              () -> PHASE,
              () ->
                  DirectedMoves.awaitCopy(
                      new DataInputStream(socket.getInputStream()), phases::add, PHASE));
    }
  }

  /** These at once, and then this one every 50 ms. */
  private void answer(List<byte[]> first, byte[] onAndOn) {
    Thread peer =
        new Thread(
            () -> {
              try (Socket socket = server.accept()) {
                OutputStream out = socket.getOutputStream();
                for (byte[] answer : first) {
                  out.write(answer);
                }
                while (!left.await(50, TimeUnit.MILLISECONDS) && !server.isClosed()) {
                  out.write(onAndOn);
                }
              } catch (IOException e) {
                left.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    peer.setDaemon(true);
    peer.start();
  }

  private static byte[] answer(Status status) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BlockOpResponseProto.newBuilder()
        .setStatus(status)
        .setMessage("")
        .build()
        .writeDelimitedTo(out);
    return out.toByteArray();
  }
}
