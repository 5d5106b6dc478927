// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.metrics;

import io.dropwizard.metrics5.CachedGauge;
import io.dropwizard.metrics5.Counter;
import io.dropwizard.metrics5.Gauge;
import io.dropwizard.metrics5.Metric;
import io.dropwizard.metrics5.MetricName;
import io.dropwizard.metrics5.MetricRegistry;
import io.dropwizard.metrics5.jmx.JmxReporter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/**
 * The numbers of a service under their names, in one registry of Dropwizard's. Most are asked for where they are counted
 * when somebody looks: nothing is counted twice, and nothing is copied in between. Registering is for one thread; looking
 * is for any.
 */
public final class Metrics {

  /** What {@link #text} is. */
  public static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  /** Of all beans, before the name of the metric. */
  public static final String BEANS = "Thermocline:service=TieringService";

  private final MetricRegistry registry = new MetricRegistry();
  private final List<Named> named = new ArrayList<>();
  private final PrometheusRegistry prometheus = new PrometheusRegistry();

  public Metrics() {
    prometheus.register(new PrometheusView(registry, this::named));
  }

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

  /** Something that only grows: a whole number. */
  public void counter(String name, String help, Supplier<? extends Number> value) {
    add(name, Kind.COUNTER, "", help);
    registry.register(new MetricName(name, Map.of()), new CountedElsewhere(value));
  }

  /** The same by the values of a label. */
  public void counter(
      String name,
      String label,
      String help,
      Map<String, ? extends Supplier<? extends Number>> values) {
    add(name, Kind.COUNTER, label, help);
    register(name, label, values, CountedElsewhere::new);
  }

  /** Something that comes and goes; not a number where it isn't known, null where there is no such thing. */
  public void gauge(String name, String help, Supplier<? extends Number> value) {
    add(name, Kind.GAUGE, "", help);
    registry.register(new MetricName(name, Map.of()), gauge(value));
  }

  /** The same by the values of a label. */
  public void gauge(
      String name,
      String label,
      String help,
      Map<String, ? extends Supplier<? extends Number>> values) {
    add(name, Kind.GAUGE, label, help);
    register(name, label, values, Metrics::gauge);
  }

  /** How long things took, by the values of a label. */
  public Durations durations(String name, String label, String help) {
    add(name, Kind.HISTOGRAM, label, help);
    return (value, nanos) ->
        registry
            .timer(new MetricName(name, Map.of(label, value)), BucketTimer::new)
            .update(nanos, TimeUnit.NANOSECONDS);
  }

  /** How often things came, by the values of two labels. */
  public Counts counts(String name, String label, String second, String help) {
    add(name, Kind.COUNTER, label + ", " + second, help);
    return (value, other) ->
        registry.counter(new MetricName(name, Map.of(label, value, second, other))).inc();
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

  /**
   * Memory, collections, threads of this process, under the names that Prometheus has for them: for Prometheus alone,
   * since the JVM has beans of its own for them.
   */
  public void jvm() {
    JvmMetrics.builder().register(prometheus);
  }

  /** All of them but those of the JVM, in the order in which they were registered. */
  public List<Named> named() {
    return List.copyOf(named);
  }

  /** All values now, in Prometheus' text format, version 0.0.4. */
  public String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.create().write(out, prometheus.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException("an array can be written to", e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /**
   * Shows them to JMX, a bean for each value, until closed: {@link #BEANS}, then the metric as name, then its labels.
   * Durations are in seconds. Where a process has a second service, the beans are the first one's.
   */
  public Closeable toJmx() {
    JmxReporter reporter =
        JmxReporter.forRegistry(registry)
            .convertDurationsTo(TimeUnit.SECONDS)
            .createsObjectNamesWith((kind, domain, name) -> bean(name))
            .build();
    reporter.start();
    return reporter;
  }

  private static ObjectName bean(MetricName name) {
    StringBuilder bean = new StringBuilder(BEANS).append(",name=").append(name.getKey());
    name.getTags()
        .forEach(
            (label, value) ->
                bean.append(',')
                    .append(label)
                    .append('=')
                    .append(value.matches("[\\w.-]+") ? value : ObjectName.quote(value)));
    try {
      return new ObjectName(bean.toString());
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException("names and labels are words, and values are quoted", e);
    }
  }

  private void add(String name, Kind kind, String label, String help) {
    named.add(new Named(name, kind, label, help));
  }

  private <S> void register(
      String name, String label, Map<String, S> values, Function<S, Metric> metric) {
    values.forEach(
        (value, supplier) ->
            registry.register(new MetricName(name, Map.of(label, value)), metric.apply(supplier)));
  }

  /** The same, asked at most once a second: for what is dear to ask, and gives several numbers. */
  public static <T> Supplier<T> lately(Supplier<T> source) {
    return new CachedGauge<T>(1, TimeUnit.SECONDS) {
          @Override
          protected T loadValue() {
            return source.get();
          }
        }
        ::getValue;
  }

  private static Gauge<Number> gauge(Supplier<? extends Number> value) {
    return value::get;
  }

  /** By a stage that knows nothing of metrics. */
  private static final class CountedElsewhere extends Counter {
    private final Supplier<? extends Number> value;

    private CountedElsewhere(Supplier<? extends Number> value) {
      this.value = value;
    }

    @Override
    public long getCount() {
      return value.get().longValue();
    }
  }
}
