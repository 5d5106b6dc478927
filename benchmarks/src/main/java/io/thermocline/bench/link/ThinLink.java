// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.link;

import io.thermocline.placement.model.SystemRuntime;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** A proxy that is as slow as a long line: each direction has its rate, shared by all connections, and a delay. */
final class ThinLink implements Closeable {
  private static final int PART = 16 << 10;

  /** Ends a direction. */
  private static final Part END = new Part(new byte[0], 0);

  /** @param due when it arrives, in nanoseconds */
  private record Part(byte[] bytes, long due) {}

  /** One direction of the line. */
  private static final class Line {
    private final double nanosAByte;
    private long free;

    Line(long bitsPerSecond) {
      this.nanosAByte = 8e9 / bitsPerSecond;
    }

    /** When the last of so many bytes has left. */
    synchronized long send(int bytes, long now) {
      free = Math.max(free, now) + (long) (bytes * nanosAByte);
      return free;
    }
  }

  private final ServerSocket server;
  private final int target;
  private final Line there;
  private final Line back;
  private final long delayNanos;
  private final int parts;

  /**
   * @param target port of this host
   * @param roundTripMillis without the time that bytes take
   */
  ThinLink(int target, long bitsPerSecond, int roundTripMillis) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.target = target;
    this.there = new Line(bitsPerSecond);
    this.back = new Line(bitsPerSecond);
    this.delayNanos = roundTripMillis * 500_000L;
    // What is on the line, and some waiting before it.
    this.parts = (int) (2 * bitsPerSecond / 8 * roundTripMillis / 1000 / PART) + 16;
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = server.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        carry(near, far, there);
        carry(far, near, back);
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void carry(Socket from, Socket to, Line line) {
    BlockingQueue<Part> queue = new ArrayBlockingQueue<>(parts);
    start(() -> read(from, queue, line));
    start(() -> write(queue, to));
  }

  @SystemRuntime
  private void read(Socket from, BlockingQueue<Part> queue, Line line) {
    byte[] buffer = new byte[PART];
    try {
      try (InputStream in = from.getInputStream()) {
        for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
          long left = line.send(read, System.nanoTime());
          queue.put(new Part(Arrays.copyOf(buffer, read), left + delayNanos));
        }
      } catch (IOException e) {
        // The end of it, too.
      }
      queue.put(END);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @SystemRuntime
  private static void write(BlockingQueue<Part> queue, Socket to) {
    try (OutputStream out = to.getOutputStream()) {
      for (Part part = queue.take(); part != END; part = queue.take()) {
        for (long wait = part.due() - System.nanoTime();
            wait > 0;
            wait = part.due() - System.nanoTime()) {
          LockSupport.parkNanos(wait);
        }
        out.write(part.bytes());
      }
    } catch (IOException e) {
      // The other side is gone.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "thin-link");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
