// SPDX-License-Identifier: Apache-2.0
package io.thermocline.mining.spark;

import io.thermocline.tiering.app.groups.MinedReads;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ReadCounts;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Counts what is read together on a Spark cluster, and makes the groups of the counts on the driver, by the same code as one
 * machine. Counts are exact: where one machine had to forget nothing, the groups are the same.
 */
final class SparkMining {
  private final JavaSparkContext spark;
  private final ZoneId zone;
  private final int parts;

  /** What is known of one object. */
  record Counted(int reads, long readers, long firstMillis, long lastMillis, long largest, long end)
      implements Serializable {

    static Counted of(LoggedRead read) {
      return new Counted(
          1,
          CorrelationMiner.bitOf(read.reader()),
          read.millis(),
          read.millis(),
          read.bytes(),
          read.offset() + read.bytes());
    }

    Counted plus(Counted other) {
      return new Counted(
          reads + other.reads,
          readers | other.readers,
          Math.min(firstMillis, other.firstMillis),
          Math.max(lastMillis, other.lastMillis),
          Math.max(largest, other.largest),
          Math.max(end, other.end));
    }
  }

  /** The groups' counts, and how many reads there were. */
  record Mined(CorrelationMiner miner, long reads) {}

  private record Log(int number, String path) implements Serializable {}

  /** All reads of a reader into one part. */
  private static final class ByReader extends Partitioner {
    private static final long serialVersionUID = 1;
    private final HashPartitioner hash;

    private ByReader(int parts) {
      hash = new HashPartitioner(parts);
    }

    @Override
    public int numPartitions() {
      return hash.numPartitions();
    }

    @Override
    public int getPartition(Object key) {
      return hash.getPartition(((LoggedRead) key).reader());
    }
  }

  /**
   * @param parts that the reads are cut into
   */
  SparkMining(JavaSparkContext spark, ZoneId zone, int parts) {
    this.spark = spark;
    this.zone = zone;
    this.parts = parts;
  }

  private JavaRDD<Log> logs(List<String> paths) {
    List<Log> logs = new ArrayList<>();
    for (String path : paths) {
      logs.add(new Log(logs.size(), path));
    }
    return spark.parallelize(logs, logs.size());
  }

  /**
   * @param paths of logs, one task each: in HDFS (hdfs://), or files that each worker finds at that path
   */
  Mined mine(List<String> paths, MiningSettings settings) {
    String zoneId = zone.getId();
    JavaRDD<LoggedRead> reads =
        logs(paths)
            .flatMap(log -> reads(log, zoneId))
            .mapToPair(read -> new Tuple2<>(read, 0))
            .repartitionAndSortWithinPartitions(new ByReader(parts))
            .keys()
            .persist(StorageLevel.MEMORY_AND_DISK());
    Map<Long, Counted> objects =
        new HashMap<>(
            reads
                .mapToPair(read -> new Tuple2<>(read.key(), Counted.of(read)))
                .reduceByKey(Counted::plus)
                .collectAsMap());
    long windowMillis = settings.window().toMillis();
    JavaPairRDD<Meetings.Pair, Integer> together =
        reads
            .mapPartitionsToPair(
                each ->
                    tuples(
                        Meetings.of(
                            each,
                            MiningSettings.defaults().withWindow(Duration.ofMillis(windowMillis)))))
            .reduceByKey(Integer::sum)
            .persist(StorageLevel.MEMORY_AND_DISK());
    Map<Long, Integer> met =
        new HashMap<>(
            together
                .flatMapToPair(
                    pair ->
                        List.of(
                                new Tuple2<>(pair._1().first(), pair._2()),
                                new Tuple2<>(pair._1().second(), pair._2()))
                            .iterator())
                .reduceByKey(Integer::sum)
                .collectAsMap());
    Broadcast<Map<Long, Counted>> known = spark.broadcast(objects);
    int least = settings.leastTogether();
    double distance = settings.distance();
    List<Tuple2<Meetings.Pair, Integer>> close =
        together
            .filter(pair -> isClose(pair._1(), pair._2(), known.value(), least, distance))
            .collect();
    CorrelationMiner miner =
        new CorrelationMiner(settings.withMemory(Math.max(2, objects.size()), 127));
    objects.forEach(
        (key, counted) ->
            miner.load(
                key,
                new ReadCounts(
                    counted.reads(),
                    met.getOrDefault(key, 0),
                    counted.readers(),
                    counted.lastMillis(),
                    counted.largest(),
                    counted.end())));
    close.forEach(pair -> miner.load(pair._1().first(), pair._1().second(), pair._2()));
    miner.load(
        objects.values().stream().mapToLong(Counted::firstMillis).min().orElse(0),
        objects.values().stream().mapToLong(Counted::lastMillis).max().orElse(0),
        met.values().stream().mapToLong(Integer::longValue).sum() / 2);
    return new Mined(miner, reads.count());
  }

  private static <A, B> Iterator<Tuple2<A, B>> tuples(Iterator<Map.Entry<A, B>> entries) {
    List<Tuple2<A, B>> tuples = new ArrayList<>();
    entries.forEachRemaining(entry -> tuples.add(new Tuple2<>(entry.getKey(), entry.getValue())));
    return tuples.iterator();
  }

  private static boolean isClose(
      Meetings.Pair pair, int together, Map<Long, Counted> objects, int least, double distance) {
    int most = Math.max(objects.get(pair.first()).reads(), objects.get(pair.second()).reads());
    return together >= least && 1 - (double) together / most <= distance;
  }

  /** The names of these objects. */
  Map<Long, String> names(List<String> paths, Set<Long> keys) {
    String zoneId = zone.getId();
    Set<Long> wanted = new HashSet<>(keys);
    return new HashMap<>(
        logs(paths)
            .flatMapToPair(
                log -> {
                  List<Tuple2<Long, String>> names = new ArrayList<>();
                  read(log, zoneId)
                      .names()
                      .forEach(
                          (key, name) -> {
                            if (wanted.contains(key)) {
                              names.add(new Tuple2<>(key, name));
                            }
                          });
                  return names.iterator();
                })
            .reduceByKey((a, b) -> a)
            .collectAsMap());
  }

  private static Iterator<LoggedRead> reads(Log log, String zone) throws IOException {
    List<LoggedRead> reads = new ArrayList<>();
    read(log, zone)
        .inOrder(
            (key, reader, millis, offset, bytes) ->
                reads.add(
                    new LoggedRead(
                        reader, millis, log.number(), reads.size(), key, offset, bytes)));
    return reads.iterator();
  }

  /** By the same code that the service reads logs with, from a copy where the log isn't on this host. */
  private static MinedReads read(Log log, String zone) throws IOException {
    MinedReads reads = new MinedReads();
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(log.path());
    if (path.toUri().getScheme() == null || path.toUri().getScheme().equals("file")) {
      reads.add(Path.of(path.toUri().getPath()), ZoneId.of(zone));
      return reads;
    }
    Path copy = Files.createTempFile("thermocline-mine-", ".log");
    try {
      path.getFileSystem(new Configuration())
          .copyToLocalFile(false, path, new org.apache.hadoop.fs.Path(copy.toUri()), true);
      reads.add(copy, ZoneId.of(zone));
      return reads;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      Files.deleteIfExists(copy);
    }
  }
}
