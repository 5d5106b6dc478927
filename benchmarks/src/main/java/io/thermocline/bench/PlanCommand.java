// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import com.sun.management.OperatingSystemMXBean;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.ExpectedReads;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LearnedThresholds;
import io.thermocline.tiering.decide.Promotion;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.Survey;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.decide.Written;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import io.thermocline.tiering.process.Seams;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A plan for a generated namespace: one pass over all its files, then decisions and moves.
 *
 * <p>{@code bin/thermocline bench plan}
 */
@Command(
    name = "plan",
    description = {
      "A plan for 100 million generated files: a pass over all of them with the hotness table asked for each,"
          + " thresholds learned, candidates decided upon, moves planned. docs/planning.md describes it.",
      "Generating the files is within the time; filling the hotness table, and where the copies of candidates"
          + " lie, are not."
    },
    mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
  private static final LongSupplier NANOS = Seams.system().nanos();
  private static final int BATCH = 256;
  private static final Duration HALF_LIFE = Duration.ofHours(6);

  @Option(names = "--quick", description = "A million files, for a first impression.")
  private boolean quick;

  @Option(names = "--files", paramLabel = "N", description = "How many (default: 100000000).")
  private long files;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "That make the pass (default: ${DEFAULT-VALUE}).")
  private int threads = 2;

  @Option(
      names = "--candidates",
      paramLabel = "N",
      description = "Kept of each storage type at either end (default: ${DEFAULT-VALUE}).")
  private int candidates = 5_000;

  @Override
  public Integer call() throws InterruptedException, ExecutionException {
    long count = files > 0 ? files : quick ? 1_000_000 : 100_000_000;
    System.out.println("filling the hotness table ...");
    Heat heat = new Heat(HeatSettings.forFiles(HALF_LIFE, Math.max(1000, count / 20)), "ns");
    GeneratedFiles.read(heat, count);
    ClusterView cluster = GeneratedFiles.cluster(count);
    NumberLines lines = NumberLines.empty().update(cluster, Map.of());
    System.gc();
    long live = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
    System.out.println("planning for " + count + " files ...");

    double cpuStart = cpuSeconds();
    long start = NANOS.getAsLong();
    Survey<Long> survey = survey(count, heat);
    long surveyed = NANOS.getAsLong();
    double cpuSurveyed = cpuSeconds();
    List<HotFile> hot = new ArrayList<>();
    for (long number : survey.candidates().stream().distinct().toList()) {
      hot.add(GeneratedFiles.hotFile(number, heat));
    }
    long located = NANOS.getAsLong();
    double cpuLocated = cpuSeconds();
    Map<StorageType, TierLimits> limits =
        Map.of(
            StorageType.SSD, new TierLimits(0.8, 0.9, 2),
            StorageType.DISK, new TierLimits(0.75, 0.85, 1),
            StorageType.ARCHIVE, new TierLimits(0.85, 0.9, 0));
    ClusterView.Occupancy ssd = cluster.occupancy().get(StorageType.SSD);
    long others = Math.max(0, ssd.used() - survey.bytesLedBy(StorageType.SSD));
    LearnedThresholds thresholds =
        LearnedThresholds.none()
            .next(
                survey.distribution(),
                Map.of(StorageType.SSD, Math.max(0, (long) (0.8 * ssd.capacity()) - others)));
    TierDecider decider =
        new TierDecider(new Tiering(limits, 0.2, Promotion.ONE_COPY, Written.BY_POLICY, gate()));
    List<Decision> decisions =
        decider.decide(
            hot, new Situation(cluster, thresholds.heats(), List.of(), path -> Hold.NONE));
    long decided = NANOS.getAsLong();
    Plan plan = new Planner(new Budget(1000, 100L << 30, 0.95)).plan(1, decisions, cluster, lines);
    long planned = NANOS.getAsLong();
    double cpuPlanned = cpuSeconds();

    Map<String, Object> report = new TreeMap<>();
    report.put("benchmark", "plan");
    report.put("files", survey.files());
    report.put("threads", threads);
    report.put("candidates", hot.size());
    report.put("decisions", decisions.size());
    report.put("moves", plan.moves().size());
    report.put("seconds", round(seconds(start, surveyed) + seconds(located, planned)));
    report.put("survey_seconds", seconds(start, surveyed));
    report.put("survey_cpu_seconds", round(cpuSurveyed - cpuStart));
    report.put("decide_and_plan_cpu_seconds", round(cpuPlanned - cpuLocated));
    report.put("locate_seconds", seconds(surveyed, located));
    report.put("decide_seconds", seconds(located, decided));
    report.put("plan_seconds", seconds(decided, planned));
    report.put("live_heap_bytes_before", live);
    report.put(
        "peak_heap_bytes",
        heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum());
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
    return 0;
  }

  private Survey<Long> survey(long count, Heat heat)
      throws InterruptedException, ExecutionException {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Survey<Long>>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        long from = count * i / threads;
        long to = count * (i + 1) / threads;
        boolean tells = i == 0;
        parts.add(pool.submit(() -> pass(from, to, heat, tells)));
      }
      Survey<Long> whole = new Survey<>(candidates);
      for (Future<Survey<Long>> part : parts) {
        whole.merge(part.get());
      }
      return whole;
    } finally {
      pool.shutdownNow();
    }
  }

  private Survey<Long> pass(long from, long to, Heat heat, boolean tells) {
    Survey<Long> survey = new Survey<>(candidates);
    GeneratedFiles file = new GeneratedFiles(heat.nameservice());
    long start = NANOS.getAsLong();
    long said = start;
    long[] keys = new long[BATCH];
    double[] reads = new double[BATCH];
    GeneratedFiles again = new GeneratedFiles(heat.nameservice());
    for (long batch = from; batch < to; batch += BATCH) {
      int size = (int) Math.min(BATCH, to - batch);
      for (int i = 0; i < size; i++) {
        file.show(batch + i);
        keys[i] = file.key();
      }
      // One after the other, so that the processor waits for many of them at once.
      for (int i = 0; i < size; i++) {
        reads[i] = heat.ofKey(keys[i]);
      }
      for (int i = 0; i < size; i++) {
        again.recall(batch + i, keys[i]);
        survey.add(again, reads[i]);
      }
      long now = NANOS.getAsLong();
      if (tells && now - said > 1_000_000_000L) {
        said = now;
        double share = (double) (batch + size - from) / (to - from);
        System.out.printf(
            "surveyed %.0f %%, %.0f s left%n", 100 * share, (now - start) / 1e9 * (1 / share - 1));
      }
    }
    return survey;
  }

  private static Gate gate() {
    return new Gate(
        Duration.ofDays(1),
        1,
        ExpectedReads.steady(HALF_LIFE),
        Map.of(
            StorageType.SSD, new TierSpeed(450e6, 400e6, 0.0001),
            StorageType.DISK, new TierSpeed(150e6, 140e6, 0.008),
            StorageType.ARCHIVE, new TierSpeed(100e6, 90e6, 0.012)));
  }

  private static List<MemoryPoolMXBean> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  /** Of all threads of this process, the collector's too: what a machine with nothing else to do would take. */
  private static double cpuSeconds() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime()
        / 1e9;
  }

  private static double seconds(long from, long to) {
    return round((to - from) / 1e9);
  }

  private static double round(double seconds) {
    return Math.round(1000 * seconds) / 1000.0;
  }
}
