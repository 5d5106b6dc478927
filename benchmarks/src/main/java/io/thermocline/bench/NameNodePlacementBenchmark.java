// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import io.thermocline.placement.hdfs.PlacementCounters;
import io.thermocline.placement.hdfs.ThermoclinePlacementPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.net.Node;
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
 * One placement of three replicas inside a real NameNode, for a client that is no DataNode. The caller's
 * collections are made anew for each call, as the NameNode does.
 *
 * <p>{@code bin/thermocline bench namenode}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NameNodePlacementBenchmark {
  private static final long BLOCK = 128L << 20;
  private static final int REPLICAS = 3;
  private static final EnumSet<AddBlockFlag> NO_FLAGS = EnumSet.noneOf(AddBlockFlag.class);

  /** One a process: the cells of a NameNode share it. */
  private static IdleNameNode nameNode;

  @Param({"OURS", "DEFAULT", "AVAILABLESPACE"})
  public String policy;

  @Param({"100", "1000", "4000"})
  public int nodes;

  @Param({"HOT", "ONE_SSD", "WARM", "ALL_SSD"})
  public String storagePolicy;

  @Param({"OUTSIDE", "NODES"})
  public String writers;

  /** Whose turn it is to write. */
  @State(Scope.Thread)
  public static class Turn {
    private int next;
  }

  private final Turn ofChecks = new Turn();
  private BlockPlacementPolicy placement;
  private Node[] nodesThatWrite;
  private BlockStoragePolicy types;
  private long answered;

  @Setup
  public void start() throws IOException {
    if (nameNode == null) {
      nameNode = IdleNameNode.start(IdleNameNode.Policy.valueOf(policy), nodes);
    }
    placement = nameNode.policy();
    nodesThatWrite = new Node[writers.equals("NODES") ? nodes : 1];
    for (int i = 0; i < nodesThatWrite.length && writers.equals("NODES"); i++) {
      nodesThatWrite[i] = nameNode.node(i);
    }
    types = BlockStoragePolicySuite.createDefaultSuite().getPolicy(storagePolicy);
    // Ours has no snapshot of all nodes until its next refresh, and would measure the stock policy.
    if (placement instanceof ThermoclinePlacementPolicy) {
      LockSupport.parkNanos(
          TimeUnit.MILLISECONDS.toNanos(ThermoclinePlacementPolicy.REFRESH_DEFAULT + 200));
    }
    for (int tries = 0; !placesByItself(); tries++) {
      if (tries > 1000) {
        throw new IllegalStateException("no answer from a snapshot after ten seconds");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    answered = answered();
  }

  @Benchmark
  public DatanodeStorageInfo[] choose(Turn turn) {
    turn.next = turn.next + 1 < nodesThatWrite.length ? turn.next + 1 : 0;
    DatanodeStorageInfo[] targets =
        placement.chooseTarget(
            "/file",
            REPLICAS,
            nodesThatWrite[turn.next],
            new ArrayList<>(REPLICAS),
            false,
            new HashSet<>(),
            BLOCK,
            types,
            NO_FLAGS);
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
      long missed = counters.get(PlacementCounters.Event.NO_CANDIDATE);
      if (missed * 1000 > answered() - answered
          || counters.get(PlacementCounters.Event.PLACEMENT_FAILED) > 0) {
        throw new IllegalStateException("the stock policy helped out too often: " + counters);
      }
    }
  }

  private boolean placesByItself() {
    long before = answered();
    choose(ofChecks);
    return !(placement instanceof ThermoclinePlacementPolicy) || answered() > before;
  }

  private long answered() {
    return placement instanceof ThermoclinePlacementPolicy ours
        ? ours.counters().get(PlacementCounters.Event.ANSWERED)
        : 0;
  }
}
