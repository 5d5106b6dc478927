// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit logs of all NameNodes of a nameservice as one stream of access events. One thread polls;
 * the counts may be read from any.
 *
 * <p>A line that can't be parsed is counted, every so often shown in the log, and never fatal: the
 * log belongs to the NameNode, and one odd line must not cost the rest.
 */
public final class AuditSource implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(AuditSource.class);

  /** Of the malformed lines, the 1st, 2nd, 4th, 8th ... are shown, cut to this many characters. */
  private static final int SAMPLE_CHARACTERS = 300;

  private final List<AuditLogTailer> tailers;
  private final AuditInterpreter interpreter;
  private final LongAdder lines = new LongAdder();
  private final LongAdder malformed = new LongAdder();

  public AuditSource(List<Path> logs, AuditLogTailer.Start start, AuditInterpreter interpreter) {
    this.tailers = logs.stream().map(path -> new AuditLogTailer(path, start)).toList();
    this.interpreter = interpreter;
  }

  /** Reads what is new in every log and hands each access event on. */
  public void poll(Consumer<AccessEvent> events) throws IOException {
    for (AuditLogTailer tailer : tailers) {
      tailer.poll(line -> accept(line, events));
    }
  }

  private void accept(String line, Consumer<AccessEvent> events) {
    lines.increment();
    AuditEvent event = AuditLineParser.parse(line);
    if (event == null) {
      malformed.increment();
      long count = malformed.sum();
      if (Long.bitCount(count) == 1) {
        String shown = line.substring(0, Math.min(line.length(), SAMPLE_CHARACTERS));
        LOG.warn("{} audit lines so far could not be parsed, the last: {}", count, shown);
      }
      return;
    }
    interpreter.interpret(event).ifPresent(events);
  }

  /** Lines read so far, of any kind. */
  public long lines() {
    return lines.sum();
  }

  /** Lines that were no complete audit record. */
  public long malformedLines() {
    return malformed.sum();
  }

  @Override
  public void close() throws IOException {
    for (AuditLogTailer tailer : tailers) {
      tailer.close();
    }
  }
}
