// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cluster;

import io.thermocline.placement.model.RegularFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads short files for no longer than a while: a file system whose server is away keeps whoever reads for good. One thread
 * reads, so that no more than one waits there; while it does, other reads fail, too. Thread-safe.
 */
public final class LocalFiles {

  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final int IDLE_SECONDS = 30;
  private static final ThreadPoolExecutor READER =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> {
            Thread thread = new Thread(task, "thermocline-local-files");
            thread.setDaemon(true);
            return thread;
          });

  static {
    READER.allowCoreThreadTimeOut(true);
  }

  /** What the thread reads at present, or read last. */
  private static volatile Path reading;

  private LocalFiles() {}

  /** A read that didn't come to its end. */
  public static final class HangingException extends IOException {
    private static final long serialVersionUID = 1;

    HangingException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * All of a file in UTF-8.
   *
   * @throws HangingException where that takes too long
   */
  public static String text(Path file) throws IOException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(file))).toString();
  }

  /**
   * All of a file.
   *
   * @throws HangingException where that takes too long
   */
  static byte[] bytes(Path file) throws IOException {
    return bytes(file, () -> RegularFiles.bytes(file));
  }

  /**
   * @param reads the file
   */
  static byte[] bytes(Path file, Callable<byte[]> reads) throws IOException {
    FutureTask<byte[]> read =
        new FutureTask<>(
            () -> {
              reading = file;
              return reads.call();
            });
    READER.execute(read);
    try {
      return read.get(WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      read.cancel(true);
      READER.remove(read);
      throw new HangingException(
          "%s can't be read: a read of %s hasn't ended within %d s"
              .formatted(file, reading, WITHIN.toSeconds()),
          e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(file + " can't be read", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading " + file, e);
    }
  }
}
