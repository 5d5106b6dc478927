// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.doctor.look.ServedFile;
import io.thermocline.tiering.heat.OpenTally;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.DataNodeCounters;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.readorder.NodeDifference;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.shadow.ReadTally;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares with each plan what the model of reads expects of each DataNode with what DataNodes count. One thread plans; any may
 * tell of reads, and ask.
 */
final class ServedCheck {

  private static final Logger LOG = LoggerFactory.getLogger(ServedCheck.class);

  private final long nameservice;
  private final DataNodeCounters counters;
  private final Path directory;
  private final Clock clock;
  private final ReadTally tally = new ReadTally();

  /** Null before the first plan. */
  private NodeDifference difference;

  /** Of the plan before, whose lists these are. */
  private List<HotFile> files = List.of();

  private long[] keys = {};
  private ReadShares shares = ReadShares.fastest();
  private volatile Optional<NodeDifference.Known> last = Optional.empty();

  /**
   * @param nameservice as {@link PathKey#nameservice}
   * @param hadoop of TLS and of the login
   * @param directory where doctor finds it
   */
  ServedCheck(long nameservice, Configuration hadoop, Path directory, Clock clock) {
    this.nameservice = nameservice;
    this.directory = directory;
    this.counters = new DataNodeCounters(hadoop);
    this.clock = clock;
  }

  /** From any thread. */
  void accept(Access access) {
    tally.accept(access);
  }

  /**
   * A plan is made.
   *
   * @param shown its files as HDFS shows them
   */
  void planned(List<HotFile> shown, ClusterView cluster, ReadShares now)
      throws InterruptedException {
    long[] next = new long[shown.size()];
    for (int i = 0; i < next.length; i++) {
      next[i] = PathKey.of(nameservice, shown.get(i).file().path());
    }
    ReadTally.Taken taken = tally.take(next);
    Map<String, Map<StorageType, Double>> expected = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      OpenTally opens = taken.of(keys[i]);
      if (opens != null && opens.all() > 0) {
        expect(files.get(i).file(), opens, expected);
      }
    }
    files = shown;
    keys = next;
    shares = now;
    if (difference == null) {
      difference = new NodeDifference(cluster.blockSize());
    }
    difference.planned(expected, counters.ask(asked(cluster)), clock.instant());
    if (!difference.last().equals(last)) {
      boolean isKnown = last.flatMap(NodeDifference.Known::finding).isPresent();
      last = difference.last();
      last.ifPresent(known -> tell(known, isKnown));
    }
  }

  private void tell(NodeDifference.Known known, boolean isFindingKnown) {
    if (!isFindingKnown) {
      known.finding().ifPresent(LOG::warn);
    }
    try {
      ServedFile.write(directory, known.share(), known.until(), known.finding().orElse(""));
    } catch (IOException e) {
      LOG.warn("what DataNodes served can't be written for doctor: {}", e.toString());
    }
  }

  private void expect(
      FileView file, OpenTally opens, Map<String, Map<StorageType, Double>> expected) {
    double bytes =
        file.length()
            * HotFile.reads(file.path(), HotFile.blocks(file), file.length(), opens.opens());
    shares
        .byPlace(file)
        .forEach(
            (place, share) ->
                expected
                    .computeIfAbsent(place.node(), any -> new EnumMap<>(StorageType.class))
                    .merge(place.type(), share * bytes, Double::sum));
  }

  private static List<DataNodeCounters.Asked> asked(ClusterView cluster) {
    return cluster.nodes().values().stream()
        .filter(node -> !node.web().isEmpty())
        .map(
            node ->
                new DataNodeCounters.Asked(
                    node.uuid(),
                    node.web(),
                    node.name().substring(node.name().lastIndexOf(':') + 1)))
        .toList();
  }

  /** How far apart they are; empty before there were reads enough to tell. */
  Optional<NodeDifference.Known> last() {
    return last;
  }
}
