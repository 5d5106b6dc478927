// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;

/**
 * The clienttrace logs of all DataNodes that are found where they are said to be, those that come later among them. One
 * thread polls and takes checkpoints; the counts may be read from any.
 */
public final class ClientTraceLogs implements Closeable {

  private static final long MILLIS_BETWEEN_LISTINGS = 30_000;

  private final List<LogGlob> globs;
  private final ZoneId zone;
  private final Clock clock;
  private final SourceCheckpoint saved;
  private final Map<Path, ClientTraceSource> sources = new ConcurrentSkipListMap<>();
  private LogStart start;
  private long listedMillis = Long.MIN_VALUE / 2;

  /**
   * @param start where to begin in logs that are there at first and of which the checkpoint doesn't know
   * @param saved where to go on
   */
  public ClientTraceLogs(
      List<LogGlob> globs, LogStart start, SourceCheckpoint saved, ZoneId zone, Clock clock) {
    this.globs = List.copyOf(globs);
    this.start = start;
    this.saved = saved;
    this.zone = zone;
    this.clock = clock;
  }

  /**
   * Reads what is new in each, up to about so many bytes. One that can't be read doesn't keep the others from being
   * read.
   *
   * @param untilMillis transfers after it are left for later, milliseconds since 1970
   * @return whether there is more at once
   */
  public boolean poll(Consumer<? super BlockAccess> sink, long maxBytes, long untilMillis)
      throws IOException {
    long now = clock.millis();
    IOException problem = null;
    if (now - listedMillis >= MILLIS_BETWEEN_LISTINGS) {
      problem = find();
      listedMillis = now;
    }
    boolean more = false;
    for (ClientTraceSource source : sources.values()) {
      try {
        more |= source.poll(sink, maxBytes, untilMillis);
      } catch (IOException e) {
        problem = AccessSources.with(problem, e);
      } catch (RuntimeException | StackOverflowError e) {
        problem = AccessSources.with(problem, new IOException("a log failed: " + e, e));
      }
    }
    if (problem != null) {
      throw problem;
    }
    return more;
  }

  /** Looks for all patterns; what keeps one from being listed, or null. */
  private IOException find() {
    IOException problem = null;
    for (LogGlob glob : globs) {
      try {
        for (Path file : glob.files()) {
          if (!sources.containsKey(file)) {
            sources.put(file, new ClientTraceSource(file, start, saved.positions(), zone));
          }
        }
      } catch (IOException e) {
        problem = AccessSources.with(problem, e);
      }
    }
    // All of a log that comes later is new.
    start = LogStart.BEGINNING;
    return problem;
  }

  /** What to go on from, to be stored in one piece with what was made of the transfers. */
  public SourceCheckpoint checkpoint() {
    // Of those that aren't found at present too.
    Map<String, String> positions = new HashMap<>();
    saved
        .positions()
        .byLog()
        .forEach(
            (log, position) -> {
              if (log.startsWith(ClientTraceSource.PREFIX)) {
                positions.put(log, position);
              }
            });
    sources.values().forEach(source -> positions.putAll(source.positions().byLog()));
    return new SourceCheckpoint(new LogPositions(positions), Map.of());
  }

  public LineCounts counts() {
    return sources.values().stream()
        .map(ClientTraceSource::counts)
        .reduce(LineCounts.NONE, LineCounts::plus);
  }

  @Override
  public void close() throws IOException {
    for (ClientTraceSource source : sources.values()) {
      source.close();
    }
  }
}
