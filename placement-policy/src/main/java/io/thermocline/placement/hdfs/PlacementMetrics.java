// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.net.NetworkTopology;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The policy's metrics in the NameNode's metrics system, and so in its JMX and Prometheus endpoints.
 * Safe for any thread.
 */
final class PlacementMetrics implements MetricsSource {

  // A NameNode that is reconfigured makes a new policy and says nothing to the old one; one with
  // an erasure coding policy of ours has two at a time. So there is one source for a NameNode,
  // that is for a topology, which adds up the counters of all policies there were, and lives from
  // the first to the end of the last. Its counters never go back. Several NameNodes in one
  // process, as in tests, have a source each.

  private static final Logger LOG = LoggerFactory.getLogger(ThermoclinePlacementPolicy.class);

  static final String NAME = "ThermoclinePlacement";

  private static final List<PlacementMetrics> REGISTERED = new ArrayList<>();

  private final String name;
  private final WeakReference<NetworkTopology> topology;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Long> ended = new TreeMap<>();

  /** One policy's part. It holds nothing that keeps the policy from being collected. */
  static final class Entry {
    private final PlacementMetrics source;
    private final PlacementCounters counters;
    private final WeakReference<ClusterLines> lines;
    private final WeakReference<HintedPolicies> hints;

    private Entry(
        PlacementMetrics source,
        PlacementCounters counters,
        ClusterLines lines,
        HintedPolicies hints) {
      this.hints = new WeakReference<>(hints);
      this.source = source;
      this.counters = counters;
      this.lines = new WeakReference<>(lines);
    }

    void leave() {
      PlacementMetrics.leave(this);
    }
  }

  private PlacementMetrics(String name, NetworkTopology topology) {
    this.name = name;
    this.topology = new WeakReference<>(topology);
  }

  /** Adds a policy to its NameNode's metrics. */
  static synchronized Entry enter(
      NetworkTopology topology,
      PlacementCounters counters,
      ClusterLines lines,
      HintedPolicies hints) {
    PlacementMetrics source = null;
    for (PlacementMetrics one : REGISTERED) {
      source = one.topology.get() == topology ? one : source;
    }
    if (source == null) {
      source = new PlacementMetrics(unusedName(), topology);
      source.register();
      REGISTERED.add(source);
    }
    Entry entry = new Entry(source, counters, lines, hints);
    source.add(entry);
    return entry;
  }

  private static synchronized void leave(Entry entry) {
    if (entry.source.remove(entry)) {
      REGISTERED.remove(entry.source);
      entry.source.unregister();
    }
  }

  /** A NameNode without our metrics is better than none. */
  private void register() {
    try {
      MetricsSystem system = DefaultMetricsSystem.instance();
      // A name that was left behind would make the registration fail.
      system.unregisterSource(name);
      system.register(name, "Block placement by Thermocline", this);
    } catch (RuntimeException e) {
      LOG.error("the metrics {} can't be registered", name, e);
    }
  }

  /**
   * Where another has the name by now, as the same class of another loader may, it keeps it. Called by the refreshing
   * thread at its end.
   */
  private void unregister() {
    if (isKnown()) {
      DefaultMetricsSystem.instance().unregisterSource(name);
    }
  }

  /** The name of the source of that topology's NameNode; null where there is none. */
  static synchronized String nameFor(NetworkTopology topology) {
    for (PlacementMetrics one : REGISTERED) {
      if (one.topology.get() == topology) {
        return one.name;
      }
    }
    return null;
  }

  private static String unusedName() {
    for (int number = 1; ; number++) {
      String name = number == 1 ? NAME : NAME + "-" + number;
      if (REGISTERED.stream().noneMatch(one -> one.name.equals(name) && one.isKnown())) {
        return name;
      }
    }
  }

  /** Not any more where Hadoop's metrics were shut down, as with the last server of a process that starts others. */
  private boolean isKnown() {
    return DefaultMetricsSystem.instance().getSource(name) == this;
  }

  private synchronized void add(Entry entry) {
    entries.add(entry);
  }

  /** Says whether it was the last one. */
  private synchronized boolean remove(Entry entry) {
    entry.counters.forEach((key, sentence, value) -> ended.merge(key, value, Long::sum));
    entries.remove(entry);
    return entries.isEmpty();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    MetricsRecordBuilder record = collector.addRecord(NAME).setContext("dfs");
    Map<String, Long> sums = new TreeMap<>();
    Map<String, String> sentences = new TreeMap<>();
    // The youngest policy's: an older one is the erasure coding policy, with the same lines, or
    // gone.
    ClusterLines lines = null;
    HintedPolicies hints = null;
    synchronized (this) {
      sums.putAll(ended);
      for (Entry entry : entries) {
        entry.counters.forEach(
            (key, sentence, value) -> {
              sums.merge(key, value, Long::sum);
              sentences.put(key, sentence);
            });
        ClusterLines its = entry.lines.get();
        lines = its == null ? lines : its;
        HintedPolicies theirs = entry.hints.get();
        hints = theirs == null ? hints : theirs;
      }
    }
    sums.forEach(
        (key, value) ->
            record.addCounter(Interns.info(camel(key), sentences.getOrDefault(key, key)), value));
    if (lines != null) {
      gauges(record, lines);
    }
    if (hints != null && hints.isConfigured()) {
      record
          .addGauge(
              Interns.info(
                  "DirectoryHintsBad",
                  "1 if the file of hints on directories can't be used, or is stale"),
              hints.isBad() ? 1 : 0)
          .addGauge(
              Interns.info("DirectoryHints", "lines of the file of hints on directories"),
              hints.count());
    }
  }

  private static void gauges(MetricsRecordBuilder record, ClusterLines lines) {
    record
        .addGauge(
            Interns.info(
                "PlacementStopped", "1 if the stock policy places all blocks as refreshes fail"),
            lines.isStopped() ? 1 : 0)
        .addGauge(
            Interns.info("AttributesBad", "1 if the node attributes file can't be used as it is"),
            lines.attributesFile().isBad() ? 1 : 0);
    for (TableFigures figures : lines.figures()) {
      String bucket = "Table" + camel(figures.bucket().replace('-', '_').replace('.', '_'));
      String of = " of bucket " + figures.bucket();
      record
          .addGauge(
              Interns.info(bucket + "Storages", "storages in the table" + of), figures.storages())
          .addGauge(
              Interns.info(bucket + "Away", "of these, not in the cluster now" + of),
              figures.away())
          .addGauge(
              Interns.info(bucket + "WornOut", "of these, past their write budget" + of),
              figures.wornOut())
          .addGauge(
              Interns.info(bucket + "Cells", "cells of the number line" + of), figures.cells())
          .addGauge(
              Interns.info(bucket + "Operations", "number of the last operation" + of),
              figures.operations())
          .addGauge(
              Interns.info(bucket + "Fingerprint", "equal where the table is equal" + of),
              figures.fingerprint());
    }
  }

  /** {@code NO_LINE} as {@code NoLine}. */
  private static String camel(String key) {
    StringBuilder text = new StringBuilder();
    for (String word : key.split("_")) {
      if (!word.isEmpty()) {
        text.append(word.substring(0, 1).toUpperCase(Locale.ROOT))
            .append(word.substring(1).toLowerCase(Locale.ROOT));
      }
    }
    return text.toString();
  }
}
