// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import com.sun.management.OperatingSystemMXBean;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.app.cycle.FilePass;
import io.thermocline.tiering.app.cycle.ServiceTiering;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LearnedThresholds;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.Tiering;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import io.thermocline.tiering.process.ServiceRuntime;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A plan for a generated namespace: the service's pass over all files, then decisions and moves by the settings that it is
 * shipped with. One thread, as in the service.
 *
 * <p>{@code bin/thermocline bench plan}
 */
@Command(
    name = "plan",
    description = {
      "A plan for 100 million generated files: a pass over all of them with the hotness table asked for each,"
          + " thresholds learned, candidates decided upon, moves planned. docs/concepts/planning.md describes it.",
      "Generating the files is within the time; filling the hotness table, and where the copies of candidates"
          + " lie, are not."
    },
    mixinStandardHelpOptions = true)
final class PlanCommand implements Callable<Integer> {
  private static final LongSupplier NANOS = ServiceRuntime.system().nanos();

  @Option(names = "--quick", description = "A million files, for a first impression.")
  private boolean quick;

  @Option(names = "--files", paramLabel = "N", description = "How many (default: 100000000).")
  private long files;

  @Option(
      names = "--candidates",
      paramLabel = "N",
      description = "Kept of each storage type at either end (default: ${DEFAULT-VALUE}).")
  private int candidates = 5_000;

  @Override
  public Integer call() throws ConfigException {
    ServiceConfig config = ServiceConfigFile.defaults();
    Tiering tiering = ServiceTiering.of(config, new Configuration(false));
    Duration halfLife = config.heat().settings().halfLife();
    long count = files > 0 ? files : quick ? 1_000_000 : 100_000_000;
    System.out.println("filling the hotness table ...");
    Heat heat = new Heat(HeatSettings.forFiles(halfLife, Math.max(1000, count / 20)), "ns");
    GeneratedFiles.read(heat, count);
    ClusterView cluster = GeneratedFiles.cluster(count);
    NumberLines lines = NumberLines.empty().update(cluster, Map.of());
    System.gc();
    long live = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
    System.out.println("planning for " + count + " files ...");

    double cpuStart = cpuSeconds();
    long start = NANOS.getAsLong();
    ReadCalibration calibration = new ReadCalibration(halfLife);
    Function<FileView, HotFile> hotOf = file -> calibration.opened(file, heat.opens(file.path()));
    FilePass pass = pass(hotOf, heat.nameservice());
    passAll(pass, count, heat.nameservice());
    long surveyed = NANOS.getAsLong();
    double cpuSurveyed = cpuSeconds();
    List<HotFile> hot = new ArrayList<>();
    for (FileView file : pass.selected()) {
      hot.add(hotOf.apply(GeneratedFiles.placed(file)));
    }
    long located = NANOS.getAsLong();
    double cpuLocated = cpuSeconds();
    LearnedThresholds thresholds =
        LearnedThresholds.none()
            .next(
                pass.distribution(hot),
                LearnedThresholds.room(pass.onFastTypes(hot), cluster, tiering.limits()));
    TierDecider decider = new TierDecider(tiering);
    List<Decision> decisions =
        decider.decide(
            hot, new Situation(cluster, thresholds.heats(), List.of(), path -> Hold.NONE));
    long decided = NANOS.getAsLong();
    Plan plan = new Planner(config.decide().budget()).plan(1, decisions, cluster, lines);
    long planned = NANOS.getAsLong();
    double cpuPlanned = cpuSeconds();

    Map<String, Object> report = new TreeMap<>();
    report.put("benchmark", "plan");
    report.put("files", pass.managed());
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

  private FilePass pass(Function<FileView, HotFile> hotOf, long nameservice) {
    return new FilePass(
        // No image tells where files lie, so candidates alone are kept.
        new FilePass.Limits(0, candidates, Set.of(StorageType.SSD), List.of()),
        new FilePass.Known(
            file -> true,
            GeneratedFiles::policy,
            GeneratedFiles::policy,
            file -> PathKey.of(nameservice, file.path()),
            hotOf,
            file -> {},
            path -> false,
            (hot, lead) -> false));
  }

  private static void passAll(FilePass pass, long count, long nameservice) {
    GeneratedFiles file = new GeneratedFiles(nameservice);
    long start = NANOS.getAsLong();
    long said = start;
    for (long number = 0; number < count; number++) {
      file.show(number);
      pass.pass(file.unplaced());
      if (number % 10_000 == 0 && NANOS.getAsLong() - said > 1_000_000_000L) {
        said = NANOS.getAsLong();
        double share = (double) number / count;
        System.out.printf(
            "surveyed %.0f %%, %.0f s left%n", 100 * share, (said - start) / 1e9 * (1 / share - 1));
      }
    }
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
