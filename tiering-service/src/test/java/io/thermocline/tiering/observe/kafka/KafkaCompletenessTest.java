// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.CompletenessOfLines;
import io.thermocline.tiering.observe.JmxPage;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
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

/** What a real NameNode counts, against what a real broker was sent of its lines. */
@Tag("cluster")
class KafkaCompletenessTest {

  private static final String TOPIC = "hdfs-audit";
  private static final Logger AUDIT =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
  private static final int CALLS = 1_500;
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  @TempDir Path temp;
  private NameNode nameNode;
  private Shipper shipper;
  private KafkaAuditSource source;
  private CompletenessOfLines completeness;

  /** Of the measurements, moved on by the test. */
  private long millis;

  @AfterEach
  void stop() {
    AUDIT.removeAllAppenders();
    AUDIT.setLevel(Level.OFF);
    if (source != null) {
      source.close();
    }
    if (shipper != null) {
      shipper.close();
    }
    if (nameNode != null) {
      nameNode.stop();
    }
  }

  @Test
  void fallsByWhatIsLostOnTheWay() throws Exception {
    startNameNode();
    open(KafkaBroker.shared());
    Configuration conf = new Configuration();
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    URI uri = DFSUtilClient.getNNUri(nameNode.getNameNodeAddress());
    try (FileSystem client = FileSystem.get(uri, conf)) {
      for (int i = 0; i < 3; i++) {
        assertFalse(measured(10_000).isKnown(), "nothing happens");
      }
      call(client);
      Completeness whole = settled(CALLS, CALLS);
      assertEquals(1, whole.share(), whole::toString);

      shipper.dropsEveryThird = true;
      call(client);
      Completeness lossy = settled(2 * CALLS, 2 * CALLS - CALLS / 3);
      assertEquals(CALLS / 3, shipper.dropped.get());
      assertEquals(5.0 / 6, lossy.share(), 1e-9, lossy::toString);
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

  private void open(KafkaBroker broker) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, 3, (short) 1))).all().get();
    }
    shipper = new Shipper(broker.producer());
    AUDIT.setAdditivity(false);
    AUDIT.setLevel(Level.INFO);
    AUDIT.addAppender(shipper);
    Properties properties = new Properties();
    properties.put("bootstrap.servers", broker.address());
    properties.put("group.id", "thermocline");
    source =
        new KafkaAuditSource(
            new KafkaAuditSource.Topic(TOPIC, "ns", ZoneId.systemDefault(), LogStart.BEGINNING),
            properties,
            AccessSettings.defaults(AccessSettings.Ignored.nothing()),
            SourceCheckpoint.none());
    InetSocketAddress web = nameNode.getHttpAddress();
    completeness =
        new CompletenessOfLines(
            List.of(
                new JmxPage(
                    URI.create("http://" + web.getHostString() + ":" + web.getPort()),
                    new Configuration(false))));
  }

  private static void call(FileSystem client) throws Exception {
    for (int i = 0; i < CALLS; i++) {
      client.getFileStatus(new org.apache.hadoop.fs.Path("/"));
    }
  }

  /** When the NameNode's page, which is renewed now and then, and the topic have all there is. */
  private Completeness settled(long counted, long audited) throws Exception {
    shipper.producer.flush();
    long start = System.nanoTime();
    Completeness now = measured(100);
    while (now.counted() != counted || now.audited() != audited) {
      assertTrue(System.nanoTime() - start < PATIENCE_NANOS, now::toString);
      LockSupport.parkNanos(500_000_000);
      now = measured(100);
    }
    return now;
  }

  private Completeness measured(long laterMillis) throws Exception {
    while (source.poll(access -> {}, 1 << 20)) {
      continue;
    }
    millis += laterMillis;
    return completeness.measure(millis, source.feeds());
  }

  /** Sends the lines, and sometimes loses some. */
  private static final class Shipper extends AppenderSkeleton {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicInteger lines = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private volatile boolean dropsEveryThird;

    Shipper(KafkaProducer<byte[], byte[]> producer) {
      this.producer = producer;
      setLayout(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"));
    }

    @Override
    protected void append(LoggingEvent event) {
      if (dropsEveryThird && lines.incrementAndGet() % 3 == 0) {
        dropped.incrementAndGet();
        return;
      }
      byte[] line = getLayout().format(event).stripTrailing().getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(TOPIC, line));
    }

    @Override
    public void close() {
      producer.close();
    }

    @Override
    public boolean requiresLayout() {
      return true;
    }
  }
}
