// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.mover;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import jdk.net.ExtendedSocketOptions;

/** Lines of JSON over a Unix domain socket, each within a time and a size. One thread. */
final class LineChannel implements Closeable {

  /** Paths of HDFS are at most 8,000 characters. */
  static final int MOST_REQUEST = 64 << 10;

  /** Some 150 bytes a storage. */
  static final int MOST_ANSWER = 128 << 20;

  /** Unknown keys, wrong types and anything behind are errors. */
  static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(8)
                          .maxStringLength(MOST_REQUEST)
                          .build())
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .build();

  private final SocketChannel channel;
  private final Selector selector;
  private final LongSupplier nanos;

  /** What was read of the next line. */
  private final ByteBuffer part = ByteBuffer.allocate(8 << 10).limit(0);

  /** Takes the channel over, to close it, also where this fails. */
  LineChannel(SocketChannel channel, LongSupplier nanos) throws IOException {
    this.channel = channel;
    this.nanos = nanos;
    try {
      channel.configureBlocking(false);
      this.selector = Selector.open();
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Whose process is at the other end: the kernel's word. */
  static String peer(SocketChannel channel) throws IOException {
    return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
  }

  /**
   * @throws SocketTimeoutException where it isn't there in time
   * @throws IOException where it is longer than that, or the other end closes before its end
   */
  String read(int most, Duration within) throws IOException {
    long deadline = nanos.getAsLong() + within.toNanos();
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      while (part.hasRemaining()) {
        byte next = part.get();
        if (next == '\n') {
          return line.toString(StandardCharsets.UTF_8);
        }
        line.write(next);
      }
      if (line.size() > most) {
        throw new IOException("a line of more than " + most + " bytes");
      }
      int count = channel.read(part.clear());
      part.flip();
      if (count < 0) {
        throw new IOException("the other end closed the connection before the end of its line");
      }
      if (count == 0) {
        await(SelectionKey.OP_READ, deadline);
      }
    }
  }

  void write(String text, Duration within) throws IOException {
    long deadline = nanos.getAsLong() + within.toNanos();
    ByteBuffer line = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      if (channel.write(line) == 0) {
        await(SelectionKey.OP_WRITE, deadline);
      }
    }
  }

  private void await(int operation, long deadline) throws IOException {
    long millis = TimeUnit.NANOSECONDS.toMillis(deadline - nanos.getAsLong());
    if (millis <= 0) {
      throw new SocketTimeoutException("nothing came or went in time");
    }
    channel.register(selector, operation);
    selector.select(millis);
    selector.selectedKeys().clear();
    if (Thread.currentThread().isInterrupted()) {
      throw new IOException("interrupted");
    }
  }

  @Override
  public void close() throws IOException {
    try (selector) {
      channel.close();
    }
  }
}
