// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import io.thermocline.placement.choice.CandidateSets;
import io.thermocline.placement.choice.ChoiceEngine;
import io.thermocline.placement.choice.ChoicePolicy;
import io.thermocline.placement.choice.SaltedCandidates;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/**
 * The write experiment of CHOICE section 5.1 as a queueing model: clients that each write one block after
 * the other, a replica on a disk of each of three servers, one queue a disk, a block being written when all
 * its replicas are. Times in seconds. Used by one thread, for one run.
 */
final class WriteLoop {
  // A disk serves in order, so the end of a request is known when it comes: it is the end of the
  // one before, or now, and its own time on top. So the only events are clients that have finished.

  static final int SERVERS = 3;
  static final int DISKS_OF_SERVER = 15;
  static final int DISKS = SERVERS * DISKS_OF_SERVER;
  static final int CLIENTS = 80;
  static final double BLOCK_MB = 4;

  /** 100 MB/s a disk, and each block is written twice: the journal is on the same disk. */
  static final double MEAN_SERVICE = 2 * BLOCK_MB / 100;

  /** Of the logarithm of a service time: chosen so that one candidate gives the published 401.7 MB/s. */
  static final double SERVICE_SPREAD = 1.31;

  private static final int WARM_UP = 4_000;

  private final SplittableRandom random;
  private final double[] freeAt = new double[DISKS];

  WriteLoop(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /**
   * Writes of new blocks, each placed as it is written.
   *
   * @param placed gets the disks of each block
   */
  Outcome place(ChoicePolicy policy, int choices, ServerReports reports, List<int[]> placed) {
    ChoiceEngine engine = new ChoiceEngine(policy);
    CandidateSets sets = new CandidateSets(choices, SERVERS);
    return run(
        now -> {
          SaltedCandidates.fill(random.nextLong(), WriteLoop::oneDiskOfEachServer, sets);
          reports.at(now);
          int[] disks = sets.set(engine.best(sets, reports));
          placed.add(disks);
          return serve(disks, now, reports);
        });
  }

  /** Writes of blocks that were placed before, each as likely. */
  Outcome rewrite(List<int[]> placed) {
    ServerReports nobody = new ServerReports(1, 0);
    return run(now -> serve(placed.get(random.nextInt(placed.size())), now, nobody));
  }

  /** Runs the clients; {@code write} says when a write that begins at a time ends. */
  private Outcome run(DoubleUnaryOperator write) {
    int writes = ChoiceControls.WRITES;
    PriorityQueue<Double> clients = new PriorityQueue<>();
    for (int client = 0; client < CLIENTS; client++) {
      clients.add(random.nextDouble() * MEAN_SERVICE);
    }
    double began = 0;
    double latencies = 0;
    for (int i = 0; i < WARM_UP + writes; i++) {
      double now = clients.remove();
      if (i == WARM_UP) {
        began = now;
        latencies = 0;
      }
      double written = write.applyAsDouble(now);
      latencies += written - now;
      clients.add(written);
    }
    return new Outcome(writes * BLOCK_MB / (clients.remove() - began), 1000 * latencies / writes);
  }

  private double serve(int[] disks, double now, ServerReports reports) {
    double written = now;
    for (int disk : disks) {
      double service =
          MEAN_SERVICE
              * StrictMath.exp(SERVICE_SPREAD * normal() - SERVICE_SPREAD * SERVICE_SPREAD / 2);
      freeAt[disk] = Math.max(now, freeAt[disk]) + service;
      reports.written(disk, freeAt[disk], freeAt[disk] - now);
      written = Math.max(written, freeAt[disk]);
    }
    return written;
  }

  /** By Box and Muller; strict, so that every machine and JDK has the same. */
  private double normal() {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - random.nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * random.nextDouble());
  }

  /** The failure domain is the server, which is Ceph's default. */
  private static int oneDiskOfEachServer(long key, int[] devices, int from, int to) {
    SplittableRandom draw = new SplittableRandom(key);
    int first = draw.nextInt(SERVERS);
    for (int replica = 0; replica < SERVERS; replica++) {
      int server = (first + replica) % SERVERS;
      devices[from + replica] = server * DISKS_OF_SERVER + draw.nextInt(DISKS_OF_SERVER);
    }
    return SERVERS;
  }

  record Outcome(double mbPerSecond, double latencyMillis) {}
}
