// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.kafka;

import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AccessSink;
import io.thermocline.tiering.observe.AccessSource;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.LineFeed;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic of Kafka that carries audit lines, one a record, as a stream of accesses. One thread at a time polls and takes
 * checkpoints; the counts may be read from any.
 *
 * <p>What counts is the offset in the checkpoint, which is stored with the heat. Kafka is told of it afterwards
 * ({@link #stored}), for those who watch the lag of the consumer group, and asked for it only where no checkpoint knows
 * a partition.
 */
public final class KafkaAuditSource implements AccessSource {

  /*
   * Partitions are assigned by ourselves, all of them, and not by the group: a rebalance would take away partitions
   * whose lines are in the heat already, and after a crash it would wait for the session of the one that is gone.
   *
   * With an offset goes the epoch of the leader that had the record before it. After an unclean election records may
   * have been cut off and others written at their offsets: Kafka tells by the epoch, and only if it is told of it.
   * Epochs begin anew with a topic that is made anew, and a consumer that was told of a later one than there is waits
   * for it forever. So the topic's id is saved, too, and compared first.
   */
  private static final Logger LOG = LoggerFactory.getLogger(KafkaAuditSource.class);

  /** How long to wait for an answer of the brokers, where the client's properties don't say. */
  private static final String PATIENCE_MILLIS = "30000";

  /** Of brokers, where reading goes on without the answer: a failure is shown when it lasts. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

  private static final Next ANOTHER_TOPIC =
      new Next(new OffsetAndMetadata(0), "the topic was made anew since its records were read");

  private final Topic topic;
  private final AccessSettings settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, LineFeed> feeds = new ConcurrentHashMap<>();
  private final Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
  private final SourceCheckpoint saved;
  private final Properties properties;
  private Uuid id;
  private volatile long gaps;

  /**
   * @param name of the topic
   * @param nameservice whose paths its lines name
   * @param zone of the times in the lines
   * @param start where to begin in partitions that neither a checkpoint nor the group knows
   */
  public record Topic(String name, String nameservice, ZoneId zone, LogStart start) {}

  /**
   * @param client as Kafka's consumer takes it; bootstrap.servers and group.id at least
   * @param saved where to go on
   * @throws IOException where the client's properties are wrong, no broker answers or the topic doesn't exist
   */
  public KafkaAuditSource(
      Topic topic, Properties client, AccessSettings settings, SourceCheckpoint saved)
      throws IOException {
    this.topic = topic;
    this.settings = settings;
    this.saved = saved;
    this.properties = new Properties();
    properties.putAll(client);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
    properties.putIfAbsent(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    try {
      this.consumer =
          new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    } catch (KafkaException e) {
      throw failure(e.getCause() instanceof KafkaException cause ? cause : e);
    }
    try {
      begin(
          topic.start(),
          Duration.ofMillis(
              Long.parseLong(
                  properties.get(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG).toString())));
      if (feeds.isEmpty()) {
        throw new IOException(
            "there is no topic "
                + topic.name()
                + " at "
                + client.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)
                + ", or this client may not read it");
      }
    } catch (KafkaException e) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
      throw failure(e);
    } catch (IOException e) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
      throw e;
    }
  }

  private IOException failure(KafkaException e) {
    return new IOException("reading the topic " + topic.name() + " failed: " + e.getMessage(), e);
  }

  /**
   * Begins with all partitions that there are, and that were not read yet.
   *
   * @param patience for the brokers, where they are asked what partitions there are
   */
  private void begin(LogStart start, Duration patience) {
    Set<TopicPartition> all = new HashSet<>(feeds.keySet());
    for (PartitionInfo partition : consumer.partitionsFor(topic.name(), patience)) {
      all.add(new TopicPartition(topic.name(), partition.partition()));
    }
    if (all.size() == feeds.size()) {
      return;
    }
    consumer.assign(all);
    all.removeAll(feeds.keySet());
    Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(all);
    beginAnewWhereMadeAnew();
    Set<TopicPartition> unknown = new HashSet<>();
    for (TopicPartition partition : all) {
      String position = saved.positions().byLog().get(nameOf(partition));
      if (position != null) {
        Position was = Position.parse(position);
        if (was.isOf(id)) {
          goOn(partition, was.offset());
        } else {
          goOnAfterGap(partition, ANOTHER_TOPIC);
        }
      } else if (committed.get(partition) != null) {
        goOn(partition, committed.get(partition));
      } else {
        unknown.add(partition);
      }
    }
    if (!unknown.isEmpty() && start == LogStart.END) {
      consumer.seekToEnd(unknown);
    } else if (!unknown.isEmpty()) {
      consumer.seekToBeginning(unknown);
    }
    // Kafka wants to have been told of all before it says where one stands.
    for (TopicPartition partition : unknown) {
      offsets.put(partition, new OffsetAndMetadata(position(partition)));
      feeds.put(partition, feed(partition));
    }
  }

  private long position(TopicPartition partition) {
    while (true) {
      try {
        return consumer.position(partition);
      } catch (OffsetOutOfRangeException e) {
        // It tells of others that it looked at, too, and of each once.
        goOnWhereThereIs(e);
      }
    }
  }

  private void goOn(TopicPartition partition, OffsetAndMetadata offset) {
    consumer.seek(partition, offset);
    offsets.put(partition, offset);
    feeds.computeIfAbsent(partition, this::feed);
  }

  private LineFeed feed(TopicPartition partition) {
    LineFeed feed = new LineFeed(topic.nameservice(), settings, topic.zone());
    byte[] windows = saved.windows().get(nameOf(partition));
    if (windows != null) {
      try {
        feed.restore(windows);
      } catch (IOException e) {
        LOG.warn("{}: what was remembered of it can't be read; windows begin anew", partition, e);
      }
    }
    return feed;
  }

  @Override
  public boolean poll(AccessSink sink, long maxBytes) throws IOException {
    long bytes = 0;
    try {
      boolean any = true;
      // What is in partitions that were added meanwhile is all new.
      begin(LogStart.BEGINNING, ANSWER_WITHIN);
      while (any && bytes < maxBytes) {
        ConsumerRecords<byte[], byte[]> records = records();
        any = !records.isEmpty();
        for (ConsumerRecord<byte[], byte[]> record : records) {
          bytes += take(record, sink);
        }
      }
      if (!any) {
        // The consumer says nothing of brokers that don't answer.
        consumer.endOffsets(offsets.keySet(), ANSWER_WITHIN);
      }
      return any;
    } catch (TimeoutException e) {
      throw new IOException(
          "reading the topic %s failed: no broker of %s answers: %s"
              .formatted(
                  topic.name(),
                  properties.get(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG),
                  e.getMessage()),
          e);
    } catch (KafkaException e) {
      throw failure(e);
    } finally {
      feeds.values().forEach(LineFeed::publish);
    }
  }

  private ConsumerRecords<byte[], byte[]> records() {
    try {
      return consumer.poll(Duration.ofMillis(100));
    } catch (OffsetOutOfRangeException e) {
      goOnWhereThereIs(e);
      return ConsumerRecords.empty();
    }
  }

  private void goOnWhereThereIs(OffsetOutOfRangeException e) {
    if (beginAnewWhereMadeAnew()) {
      return;
    }
    Map<TopicPartition, Long> ends = consumer.endOffsets(e.partitions());
    Map<TopicPartition, Long> begins = consumer.beginningOffsets(e.partitions());
    for (TopicPartition partition : e.partitions()) {
      goOnAfterGap(partition, next(e, partition, begins.get(partition), ends.get(partition)));
    }
  }

  /** Goes to the beginning of all that is being read where the topic is another than when this was last asked. */
  private boolean beginAnewWhereMadeAnew() {
    Uuid before = id;
    id = topicId();
    boolean isAnother = before != null && !id.equals(before);
    if (isAnother) {
      Set.copyOf(offsets.keySet()).forEach(partition -> goOnAfterGap(partition, ANOTHER_TOPIC));
    }
    return isAnother;
  }

  private void goOnAfterGap(TopicPartition partition, Next next) {
    LOG.warn(
        "{}: {}: lines may be lost, going on at offset {}",
        partition,
        next.why(),
        next.offset().offset());
    goOn(partition, next.offset());
    gaps++;
  }

  /** @param why a clause for the log */
  record Next(OffsetAndMetadata offset, String why) {}

  /** Where to go on when what comes next isn't there, or isn't what came next when it was saved. */
  static Next next(OffsetOutOfRangeException e, TopicPartition partition, long begin, long end) {
    long wanted = e.offsetOutOfRangePartitions().get(partition);
    if (e instanceof LogTruncationException cut && cut.divergentOffsets().containsKey(partition)) {
      OffsetAndMetadata others = cut.divergentOffsets().get(partition);
      return new Next(
          others.offset() < begin ? new OffsetAndMetadata(begin) : others,
          "records were cut off, and others written from offset "
              + others.offset()
              + " on, after those up to "
              + wanted
              + " had been read");
    }
    String why =
        wanted > end
            ? "it ends at " + end + ", and was read up to " + wanted
            : wanted < begin
                ? "records from " + wanted + " to " + begin + " were deleted before they were read"
                : "the leader of the records that were read up to " + wanted + " is forgotten";
    return new Next(new OffsetAndMetadata(Math.max(begin, Math.min(end, wanted))), why);
  }

  /** The consumer doesn't tell it. Asked at the start, and where something is amiss. */
  private Uuid topicId() {
    try (Admin admin = Admin.create(properties)) {
      return admin
          .describeTopics(Set.of(topic.name()))
          .allTopicNames()
          .get()
          .get(topic.name())
          .topicId();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }

  /**
   * As it is saved: "120 3 q1Rfx2JmTPOtyN2cxkXQ5A" is before offset 120, after a record of leader epoch 3 ("-" where it
   * isn't known), of the topic of that id. Checkpoints from before that have the offset alone, and go on there.
   */
  private record Position(OffsetAndMetadata offset, Uuid topic) {

    static Position parse(String text) {
      String[] parts = text.split(" ");
      Optional<Integer> epoch =
          parts.length == 1 || parts[1].equals("-")
              ? Optional.empty()
              : Optional.of(Integer.valueOf(parts[1]));
      return new Position(
          new OffsetAndMetadata(Long.parseLong(parts[0]), epoch, ""),
          parts.length == 1 ? null : Uuid.fromString(parts[2]));
    }

    boolean isOf(Uuid id) {
      return topic == null || topic.equals(id);
    }

    @Override
    public String toString() {
      return offset.offset()
          + " "
          + offset.leaderEpoch().map(String::valueOf).orElse("-")
          + " "
          + topic;
    }
  }

  /** A shipper may send several lines in one record. */
  private int take(ConsumerRecord<byte[], byte[]> record, AccessSink sink) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    byte[] value = record.value();
    if (value != null) {
      LineFeed feed = feeds.get(partition);
      int from = 0;
      for (int i = 0; i <= value.length; i++) {
        if (i == value.length && (from < i || i == 0) || i < value.length && value[i] == '\n') {
          feed.line(value, from, i, record.timestamp(), sink);
          from = i + 1;
        }
      }
    }
    offsets.put(partition, new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
    return value == null ? 0 : value.length;
  }

  @Override
  public SourceCheckpoint checkpoint() throws IOException {
    Map<String, String> positions = new HashMap<>();
    Map<String, byte[]> windows = new HashMap<>();
    for (Map.Entry<TopicPartition, OffsetAndMetadata> entry : offsets.entrySet()) {
      positions.put(nameOf(entry.getKey()), new Position(entry.getValue(), id).toString());
      windows.put(nameOf(entry.getKey()), feeds.get(entry.getKey()).windows());
    }
    return new SourceCheckpoint(new LogPositions(positions), windows);
  }

  @Override
  public void stored(SourceCheckpoint checkpoint) {
    Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
    for (TopicPartition partition : offsets.keySet()) {
      String position = checkpoint.positions().byLog().get(nameOf(partition));
      if (position != null) {
        commits.put(partition, Position.parse(position).offset());
      }
    }
    try {
      consumer.commitSync(commits, ANSWER_WITHIN);
    } catch (KafkaException e) {
      // Only the lag that others see is wrong until the next.
      LOG.warn("offsets of {} could not be committed", topic.name(), e);
    }
  }

  @Override
  public LineCounts counts() {
    return feeds.values().stream()
        .map(LineFeed::counts)
        .reduce(new LineCounts(0, 0, 0, 0, LineCounts.Opens.NONE, 0, 0, gaps), LineCounts::plus);
  }

  /** Whose paths the lines name. */
  public String nameservice() {
    return topic.nameservice();
  }

  /** Of each partition, its lines; for the thread that polls. */
  public Collection<LineFeed> feeds() {
    return feeds.values();
  }

  private String nameOf(TopicPartition partition) {
    return "kafka:" + partition.topic() + "/" + partition.partition();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
