// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.chew;

import io.thermocline.tiering.decide.pools.Pool;
import io.thermocline.tiering.sim.device.DeviceSpec;
import io.thermocline.tiering.sim.device.SimDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Replays a trace on three pools, a device with one queue each, with a policy that decides at the end of each epoch. All data
 * lies in the slowest pool at first. Requests go to where a part is until its copy is complete.
 */
final class ChewReplay {
  /** Names as the shipped library has them: SCM, SSD and HDD of the paper. */
  static final List<String> POOLS = List.of("NVDIMM", "SSD", "DISK");

  /*
   * Section 3.4: a disk of 200 to 500 IOPS and 150 MB/s, a flash drive of about 10,000, memory of a million. Writes to flash
   * at twice the time of reads: the write weight of figure 3.5.
   */
  static final List<DeviceSpec> DEVICES =
      List.of(
          new DeviceSpec(5e9, 5e9, 1e-6, 1e-6, 0, 0),
          new DeviceSpec(500e6, 400e6, 1e-4, 2e-4, 0, 0),
          new DeviceSpec(150e6, 150e6, 1e-4, 1e-4, 3.2e-3, 512 << 10));

  /** The slowest pool has room for all. */
  private static final long ALL = 1L << 50;

  /** Epochs at the beginning that only teach: every policy finds all data in the slowest pool. */
  private static final int WARM_UP = 2;

  private static final double COPY_BYTES_PER_SECOND = 32 << 20;

  private final BlockTrace trace;
  private final PoolPolicy policy;
  private final List<Pool> pools;
  private final List<SimDevice> devices = DEVICES.stream().map(SimDevice::new).toList();
  private final Migration migration = new Migration(devices, COPY_BYTES_PER_SECOND);
  private final SortedMap<Long, Integer> where = new TreeMap<>();

  private ChewReplay(BlockTrace trace, PoolPolicy policy) {
    this.trace = trace;
    this.policy = policy;
    this.pools = pools(trace);
  }

  static List<Pool> pools(BlockTrace trace) {
    long[] bytes = {trace.scmBytes(), trace.ssdBytes(), ALL};
    List<Pool> pools = new ArrayList<>();
    for (int i = 0; i < bytes.length; i++) {
      DeviceSpec spec = DEVICES.get(i);
      pools.add(
          new Pool(
              POOLS.get(i),
              bytes[i],
              1 / (spec.writeLatencySeconds() + spec.seekSeconds()),
              spec.writeBytesPerSecond()));
    }
    return pools;
  }

  /**
   * What came of it.
   *
   * @param meanSeconds of all requests, waiting included
   * @param p99Seconds 99 % of requests were as fast
   * @param movedBytes copied between pools, each hop counted
   * @param requests by pool
   * @param writes of the requests, by pool
   * @param overwrittenShare of the chunks written in an epoch, mean of all epochs
   * @param epochs decisions made
   */
  record Result(
      double meanSeconds,
      double p99Seconds,
      long movedBytes,
      long[] requests,
      long[] writes,
      double overwrittenShare,
      int epochs) {}

  static Result run(BlockTrace trace, PoolPolicy policy) {
    return new ChewReplay(trace, policy).run();
  }

  private Result run() {
    long[] requests = new long[POOLS.size()];
    long[] writes = new long[POOLS.size()];
    double[] latencies = new double[trace.requests().size()];
    ExtentCounter counter = new ExtentCounter(Extents.PART);
    double epochEnd = trace.epochSeconds();
    double overwritten = 0;
    int epochs = 0;
    int served = 0;
    for (BlockRequest request : trace.requests()) {
      while (request.seconds() >= epochEnd) {
        migrateUntil(epochEnd);
        decide(counter, epochEnd);
        overwritten += policy.overwrittenShare();
        epochs++;
        counter = new ExtentCounter(Extents.PART);
        epochEnd += trace.epochSeconds();
      }
      migrateUntil(request.seconds());
      int pool = poolOf(request.offset());
      counter.count(request.write(), request.offset(), request.bytes());
      double end =
          devices
              .get(pool)
              .serve(request.seconds(), request.offset(), request.bytes(), request.write());
      if (epochs >= WARM_UP) {
        latencies[served++] = end - request.seconds();
        requests[pool]++;
        writes[pool] += request.write() ? 1 : 0;
      }
    }
    double sum = 0;
    for (double latency : latencies) {
      sum += latency;
    }
    Arrays.sort(latencies, 0, served);
    return new Result(
        sum / Math.max(1, served),
        served == 0 ? 0 : latencies[(int) (0.99 * (served - 1))],
        migration.copied(),
        requests,
        writes,
        epochs == 0 ? 0 : overwritten / epochs,
        epochs);
  }

  private int poolOf(long offset) {
    long part = offset / Extents.PART;
    Integer pool = where.get(part);
    if (pool == null) {
      long first = part / Extents.PARTS * Extents.PARTS;
      for (int i = 0; i < Extents.PARTS; i++) {
        where.put(first + i, POOLS.size() - 1);
      }
      return POOLS.size() - 1;
    }
    return pool;
  }

  private void migrateUntil(double seconds) {
    while (migration.nextAt() <= seconds) {
      Migration.Hop done = migration.step();
      if (done != null && done.arrives()) {
        where.put(done.part(), done.to());
      }
    }
  }

  private void decide(ExtentCounter counter, double seconds) {
    Epoch epoch =
        new Epoch(
            counter.accesses(),
            new TreeMap<>(where),
            pools,
            Duration.ofNanos(Math.round(trace.epochSeconds() * 1e9)));
    Map<Long, Integer> targets = policy.decide(epoch);
    List<Migration.Hop> hops = new ArrayList<>();
    // Room first: down before up, the furthest down first; then up, to the fastest pool first.
    targets.entrySet().stream()
        .filter(target -> target.getValue() > where.get(target.getKey()))
        .sorted(Comparator.comparing(target -> -target.getValue()))
        .forEach(target -> addHops(hops, target.getKey(), target.getValue()));
    targets.entrySet().stream()
        .filter(target -> target.getValue() < where.get(target.getKey()))
        .sorted(Comparator.comparing(Map.Entry::getValue))
        .forEach(target -> addHops(hops, target.getKey(), target.getValue()));
    migration.replace(hops, seconds);
  }

  private void addHops(List<Migration.Hop> hops, long part, int to) {
    int at = where.get(part);
    int step = policy.tierByTier() ? Integer.signum(to - at) : to - at;
    while (at != to) {
      hops.add(new Migration.Hop(part, at, at + step, at + step == to));
      at += step;
    }
  }
}
