// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.hdfs.PlacementCounters;
import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BenchDatanode;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One placement of three replicas, storage policy HOT, as a NameNode asks for it: our policy and
 * Hadoop's default in the same run. Nodes of four storages (two DISK, SSD, ARCHIVE), twenty to a rack.
 *
 * <p>{@code bin/thermocline bench namenode}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NameNodePlacementBenchmark {
  private static final long BLOCK = 128L << 20;
  private static final long CAPACITY = 4L << 40;
  private static final int NODES_PER_RACK = 20;
  private static final int REPLICAS = 3;

  /** The policies that are compared. */
  public enum Policy {
    OURS(ThermoclinePlacementPolicy::new),
    DEFAULT(StockPolicy::new);

    private final Supplier<BlockPlacementPolicyDefault> maker;

    Policy(Supplier<BlockPlacementPolicyDefault> maker) {
      this.maker = maker;
    }
  }

  @Param({"OURS", "DEFAULT"})
  public Policy policy;

  @Param({"100", "1000"})
  public int nodes;

  private BlockPlacementPolicyDefault placement;
  private BlockStoragePolicy hot;

  @Setup
  public void start() {
    Configuration conf = new Configuration(false);
    DFSNetworkTopology topology = DFSNetworkTopology.getInstance(conf);
    for (int node = 0; node < nodes; node++) {
      topology.add(
          BenchDatanode.of(
              node,
              "/rack" + node / NODES_PER_RACK,
              CAPACITY,
              StorageType.DISK,
              StorageType.DISK,
              StorageType.SSD,
              StorageType.ARCHIVE));
    }
    placement = policy.maker.get();
    placement.initialize(conf, new IdleCluster(), topology, null);
    hot = BlockStoragePolicySuite.createDefaultSuite().getPolicy("HOT");
    // Ours has no number line until its first refresh, and would measure the stock policy.
    for (int tries = 0; !placesByItself(); tries++) {
      if (tries > 1000) {
        throw new IllegalStateException("no number line after ten seconds");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  @Benchmark
  public DatanodeStorageInfo[] choose() {
    DatanodeStorageInfo[] targets =
        placement.chooseTarget(
            "/file",
            REPLICAS,
            null,
            new ArrayList<>(),
            false,
            new HashSet<>(),
            BLOCK,
            hot,
            EnumSet.noneOf(AddBlockFlag.class));
    if (targets.length != REPLICAS) {
      throw new IllegalStateException("got " + targets.length + " replicas");
    }
    return targets;
  }

  /** So that no figure of ours is the stock policy's, which stands behind it. */
  @TearDown
  public void check() {
    if (placement instanceof ThermoclinePlacementPolicy ours) {
      PlacementCounters counters = ours.counters();
      long placed = counters.get(PlacementCounters.Event.PLACED);
      long missed = counters.get(PlacementCounters.Event.NO_CANDIDATE);
      if (missed * 100 > placed || counters.get(PlacementCounters.Event.PLACEMENT_FAILED) > 0) {
        throw new IllegalStateException("the stock policy helped out too often: " + counters);
      }
    }
  }

  private boolean placesByItself() {
    choose();
    return !(placement instanceof ThermoclinePlacementPolicy ours)
        || ours.counters().get(PlacementCounters.Event.PLACED) > 0;
  }

  /** Hadoop's own, whose constructor is protected. */
  private static final class StockPolicy extends BlockPlacementPolicyDefault {}
}
