// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Accepts connections of senders, each with a thread of its own, as many as are allowed. */
public final class Gateway implements Closeable {

  /** Milliseconds that a connection may be silent. */
  private static final int IDLE = 300_000;

  /** Milliseconds that a greeting may take. */
  private static final int GREETING = 10_000;

  private final ServerSocket server;
  private final GatewayState state;
  private final int maxConnections;
  private final Supplier<byte[]> nonces;
  private final Consumer<String> log;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private long evicted;

  /**
   * @param server listens; with TLS or without
   * @param nonces random, 16 bytes each
   * @param log what an administrator may want to know, a line each
   */
  public Gateway(
      ServerSocket server,
      GatewayState state,
      int maxConnections,
      Supplier<byte[]> nonces,
      Consumer<String> log) {
    this.server = server;
    this.state = state;
    this.maxConnections = maxConnections;
    this.nonces = nonces;
    this.log = log;
  }

  /** Until it is closed. */
  public void run() throws IOException {
    while (!closed) {
      Socket socket;
      try {
        socket = server.accept();
      } catch (SocketException e) {
        if (closed) {
          return;
        }
        throw e;
      }
      sayIfFull();
      boolean isFull = open.size() >= maxConnections;
      open.add(socket);
      Thread thread =
          new Thread(() -> serve(socket, isFull), "gateway-" + socket.getRemoteSocketAddress());
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void serve(Socket socket, boolean isFull) {
    String peer = String.valueOf(socket.getRemoteSocketAddress());
    try (socket;
        GatewaySession session = new GatewaySession(state, nonces.get())) {
      socket.setSoTimeout(GREETING);
      Connection connection = new Connection(socket);
      if (isFull) {
        log.accept(peer + ": rejected, " + maxConnections + " connections are open");
        connection.send(new Message.Failed(Message.Code.BUSY, "too many connections"));
        return;
      }
      serve(socket, connection, session, peer);
    } catch (EOFException | SocketTimeoutException e) {
      log.accept(peer + ": connection ended");
    } catch (IOException e) {
      log.accept(peer + ": " + e.getMessage());
    } finally {
      open.remove(socket);
    }
  }

  private void serve(Socket socket, Connection connection, GatewaySession session, String peer)
      throws IOException {
    while (true) {
      Message reply;
      try {
        Message message = connection.receive(session.maxMessage());
        reply = session.handle(message);
      } catch (ProtocolException e) {
        reply = new Message.Failed(Message.Code.INVALID, e.getMessage());
      } catch (EOFException | SocketException | SocketTimeoutException e) {
        throw e;
      } catch (RuntimeException e) {
        log.accept(peer + ": " + e);
        reply =
            new Message.Failed(Message.Code.FAILED, "an error of the gateway, which its log has");
      } catch (IOException e) {
        log.accept(peer + ": " + e.getMessage());
        reply =
            new Message.Failed(Message.Code.FAILED, "the gateway's file system: " + e.getMessage());
      }
      if (reply != null) {
        connection.send(reply);
      }
      if (reply instanceof Message.Failed failed) {
        log.accept(peer + ": " + failed.text());
        return;
      }
      if (reply instanceof Message.Welcome) {
        socket.setSoTimeout(IDLE);
      }
    }
  }

  private void sayIfFull() {
    long now = state.index().evicted();
    if (now > evicted) {
      log.accept(
          "index: "
              + (now - evicted)
              + " chunks replaced others, as it has room for "
              + state.index().capacity());
      evicted = now;
    }
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Ends all connections at once, as a kill does; temporary files stay. */
  @Override
  public void close() throws IOException {
    closed = true;
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
