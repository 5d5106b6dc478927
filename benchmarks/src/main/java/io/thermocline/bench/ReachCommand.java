// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.hints.fs.ReplicaOrder;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.RackedNameNode;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.ReaderTally;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.readorder.MeasuredReads;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import io.thermocline.tiering.savings.SavingsDay;
import io.thermocline.tiering.savings.SavingsLedger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How many reads a fast copy serves: predicted, as a NameNode orders replicas, and as savings counts them.
 *
 * <p>{@code bin/thermocline bench reach}
 */
@Command(
    name = "reach",
    description = {
      "The share of reads that one copy on SSD of three serves, by read order and place of the readers: predicted"
          + " from the audit log's addresses, measured as the order in which a NameNode returns replicas, and"
          + " claimed by savings. client is the order of the hints client beside a NameNode without settings.",
      "near_gain: reads from SSD with the copy that serves the most, in relation to any copy, at the same bytes of"
          + " SSD.",
      "With --cluster, DataNodes count what they serve to clients that read: about seven minutes, 17 processes.",
      "Exit code 1 if a prediction is off by more than 0.03 or a claim by more than 0.05, or if the near copy"
          + " serves less than 1.5 times as many reads where readers are in one rack, by the NameNode's default."
    },
    mixinStandardHelpOptions = true)
final class ReachCommand implements Callable<Integer> {
  private static final int RACKS = 4;
  private static final int NODES = 4;
  private static final long BYTES = 128L << 20;
  private static final String NAMESERVICE = "ns";

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "With three replicas each (default: ${DEFAULT-VALUE}).")
  private int files = 960;

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "Of the NameNode for each file and case (default: ${DEFAULT-VALUE}).")
  private int calls = 40;

  @Option(
      names = "--cluster",
      description =
          "Measured is what DataNodes count on a cluster of processes, instead of what a NameNode returns.")
  private boolean cluster;

  /** Where readers are, by a case's name. */
  private static Map<String, List<String>> readers(Addresses addresses) {
    Map<String, List<String>> readers = new LinkedHashMap<>();
    readers.put(
        "datanodes",
        IntStream.range(0, RACKS * NODES)
            .mapToObj(node -> addresses.of(node / NODES, node % NODES))
            .toList());
    readers.put("edge", List.of("10.9.9.1", "10.9.9.2"));
    readers.put("rack", IntStream.range(0, NODES).mapToObj(node -> addresses.of(1, node)).toList());
    return readers;
  }

  /** Of DataNodes, by their numbers. */
  private interface Addresses {
    String of(int rack, int node);
  }

  /**
   * Who sorts replicas.
   *
   * @param nameNode its settings
   * @param client what it does with what the NameNode returns
   * @param believed the order that the service takes it for
   */
  private record Sorting(
      String name, ReadOrder nameNode, Consumer<LocatedBlock> client, ReadOrder believed) {

    static List<Sorting> all() {
      List<Sorting> all = new ArrayList<>();
      for (ReadOrder order : ReadOrder.values()) {
        all.add(new Sorting(order.name().toLowerCase(Locale.ROOT), order, block -> {}, order));
      }
      all.add(
          new Sorting("client", ReadOrder.NEAREST, ReplicaOrder::fastestFirst, ReadOrder.FASTEST));
      return all;
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Result result = new Result();
    for (Sorting sorting : Sorting.all()) {
      Path directory = Files.createTempDirectory("thermocline-bench-");
      try {
        if (cluster) {
          onCluster(sorting, directory, result);
        } else {
          inNameNode(sorting, directory, result);
        }
      } finally {
        delete(directory);
      }
    }
    return result.print();
  }

  private void inNameNode(Sorting sorting, Path directory, Result result) throws IOException {
    List<List<String>> layouts = layouts();
    result.report.put("files", files);
    result.report.put("calls", calls);
    try (RackedNameNode nameNode =
        RackedNameNode.start(sorting.nameNode, RACKS, NODES, directory)) {
      for (Map.Entry<String, List<String>> each : readers(RackedNameNode::address).entrySet()) {
        String name = sorting.name + "_" + each.getKey();
        Case one = new Case(nameNode, sorting, each.getValue());
        ReadShares shares = shares(sorting.believed, nameNode.places(), each.getValue());
        List<FileView> shown =
            IntStream.range(0, files).mapToObj(i -> file(i, layouts.get(i))).toList();
        double measured = one.measured(layouts, calls);
        double near =
            one.measured(shown.stream().map(file -> nearest(file, shares)).toList(), calls)
                / measured;
        result.add(name, shown, shares, measured, directory.resolve("savings-" + name));
        result.addNear(name, near);
      }
    }
  }

  /** With a tenth of the files: each is really read. */
  private void onCluster(Sorting sorting, Path directory, Result result)
      throws IOException, InterruptedException {
    int few = Math.max(1, files / 10);
    result.report.put("files", few);
    try (ReachOnCluster servers =
        ReachOnCluster.start(sorting.nameNode, sorting.name.equals("client"), few, directory)) {
      List<FileView> shown = servers.files(few);
      for (Map.Entry<String, List<String>> each : readers(ReachOnCluster::address).entrySet()) {
        String name = sorting.name + "_" + each.getKey();
        ReadShares shares = shares(sorting.believed, servers.places(), each.getValue());
        int times = calls / each.getValue().size() + 1;
        Map<StorageType, Long> served = servers.read(each.getValue(), few, times);
        double measured =
            (double) served.get(StorageType.SSD)
                / served.values().stream().mapToLong(Long::longValue).sum();
        result.add(name, shown, shares, measured, directory.resolve("savings-" + name));
      }
    }
  }

  /** The report, and how far the worst case is off. */
  private static final class Result {
    private final Map<String, Object> report = new LinkedHashMap<>();
    private double worstPrediction;
    private double worstClaim;

    /** Of the near copy, with HDFS's order and readers on one rack; NaN where it isn't measured. */
    private double nearGain = Double.NaN;

    void add(String name, List<FileView> shown, ReadShares shares, double measured, Path savings)
        throws IOException {
      double predicted = shown.stream().mapToDouble(shares::fast).average().orElse(0);
      double claimed = claimed(savings, shown, shares);
      report.put("predicted_" + name, rounded(predicted));
      report.put("measured_" + name, rounded(measured));
      report.put("claimed_" + name, rounded(claimed));
      worstPrediction = Math.max(worstPrediction, Math.abs(predicted - measured));
      worstClaim = Math.max(worstClaim, Math.abs(claimed - measured));
      System.out.printf(
          Locale.ROOT,
          "%-28s predicted %5.1f %%  measured %5.1f %%  claimed %5.1f %%%n",
          name,
          100 * predicted,
          100 * measured,
          100 * claimed);
    }

    void addNear(String name, double gain) {
      report.put("near_gain_" + name, rounded(gain));
      nearGain = name.equals("nearest_rack") ? gain : nearGain;
      System.out.printf(Locale.ROOT, "%-28s a near copy serves %.2f times%n", name, gain);
    }

    /** 0 where each goal is reached. */
    int print() {
      report.put("worst_prediction", rounded(worstPrediction));
      report.put("worst_claim", rounded(worstClaim));
      System.out.println(FlatJson.of(report));
      return worstPrediction <= 0.03 && worstClaim <= 0.05 && !(nearGain < 1.5) ? 0 : 1;
    }
  }

  private static ReadShares shares(
      ReadOrder believed, Map<String, Readers.Place> places, List<String> readers) {
    ReaderTally tally = new ReaderTally(Duration.ofDays(1).toMillis());
    readers.forEach(address -> tally.add(address, 0));
    Map<String, String> racks = new LinkedHashMap<>();
    places.forEach((node, place) -> racks.put(node, place.rack()));
    return new ReadShares(believed, Readers.of(places, tally), racks);
  }

  private static double rounded(double value) {
    return Math.round(value * 1e4) / 1e4;
  }

  /** As HDFS places three replicas, with any one of them on SSD. */
  private List<List<String>> layouts() {
    SplittableRandom random = new SplittableRandom(20261121);
    List<List<String>> layouts = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      int rack = random.nextInt(RACKS);
      int other = (rack + 1 + random.nextInt(RACKS - 1)) % RACKS;
      int second = random.nextInt(NODES);
      int third = (second + 1 + random.nextInt(NODES - 1)) % NODES;
      int fast = random.nextInt(3);
      layouts.add(
          List.of(
              RackedNameNode.address(rack, random.nextInt(NODES)) + type(fast == 0),
              RackedNameNode.address(other, second) + type(fast == 1),
              RackedNameNode.address(other, third) + type(fast == 2)));
    }
    return layouts;
  }

  private static String type(boolean isFast) {
    return isFast ? " SSD" : " DISK";
  }

  private static FileView file(int number, List<String> layout) {
    List<FileView.Replica> replicas =
        layout.stream()
            .map(one -> one.split(" "))
            .map(
                one ->
                    new FileView.Replica(
                        RackedNameNode.uuid(one[0]), "DS-" + one[0], StorageType.valueOf(one[1])))
            .toList();
    return new FileView(
        "/data/" + number,
        BYTES,
        replicas.size(),
        0,
        List.of(new FileView.Block("pool", number, 1, BYTES, replicas)));
  }

  /** The layout with the copy on SSD that would serve the most reads. */
  private static List<String> nearest(FileView file, ReadShares shares) {
    List<FileView.Replica> onDisk =
        file.blocks().get(0).replicas().stream()
            .map(each -> new FileView.Replica(each.node(), each.storageId(), StorageType.DISK))
            .toList();
    FileView.Replica best =
        onDisk.stream()
            .max(Comparator.comparingDouble(each -> shares.served(each, StorageType.SSD, onDisk)))
            .orElseThrow();
    return onDisk.stream()
        .map(each -> each.node().substring("uuid-".length()) + type(each == best))
        .toList();
  }

  /** Readers at these addresses, who ask that NameNode. */
  private record Case(RackedNameNode nameNode, Sorting sorting, List<String> readers) {

    double measured(List<List<String>> layouts, int calls) {
      double sum = 0;
      for (List<String> layout : layouts) {
        double[] first = nameNode.first(layout, readers, calls, sorting.client);
        for (int i = 0; i < first.length; i++) {
          sum += layout.get(i).endsWith("SSD") ? first[i] : 0;
        }
      }
      return sum / layouts.size();
    }
  }

  /** What savings says after ten reads of each file. */
  private static double claimed(Path directory, List<FileView> shown, ReadShares shares)
      throws IOException {
    SavingsLedger ledger =
        SavingsLedger.open(
            new SavingsLedger.Settings(
                directory,
                PathKey.nameservice(NAMESERVICE),
                Map.of(
                    StorageType.DISK, new TierSpeed(150e6, 150e6, 8e-3),
                    StorageType.SSD, new TierSpeed(500e6, 400e6, 1e-4)),
                new Stability(Duration.ofHours(1), 3, Duration.ofHours(12)),
                Duration.ofHours(1),
                ZoneOffset.UTC,
                ServiceRuntime.system().clock()));
    ledger.planned(shown, List.of(), shares, MeasuredReads.Taken.NOTHING);
    for (FileView file : shown) {
      for (int read = 0; read < 10; read++) {
        ledger.accept(
            new ReadOf(file::path, PathHashes.of(PathKey.nameservice(NAMESERVICE), file.path())));
      }
    }
    ledger.planned(shown, List.of(), shares, MeasuredReads.Taken.NOTHING);
    LocalDate today =
        LocalDate.ofInstant(ServiceRuntime.system().clock().instant(), ZoneOffset.UTC);
    Map<String, SavingsDay.Reads> served =
        SavingsLedger.files(directory).read(today).orElseThrow().served();
    double all = served.values().stream().mapToDouble(SavingsDay.Reads::reads).sum();
    return served.getOrDefault("SSD", new SavingsDay.Reads(0, 0)).reads() / all;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
