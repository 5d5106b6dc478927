// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A broker of Kafka with its own controller (KRaft), from its published jars, in a process of its own. */
public final class KafkaBroker {

  private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";

  private static KafkaBroker shared;

  private final Path directory;
  private final String address;
  private Process process;

  private KafkaBroker(Path directory, String address) {
    this.directory = directory;
    this.address = address;
  }

  public String address() {
    return address;
  }

  /** The one that all tests of this process share, each with topics of its own; it ends with the process. */
  public static synchronized KafkaBroker shared() throws Exception {
    if (shared == null) {
      Path directory = Files.createTempDirectory("kafka");
      KafkaBroker broker = start(directory);
      shared = broker;
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    broker.close();
                    delete(directory);
                  }));
    }
    return shared;
  }

  /**
   * Has one request under way at a time. With several, one that comes before a new partition has its
   * leader lets those behind it be refused as out of order for as long as they are tried.
   */
  public KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", address, "max.in.flight.requests.per.connection", "1"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Sends all of them, and fails where one isn't taken. */
  public void send(Stream<ProducerRecord<byte[], byte[]>> records) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (Future<?> sent : records.map(producer::send).toList()) {
        sent.get();
      }
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> below = Files.walk(directory)) {
      for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One of a test's own, which closes it. */
  public static KafkaBroker start(Path directory) throws Exception {
    int client = freePort();
    int controller = freePort();
    Path settings =
        Files.writeString(
            directory.resolve("server.properties"),
            """
            process.roles=broker,controller
            node.id=1
            controller.quorum.voters=1@127.0.0.1:%2$d
            listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
            advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
            log.dirs=%3$s
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=1
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            share.coordinator.state.topic.replication.factor=1
            share.coordinator.state.topic.min.isr=1
            group.initial.rebalance.delay.ms=0
            """
                .formatted(client, controller, directory.resolve("data")));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    String[] format = {"format", "-t", CLUSTER, "-c", settings.toString()};
    if (StorageTool.execute(format, new PrintStream(said, true, StandardCharsets.UTF_8)) != 0) {
      throw new IOException(said.toString(StandardCharsets.UTF_8));
    }
    KafkaBroker broker = new KafkaBroker(directory, "127.0.0.1:" + client);
    broker.run();
    return broker;
  }

  /** Goes on with what it has, after {@link #close}. */
  void run() throws Exception {
    Path out = directory.resolve("broker.out");
    process = run(out, "kafka.Kafka", directory.resolve("server.properties").toString());
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", address, "default.api.timeout.ms", "90000"))) {
      admin.describeCluster().nodes().get(90, TimeUnit.SECONDS);
    } catch (Exception e) {
      close();
      throw new IOException(Files.readString(out), e);
    }
  }

  /** Of a topic, the only segment of a partition while it is small. */
  Path segment(String topic, int partition) {
    return directory.resolve("data/" + topic + "-" + partition + "/00000000000000000000.log");
  }

  private static Process run(Path out, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Ends it at once, as a machine that fails. */
  public void close() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
