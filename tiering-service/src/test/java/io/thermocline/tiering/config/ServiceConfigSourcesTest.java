// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.LogGlob;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read: logs, topics, images. */
class ServiceConfigSourcesTest extends ConfigFileCase {

  @Test
  void readsLogsOfSeveralNameservicesAndTheirZone() throws IOException, ConfigException {
    ServiceConfig.Observe observe =
        read(LEAST.replace(
                "[/var/log/hadoop/hdfs/hdfs-audit.log]",
                "[/a/hdfs-audit.log, 'ns2:/b:/hdfs-audit.log']\n  timeZone: UTC"
                    + "\n  nameNodeWebs: [http://nn1:9870, https://nn2:9871]"))
            .observe();

    assertEquals(
        List.of(
            new ServiceConfig.LogFile(
                null, Path.of("/a/hdfs-audit.log"), URI.create("http://nn1:9870")),
            new ServiceConfig.LogFile(
                "ns2", Path.of("/b:/hdfs-audit.log"), URI.create("https://nn2:9871"))),
        observe.auditLogs());
    assertEquals(ZoneId.of("UTC"), observe.zone());
    assertEquals(Duration.ofSeconds(10), observe.accesses().openWindow());
    assertEquals(
        Duration.ZERO,
        read(LEAST.replace("\nmanage:", "\n  openWindow: 0s\nmanage:"))
            .observe()
            .accesses()
            .openWindow());
  }

  @Test
  void readsTopicsInPlaceOfLogsAndWhereElseToLook() throws IOException, ConfigException {
    ServiceConfig.Observe observe =
        read(LEAST.replace(
                "  auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]\n",
                """
                  kafka:
                    topics: [hdfs-audit, 'ns2:other.audit']
                    bootstrapServers: [kafka1:9092, 'kafka2:9092']
                    nameNodeWebs: ['http://nn1:9870', 'ns2:http://nn2:9870']
                    client:
                      security.protocol: SASL_SSL
                      max.poll.records: 2000
                      config.providers: file
                  clientTraceLogs: [/logs/*/datanode.log]
                  image: {from: 'http://nn1:9870'}
                """))
            .observe();

    assertEquals(List.of(), observe.auditLogs());
    assertEquals(
        List.of(
            new ServiceConfig.Topic(null, "hdfs-audit"),
            new ServiceConfig.Topic("ns2", "other.audit")),
        observe.kafka().topics());
    assertEquals(
        Map.of(
            "bootstrap.servers", "kafka1:9092,kafka2:9092",
            "group.id", "thermocline",
            "security.protocol", "SASL_SSL",
            "max.poll.records", "2000",
            "config.providers", "file"),
        observe.kafka().client());
    assertEquals(
        List.of(
            new ServiceConfig.Web(null, URI.create("http://nn1:9870")),
            new ServiceConfig.Web("ns2", URI.create("http://nn2:9870"))),
        observe.kafka().webs());
    assertTrue(observe.kafka().isMeasured());
    assertFalse(
        new ServiceConfig.Kafka(
                observe.kafka().topics(), Map.of(), observe.kafka().webs().subList(1, 2))
            .isMeasured(),
        "only ns2 is");
    assertFalse(observe.toString().contains("SASL_SSL"), "it may have been a password");
    assertEquals(List.of(new LogGlob("/logs/*/datanode.log")), observe.clientTraceLogs());
    assertEquals(
        new ServiceConfig.Image(URI.create("http://nn1:9870"), null, Duration.ofHours(1)),
        observe.image());
    assertEquals(
        new ServiceConfig.Image(null, Path.of("/img/fsimage_1"), Duration.ofDays(1)),
        read(LEAST.replace("\nmanage:", "\n  image: {from: /img/fsimage_1, useFor: 1d}\nmanage:"))
            .observe()
            .image());
  }

  /** What the example has behind # is what holds, and can be taken as it is. */
  @Test
  void takesTheExamplesOtherSourcesAsTheyStand() throws IOException, ConfigException {
    String text =
        example(
            "kafka:",
            "  topics: [hdfs-audit]",
            "  bootstrapServers: [kafka1:9092]",
            "  group: thermocline",
            "  client: {}",
            "clientTraceLogs: []",
            "image:",
            "  from: http://namenode1:9870",
            "  useFor: 1h");
    String withoutLogs = text.replaceFirst("\n  auditLogs: .*", "");
    ServiceConfig.Observe observe = read(withoutLogs).observe();

    assertEquals(
        read(withoutLogs.replace("    group: thermocline\n", "").replace("    client: {}\n", ""))
            .observe()
            .kafka(),
        observe.kafka());
    assertEquals(
        read(withoutLogs.replace("    useFor: 1h\n", "")).observe().image(), observe.image());
    assertEquals(List.of(), observe.clientTraceLogs());
    assertEquals(1, problems(text).size(), "logs and topic of one nameservice");
  }

  @Test
  void tellsWhatIsWrongWithTheOtherSources() throws IOException {
    assertEquals(
        List.of(
            ":5:15: observe.kafka.topics expected topics like hdfs-audit or ns2:hdfs-audit, found"
                + " 'a b'",
            ":5:15: observe.kafka.topics 'a b' carries the lines of a nameservice whose logs are"
                + " among observe.auditLogs: each access would count twice",
            ":6:25: observe.kafka.bootstrapServers expected brokers like kafka1:9092, found"
                + " 'kafka1'",
            ":8:32: observe.kafka.client.sasl.mechanizm is no setting of Kafka's consumer: did you"
                + " mean sasl.mechanism?",
            ":9:21: observe.kafka.client.group.id can't be set here: it is observe.kafka.group",
            ":7:7: observe.kafka.grup is no key: did you mean observe.kafka.group?",
            ":10:20: observe.clientTraceLogs expected paths like"
                + " /var/log/datanodes/*/hadoop-hdfs-datanode.log, found '/logs/dn[1.log':"
                + " 'dn[1.log' is no glob, Missing ']",
            ":10:20: observe.clientTraceLogs expected paths like"
                + " /var/log/datanodes/*/hadoop-hdfs-datanode.log, found 'logs/*.log': it doesn't"
                + " begin with /",
            ":13:15: observe.image.useFor expected a duration like 30s, 5m or 2h, found 'long'",
            ":12:13: observe.image.from expected the web address of a NameNode like"
                + " http://nn1:9870, or the absolute path of an image, found 'nn1:9870'"),
        problems(
            LEAST.replace(
                "\nmanage:",
                """

                  #
                  kafka:
                      topics: ['a b']
                      bootstrapServers: [kafka1]
                      grup: x
                      client: {sasl.mechanizm: PLAIN,
                          group.id: x}
                  clientTraceLogs: ['/logs/dn[1.log', 'logs/*.log']
                  image:
                      from: nn1:9870
                      useFor: long
                manage:\
                """)));
    assertEquals(
        List.of(
            ":3:10: observe.kafka.topics is missing: expected what carries the audit lines, for"
                + " instance [hdfs-audit]",
            ":3:10: observe.kafka.bootstrapServers is missing: expected Kafka's brokers, for"
                + " instance [kafka1:9092]",
            ":4:10: observe.image.from is missing: expected the web address of a NameNode like"
                + " http://nn1:9870, or the path of an image"),
        problems(
            LEAST.replace("\nmanage:", "\n  kafka: {group: x}\n  image: {useFor: 1h}\nmanage:")));
    String of = "observe.kafka.nameNodeWebs ";
    List<String> webs =
        problems(
            LEAST.replace(
                "\nmanage:",
                "\n  kafka: {topics: ['ns2:t'], bootstrapServers: ['k:9092'],"
                    + " nameNodeWebs: ['http://nn1:9870', 'ns2:nn3']}\nmanage:"));
    assertEquals(2, webs.size(), webs::toString);
    assertTrue(
        webs.get(0)
            .contains(
                of
                    + "'http://nn1:9870' is of a nameservice whose lines none of the topics carries"),
        webs::toString);
    assertTrue(
        webs.get(1)
            .contains(
                of + "expected URIs like http://nn1:9870 or ns2:http://nn3:9870, found 'ns2:nn3'"),
        webs::toString);
  }
}
