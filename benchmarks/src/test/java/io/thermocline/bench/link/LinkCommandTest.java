// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.redundancy.content.FileKind;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LinkCommandTest {

  @Test
  void flowsAreOfTheKindsThatTheyStandFor() {
    Map<TransferFlow, FileKind> kinds =
        Map.of(
            TransferFlow.HTTP, FileKind.TEXT,
            TransferFlow.RTSP, FileKind.MEDIA,
            TransferFlow.SMTP, FileKind.TEXT,
            TransferFlow.FTP, FileKind.DISK_IMAGE);
    kinds.forEach(
        (flow, kind) -> {
          long bytes = 0;
          for (byte[] file : flow.files(new Random(1), 6_000_000)) {
            assertEquals(kind, FileKind.of(file, Math.min(file.length, FileKind.SAMPLE)));
            bytes += file.length;
          }
          assertTrue(bytes >= 6_000_000 && bytes < 11_000_000, flow + ": " + bytes);
        });
  }

  @Test
  @Timeout(60)
  void theLineHasItsRateAndItsDelay() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ThinLink line = new ThinLink(server.getLocalPort(), 80_000_000, 100);
        Socket near = new Socket(InetAddress.getLoopbackAddress(), line.port());
        Socket far = server.accept()) {
      long start = System.nanoTime();
      near.getOutputStream().write(1);
      InputStream in = far.getInputStream();
      assertEquals(1, in.read());
      assertTrue(System.nanoTime() - start >= 50_000_000L, "half of the round trip");

      Thread writer =
          new Thread(
              () -> {
                try {
                  near.getOutputStream().write(new byte[5_000_000]);
                } catch (java.io.IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      start = System.nanoTime();
      writer.start();
      assertEquals(5_000_000, in.readNBytes(5_000_000).length);
      double seconds = (System.nanoTime() - start) / 1e9;
      assertTrue(seconds >= 0.5, "10 MB a second: " + seconds);
      writer.join();
    }
  }
}
