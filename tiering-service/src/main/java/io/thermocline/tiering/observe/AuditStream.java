// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The audit log of one NameNode as a stream of accesses that can stop before any line. Not thread-safe. */
final class AuditStream implements Closeable {

  private final AuditLog log;
  private final LogFollower follower;
  private final LineReader reader;
  private final CompletenessOfLines completeness;
  private boolean pending;

  /**
   * @param rules of the log's nameservice, which its other logs share
   */
  AuditStream(AuditLog log, LogStart start, AccessRules rules, SourceCheckpoint saved)
      throws IOException {
    this.log = log;
    this.completeness = log.page() == null ? null : new CompletenessOfLines(List.of(log.page()));
    String position = saved.positions().byLog().get(name());
    this.follower =
        new LogFollower(
            log.path(), start, position == null ? null : LogPosition.parse(position), log.zone());
    this.reader = new LineReader(rules, log.zone());
    byte[] windows = saved.windows().get(name());
    if (windows != null) {
      reader.read(new DataInputStream(new ByteArrayInputStream(windows)));
    }
  }

  String name() {
    return log.name();
  }

  String nameservice() {
    return log.nameservice();
  }

  /** Whether there is a next line; it then is pending, and {@link #millis} its time. */
  boolean peek(long now) throws IOException {
    if (!pending && follower.next()) {
      pending = true;
      reader.look(follower.lines(), now);
    }
    return pending;
  }

  /** Whether there is more of a line that is too long, and no line to take because of that. */
  boolean isSkipping() {
    return follower.isSkipping();
  }

  long millis() {
    return reader.millis();
  }

  /** Takes the pending line and those that follow from before a time, for so many bytes. */
  void take(long beforeMillis, long now, long maxBytes, AccessSink sink) throws IOException {
    long start = follower.bytes();
    do {
      reader.accept(sink);
      follower.release(reader.millis());
      pending = false;
    } while (follower.bytes() - start < maxBytes && peek(now) && reader.millis() < beforeMillis);
  }

  long bytes() {
    return follower.bytes();
  }

  LineCounts counts() {
    return reader.counts(follower.gaps());
  }

  /** Compares with what the NameNode counts now. */
  Completeness measure(long now) {
    return completeness == null
        ? Completeness.UNKNOWN
        : completeness.measure(now, CompletenessMeter.Audited.of(reader));
  }

  /** The file that is missing; null where there is one. */
  Path missing() {
    return follower.isMissing() ? log.path() : null;
  }

  /** Null before the log was found. */
  LogPosition position() {
    return follower.position();
  }

  /** What later lines of this log depend on, but for what the rules remember. */
  byte[] memory() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      reader.write(out);
    }
    return bytes.toByteArray();
  }

  @Override
  public void close() throws IOException {
    follower.close();
  }
}
