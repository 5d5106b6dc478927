// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.observe.kafka.KafkaBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heat from a topic of a real broker, read by processes that are killed. */
@Tag("cluster")
class ObservingKafkaTest {

  private static final int PARTITIONS = 3;
  private static final int FILES = 500;
  private static final int LINES_A_ROUND = 3_000;
  private static final int KILLS = 2;

  @TempDir static Path temp;
  private static KafkaBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = KafkaBroker.shared();
  }

  /**
   * Each process is killed (SIGKILL) when it has read lines that its last checkpoint doesn't have; a log of another
   * nameservice is read beside.
   */
  @Test
  void killedAtAnyMomentNothingIsLostOrCountedTwice() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin.createTopics(List.of(new NewTopic("audit", PARTITIONS, (short) 1))).all().get();
      Files.writeString(temp.resolve("hdfs-audit.log"), (line(0) + "\n").repeat(100));
      int produced = 0;
      for (int kill = 0; kill < KILLS; kill++) {
        produced = produce(produced);
        Process process = observer();
        try (BufferedReader out = process.inputReader()) {
          awaitRead(out, LINES_A_ROUND / 3);
          produced = produce(produced);
          awaitRead(out, LINES_A_ROUND);
        } finally {
          process.destroyForcibly();
          assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        }
      }
      try (Observing observing = Observed.open(config())) {
        for (int i = 0; i < 200 && observing.heat().reads() < produced; i++) {
          observing.pollOnce(1 << 20);
        }
        // What would be read twice comes after.
        observing.pollOnce(1 << 20);
        assertEquals(produced, observing.heat().reads());
        for (int file = 0; file < FILES; file++) {
          assertEquals(
              (double) produced / FILES, observing.heat().of("/w/f" + file), "/w/f" + file);
        }
      }
      long committed =
          admin
              .listConsumerGroupOffsets("thermocline")
              .partitionsToOffsetAndMetadata()
              .get()
              .values()
              .stream()
              .mapToLong(offset -> offset.offset())
              .sum();
      assertEquals(produced, committed, "told to Kafka with the last checkpoint");
    }
  }

  /** Reads what the process says until it has read so many lines since its start. */
  private static void awaitRead(BufferedReader out, long lines) throws IOException {
    String said;
    long read = 0;
    while (read < lines && (said = out.readLine()) != null) {
      read = said.matches("\\d+") ? Long.parseLong(said) : read;
    }
    assertTrue(read >= lines, () -> "the process ended: see " + temp.resolve("observer.err"));
  }

  private static Process observer() throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Observed.class.getName(),
            configFile().toString())
        .redirectError(temp.resolve("observer.err").toFile())
        .start();
  }

  private static ServiceConfig config() throws Exception {
    return ServiceConfigFile.read(configFile());
  }

  private static Path configFile() throws IOException {
    return Files.writeString(
        temp.resolve("thermocline.yaml"),
        """
        observe:
          kafka:
            topics: [audit]
            bootstrapServers: ['%s']
            client: {max.poll.records: 300}
          auditLogs: ['other:%s/hdfs-audit.log']
          start: beginning
          timeZone: UTC
          openWindow: 0s
          scanFiles: 0
        heat: {halfLife: 7d, files: 10000, checkpointEvery: 50ms}
        manage: {paths: [/w]}
        journal: {directory: %s}
        """
            .formatted(broker.address(), temp, temp.resolve("journal")));
  }

  /** One open of each file in turn; how many lines there are then. */
  private static int produce(int from) throws Exception {
    broker.send(
        IntStream.range(from, from + LINES_A_ROUND)
            .mapToObj(
                i ->
                    new ProducerRecord<>(
                        "audit", i % PARTITIONS, null, line(i).getBytes(StandardCharsets.UTF_8))));
    return from + LINES_A_ROUND;
  }

  private static String line(int i) {
    return "2026-11-20 10:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=u\tip=/10.0.0.1\tcmd=open\tsrc=/w/f"
        + i % FILES
        + "\tdst=null\tperm=null\tproto=rpc";
  }
}
