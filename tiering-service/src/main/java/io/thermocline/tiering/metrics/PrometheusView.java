// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.metrics;

import io.dropwizard.metrics5.Counter;
import io.dropwizard.metrics5.Gauge;
import io.dropwizard.metrics5.Metric;
import io.dropwizard.metrics5.MetricRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.PrometheusNaming;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What a registry of Dropwizard's holds, as Prometheus has it: tags are labels, and all values of a name are one metric. */
final class PrometheusView implements MultiCollector {

  private final MetricRegistry registry;
  private final Supplier<List<Metrics.Named>> named;

  PrometheusView(MetricRegistry registry, Supplier<List<Metrics.Named>> named) {
    this.registry = registry;
    this.named = named;
  }

  @Override
  public MetricSnapshots collect() {
    Map<String, Map<Labels, Metric>> byName = new HashMap<>();
    registry
        .getMetrics()
        .forEach(
            (name, metric) ->
                byName
                    .computeIfAbsent(name.getKey(), key -> new HashMap<>())
                    .put(labels(name.getTags()), metric));
    MetricSnapshots.Builder all = MetricSnapshots.builder();
    for (Metrics.Named each : named.get()) {
      all.metricSnapshot(snapshot(each, byName.getOrDefault(each.name(), Map.of())));
    }
    return all.build();
  }

  private static Labels labels(Map<String, String> tags) {
    return Labels.of(tags.keySet().toArray(String[]::new), tags.values().toArray(String[]::new));
  }

  private static MetricSnapshot snapshot(Metrics.Named named, Map<Labels, Metric> values) {
    // A counter's name is without its _total here.
    String name = PrometheusNaming.sanitizeMetricName(named.name());
    return switch (named.kind()) {
      case COUNTER -> {
        CounterSnapshot.Builder counter = CounterSnapshot.builder().name(name).help(named.help());
        values.forEach(
            (labels, metric) ->
                counter.dataPoint(
                    CounterDataPointSnapshot.builder()
                        .labels(labels)
                        .value(((Counter) metric).getCount())
                        .build()));
        yield counter.build();
      }
      case GAUGE -> {
        GaugeSnapshot.Builder gauge = GaugeSnapshot.builder().name(name).help(named.help());
        values.forEach(
            (labels, metric) -> {
              if (((Gauge<?>) metric).getValue() instanceof Number value) {
                gauge.dataPoint(
                    GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(value.doubleValue())
                        .build());
              }
            });
        yield gauge.build();
      }
      case HISTOGRAM -> {
        HistogramSnapshot.Builder histogram =
            HistogramSnapshot.builder().name(name).help(named.help());
        values.forEach(
            (labels, metric) ->
                histogram.dataPoint(
                    HistogramDataPointSnapshot.builder()
                        .labels(labels)
                        .classicHistogramBuckets(((BucketTimer) metric).buckets())
                        .sum(((BucketTimer) metric).sumSeconds())
                        .build()));
        yield histogram.build();
      }
    };
  }
}
