// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What an administrator says of hosts and storages in a node-attributes text. Immutable, safe for any
 * thread.
 *
 * <pre>
 * # From slow to fast. A storage that is given no class is 'default': the slowest, if not named here.
 * class SSD sata &lt; nvme
 *
 * # host           which          attributes
 * *.example.com    DISK           bandwidth=180MB/s
 * dn1.example.com  SSD            class=nvme bandwidth=3200MB/s tbw=3500TB written=120TB zone=a
 * dn1.example.com  DS-71c0-uuid   class=sata
 * dn1.example.com  free-memory=12GiB cpu=35%
 * </pre>
 *
 * <p>A line without a type or a storage id is about the whole host. Where several lines give the same
 * attribute, a storage id goes before a type and a type before a whole host; then a host's full name
 * before a pattern; then the later line before the earlier one.
 */
public final class NodeAttributes {
  private static final NodeAttributes NONE =
      new NodeAttributes(
          Collections.<StorageType, List<PerformanceClass>>emptyMap(),
          Collections.<AttributeRule>emptyList());

  private final Map<StorageType, List<PerformanceClass>> classes;
  private final Map<String, List<AttributeRule>> rulesOfHost = new HashMap<>();
  private final List<AttributeRule> rulesOfPatterns = new ArrayList<>();

  NodeAttributes(
      Map<StorageType, List<PerformanceClass>> classes, List<AttributeRule> rulesByPrecedence) {
    this.classes = classes;
    for (AttributeRule rule : rulesByPrecedence) {
      if (rule.isForOneHost()) {
        rulesOfHost.computeIfAbsent(rule.host(), host -> new ArrayList<>()).add(rule);
      } else {
        rulesOfPatterns.add(rule);
      }
    }
  }

  /** Nothing is said of any. */
  public static NodeAttributes none() {
    return NONE;
  }

  /**
   * Reads a node-attributes text.
   *
   * @throws NodeAttributesException with all problems, if there is any
   */
  public static NodeAttributes parse(String text) throws NodeAttributesException {
    return new AttributesParser().parse(text);
  }

  /** Whether a line gives the bandwidth or the zone of a storage. */
  public boolean hasBandwidthOrZone() {
    return Stream.concat(
            rulesOfPatterns.stream(), rulesOfHost.values().stream().flatMap(List::stream))
        .map(AttributeRule::attributes)
        .anyMatch(given -> given.contains(Attribute.BANDWIDTH) || given.contains(Attribute.ZONE));
  }

  /** Whether classes are declared within the type. */
  public boolean divides(StorageType type) {
    return classes.containsKey(type);
  }

  /** The classes of a type from slow to fast: the default one alone, where none are declared. */
  public List<PerformanceClass> classes(StorageType type) {
    List<PerformanceClass> declared = classes.get(type);
    return declared == null ? Collections.singletonList(PerformanceClass.of(type)) : declared;
  }

  /**
   * What is said of a storage.
   *
   * @param host as HDFS names it; case doesn't matter
   */
  public StorageAttributes storage(String host, StorageType type, String storageId) {
    Map<Attribute, AttributeRule> said = new EnumMap<>(Attribute.class);
    for (AttributeRule rule : matching(host)) {
      if (rule.isFor(type, storageId)) {
        rule.attributes().forEach(attribute -> said.merge(attribute, rule, AttributeRule::prior));
      }
    }
    return StorageAttributes.of(
        performanceClass(type, (String) value(said, Attribute.CLASS)),
        (String) value(said, Attribute.ZONE),
        (Long) value(said, Attribute.BANDWIDTH),
        (Long) value(said, Attribute.TBW),
        (Long) value(said, Attribute.WRITTEN));
  }

  /** What is said of a host as a whole. */
  public HostMetrics metrics(String host) {
    Map<Attribute, AttributeRule> said = new EnumMap<>(Attribute.class);
    for (AttributeRule rule : matching(host)) {
      rule.attributes().forEach(attribute -> said.merge(attribute, rule, AttributeRule::prior));
    }
    Long cpu = (Long) value(said, Attribute.CPU);
    return new HostMetrics(
        optional(value(said, Attribute.FREE_MEMORY)),
        cpu == null ? OptionalDouble.empty() : OptionalDouble.of(cpu / 1e6),
        optional(value(said, Attribute.LATENCY)),
        optional(value(said, Attribute.JOURNAL)));
  }

  private List<AttributeRule> matching(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    List<AttributeRule> found =
        new ArrayList<>(rulesOfHost.getOrDefault(name, Collections.<AttributeRule>emptyList()));
    for (AttributeRule rule : rulesOfPatterns) {
      if (rule.matches(name)) {
        found.add(rule);
      }
    }
    return found;
  }

  /** The default class also where a storage id was given a class of another type. */
  private PerformanceClass performanceClass(StorageType type, String name) {
    PerformanceClass byDefault = null;
    for (PerformanceClass one : classes(type)) {
      if (one.name().equals(name)) {
        return one;
      }
      byDefault = one.isDefault() ? one : byDefault;
    }
    return byDefault;
  }

  private static Object value(Map<Attribute, AttributeRule> said, Attribute attribute) {
    AttributeRule rule = said.get(attribute);
    return rule == null ? null : rule.value(attribute);
  }

  private static OptionalLong optional(Object value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of((Long) value);
  }
}
