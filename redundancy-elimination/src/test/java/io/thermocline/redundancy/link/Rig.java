// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.link;

import io.thermocline.redundancy.flow.ChunkingRule;
import io.thermocline.redundancy.flow.ControllerSettings;
import io.thermocline.redundancy.flow.FlowTable;
import io.thermocline.redundancy.index.TenantKey;
import io.thermocline.redundancy.link.SenderSession.Content;
import io.thermocline.redundancy.store.RemoteStore;
import io.thermocline.redundancy.work.WorkerPool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A gateway on a socket of this host, and senders to it. */
final class Rig implements AutoCloseable {

  static final TenantKey KEY = TenantKey.parse("blue:000102030405060708090a0b0c0d0e0f");
  static final TenantKey OTHER = TenantKey.parse("red:000102030405060708090a0b0c0d0e0f");

  final List<String> log = Collections.synchronizedList(new ArrayList<>());
  final GatewayState state;
  final WorkerPool workers = new WorkerPool(2, 2);
  FlowTable flows =
      new FlowTable(ControllerSettings.DEFAULT, 100, ChunkingRule::first, change -> {});
  private final Gateway gateway;
  private final Thread thread;
  private final Random random = new Random(11);

  Rig(RemoteStore store) throws IOException {
    this(store, 16);
  }

  Rig(RemoteStore store, int maxConnections) throws IOException {
    state = GatewayState.of(store, Map.of("blue", KEY, "red", OTHER), 1 << 16);
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    gateway = new Gateway(server, state, maxConnections, this::nonce, log::add);
    thread =
        new Thread(
            () -> {
              try {
                gateway.run();
              } catch (IOException e) {
                log.add(e.toString());
              }
            });
    thread.start();
  }

  Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), gateway.port());
  }

  Sender.Report send(Sender.Item... items) throws InterruptedException {
    return send(KEY, 1, 1, this::connect, items);
  }

  Sender.Report send(
      TenantKey key,
      int connections,
      int attempts,
      Sender.Connector connector,
      Sender.Item... items)
      throws InterruptedException {
    return new Sender(
            connector,
            key,
            flows,
            workers,
            new Sender.Settings("test", "here", connections, attempts, 1),
            new Sender.Runtime(() -> 0, System::nanoTime, millis -> {}, this::nonce),
            line -> {})
        .send(List.of(items));
  }

  static Sender.Item item(String path, byte[] data) {
    return new Sender.Item(path, "", content(data));
  }

  static Content content(byte[] data) {
    return new Content() {
      @Override
      public long length() {
        return data.length;
      }

      @Override
      public InputStream open() {
        return new ByteArrayInputStream(data);
      }

      @Override
      public boolean isUnchanged() {
        return true;
      }
    };
  }

  /** Text of made-up words that zstd can't shrink much. */
  static byte[] words(long seed, int length) {
    Random random = new Random(seed);
    byte[] data = new byte[length];
    for (int i = 0; i < length; i++) {
      data[i] = (byte) (random.nextInt(9) == 0 ? ' ' : 'a' + random.nextInt(26));
    }
    return data;
  }

  private synchronized byte[] nonce() {
    byte[] nonce = new byte[Message.NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  @Override
  public void close() throws IOException {
    gateway.close();
    workers.close();
    try {
      thread.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
