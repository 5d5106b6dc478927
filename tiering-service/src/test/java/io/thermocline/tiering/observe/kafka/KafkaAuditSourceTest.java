// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against a broker in a process of its own. */
@Tag("cluster")
class KafkaAuditSourceTest {

  private static final int PARTITIONS = 3;
  private static final int LINES = 30_000;

  private static KafkaBroker broker;

  private final Map<String, Integer> reads = new TreeMap<>();

  @BeforeAll
  static void start() throws Exception {
    broker = KafkaBroker.shared();
  }

  /**
   * Read in pieces, each by another consumer from the checkpoint before, while every second piece is thrown away as a crash
   * would: every line once.
   */
  @Test
  void readsEveryLineOnceAcrossCrashes() throws Exception {
    String topic = topic("crashes");
    produce(topic, 0, LINES);
    SourceCheckpoint saved = SourceCheckpoint.none();
    long lines = 0;
    for (int round = 0; lines < LINES && round < 100; round++) {
      Map<String, Integer> before = new TreeMap<>(reads);
      try (KafkaAuditSource source = source(topic, "crash-group", saved)) {
        for (int i = 0; i < 100 && source.counts().lines() <= lines; i++) {
          source.poll(this::count, 1);
        }
        if (round % 2 == 0) {
          saved = SourceCheckpoint.parse(source.checkpoint().toBytes());
          source.stored(saved);
          lines = source.counts().lines();
        } else {
          reads.clear();
          reads.putAll(before);
        }
      }
    }
    assertEquals(LINES, lines);
    assertEquals(LINES, reads.size());
    assertTrue(reads.values().stream().allMatch(count -> count == 1));
  }

  @Test
  void commitsToTheGroupOnlyWhatWasStored() throws Exception {
    String topic = topic("commits");
    produce(topic, 0, 100);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      try (KafkaAuditSource source = source(topic, "commit-group", SourceCheckpoint.none())) {
        readAll(source, 100);
        assertEquals(0, committed(admin, "commit-group", topic));
        source.stored(source.checkpoint());
        assertEquals(100, committed(admin, "commit-group", topic));
        produce(topic, 100, 150);
        readAll(source, 150);
        assertEquals(100, committed(admin, "commit-group", topic));
      }
    }
    // A service that lost its checkpoint goes on from the group's offsets.
    reads.clear();
    try (KafkaAuditSource source = source(topic, "commit-group", SourceCheckpoint.none())) {
      readAll(source, 50);
    }
    assertEquals(50, reads.size());
  }

  @Test
  void takesRecordsOfSeveralLinesAndEmptyOnes() throws Exception {
    String topic = topic("records");
    broker.send(
        Stream.of(bytes(line(1) + "\n" + line(2) + "\n"), null, bytes("garbage"), bytes(""))
            .map(value -> new ProducerRecord<>(topic, 0, null, value)));
    try (KafkaAuditSource source = source(topic, "record-group", SourceCheckpoint.none())) {
      readAll(source, 4);
      assertEquals(2, source.counts().parsed());
      assertEquals(1, source.counts().malformed());
      assertEquals(1, source.counts().ignored());
    }
    assertEquals(Set.of("/d1/f", "/d2/f"), reads.keySet());
  }

  /** What Kafka had to delete before it was read is a gap; what comes into new partitions is all read. */
  @Test
  void saysWhatIsLostAndFindsWhatIsNew() throws Exception {
    String topic = topic("kept");
    produce(topic, 0, 300);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      SourceCheckpoint saved;
      try (KafkaAuditSource source = source(topic, "kept-group", SourceCheckpoint.none())) {
        readAll(source, 300);
        saved = source.checkpoint();
      }
      produce(topic, 300, 600);
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 1), RecordsToDelete.beforeOffset(150)))
          .all()
          .get();
      reads.clear();
      try (KafkaAuditSource source = source(topic, "kept-group", saved)) {
        for (int i = 0; i < 300 && source.counts().gaps() == 0; i++) {
          source.poll(this::count, Long.MAX_VALUE);
        }
        assertEquals(1, source.counts().gaps());
        // Counts go on where they were: 300, and 50 less than 300.
        readAll(source, 550);
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(4))).all().get();
        broker.send(Stream.of(new ProducerRecord<>(topic, 3, null, bytes(line(1000)))));
        readAll(source, 551);
        saved = source.checkpoint();
      }
      assertEquals(251, reads.size());
      assertEquals(4, saved.positions().byLog().size());
    }
  }

  /** As after records were cut off: what is there was counted, and only what comes is new. */
  @Test
  void goesOnAtTheEndWhereTheSavedOffsetIsPastIt() throws Exception {
    String topic = topic("cut");
    produce(topic, 0, 300);
    SourceCheckpoint saved =
        new SourceCheckpoint(
            new LogPositions(
                Map.of("kafka:cut/0", "100", "kafka:cut/1", "5000", "kafka:cut/2", "100")),
            Map.of());
    try (KafkaAuditSource source = source(topic, "cut-group", saved)) {
      for (int i = 0; i < 300 && source.counts().gaps() == 0; i++) {
        source.poll(this::count, Long.MAX_VALUE);
      }
      assertEquals(1, source.counts().gaps());
      readAll(source, 0);
      produce(topic, 300, 360);
      readAll(source, 60);
      assertTrue(source.checkpoint().positions().byLog().get("kafka:cut/1").startsWith("120 0 "));
    }
    assertEquals(60, reads.size());
  }

  /**
   * As an unclean election leaves it: of what was read some records are gone, and others stand at their offsets and past
   * them. Told by the leader's epoch alone, to who reads on and to who comes back.
   */
  @Test
  void readsWhatWasWrittenInPlaceOfWhatWasCutOff(@TempDir Path directory) throws Exception {
    KafkaBroker own = KafkaBroker.start(directory);
    try {
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", own.address()))) {
        admin.createTopics(List.of(new NewTopic("unclean", 2, (short) 1))).all().get();
      }
      // To one partition; the other has no part in it.
      own.send(lines("unclean", 0, 100));
      Path segment = own.segment("unclean", 0);
      long kept = Files.size(segment);
      own.send(lines("unclean", 100, 150));
      try (KafkaAuditSource staying =
          source(own, topicOf("unclean"), "stay", SourceCheckpoint.none())) {
        readAll(staying, 150);
        SourceCheckpoint saved = staying.checkpoint();
        own.close();
        IOException away =
            assertThrows(IOException.class, () -> staying.poll(access -> {}, 1 << 20));
        assertTrue(away.getMessage().contains("the topic unclean failed"), away::toString);
        cut(segment, kept);
        own.run();
        own.send(lines("unclean", 1000, 1150));
        reads.clear();
        readAll(staying, 300);
        assertEquals(1, staying.counts().gaps());
        assertEquals(150, reads.size());
        reads.clear();
        try (KafkaAuditSource back = source(own, topicOf("unclean"), "back", saved)) {
          // Counts go on where they were saved.
          readAll(back, 300);
          assertEquals(1, back.counts().gaps());
          assertEquals(staying.checkpoint().positions(), back.checkpoint().positions());
        }
        assertEquals(150, reads.size());
        assertTrue(reads.values().stream().allMatch(count -> count == 1), reads::toString);
      }
    } finally {
      own.close();
    }
  }

  /** The broker makes its indexes anew. */
  private static void cut(Path segment, long kept) throws IOException {
    try (FileChannel log = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      log.truncate(kept);
    }
    try (Stream<Path> beside = Files.list(segment.getParent())) {
      for (Path index : beside.filter(path -> path.toString().endsWith("index")).toList()) {
        Files.delete(index);
      }
    }
  }

  private static Stream<ProducerRecord<byte[], byte[]>> lines(String topic, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> new ProducerRecord<>(topic, 0, null, bytes(line(i))));
  }

  /** It is read from its beginning, whether its epochs are lower or the same and whatever offset it has come to. */
  @Test
  void readsAllOfATopicThatWasMadeAnew() throws Exception {
    String topic = topic("anew");
    produce(topic, 0, 300);
    try (KafkaAuditSource staying = source(topic, "anew-stay", SourceCheckpoint.none());
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      readAll(staying, 300);
      SourceCheckpoint saved = staying.checkpoint();
      Map<String, String> later = new TreeMap<>(saved.positions().byLog());
      later.replaceAll((log, position) -> position.replace("100 0 ", "50 7 "));
      assertNotEquals(saved.positions().byLog(), later);
      admin.deleteTopics(List.of(topic)).all().get();
      topic(topic);
      produce(topic, 1000, 1120);
      reads.clear();
      readAll(staying, 420);
      assertEquals(3, staying.counts().gaps());
      for (SourceCheckpoint old :
          List.of(saved, new SourceCheckpoint(new LogPositions(later), Map.of()))) {
        try (KafkaAuditSource back = source(topic, "anew-back", old)) {
          readAll(back, old.windows().isEmpty() ? 120 : 420);
          assertEquals(3, back.counts().gaps());
          assertEquals(staying.checkpoint().positions(), back.checkpoint().positions());
          back.stored(back.checkpoint());
        }
      }
      assertEquals(120, reads.size());
      assertTrue(reads.values().stream().allMatch(count -> count == 3), reads::toString);
      // The group has the epochs, too, but no id; and Kafka forgets it with the topic.
      try (KafkaAuditSource of = source(topic, "anew-back", SourceCheckpoint.none())) {
        assertEquals(staying.checkpoint().positions(), of.checkpoint().positions());
      }
    }
  }

  @Test
  void saysWhereToGoOnAndWhy() {
    TopicPartition partition = new TopicPartition("t", 0);
    Map<TopicPartition, Long> wanted = Map.of(partition, 500L);
    OffsetAndMetadata others = new OffsetAndMetadata(450, Optional.of(7), "");
    OffsetOutOfRangeException cut = new LogTruncationException(wanted, Map.of(partition, others));
    KafkaAuditSource.Next next = KafkaAuditSource.next(cut, partition, 100, 900);
    assertEquals(others, next.offset());
    assertEquals(
        "records were cut off, and others written from offset 450 on, after those up to 500 had been read",
        next.why());
    assertEquals(460, KafkaAuditSource.next(cut, partition, 460, 900).offset().offset(), "deleted");
    OffsetOutOfRangeException noEpoch = new OffsetOutOfRangeException(wanted);
    next = KafkaAuditSource.next(noEpoch, partition, 100, 480);
    assertEquals(480, next.offset().offset());
    assertEquals("it ends at 480, and was read up to 500", next.why());
    next = KafkaAuditSource.next(noEpoch, partition, 600, 900);
    assertEquals(600, next.offset().offset());
    assertEquals("records from 500 to 600 were deleted before they were read", next.why());
    next = KafkaAuditSource.next(new LogTruncationException(wanted, Map.of()), partition, 100, 900);
    assertEquals(500, next.offset().offset());
    assertEquals("the leader of the records that were read up to 500 is forgotten", next.why());
  }

  @Test
  void beginsAtTheEndWhereToldAndGoesOnFromThere() throws Exception {
    String topic = topic("end");
    produce(topic, 0, 30);
    SourceCheckpoint saved;
    try (KafkaAuditSource source = source(topic, LogStart.END, SourceCheckpoint.none())) {
      readAll(source, 0);
      saved = source.checkpoint();
    }
    produce(topic, 30, 60);
    try (KafkaAuditSource source = source(topic, LogStart.END, saved)) {
      readAll(source, 30);
    }
    assertTrue(reads.containsKey("/d30/f"), reads.toString());
  }

  @Test
  void saysWhichTopicOrBrokerIsNotThere() throws Exception {
    IOException missing =
        assertThrows(
            IOException.class, () -> source("no-such-topic", "g", SourceCheckpoint.none()));
    assertTrue(missing.getMessage().contains("there is no topic no-such-topic at 127.0.0.1"));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      assertFalse(admin.listTopics().names().get().contains("no-such-topic"), "it was made");
    }
    Properties nobody = new Properties();
    nobody.put("bootstrap.servers", "127.0.0.1:1");
    nobody.put("group.id", "g");
    nobody.put("default.api.timeout.ms", "1000");
    nobody.put("request.timeout.ms", "500");
    IOException down =
        assertThrows(
            IOException.class,
            () ->
                new KafkaAuditSource(
                    new KafkaAuditSource.Topic("t", "ns", ZoneOffset.UTC, LogStart.END),
                    nobody,
                    AccessSettings.defaults(AccessSettings.Ignored.nothing()),
                    SourceCheckpoint.none()));
    assertTrue(down.getMessage().startsWith("reading the topic t failed: "), down.getMessage());
    nobody.put("security.protocol", "SSLL");
    IOException wrong =
        assertThrows(
            IOException.class,
            () ->
                new KafkaAuditSource(
                    new KafkaAuditSource.Topic("t", "ns", ZoneOffset.UTC, LogStart.END),
                    nobody,
                    AccessSettings.defaults(AccessSettings.Ignored.nothing()),
                    SourceCheckpoint.none()));
    assertTrue(wrong.getMessage().contains("SSLL"), wrong.getMessage());
  }

  private static long committed(Admin admin, String group, String topic) throws Exception {
    return admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .entrySet()
        .stream()
        .filter(entry -> entry.getKey().topic().equals(topic))
        .mapToLong(entry -> entry.getValue().offset())
        .sum();
  }

  private void readAll(KafkaAuditSource source, long lines) throws IOException {
    for (int i = 0; i < 300 && source.counts().lines() < lines; i++) {
      source.poll(this::count, Long.MAX_VALUE);
    }
    source.poll(this::count, Long.MAX_VALUE);
    assertEquals(lines, source.counts().lines());
  }

  private void count(Access access) {
    reads.merge(access.path(), 1, Integer::sum);
  }

  private static KafkaAuditSource source(String topic, LogStart start, SourceCheckpoint saved)
      throws IOException {
    return source(new KafkaAuditSource.Topic(topic, "ns", ZoneOffset.UTC, start), topic, saved);
  }

  private static KafkaAuditSource source(String topic, String group, SourceCheckpoint saved)
      throws IOException {
    return source(topicOf(topic), group, saved);
  }

  private static KafkaAuditSource.Topic topicOf(String name) {
    return new KafkaAuditSource.Topic(name, "ns", ZoneOffset.UTC, LogStart.BEGINNING);
  }

  private static KafkaAuditSource source(
      KafkaAuditSource.Topic topic, String group, SourceCheckpoint saved) throws IOException {
    return source(broker, topic, group, saved);
  }

  private static KafkaAuditSource source(
      KafkaBroker at, KafkaAuditSource.Topic topic, String group, SourceCheckpoint saved)
      throws IOException {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", at.address());
    properties.put("group.id", group);
    properties.put("max.poll.records", "2000");
    // A partition that is added while a test reads is found soon.
    properties.put("metadata.max.age.ms", "1000");
    return new KafkaAuditSource(
        topic, properties, AccessSettings.defaults(AccessSettings.Ignored.nothing()), saved);
  }

  private static String topic(String name) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.address()))) {
      admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1))).all().get();
    }
    return name;
  }

  private static void produce(String topic, int from, int to) throws Exception {
    broker.send(
        IntStream.range(from, to)
            .mapToObj(i -> new ProducerRecord<>(topic, i % PARTITIONS, null, bytes(line(i)))));
  }

  private static String line(int i) {
    return "2026-11-20 10:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=u"
        + i
        + "\tip=/10.0.0.1\tcmd=open\tsrc=/d"
        + i
        + "/f\tdst=null\tperm=null\tproto=rpc";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
