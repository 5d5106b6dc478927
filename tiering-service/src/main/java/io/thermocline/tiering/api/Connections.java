// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.api;

import io.undertow.connector.ByteBufferPool;
import io.undertow.protocols.ssl.UndertowXnioSsl;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.server.HttpHandler;
import io.undertow.server.protocol.http.HttpOpenListener;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.xnio.ChannelListener;
import org.xnio.ChannelListeners;
import org.xnio.IoUtils;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.StreamConnection;
import org.xnio.Xnio;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * The server's socket and the threads of the network: what Undertow's builder makes, and a bound on the
 * connections that one address has open, which it has none of. One more is closed before a byte of it is
 * read, so that one host can't take all places of all the others.
 */
final class Connections implements Closeable {

  private static final int NETWORK_THREADS = 2;
  private static final int WAITING_TO_BE_ACCEPTED = 1000;
  private static final int BUFFER_BYTES = 16 << 10;

  private final ByteBufferPool buffers =
      new DefaultByteBufferPool(true, BUFFER_BYTES, -1, 2 * NETWORK_THREADS);
  private final Map<InetAddress, Integer> open = new ConcurrentHashMap<>();
  private final int mostOfOne;
  private final HttpOpenListener http;
  private final XnioWorker worker;
  private final AcceptingChannel<? extends StreamConnection> socket;

  /**
   * Listens from here on.
   *
   * @param sockets options of each connection
   * @param server options of the protocol
   * @throws IOException where it can't listen there
   */
  Connections(ApiServer.Listen listen, OptionMap sockets, OptionMap server, HttpHandler root)
      throws IOException {
    mostOfOne = listen.mostOfOneAddress();
    http = new HttpOpenListener(buffers, server);
    http.setRootHandler(root);
    Xnio xnio = Xnio.getInstance(Connections.class.getClassLoader());
    worker =
        xnio.createWorker(
            OptionMap.builder()
                .set(Options.WORKER_IO_THREADS, NETWORK_THREADS)
                .set(Options.WORKER_TASK_CORE_THREADS, NETWORK_THREADS)
                .set(Options.WORKER_TASK_MAX_THREADS, NETWORK_THREADS)
                .set(Options.THREAD_DAEMON, true)
                .getMap());
    OptionMap all =
        OptionMap.builder()
            .set(Options.WORKER_IO_THREADS, NETWORK_THREADS)
            .set(Options.TCP_NODELAY, true)
            .set(Options.REUSE_ADDRESSES, true)
            .set(Options.BACKLOG, WAITING_TO_BE_ACCEPTED)
            .addAll(sockets)
            .getMap();
    try {
      InetSocketAddress at =
          new InetSocketAddress(InetAddress.getByName(listen.host()), listen.port());
      ChannelListener<StreamConnection> opened = this::opened;
      socket =
          listen.tls() == null
              ? worker.createStreamConnectionServer(
                  at, ChannelListeners.openListenerAdapter(opened), all)
              : new UndertowXnioSsl(
                      xnio, OptionMap.create(Options.USE_DIRECT_BUFFERS, true), listen.tls())
                  .createSslConnectionServer(
                      worker, at, ChannelListeners.openListenerAdapter(opened), all);
    } catch (IOException | RuntimeException e) {
      worker.shutdownNow();
      throw e;
    }
    socket.resumeAccepts();
  }

  private void opened(StreamConnection connection) {
    InetAddress from = connection.getPeerAddress(InetSocketAddress.class).getAddress();
    if (open.merge(from, 1, Integer::sum) > mostOfOne) {
      forget(from);
      IoUtils.safeClose(connection);
      return;
    }
    http.handleEvent(connection);
    // There is place for one listener, and it is taken by then.
    ChannelListener<? super StreamConnection> theirs = connection.getCloseListener();
    AtomicBoolean counts = new AtomicBoolean(true);
    connection.setCloseListener(
        closed -> {
          if (counts.getAndSet(false)) {
            forget(from);
          }
          ChannelListeners.invokeChannelListener(closed, theirs);
        });
    // It may have been closed meanwhile, and have told theirs alone.
    if (!connection.isOpen() && counts.getAndSet(false)) {
      forget(from);
    }
  }

  private void forget(InetAddress from) {
    open.computeIfPresent(from, (address, count) -> count == 1 ? null : count - 1);
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return socket.getLocalAddress(InetSocketAddress.class);
  }

  @Override
  public void close() {
    if (worker.isShutdown()) {
      // A socket that is closed again waits for threads that are gone.
      return;
    }
    IoUtils.safeClose(socket);
    http.closeConnections();
    worker.shutdownNow();
    buffers.close();
  }
}
