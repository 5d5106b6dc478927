// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The same numbers for JMX: one bean, an attribute for each value, named as the metric and, where there is a label,
 * its value after a dot. Of durations there are count and sum. Read only; thread-safe.
 */
public final class MetricsBean implements DynamicMBean, Closeable {

  /** Where it is found. */
  public static final String NAME = "Thermocline:service=TieringService,name=Metrics";

  private final Metrics metrics;
  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  private MetricsBean(Metrics metrics) {
    this.metrics = metrics;
  }

  /** Makes them known, instead of those that may be known under that name. */
  public static MetricsBean register(Metrics metrics) {
    MetricsBean bean = new MetricsBean(metrics);
    try {
      bean.close();
      bean.server.registerMBean(bean, new ObjectName(NAME));
      return bean;
    } catch (JMException e) {
      throw new IllegalStateException("the bean is a valid one, under a valid name", e);
    }
  }

  private Map<String, Double> values() {
    Map<String, Double> values = new TreeMap<>();
    for (MetricSnapshot snapshot : metrics.registry().scrape()) {
      String name = snapshot.getMetadata().getPrometheusName();
      for (DataPointSnapshot point : snapshot.getDataPoints()) {
        String suffix = suffix(point);
        if (point instanceof CounterSnapshot.CounterDataPointSnapshot counter) {
          values.put(name + "_total" + suffix, counter.getValue());
        } else if (point instanceof GaugeSnapshot.GaugeDataPointSnapshot gauge) {
          values.put(name + suffix, gauge.getValue());
        } else if (snapshot instanceof HistogramSnapshot
            && point instanceof HistogramSnapshot.HistogramDataPointSnapshot histogram) {
          values.put(name + "_count" + suffix, (double) histogram.getCount());
          values.put(name + "_sum" + suffix, histogram.getSum());
        }
      }
    }
    return values;
  }

  private static String suffix(DataPointSnapshot point) {
    StringBuilder suffix = new StringBuilder();
    for (Label label : point.getLabels()) {
      suffix.append('.').append(label.getValue());
    }
    return suffix.toString();
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    Double value = values().get(attribute);
    if (value == null) {
      throw new AttributeNotFoundException(attribute);
    }
    return value;
  }

  @Override
  public AttributeList getAttributes(String[] attributes) {
    Map<String, Double> values = values();
    AttributeList list = new AttributeList();
    for (String attribute : attributes) {
      if (values.containsKey(attribute)) {
        list.add(new Attribute(attribute, values.get(attribute)));
      }
    }
    return list;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(attribute.getName() + " can't be set");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] parameters, String[] signature) {
    throw new UnsupportedOperationException(action + ": there are only attributes");
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    return new MBeanInfo(
        MetricsBean.class.getName(),
        "Metrics of the tiering service",
        values().keySet().stream()
            .map(name -> new MBeanAttributeInfo(name, "double", name, true, false, false))
            .toArray(MBeanAttributeInfo[]::new),
        null,
        null,
        null);
  }

  @Override
  public void close() {
    try {
      ObjectName name = new ObjectName(NAME);
      if (server.isRegistered(name)) {
        server.unregisterMBean(name);
      }
    } catch (JMException e) {
      throw new IllegalStateException("a bean that is registered can be taken away", e);
    }
  }
}
