// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The audit log files of all NameNodes as one stream of accesses, in the order of their times as far as lines are there. One
 * thread polls; the counts may be read from any.
 *
 * <p>All NameNodes of a nameservice are read: only the active one and observers write, and which these are changes. What is
 * remembered of the lines is the nameservice's, not the log's: an open that is repeated after a failover belongs to
 * the read that it began before. Of two lines with the same time that of the log named first comes first, so the order
 * is that of the lines alone, whenever they are read, as long as a line is there before those of later times are
 * read.
 */
public final class AuditSource implements AccessSource {

  private final List<AuditStream> streams = new ArrayList<>();
  private final Map<String, AccessRules> rules = new TreeMap<>();
  private final Clock clock;
  private volatile Map<String, Completeness> completeness;
  private volatile LineCounts counts;
  private volatile List<Path> missing = List.of();

  /**
   * @param start where to begin in logs of which the checkpoint doesn't know
   * @param saved where to go on
   * @param clock for lines that say no time
   */
  public AuditSource(
      List<AuditLog> logs,
      LogStart start,
      AccessSettings settings,
      SourceCheckpoint saved,
      Clock clock)
      throws IOException {
    this.clock = clock;
    for (AuditLog log : logs) {
      String nameservice = log.nameservice();
      if (!rules.containsKey(nameservice)) {
        rules.put(nameservice, rules(nameservice, settings, saved));
      }
      streams.add(new AuditStream(log, start, rules.get(nameservice), saved));
    }
    Map<String, Completeness> unknown = new TreeMap<>();
    rules.keySet().forEach(nameservice -> unknown.put(nameservice, Completeness.UNKNOWN));
    completeness = Collections.unmodifiableMap(unknown);
    publish();
  }

  private static AccessRules rules(
      String nameservice, AccessSettings settings, SourceCheckpoint saved) throws IOException {
    AccessRules rules = new AccessRules(PathKey.nameservice(nameservice), settings);
    byte[] windows = saved.windows().get(windowsOf(nameservice));
    if (windows != null) {
      rules.read(new DataInputStream(new ByteArrayInputStream(windows)));
    }
    return rules;
  }

  /** What the windows of a nameservice are saved under: no log, since no log's name begins so. */
  private static String windowsOf(String nameservice) {
    return "/" + nameservice;
  }

  /** A log that can't be read doesn't keep the others from being read: its lines come later, when it can. */
  @Override
  public boolean poll(AccessSink sink, long maxBytes) throws IOException {
    long now = clock.millis();
    long start = bytes();
    List<AuditStream> readable = new ArrayList<>(streams);
    IOException problem = null;
    try {
      while (bytes() - start < maxBytes) {
        AuditStream first = null;
        long before = Long.MAX_VALUE;
        AuditStream asked = null;
        try {
          for (AuditStream stream : readable) {
            asked = stream;
            if (stream.peek(now)) {
              if (first == null) {
                first = stream;
              } else if (stream.millis() < first.millis()) {
                // Lines of the same time come first in the log that was first until now.
                before = first.millis();
                first = stream;
              } else {
                // And first in this one, which is named before.
                before = Math.min(before, stream.millis() + 1);
              }
            }
          }
          if (first == null) {
            break;
          }
          asked = first;
          first.take(before, now, maxBytes - (bytes() - start), sink);
        } catch (IOException e) {
          readable.remove(asked);
          problem = AccessSources.with(problem, e);
        }
      }
    } finally {
      publish();
    }
    if (problem != null) {
      throw problem;
    }
    return bytes() - start >= maxBytes || streams.stream().anyMatch(AuditStream::isSkipping);
  }

  private long bytes() {
    long sum = 0;
    for (AuditStream stream : streams) {
      sum += stream.bytes();
    }
    return sum;
  }

  private void publish() {
    LineCounts sum = LineCounts.NONE;
    for (AuditStream stream : streams) {
      sum = sum.plus(stream.counts());
    }
    for (AccessRules rule : rules.values()) {
      sum = sum.plus(rule.counts());
    }
    counts = sum;
    missing = streams.stream().map(AuditStream::missing).filter(Objects::nonNull).toList();
  }

  /** Logs that had no file at the last poll. */
  public List<Path> missing() {
    return missing;
  }

  /**
   * Asks the NameNodes for their counters. To be called by the thread that polls, when the logs were
   * read to their ends; waits for an answer for some seconds at most.
   */
  public void measureCompleteness() {
    long now = clock.millis();
    Map<String, Completeness> sums = new TreeMap<>();
    for (AuditStream stream : streams) {
      sums.merge(stream.nameservice(), stream.measure(now), Completeness::plus);
    }
    completeness = Collections.unmodifiableMap(sums);
  }

  /** By nameservice, how much of what its NameNodes did stands in their logs, over the last minutes. */
  public Map<String, Completeness> completeness() {
    return completeness;
  }

  @Override
  public SourceCheckpoint checkpoint() throws IOException {
    Map<String, String> positions = new HashMap<>();
    Map<String, byte[]> windows = new HashMap<>();
    for (AuditStream stream : streams) {
      LogPosition position = stream.position();
      if (position != null) {
        positions.put(stream.name(), position.toText());
        windows.put(stream.name(), stream.memory());
      }
    }
    for (Map.Entry<String, AccessRules> entry : rules.entrySet()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        entry.getValue().write(out);
      }
      windows.put(windowsOf(entry.getKey()), bytes.toByteArray());
    }
    return new SourceCheckpoint(new LogPositions(positions), windows);
  }

  @Override
  public LineCounts counts() {
    return counts;
  }

  @Override
  public void close() throws IOException {
    for (AuditStream stream : streams) {
      stream.close();
    }
  }
}
