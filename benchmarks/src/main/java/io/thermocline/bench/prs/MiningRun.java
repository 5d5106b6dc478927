// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * How long mining takes for a number of reads that are there already, and how much memory. 256 readers are at work at
 * once. Half of the reads are of groups of five objects that one of them reads one after the other, the rest of single
 * objects; low numbers are read more often. There are a twentieth as many objects as reads, four million at most.
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
  private static final int READERS = 256;

  static MiningRun of(long reads, long seed, LongSupplier nanos) {
    int objects = (int) Math.min(MOST_OBJECTS, Math.max(100, reads / 20));
    Generator generator = new Generator(objects, seed);
    CorrelationMiner miner = new CorrelationMiner(MiningSettings.ofBlocks());
    long[] keys = new long[(int) Math.min(reads, AT_ONCE)];
    int[] readers = new int[keys.length];
    long[] millis = new long[keys.length];
    long spent = 0;
    long cpu = 0;
    for (long done = 0; done < reads; done += keys.length) {
      int count = (int) Math.min(keys.length, reads - done);
      generator.fill(keys, readers, millis, count);
      long cpuStart = CPU.getCurrentThreadCpuTime();
      long start = nanos.getAsLong();
      for (int i = 0; i < count; i++) {
        miner.read(keys[i], readers[i], millis[i], 0, 4096);
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
    private final long[] groups = new long[READERS];
    private final int[] members = new int[READERS];
    private long micros;

    Generator(int objects, long seed) {
      this.objects = objects;
      this.random = new SplittableRandom(seed);
      Arrays.fill(members, GROUP);
    }

    void fill(long[] keys, int[] readers, long[] millis, int count) {
      for (int i = 0; i < count; i++) {
        int reader = random.nextInt(READERS);
        // About eight of one reader within 10 ms.
        micros += random.nextInt(2500 * 2 / READERS);
        if (members[reader] == GROUP && random.nextInt(6) == 0) {
          groups[reader] = skewed(objects / 2 / GROUP) * GROUP;
          members[reader] = 0;
        }
        keys[i] =
            members[reader] < GROUP
                ? groups[reader] + members[reader]++
                : objects / 2 + skewed(objects / 2);
        readers[i] = reader;
        millis[i] = micros / 1000;
      }
    }

    private long skewed(int bound) {
      double part = random.nextDouble();
      return (long) (part * part * bound);
    }
  }
}
