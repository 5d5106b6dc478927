// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A web server that answers with a text and then, until the asker leaves, with a byte every 50 ms. It closes a connection
 * after the answer where it is asked to, as Hadoop's do.
 */
public final class Drip implements AutoCloseable {

  private static final long EVERY_MILLIS = 50;
  private static final String STATUS = "HTTP/1.1 200 OK\r\n";

  private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch left = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final byte[] begin;

  /**
   * @param begin of the answer, after its status
   */
  public Drip(String begin) throws IOException {
    this.begin = bytes(begin);
    start(this::accept);
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /** Connections, so far. */
  public int asked() {
    return asked.get();
  }

  /** Whether an asker closed its connection within that time. */
  public boolean awaitLeft(long time, TimeUnit unit) throws InterruptedException {
    return left.await(time, unit);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "drip");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        asked.incrementAndGet();
        start(() -> answer(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void answer(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      boolean isToClose = false;
      String line;
      while ((line = in.readLine()) != null && !line.isEmpty()) {
        isToClose |= line.equals("Connection: close");
      }
      OutputStream out = socket.getOutputStream();
      out.write(bytes(STATUS + (isToClose ? "Connection: close\r\n" : "")));
      out.write(begin);
      while (!closed.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
        out.write('x');
      }
    } catch (IOException e) {
      left.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    server.close();
  }
}
