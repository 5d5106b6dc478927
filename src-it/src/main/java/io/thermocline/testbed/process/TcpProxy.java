// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.process;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes bytes to a local port and back, until the network is cut. Thread-safe. */
public final class TcpProxy implements Closeable {

  private final ServerSocket listening;
  private final int target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  public TcpProxy(int target) throws IOException {
    this.target = target;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** No byte passes any more, either way, and nobody is told: as where a cable is pulled. */
  public void cut() {
    cut = true;
  }

  /** New connections pass again; those of before are over. */
  public void mend() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
    open.clear();
    cut = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket from = listening.accept();
        open.add(from);
        if (!cut) {
          Socket to = new Socket(InetAddress.getLoopbackAddress(), target);
          open.add(to);
          daemon(() -> pass(from, to));
          daemon(() -> pass(to, from));
        }
      }
    } catch (IOException e) {
      // Closed, or the target is gone: who connects next is told.
      if (!listening.isClosed()) {
        daemon(this::accept);
      }
    }
  }

  private void pass(Socket from, Socket to) {
    byte[] bytes = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        if (!cut) {
          out.write(bytes, 0, read);
          out.flush();
        }
      }
      to.close();
    } catch (IOException e) {
      try {
        from.close();
        to.close();
      } catch (IOException ignored) {
        // They are over anyway.
      }
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
