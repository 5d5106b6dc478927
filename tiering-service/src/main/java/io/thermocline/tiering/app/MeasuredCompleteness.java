// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.CompletenessOfLines;
import io.thermocline.tiering.observe.JmxPage;
import io.thermocline.tiering.observe.LineFeed;
import io.thermocline.tiering.observe.kafka.KafkaAuditSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * How much of what the NameNodes of each nameservice did was read, in logs and topics together.
 * Nameservices are kept apart: a complete one would hide what another one lacks. The thread that
 * polls measures, any may ask.
 */
final class MeasuredCompleteness {

  private final String managed;
  private final AuditSource audit;
  private final List<KafkaAuditSource> topics;
  private final Map<String, CompletenessOfLines> ofTopics = new TreeMap<>();
  private volatile Map<String, Completeness> latest;

  /**
   * @param managed the nameservice whose heat it is
   * @param kafka where the topics' NameNodes are; null where there are no topics
   * @param hadoop of TLS and of the login
   */
  MeasuredCompleteness(
      String managed,
      AuditSource audit,
      List<KafkaAuditSource> topics,
      ServiceConfig.Kafka kafka,
      Configuration hadoop) {
    this.managed = managed;
    this.audit = audit;
    this.topics = topics;
    Map<String, Completeness> unknown = new TreeMap<>(audit.completeness());
    unknown.putIfAbsent(managed, Completeness.UNKNOWN);
    for (KafkaAuditSource topic : topics) {
      String nameservice = topic.nameservice();
      unknown.putIfAbsent(nameservice, Completeness.UNKNOWN);
      ofTopics.computeIfAbsent(
          nameservice, name -> new CompletenessOfLines(pages(name, kafka, hadoop)));
    }
    this.latest = Collections.unmodifiableMap(unknown);
  }

  private List<JmxPage> pages(String nameservice, ServiceConfig.Kafka kafka, Configuration hadoop) {
    return kafka.webs().stream()
        .filter(web -> nameservice.equals(web.nameservice() == null ? managed : web.nameservice()))
        .map(web -> new JmxPage(web.uri(), hadoop))
        .toList();
  }

  /**
   * To be called when all that there is was read; waits for the NameNodes' answers for some seconds
   * at most.
   */
  void measure(long nowMillis) {
    audit.measureCompleteness();
    Map<String, Completeness> now = new TreeMap<>(audit.completeness());
    now.putIfAbsent(managed, Completeness.UNKNOWN);
    ofTopics.forEach(
        (nameservice, lines) ->
            now.merge(
                nameservice, lines.measure(nowMillis, feeds(nameservice)), Completeness::plus));
    latest = Collections.unmodifiableMap(now);
  }

  private List<LineFeed> feeds(String nameservice) {
    return topics.stream()
        .filter(topic -> topic.nameservice().equals(nameservice))
        .flatMap(topic -> topic.feeds().stream())
        .toList();
  }

  /** Of the nameservice whose heat it is. */
  Completeness managed() {
    return latest.get(managed);
  }

  /** Of each nameservice whose lines are read, always the same ones. */
  Map<String, Completeness> ofEach() {
    return latest;
  }
}
