// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares lines, however they came, with what the NameNodes that wrote them counted. Not thread-safe.
 *
 * <p>Who serves counts: the active NameNode and observers. When that changes, a new window begins.
 */
public final class CompletenessOfLines {

  private static final Logger LOG = LoggerFactory.getLogger(CompletenessOfLines.class);
  private static final long WINDOW_MILLIS = 10 * 60_000L;

  private final List<NameNodeCounters> nameNodes;
  private final CompletenessMeter meter = new CompletenessMeter(WINDOW_MILLIS);
  private Set<NameNodeCounters> serving = Set.of();

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
    Set<NameNodeCounters> now = new HashSet<>();
    for (NameNodeCounters nameNode : nameNodes) {
      try {
        Optional<CompletenessMeter.Totals> totals = nameNode.read();
        if (totals.isPresent()) {
          now.add(nameNode);
          for (Operation kind : CompletenessMeter.Totals.KINDS) {
            counted.merge(kind, totals.get().of(kind), Long::sum);
          }
        }
      } catch (IOException e) {
        LOG.warn("{} can't be asked how many operations it counted", nameNode, e);
      }
    }
    if (!now.equals(serving)) {
      meter.add(nowMillis, Optional.empty(), audited);
      serving = now;
    }
    return meter.add(
        nowMillis,
        now.isEmpty() ? Optional.empty() : Optional.of(new CompletenessMeter.Totals(counted)),
        audited);
  }
}
