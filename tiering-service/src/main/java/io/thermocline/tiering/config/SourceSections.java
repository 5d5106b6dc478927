// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import io.thermocline.tiering.observe.LogGlob;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** Reads from the section observe what sources there are besides audit logs. */
final class SourceSections {

  private static final String KAFKA = "kafka";
  private static final String IMAGE = "image";
  private static final String WEBS = "nameNodeWebs";

  /** Of Kafka's consumer, those that are not for the administrator, and why. */
  private static final Map<String, String> OURS =
      Map.of(
          ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, "is observe.kafka.bootstrapServers",
          ConsumerConfig.GROUP_ID_CONFIG, "is observe.kafka.group",
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "follows from observe.start",
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "is off: offsets are saved with the heat",
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, "is the service's own",
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, "is the service's own");

  private SourceSections() {}

  /** Null where there is none. */
  static ServiceConfig.Kafka kafka(YamlSection observe, List<ServiceConfig.LogFile> logs) {
    return observe.optionalSection(KAFKA).map(section -> kafkaOf(section, logs)).orElse(null);
  }

  private static ServiceConfig.Kafka kafkaOf(
      YamlSection section, List<ServiceConfig.LogFile> logs) {
    List<ServiceConfig.Topic> topics = new ArrayList<>();
    for (String text : section.texts("topics")) {
      topics.add(topic(section, text, logs));
    }
    List<String> servers = section.texts("bootstrapServers");
    String group = section.text("group", "thermocline");
    YamlSection clientSection = section.section("client");
    if (topics.isEmpty()) {
      section.lacks("topics", "what carries the audit lines, for instance [hdfs-audit]");
    }
    if (servers.isEmpty()) {
      section.lacks("bootstrapServers", "Kafka's brokers, for instance [kafka1:9092]");
    }
    for (String server : servers) {
      if (!server.matches("[^:/\\s]+:\\d{1,5}|\\[[0-9a-fA-F:]+]:\\d{1,5}")) {
        section.reject(
            "bootstrapServers", "expected brokers like kafka1:9092, found '" + server + "'");
      }
    }
    Map<String, String> client = new LinkedHashMap<>(client(clientSection));
    client.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, String.join(",", servers));
    client.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    List<ServiceConfig.Web> webs = topicWebs(section, topics);
    section.rejectUnknown();
    return new ServiceConfig.Kafka(topics, client, webs);
  }

  /** The web addresses of NameNodes. */
  static List<URI> webs(YamlSection section) {
    List<URI> webs = new ArrayList<>();
    for (String text : section.texts(WEBS)) {
      URI uri = web(text);
      if (uri == null) {
        section.reject(WEBS, "expected URIs like http://nn1:9870, found '" + text + "'");
        return List.of();
      }
      webs.add(uri);
    }
    return webs;
  }

  /** Null where it is none. */
  private static URI web(String text) {
    try {
      URI uri = URI.create(text);
      return uri.getScheme() != null && uri.getScheme().matches("https?") ? uri : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** "http://nn1:9870" or "nameservice:http://nn3:9870". */
  private static List<ServiceConfig.Web> topicWebs(
      YamlSection section, List<ServiceConfig.Topic> topics) {
    List<ServiceConfig.Web> webs = new ArrayList<>();
    for (String text : section.texts(WEBS)) {
      int colon = text.indexOf(":http");
      String nameservice = colon < 0 ? null : text.substring(0, colon);
      URI uri = colon == 0 ? null : web(text.substring(colon + 1));
      if (uri == null) {
        section.reject(
            WEBS,
            "expected URIs like http://nn1:9870 or ns2:http://nn3:9870, found '" + text + "'");
      } else if (topics.stream()
          .noneMatch(topic -> Objects.equals(topic.nameservice(), nameservice))) {
        section.reject(
            WEBS,
            "'"
                + text
                + "' is of a nameservice whose lines none of the topics carries: name it as with its"
                + " topic, like ns2:http://nn3:9870 with ns2:hdfs-audit");
      }
      webs.add(new ServiceConfig.Web(nameservice, uri));
    }
    return webs;
  }

  /** "topic" or "nameservice:topic"; the name of a topic has no colon. */
  private static ServiceConfig.Topic topic(
      YamlSection section, String text, List<ServiceConfig.LogFile> logs) {
    int colon = text.indexOf(':');
    String nameservice = colon < 0 ? null : text.substring(0, colon);
    String name = text.substring(colon + 1);
    if (colon == 0 || !name.matches("[a-zA-Z0-9._-]{1,249}")) {
      section.reject(
          "topics", "expected topics like hdfs-audit or ns2:hdfs-audit, found '" + text + "'");
    }
    if (logs.stream().anyMatch(log -> Objects.equals(log.nameservice(), nameservice))) {
      section.reject(
          "topics",
          "'"
              + text
              + "' carries the lines of a nameservice whose logs are among observe.auditLogs: each"
              + " access would count twice");
    }
    return new ServiceConfig.Topic(nameservice, name);
  }

  private static Map<String, String> client(YamlSection section) {
    Map<String, String> client = section.pairs();
    for (String key : client.keySet()) {
      if (OURS.containsKey(key)) {
        section.reject(key, "can't be set here: it " + OURS.get(key));
      } else if (!ConsumerConfig.configNames().contains(key)
          && !key.startsWith("config.providers")) {
        section.reject(
            key,
            "is no setting of Kafka's consumer"
                + Nearest.of(key, ConsumerConfig.configNames())
                    .map(near -> ": did you mean " + near + "?")
                    .orElse(""));
      }
    }
    return client;
  }

  static List<LogGlob> clientTraceLogs(YamlSection observe) {
    List<LogGlob> globs = new ArrayList<>();
    for (String text : observe.texts("clientTraceLogs")) {
      try {
        globs.add(new LogGlob(text));
      } catch (IllegalArgumentException e) {
        observe.reject(
            "clientTraceLogs",
            "expected paths like /var/log/datanodes/*/hadoop-hdfs-datanode.log, found '"
                + text
                + "': "
                + e.getMessage());
      }
    }
    return globs;
  }

  /** Null where there is none. */
  static ServiceConfig.Image image(YamlSection observe) {
    return observe.optionalSection(IMAGE).map(SourceSections::imageOf).orElse(null);
  }

  private static ServiceConfig.Image imageOf(YamlSection section) {
    String from = section.text("from", null);
    Duration useFor = section.duration("useFor", Duration.ofHours(1));
    URI web = null;
    Path file = null;
    if (from == null) {
      section.lacks(
          "from", "the web address of a NameNode like http://nn1:9870, or the path of an image");
    } else if (from.startsWith("/")) {
      file = Path.of(from);
    } else {
      try {
        web = URI.create(from);
      } catch (IllegalArgumentException e) {
        // Said below.
      }
      if (web == null || web.getHost() == null || !from.matches("https?://.*")) {
        section.reject(
            "from",
            "expected the web address of a NameNode like http://nn1:9870, or the absolute path of"
                + " an image, found '"
                + from
                + "'");
      }
    }
    section.rejectUnknown();
    return new ServiceConfig.Image(web, file, useFor);
  }
}
