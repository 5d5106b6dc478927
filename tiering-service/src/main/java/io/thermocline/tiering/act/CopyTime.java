// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How long a copy may take in all, from the connection to the last answer: a DataNode says every
 * half minute that it goes on, however slowly. Immutable.
 *
 * @param bytes of the replica
 * @param within what its conversation with the DataNode ends
 */
record CopyTime(long bytes, Duration within) {

  /** A quarter of what is left of 1 MB a second for each of four copies at once, with which administrators keep balancing slow. */
  private static final long LEAST_BYTES_A_SECOND = 256 << 10;

  private static final Duration LEAST = Duration.ofMinutes(5);

  /** What is said to the DataNode, and heard from it. */
  @FunctionalInterface
  interface Conversation {
    void hold() throws IOException;
  }

  static CopyTime of(long bytes) {
    Duration atLeastRate = Duration.ofSeconds(bytes / LEAST_BYTES_A_SECOND);
    return new CopyTime(bytes, atLeastRate.compareTo(LEAST) > 0 ? atLeastRate : LEAST);
  }

  /**
   * Closes the socket when the time is over. Then the DataNode, which can't answer any more, ends its copy too.
   *
   * @param phase what the conversation waits for, with the DataNode's name
   */
  void bound(Socket socket, Supplier<String> phase, Conversation conversation) throws IOException {
    CompletableFuture<Void> late = new CompletableFuture<>();
    late.orTimeout(within.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (none, timeout) -> {
              if (timeout != null) {
                close(socket);
              }
            });
    try {
      conversation.hold();
    } catch (IOException e) {
      if (late.isDone()) {
        throw new SlowCopyException(
            phase.get()
                + ": no end within "
                + within.toSeconds()
                + " s: "
                + bytes
                + " bytes at less than "
                + bytes * 1000 / within.toMillis()
                + " bytes a second",
            e);
      }
      throw e;
    } finally {
      late.complete(null);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no more use, closed or not.
    }
  }
}
