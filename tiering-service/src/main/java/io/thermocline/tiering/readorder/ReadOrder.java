// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import io.thermocline.placement.model.StorageType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * How a NameNode sorts the replicas of a block for a reader, who reads from the first one. In
 * order of how many reads reach a fast copy. Stateless.
 */
public enum ReadOrder {
  /** By network distance; the order among replicas of one distance is random. HDFS's default. */
  NEAREST {
    @Override
    long key(Replica replica, int distance) {
      return distance;
    }
  },
  /** By network distance, then by HDFS's own order of storage types, in which NVDIMM is last. */
  NEAREST_THEN_TYPE {
    @Override
    long key(Replica replica, int distance) {
      return ((long) distance << 8) + HDFS_ORDER.indexOf(replica.type());
    }
  },
  /** By storage type, then by network distance: Thermocline's topology class. */
  FASTEST {
    @Override
    long key(Replica replica, int distance) {
      return ((long) -replica.type().ordinal() << 32) + distance;
    }
  };

  /** The class that sorts by {@link #FASTEST}. */
  public static final String TOPOLOGY = "io.thermocline.placement.hdfs.FastestReplicaFirstTopology";

  private static final String CLIENT_CLASS = "io.thermocline.hints.fs.HintingFileSystem";
  private static final String OWN_DISKS = "thermocline.placement.read.own-disks";
  private static final String CONSIDER_TYPE = "dfs.namenode.read.considerStorageType";
  private static final String CONSIDER_LOAD = "dfs.namenode.read.considerLoad";

  /** By what changes from one second to the next; {@link #shares} can't know it. */
  private static final List<String> UNPREDICTABLE =
      List.of(
          CONSIDER_LOAD,
          "dfs.namenode.avoid.read.stale.datanode",
          "dfs.namenode.avoid.read.slow.datanode");

  /** Of org.apache.hadoop.fs.StorageType. */
  private static final List<StorageType> HDFS_ORDER =
      List.of(
          StorageType.RAM_DISK,
          StorageType.SSD,
          StorageType.DISK,
          StorageType.ARCHIVE,
          StorageType.NVDIMM);

  private static final int SAME_RACK = 2;

  /** No rack has this name. */
  private static final String ELSEWHERE = "/\n";

  /**
   * A replica of a block.
   *
   * @param node whatever identifies its DataNode
   * @param rack network location, like /rack1 or /hall1/rack1
   */
  public record Replica(String node, String rack, StorageType type) {}

  /** The order of a NameNode with this configuration. */
  public static ReadOrder of(UnaryOperator<String> conf) {
    if (TOPOLOGY.equals(value(conf, "dfs.net.topology.impl", ""))
        && isTrue(conf, "dfs.use.dfs.network.topology", "true")) {
      return FASTEST;
    }
    // Where both are set, the load alone counts.
    return isTrue(conf, CONSIDER_TYPE, "false") && !isTrue(conf, CONSIDER_LOAD, "false")
        ? NEAREST_THEN_TYPE
        : NEAREST;
  }

  /** Keys by which a NameNode with this configuration also sorts, and {@link #shares} doesn't. */
  public static List<String> ignored(UnaryOperator<String> conf) {
    List<String> keys =
        new ArrayList<>(UNPREDICTABLE.stream().filter(key -> isTrue(conf, key, "false")).toList());
    if (of(conf) == FASTEST && !value(conf, OWN_DISKS, "0").equals("0")) {
      keys.add(OWN_DISKS);
    }
    return keys;
  }

  /** Whether clients with this configuration sort replicas themselves, by {@link #FASTEST}. */
  public static boolean isOfClients(UnaryOperator<String> conf) {
    return value(conf, "fs.hdfs.impl", "").equals(CLIENT_CLASS)
        && value(conf, "thermocline.hints.read.order", "").equalsIgnoreCase("fastest");
  }

  private static boolean isTrue(UnaryOperator<String> conf, String key, String otherwise) {
    return value(conf, key, otherwise).equalsIgnoreCase("true");
  }

  private static String value(UnaryOperator<String> conf, String key, String otherwise) {
    return Objects.requireNonNullElse(conf.apply(key), otherwise).trim();
  }

  /** Smaller comes first; replicas with the same key come in random order. */
  abstract long key(Replica replica, int distance);

  /** What readers do, as a sentence without its end. */
  public String words() {
    return switch (this) {
      case NEAREST -> "Readers take the nearest replica";
      case NEAREST_THEN_TYPE ->
          "Readers take the nearest replica, of equally near ones one on a faster type";
      case FASTEST -> "Readers take a replica on the fastest type";
    };
  }

  /**
   * The share of a block's reads that each replica serves, in the order of the replicas. The sum is 1.
   *
   * @param replicas at least one
   */
  public double[] shares(List<Replica> replicas, Readers readers) {
    double[] shares = new double[replicas.size()];
    Set<String> nodes = new HashSet<>();
    for (Replica replica : replicas) {
      double onNode = readers.on(replica.node());
      if (nodes.add(replica.node()) && onNode > 0) {
        serve(shares, replicas, replica.node(), replica.rack(), onNode);
      }
    }
    double far = 0;
    for (Map.Entry<String, Double> rack : readers.racks().entrySet()) {
      double others = rack.getValue();
      boolean holdsOne = false;
      Set<String> counted = new HashSet<>();
      for (Replica replica : replicas) {
        if (replica.rack().equals(rack.getKey())) {
          holdsOne = true;
          others -= counted.add(replica.node()) ? readers.on(replica.node()) : 0;
        }
      }
      if (holdsOne || !isFlat(rack.getKey())) {
        serve(shares, replicas, null, rack.getKey(), Math.max(0, others));
      } else {
        far += others;
      }
    }
    // From all of these racks it is as far.
    serve(shares, replicas, null, ELSEWHERE, far);
    return shares;
  }

  private void serve(
      double[] shares, List<Replica> replicas, String node, String rack, double share) {
    if (share == 0) {
      return;
    }
    long least = Long.MAX_VALUE;
    int equal = 0;
    for (Replica replica : replicas) {
      long key = key(replica, distance(replica, node, rack));
      equal = key < least ? 1 : key == least ? equal + 1 : equal;
      least = Math.min(least, key);
    }
    for (int i = 0; i < shares.length; i++) {
      Replica replica = replicas.get(i);
      if (key(replica, distance(replica, node, rack)) == least) {
        shares[i] += share / equal;
      }
    }
  }

  private static boolean isFlat(String rack) {
    return rack.lastIndexOf('/') == 0;
  }

  /** As NetworkTopology counts it: a step up or down the tree is 1. */
  private static int distance(Replica replica, String node, String rack) {
    if (replica.node().equals(node)) {
      return 0;
    }
    if (replica.rack().equals(rack)) {
      return SAME_RACK;
    }
    if (isFlat(rack) && isFlat(replica.rack())) {
      return 2 * SAME_RACK;
    }
    String[] from = rack.split("/");
    String[] to = replica.rack().split("/");
    int common = 1;
    while (common < Math.min(from.length, to.length) && from[common].equals(to[common])) {
      common++;
    }
    return from.length + to.length - 2 * common + SAME_RACK;
  }
}
