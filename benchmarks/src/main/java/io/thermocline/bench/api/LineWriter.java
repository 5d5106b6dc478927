// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.api;

import io.thermocline.placement.model.SystemRuntime;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.SplittableRandom;

/** Appends to an audit log at a steady rate, as a NameNode does: four of ten lines are reads. One thread of its own. */
final class LineWriter implements AutoCloseable {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);

  private static final long SLICE_MILLIS = 5;

  private final Path log;
  private final List<String> hot;
  private final List<String> others;
  private final int perSecond;
  private final SplittableRandom random;
  private final Thread thread;
  private volatile boolean ended;

  /**
   * @param hot three of four reads are of these, of the first oftener than of the last
   */
  LineWriter(
      Path log, List<String> hot, List<String> others, int perSecond, SplittableRandom random) {
    this.log = log;
    this.hot = hot;
    this.others = others;
    this.perSecond = perSecond;
    this.random = random;
    this.thread = new Thread(this::write, "audit-lines");
    thread.start();
  }

  /**
   * @throws IllegalStateException where it could not go on
   */
  void check() {
    if (!thread.isAlive()) {
      throw new IllegalStateException("the audit log was not written to the end");
    }
  }

  @SystemRuntime
  private void write() {
    long start = System.nanoTime();
    long lines = 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(log), 1 << 20)) {
      while (!ended) {
        long due = (long) ((System.nanoTime() - start) / 1e9 * perSecond);
        String time = TIME.format(Instant.ofEpochMilli(System.currentTimeMillis()));
        for (long i = lines; i < due; i++) {
          out.write(line(time).getBytes(StandardCharsets.UTF_8));
        }
        out.flush();
        lines = due;
        Thread.sleep(SLICE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException("the audit log can't be written", e);
    }
  }

  private String line(String time) {
    boolean isHot = random.nextInt(4) > 0;
    double where = random.nextDouble();
    String path =
        isHot
            ? hot.get((int) (where * where * where * hot.size()))
            : others.get((int) (where * others.size()));
    return time
        + " INFO FSNamesystem.audit: allowed=true\tugi=user"
        + random.nextInt(100)
        + " (auth:KERBEROS)\tip=/10.0.0."
        + random.nextInt(250)
        + "\tcmd="
        + (random.nextInt(10) < 4 ? "open" : "getfileinfo")
        + "\tsrc="
        + path
        + "\tdst=null\tperm=null\tproto=rpc\n";
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
