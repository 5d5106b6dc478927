// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.observe.kafka.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sends lines of a real NameNode to a real broker ends, and then the broker does, while clients read a little. */
@Tag("cluster")
class DeadKafkaTest {

  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Logger AUDIT =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

  @TempDir Path temp;
  private KafkaBroker broker;
  private NameNode nameNode;
  private Shipper shipper;
  private final ScheduledExecutorService polling = Executors.newSingleThreadScheduledExecutor();

  @AfterEach
  void stop() {
    polling.shutdownNow();
    AUDIT.removeAllAppenders();
    AUDIT.setLevel(Level.OFF);
    if (shipper != null) {
      shipper.close();
    }
    if (nameNode != null) {
      nameNode.stop();
    }
    if (broker != null) {
      broker.close();
    }
  }

  @Test
  void isShownWithinTenSeconds() throws Exception {
    broker = KafkaBroker.start(Files.createDirectory(temp.resolve("broker")));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin.createTopics(List.of(new NewTopic("audit", 1, (short) 1))).all().get();
    }
    startNameNode();
    shipper = new Shipper(broker.producer());
    AUDIT.setAdditivity(false);
    AUDIT.setLevel(Level.INFO);
    AUDIT.addAppender(shipper);
    Configuration conf = new Configuration();
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    try (FileSystem client =
            FileSystem.get(DFSUtilClient.getNNUri(nameNode.getNameNodeAddress()), conf);
        Observing observing = Observed.open(ServiceConfigFile.read(config()))) {
      // As the service does.
      polling.scheduleWithFixedDelay(observing::pollAndLog, 0, 1, TimeUnit.SECONDS);
      for (int i = 0; i < 15; i++) {
        assertEquals(Optional.empty(), look(observing, client), "lines come");
      }

      shipper.isDead = true;
      Duration mute = until(observing, client, why -> why.contains("no line came of "));
      shipper.isDead = false;
      until(observing, client, String::isEmpty);

      // Else the NameNode waits with it.
      shipper.isDead = true;
      broker.close();
      Duration gone = until(observing, client, why -> why.contains("no broker of "));
      System.out.printf(
          "a dead shipper was shown after %.1f s, a dead broker after %.1f s%n",
          mute.toMillis() / 1000.0, gone.toMillis() / 1000.0);
      assertTrue(mute.compareTo(BOUND) <= 0, mute::toString);
      assertTrue(gone.compareTo(BOUND) <= 0, gone::toString);
    }
  }

  /** A client asks for one file each second. */
  private static Optional<String> look(Observing observing, FileSystem client) throws Exception {
    client.getFileStatus(new org.apache.hadoop.fs.Path("/"));
    LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
    return observing.objection();
  }

  private static Duration until(Observing observing, FileSystem client, Predicate<String> shown)
      throws Exception {
    long began = System.nanoTime();
    while (true) {
      String why = look(observing, client).orElse("");
      Duration took = Duration.ofNanos(System.nanoTime() - began);
      if (shown.test(why)) {
        return took;
      }
      assertTrue(took.compareTo(PATIENCE) < 0, () -> "after " + took + ": " + why);
    }
  }

  private void startNameNode() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set(CommonConfigurationKeysPublic.FS_DEFAULT_NAME_KEY, "hdfs://127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, temp.resolve("name").toUri().toString());
    // Else the sources of metrics of the one that formats are in the way.
    DefaultMetricsSystem.setMiniClusterMode(true);
    NameNode.format(conf);
    nameNode = NameNode.createNameNode(new String[0], conf);
  }

  private Path config() throws Exception {
    return Files.writeString(
        temp.resolve("thermocline.yaml"),
        """
        observe:
          kafka:
            topics: [audit]
            bootstrapServers: ['%s']
            nameNodeWebs: ['http://127.0.0.1:%d']
          start: end
        heat: {halfLife: 7d, files: 10000}
        manage: {paths: [/w]}
        journal: {directory: %s}
        """
            .formatted(
                broker.address(), nameNode.getHttpAddress().getPort(), temp.resolve("journal")));
  }

  /** Sends the lines until it is dead. */
  private static final class Shipper extends AppenderSkeleton {
    private final KafkaProducer<byte[], byte[]> producer;
    private volatile boolean isDead;

    Shipper(KafkaProducer<byte[], byte[]> producer) {
      this.producer = producer;
      setLayout(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"));
    }

    @Override
    protected void append(LoggingEvent event) {
      if (!isDead) {
        byte[] line = getLayout().format(event).stripTrailing().getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>("audit", line));
      }
    }

    @Override
    public void close() {
      producer.close(Duration.ZERO);
    }

    @Override
    public boolean requiresLayout() {
      return true;
    }
  }
}
