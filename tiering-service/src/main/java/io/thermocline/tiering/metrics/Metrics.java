// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.metrics;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The numbers of a service under their names, asked for when somebody looks: nothing is counted twice, and nothing is
 * copied in between. Registering is for one thread; looking is for any.
 */
public final class Metrics {

  /** What {@link #text} is. */
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final double[] SECONDS = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000};

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final List<Named> named = new ArrayList<>();

  /** Of a metric. */
  public enum Kind {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }

  /**
   * One metric.
   *
   * @param name with its unit; of a counter with _total at its end
   * @param label empty where it has none; two with a comma between
   */
  public record Named(String name, Kind kind, String label, String help) {}

  /** Something that only grows. */
  public void counter(String name, String help, DoubleSupplier value) {
    add(name, Kind.COUNTER, "", help);
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsDouble()))
        .register(registry);
  }

  /** The same by the values of a label. */
  public void counter(
      String name, String label, String help, Supplier<? extends Map<String, Double>> values) {
    add(name, Kind.COUNTER, label, help);
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(callback -> values.get().forEach((key, value) -> callback.call(value, key)))
        .register(registry);
  }

  /** Something that comes and goes; not a number where it isn't known. */
  public void gauge(String name, String help, DoubleSupplier value) {
    add(name, Kind.GAUGE, "", help);
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsDouble()))
        .register(registry);
  }

  /** The same by the values of a label. */
  public void gauge(
      String name, String label, String help, Supplier<? extends Map<String, Double>> values) {
    add(name, Kind.GAUGE, label, help);
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .labelNames(label)
        .callback(callback -> values.get().forEach((key, value) -> callback.call(value, key)))
        .register(registry);
  }

  /** How long things took, by the values of a label. */
  public Durations durations(String name, String label, String help) {
    add(name, Kind.HISTOGRAM, label, help);
    Histogram histogram =
        Histogram.builder()
            .name(name)
            .help(help)
            .labelNames(label)
            .classicOnly()
            .classicUpperBounds(SECONDS)
            .register(registry);
    return (value, nanos) -> histogram.labelValues(value).observe(nanos / 1e9);
  }

  /** How often things came, by the values of two labels. */
  public Counts counts(String name, String label, String second, String help) {
    add(name, Kind.COUNTER, label + ", " + second, help);
    Counter counter =
        Counter.builder().name(name).help(help).labelNames(label, second).register(registry);
    return (value, other) -> counter.labelValues(value, other).inc();
  }

  /** Is told that something came. */
  @FunctionalInterface
  public interface Counts {
    /**
     * @param value of the first label
     * @param second of the second
     */
    void came(String value, String second);
  }

  /** Takes how long something took. */
  @FunctionalInterface
  public interface Durations {
    /**
     * @param what value of the label
     */
    void took(String what, long nanos);
  }

  /** Memory, collections, threads of this process, under the names that Prometheus has for them. */
  public void jvm() {
    JvmMetrics.builder().register(registry);
  }

  private void add(String name, Kind kind, String label, String help) {
    named.add(new Named(name, kind, label, help));
  }

  /** All of them but those of the JVM, in the order in which they were registered. */
  public List<Named> named() {
    return List.copyOf(named);
  }

  /** All values now, in Prometheus' text format, version 0.0.4. */
  public String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("an array can be written to", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  PrometheusRegistry registry() {
    return registry;
  }
}
