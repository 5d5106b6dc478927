// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What audit logs, rolled ones among them, still have of the time since some moment. Stateless. */
public final class AuditHistory {

  /** Clocks of the NameNodes of a nameservice may differ by so much. */
  private static final long SKEW_MILLIS = 60_000;

  private AuditHistory() {}

  /**
   * Hands on each access since then that isn't a repeated open, perhaps some of up to a minute before too.
   *
   * @param sinceMillis milliseconds since 1970
   * @param clock for lines that say no time
   * @return whether of each nameservice some log reaches back so far
   */
  public static boolean read(
      List<AuditLog> logs, long sinceMillis, Clock clock, Consumer<? super Access> sink)
      throws IOException {
    return read(logs, sinceMillis, new AccessSettings.Own("", ""), clock, sink);
  }

  /** The same, where calls of the service itself are told from those of others. */
  public static boolean read(
      List<AuditLog> logs,
      long sinceMillis,
      AccessSettings.Own own,
      Clock clock,
      Consumer<? super Access> sink)
      throws IOException {
    Map<String, String> positions = new HashMap<>();
    for (AuditLog log : logs) {
      List<RolledLogs.Seen> files = new RolledLogs(log.path(), log.zone()).list();
      if (files.isEmpty()) {
        continue;
      }
      RolledLogs.Seen first = files.get(0);
      for (RolledLogs.Seen file : files) {
        if (beganBefore(file, sinceMillis - SKEW_MILLIS)) {
          first = file;
        }
      }
      LogHead head = LogHead.of(first.head(), LogHead.usable(first.head(), first.head().length));
      positions.put(log.name(), new LogPosition(head, first.inode(), 0, LogTime.NONE).toText());
    }
    boolean reaches = reaches(logs, sinceMillis);
    AccessSettings each =
        new AccessSettings(
                Duration.ZERO, 0, Duration.ofMinutes(1), AccessSettings.Ignored.nothing())
            .of(own);
    try (AuditSource source =
        new AuditSource(
            logs,
            LogStart.BEGINNING,
            each,
            new SourceCheckpoint(new LogPositions(positions), Map.of()),
            clock)) {
      AccessSink recent =
          access -> {
            if (access.timeMillis() >= sinceMillis - SKEW_MILLIS) {
              sink.accept(access);
            }
          };
      while (source.poll(recent, Long.MAX_VALUE)) {
        // Until all is read.
      }
    }
    return reaches;
  }

  /** Whether of each nameservice some log reaches back to then, in milliseconds since 1970. */
  public static boolean reaches(List<AuditLog> logs, long sinceMillis) throws IOException {
    Set<String> missing = new HashSet<>();
    Set<String> reaching = new HashSet<>();
    for (AuditLog log : logs) {
      missing.add(log.nameservice());
      List<RolledLogs.Seen> files = new RolledLogs(log.path(), log.zone()).list();
      if (files.stream().anyMatch(file -> beganBefore(file, sinceMillis))) {
        reaching.add(log.nameservice());
      }
    }
    return reaching.containsAll(missing);
  }

  private static boolean beganBefore(RolledLogs.Seen file, long millis) {
    return file.firstMillis() != LogTime.NONE && file.firstMillis() <= millis;
  }
}
