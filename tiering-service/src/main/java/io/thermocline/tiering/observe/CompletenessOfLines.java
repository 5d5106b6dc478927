// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares lines, however they came, with what the NameNodes that wrote them counted. Not thread-safe.
 *
 * <p>Who serves counts: the active NameNode and observers. When that changes, a new window begins,
 * and where nobody does nothing is known. One that served and can't be asked may serve on: what was
 * known last holds until the window is over, and where it answers before, as the same that it was,
 * the window goes on.
 */
public final class CompletenessOfLines {

  private static final Logger LOG = LoggerFactory.getLogger(CompletenessOfLines.class);
  private static final long WINDOW_MILLIS = 10 * 60_000L;

  private final List<NameNodeCounters> nameNodes;
  private final CompletenessMeter meter = new CompletenessMeter(WINDOW_MILLIS);
  private final UnheardOperations unheard = new UnheardOperations();
  private final Set<NameNodeCounters> silent = new HashSet<>();
  private Map<NameNodeCounters, Long> serving = Map.of();
  private Completeness current = Completeness.UNKNOWN;
  private long measuredMillis;

  /** @param pages of all NameNodes whose lines these are; none: that isn't measured */
  public CompletenessOfLines(List<JmxPage> pages) {
    this.nameNodes = pages.stream().map(NameNodeCounters::new).toList();
  }

  /**
   * Compares what was read with what the NameNodes count now. To be called when all that there is was read; waits for
   * answers for some seconds at most.
   *
   * @param feeds all the lines
   */
  public Completeness measure(long nowMillis, Collection<LineFeed> feeds) {
    if (nameNodes.isEmpty()) {
      return Completeness.UNKNOWN;
    }
    CompletenessMeter.Audited sum = CompletenessMeter.Audited.NONE;
    for (LineFeed feed : feeds) {
      sum = sum.plus(feed.audited());
    }
    return measure(nowMillis, sum);
  }

  Completeness measure(long nowMillis, CompletenessMeter.Audited audited) {
    Map<Operation, Long> counted = new EnumMap<>(Operation.class);
    Map<NameNodeCounters, Long> now = new HashMap<>();
    Map<NameNodeCounters, RecentOperations> recent = new HashMap<>();
    boolean isOneSilent = false;
    for (NameNodeCounters nameNode : nameNodes) {
      try {
        nameNode
            .read()
            .ifPresent(
                term -> {
                  now.put(nameNode, term.sinceMillis());
                  recent.put(nameNode, term.recent());
                  for (Operation kind : CompletenessMeter.Totals.KINDS) {
                    counted.merge(kind, term.totals().of(kind), Long::sum);
                  }
                });
        if (silent.remove(nameNode)) {
          LOG.info("{} answers again", nameNode);
        }
      } catch (IOException e) {
        isOneSilent |= serving.containsKey(nameNode);
        if (silent.add(nameNode)) {
          LOG.warn(
              "{} can't be asked how many operations it counted: {}. It is asked again",
              nameNode,
              e.toString());
        }
      }
    }
    if (isOneSilent
        && serving.entrySet().containsAll(now.entrySet())
        && nowMillis - measuredMillis < WINDOW_MILLIS) {
      return current;
    }
    if (!now.equals(serving)) {
      meter.restart();
      unheard.restart();
      serving = now;
    }
    measuredMillis = nowMillis;
    Completeness measured =
        now.isEmpty()
            ? Completeness.UNKNOWN
            : meter.add(nowMillis, new CompletenessMeter.Totals(counted), audited);
    long lost = unheard.add(nowMillis, recent, audited);
    current = lost > 0 ? new Completeness(lost, 0, 0) : measured;
    return current;
  }
}
