// SPDX-License-Identifier: Apache-2.0
package io.thermocline.redundancy.flow;

import io.thermocline.redundancy.content.FileKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All flows with their rules (4.3.1), the monitor's sums, and the controller's changes at the end of each interval. Bounded:
 * the flow that was used least recently is forgotten. Thread-safe.
 */
public final class FlowTable {

  /** A rule that the controller changed. */
  public record Change(long time, FlowKey flow, ChunkingRule from, ChunkingRule to, String reason) {
    @Override
    public String toString() {
      return flow + ": " + from + " -> " + to + " (" + reason + ")";
    }
  }

  /**
   * A flow as it is.
   *
   * @param total since the flow is in the table
   */
  public record Flow(FlowKey key, FlowState state, ChunkingRecord total) {}

  private static final class Entry {
    FlowState state;
    ChunkingRecord interval = ChunkingRecord.NOTHING;
    ChunkingRecord total = ChunkingRecord.NOTHING;
    long intervalStart;
  }

  private final FlowController controller;
  private final long intervalMillis;
  private final Consumer<Change> changes;
  private final Function<FileKind, ChunkingRule> first;
  private final Map<FlowKey, Entry> flows;
  private long forgotten;

  /**
   * @param maxFlows at most, in the table
   * @param first rule of a new flow; {@link ChunkingRule#first} is the usual one
   * @param changes hears of each change, in the thread that recorded
   */
  public FlowTable(
      ControllerSettings settings,
      int maxFlows,
      Function<FileKind, ChunkingRule> first,
      Consumer<Change> changes) {
    this.first = first;
    this.controller = new FlowController(settings);
    this.intervalMillis = settings.interval().toMillis();
    this.changes = changes;
    this.flows =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<FlowKey, Entry> eldest) {
            boolean full = size() > maxFlows;
            forgotten += full ? 1 : 0;
            return full;
          }
        };
  }

  /**
   * The rule for the flow's next file.
   *
   * @param now in milliseconds
   */
  public synchronized ChunkingRule rule(FlowKey key, long now) {
    Entry entry = entry(key, now);
    decideIfDue(key, entry, now);
    return entry.state.rule();
  }

  /** What the monitor saw. */
  public synchronized void record(FlowKey key, ChunkingRecord record, long now) {
    Entry entry = entry(key, now);
    entry.interval = entry.interval.plus(record);
    entry.total = entry.total.plus(record);
    decideIfDue(key, entry, now);
  }

  public synchronized List<Flow> flows() {
    List<Flow> list = new ArrayList<>();
    flows.forEach((key, entry) -> list.add(new Flow(key, entry.state, entry.total)));
    return list;
  }

  /** Flows that were forgotten because the table was full. */
  public synchronized long forgotten() {
    return forgotten;
  }

  private Entry entry(FlowKey key, long now) {
    Entry known = flows.get(key);
    if (known != null) {
      return known;
    }
    Entry entry = new Entry();
    entry.state = FlowState.first(first.apply(key.kind()), now);
    entry.intervalStart = now;
    flows.put(key, entry);
    return entry;
  }

  private void decideIfDue(FlowKey key, Entry entry, long now) {
    if (now - entry.intervalStart < intervalMillis) {
      return;
    }
    ChunkingRule before = entry.state.rule();
    FlowController.Decision decision = controller.decide(entry.state, entry.interval, now);
    entry.state = decision.state();
    entry.interval = ChunkingRecord.NOTHING;
    entry.intervalStart = now;
    if (!decision.reason().isEmpty()) {
      changes.accept(new Change(now, key, before, entry.state.rule(), decision.reason()));
    }
  }
}
