// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe.kafka;

import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AccessSource;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.LineFeed;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.SourceCheckpoint;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topic of Kafka that carries audit lines, one a record, as a stream of accesses. One thread polls and takes
 * checkpoints; the counts may be read from any.
 *
 * <p>What counts is the offset in the checkpoint, which is stored with the heat. Kafka is told of it afterwards
 * ({@link #stored}), for those who watch the lag of the consumer group, and reads it back only for partitions that no
 * checkpoint knows. One service reads all partitions: those that Kafka takes away are forgotten, and read from their
 * checkpoint or committed offset when they come back.
 */
public final class KafkaAuditSource implements AccessSource {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaAuditSource.class);

  private final Topic topic;
  private final AccessSettings settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, LineFeed> feeds = new ConcurrentHashMap<>();
  private final Map<TopicPartition, Long> offsets = new HashMap<>();
  private final Map<String, String> storedOffsets;
  private final Map<String, byte[]> storedWindows;

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
   */
  public KafkaAuditSource(
      Topic topic, Properties client, AccessSettings settings, SourceCheckpoint saved) {
    this.topic = topic;
    this.settings = settings;
    this.storedOffsets = new HashMap<>(saved.positions().byLog());
    this.storedWindows = new HashMap<>(saved.windows());
    Properties properties = new Properties();
    properties.putAll(client);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.putIfAbsent(
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        topic.start() == LogStart.END ? "latest" : "earliest");
    this.consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.subscribe(List.of(topic.name()), new Assignment());
  }

  private final class Assignment implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      for (TopicPartition partition : partitions) {
        begin(partition);
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      for (TopicPartition partition : partitions) {
        feeds.remove(partition);
        offsets.remove(partition);
      }
    }
  }

  private void begin(TopicPartition partition) {
    LineFeed feed = new LineFeed(topic.nameservice(), settings, topic.zone());
    String offset = storedOffsets.get(nameOf(partition));
    byte[] windows = storedWindows.get(nameOf(partition));
    if (offset != null) {
      consumer.seek(partition, Long.parseLong(offset));
    }
    if (windows != null) {
      try {
        feed.restore(windows);
      } catch (IOException e) {
        LOG.warn("{}: what was remembered of it can't be read; windows begin anew", partition, e);
      }
    }
    feeds.put(partition, feed);
    offsets.put(partition, consumer.position(partition));
  }

  @Override
  public boolean poll(Consumer<? super Access> sink, long maxBytes) throws IOException {
    long bytes = 0;
    try {
      boolean any = true;
      while (any && bytes < maxBytes) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(100));
        any = !records.isEmpty();
        for (ConsumerRecord<byte[], byte[]> record : records) {
          bytes += take(record, sink);
        }
      }
      return any;
    } catch (KafkaException e) {
      throw new IOException("reading the topic " + topic.name() + " failed: " + e.getMessage(), e);
    } finally {
      feeds.values().forEach(LineFeed::publish);
    }
  }

  /** A shipper may send several lines in one record. */
  private int take(ConsumerRecord<byte[], byte[]> record, Consumer<? super Access> sink) {
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
    offsets.put(partition, record.offset() + 1);
    return value == null ? 0 : value.length;
  }

  @Override
  public SourceCheckpoint checkpoint() throws IOException {
    // Partitions that are not ours at the moment keep what is known of them.
    Map<String, String> positions = new HashMap<>(storedOffsets);
    Map<String, byte[]> windows = new HashMap<>(storedWindows);
    for (Map.Entry<TopicPartition, Long> entry : offsets.entrySet()) {
      positions.put(nameOf(entry.getKey()), Long.toString(entry.getValue()));
      windows.put(nameOf(entry.getKey()), feeds.get(entry.getKey()).windows());
    }
    return new SourceCheckpoint(new LogPositions(positions), windows);
  }

  /** A checkpoint was stored for good: from now on partitions go on from there, and Kafka is told. */
  public void stored(SourceCheckpoint checkpoint) {
    storedOffsets.putAll(checkpoint.positions().byLog());
    storedWindows.putAll(checkpoint.windows());
    Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
    for (TopicPartition partition : new ArrayList<>(offsets.keySet())) {
      String offset = checkpoint.positions().byLog().get(nameOf(partition));
      if (offset != null) {
        commits.put(partition, new OffsetAndMetadata(Long.parseLong(offset)));
      }
    }
    try {
      consumer.commitSync(commits);
    } catch (KafkaException e) {
      // Only the lag that others see is wrong until the next.
      LOG.warn("offsets of {} could not be committed", topic.name(), e);
    }
  }

  @Override
  public LineCounts counts() {
    return feeds.values().stream().map(LineFeed::counts).reduce(LineCounts.NONE, LineCounts::plus);
  }

  private String nameOf(TopicPartition partition) {
    return "kafka:" + partition.topic() + "/" + partition.partition();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
