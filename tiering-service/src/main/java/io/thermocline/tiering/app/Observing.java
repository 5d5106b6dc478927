// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit logs read into heat, and both saved together from time to time, so that a restart goes on where the
 * last checkpoint was taken and counts each line once. One thread polls; any may ask, and close.
 */
final class Observing implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Observing.class);

  /** Of the audit logs, between two looks at what else is due. */
  private static final long BYTES_AT_ONCE = 64L << 20;

  private final Seams seams;
  private final Path file;
  private final long everyNanos;
  private final Heat heat;
  private final AuditSource source;
  private long savedNanos;
  private long savedLines = -1;
  private boolean polled;
  private boolean closed;
  private volatile boolean closing;

  private Observing(
      ServiceConfig.Learning learning, Seams seams, Path file, Heat heat, AuditSource source) {
    this.seams = seams;
    this.file = file;
    this.everyNanos = learning.checkpointEvery().toNanos();
    this.heat = heat;
    this.source = source;
    this.savedNanos = seams.nanos().getAsLong();
  }

  /**
   * Goes on from the checkpoint, where there is one.
   *
   * @param nameservice whose heat it is; of logs that name none
   * @param ownUser whose calls are the service's own
   * @throws IOException where there are checkpoints but none that can be used, or a log can't be read
   */
  static Observing open(ServiceConfig config, String nameservice, String ownUser, Seams seams)
      throws IOException {
    ServiceConfig.Learning learning = config.heat();
    Files.createDirectories(config.checkpoint());
    Path file = config.checkpoint().resolve("heat.checkpoint");
    Optional<HeatCheckpoint.Restored> restored =
        HeatCheckpoint.load(file, learning.settings(), nameservice);
    SourceCheckpoint saved =
        restored.isPresent()
            ? SourceCheckpoint.parse(restored.get().position())
            : SourceCheckpoint.none();
    restored
        .flatMap(HeatCheckpoint.Restored::damage)
        .ifPresent(
            damage ->
                LOG.warn("{}: going on from the checkpoint before it, and reading on", damage));
    Heat heat =
        restored
            .map(HeatCheckpoint.Restored::heat)
            .orElseGet(() -> new Heat(learning.settings(), nameservice));
    LOG.info(
        "{}",
        restored.isPresent()
            ? "heat of " + heat.reads() + " reads was found in " + file
            : "no heat in " + config.checkpoint() + " yet: learning it");
    AuditSource source = source(config.observe(), nameservice, ownUser, saved, seams);
    return new Observing(learning, seams, file, heat, source);
  }

  private static AuditSource source(
      ServiceConfig.Observe observe,
      String nameservice,
      String ownUser,
      SourceCheckpoint saved,
      Seams seams)
      throws IOException {
    List<AuditLog> logs =
        observe.auditLogs().stream()
            .map(
                log ->
                    new AuditLog(
                        log.nameservice() == null ? nameservice : log.nameservice(),
                        log.path(),
                        observe.zone(),
                        log.web()))
            .toList();
    return new AuditSource(
        logs,
        observe.start(),
        observe.accesses().without(ownUser, TieringService.CALLER_CONTEXT),
        saved,
        seams.clock());
  }

  /** Reads what is new, and saves where it is time to. Does nothing after {@link #close}. */
  void poll() throws IOException, InterruptedException {
    while (pollOnce(BYTES_AT_ONCE)) {
      saveWhereDue();
    }
    saveWhereDue();
    measure();
  }

  /**
   * @param maxBytes of log, after which it returns
   * @return whether there is more at once
   */
  synchronized boolean pollOnce(long maxBytes) throws IOException {
    if (closed) {
      return false;
    }
    boolean more = source.poll(heat::accept, maxBytes);
    polled = true;
    return more && !closing;
  }

  private synchronized void measure() throws InterruptedException {
    if (!closed) {
      source.measureCompleteness();
    }
  }

  private synchronized void saveWhereDue() {
    long now = seams.nanos().getAsLong();
    if (!closed && now - savedNanos >= everyNanos) {
      savedNanos = now;
      save();
    }
  }

  /**
   * Saves heat and position as they are between two polls, unless nothing was read since. What can't be
   * written is said, and tried again: heat in memory doesn't depend on it.
   */
  synchronized void save() {
    long lines = source.counts().lines();
    if (!polled || lines == savedLines) {
      return;
    }
    try {
      HeatCheckpoint.save(file, heat.freeze(), source.checkpoint().toBytes());
      savedLines = lines;
    } catch (IOException e) {
      LOG.warn("heat can't be saved in {}, trying again in {}", file, every(), e);
    }
  }

  private Duration every() {
    return Duration.ofNanos(everyNanos);
  }

  Heat heat() {
    return heat;
  }

  LineCounts counts() {
    return source.counts();
  }

  Completeness completeness() {
    return source.completeness();
  }

  /** Waits for a poll under way to come to the end of its bytes, and saves. */
  @Override
  public void close() throws IOException {
    closing = true;
    synchronized (this) {
      if (!closed) {
        closed = true;
        save();
        source.close();
      }
    }
  }
}
