// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * How long mining takes for a number of reads that are there already, and how much memory. Half of the reads are of
 * groups of five objects that are read one after the other, the rest of single objects; low numbers are read more
 * often. There are a twentieth as many objects as reads, four million at most.
 *
 * @param distanceNanos of counting: all that reads take
 * @param groupingNanos of making groups of the counts, once
 * @param cpuNanos that this thread had the processor, for both
 * @param bytes of memory of the tables
 */
record MiningRun(
    long reads,
    long distanceNanos,
    long groupingNanos,
    long cpuNanos,
    long bytes,
    int objects,
    int pairs,
    int pairError,
    int groups) {

  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();
  private static final int AT_ONCE = 1 << 20;
  private static final int MOST_OBJECTS = 4_000_000;
  private static final int GROUP = 5;

  static MiningRun of(long reads, long seed, LongSupplier nanos) {
    int objects = (int) Math.min(MOST_OBJECTS, Math.max(100, reads / 20));
    Generator generator = new Generator(objects, seed);
    CorrelationMiner miner = new CorrelationMiner(MiningSettings.defaults());
    long[] keys = new long[(int) Math.min(reads, AT_ONCE)];
    long[] millis = new long[keys.length];
    long spent = 0;
    long cpu = 0;
    for (long done = 0; done < reads; done += keys.length) {
      int count = (int) Math.min(keys.length, reads - done);
      generator.fill(keys, millis, count);
      long cpuStart = CPU.getCurrentThreadCpuTime();
      long start = nanos.getAsLong();
      for (int i = 0; i < count; i++) {
        miner.read(keys[i], millis[i], 0, 4096);
      }
      spent += nanos.getAsLong() - start;
      cpu += CPU.getCurrentThreadCpuTime() - cpuStart;
    }
    long cpuStart = CPU.getCurrentThreadCpuTime();
    long start = nanos.getAsLong();
    List<ObjectGroup> groups = miner.groups();
    long grouping = nanos.getAsLong() - start;
    cpu += CPU.getCurrentThreadCpuTime() - cpuStart;
    return new MiningRun(
        reads,
        spent,
        grouping,
        cpu,
        miner.memory(),
        miner.objects(),
        miner.pairs(),
        miner.pairError(),
        groups.size());
  }

  double milliseconds() {
    return (distanceNanos + groupingNanos) / 1e6;
  }

  double cpuNanosPerRead() {
    return (double) cpuNanos / reads;
  }

  private static final class Generator {
    private final int objects;
    private final SplittableRandom random;
    private long micros;
    private long group;
    private int member = GROUP;

    Generator(int objects, long seed) {
      this.objects = objects;
      this.random = new SplittableRandom(seed);
    }

    void fill(long[] keys, long[] millis, int count) {
      for (int i = 0; i < count; i++) {
        // About eight within 10 ms.
        micros += random.nextInt(2500);
        if (member == GROUP && random.nextInt(6) == 0) {
          group = skewed(objects / 2 / GROUP) * GROUP;
          member = 0;
        }
        keys[i] = member < GROUP ? group + member++ : objects / 2 + skewed(objects / 2);
        millis[i] = micros / 1000;
      }
    }

    private long skewed(int bound) {
      double part = random.nextDouble();
      return (long) (part * part * bound);
    }
  }
}
