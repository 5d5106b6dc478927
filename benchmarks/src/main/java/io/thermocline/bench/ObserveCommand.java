// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import com.sun.management.ThreadMXBean;
import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.app.groups.GroupMining;
import io.thermocline.tiering.classify.groups.MiningSettings;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatSettings;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AccessSink;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.LogStart;
import io.thermocline.tiering.observe.ObserveStages;
import io.thermocline.tiering.observe.SourceCheckpoint;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A whole audit log, from the bytes of its file to counted heat, on one thread, beside grep on the same file.
 *
 * <p>{@code bin/thermocline bench observe}
 */
@Command(
    name = "observe",
    description = {
      "A generated audit log, from the bytes of its file to counted heat, on one thread, against"
          + " `LC_ALL=C grep -c cmd=open` on the same file. docs/evidence/observe.md describes both.",
      "Needs 7 GB in the temporary directory; removes them."
    },
    mixinStandardHelpOptions = true)
final class ObserveCommand implements Callable<Integer> {

  private static final int LINES_PER_SECOND = 100_000;
  private static final long SHUFFLED_LINES = 2_000_000;

  /** With the sizes of conf/thermocline.yaml. */
  private static final HeatSettings HEAT = HeatSettings.forFiles(Duration.ofHours(6), 4_000_000);

  private static final GroupsConfig GROUPS =
      new GroupsConfig(
          MiningSettings.ofFiles(),
          OptionalDouble.empty(),
          MiningSettings.ofBlocks().window(),
          GroupsConfig.DEFAULT_DIRECTORY,
          Duration.ofMinutes(10),
          Duration.ofDays(1),
          1L << 40,
          1L << 30,
          8L << 20,
          1,
          0.1,
          new GroupsConfig.Raise(0, 1));

  /** One line in this many is cut off, as a NameNode that is killed leaves it. */
  private static final int MALFORMED_ONE_IN = 10_000;

  private static final long BYTES_AT_ONCE = 64L << 20;

  @Spec private CommandSpec spec;

  @Option(names = "--quick", description = "2 million lines instead of 20, for a first impression.")
  private boolean quick;

  @Option(names = "--lines", paramLabel = "N", description = "How many lines (default: 20000000).")
  private long lines;

  @Option(names = "--seed", paramLabel = "N", description = "Of the lines (default: 1).")
  private long seed = 1;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = {
        "How many files the log tells of, a multiple of 16 (default: 1000000).",
        "What is asked of 4096 files stays in a core's caches."
      })
  private int files = 1_000_000;

  @Option(
      names = "--stages",
      description =
          "Also what each stage costs: the log as far as its bytes, its lines, and so on to all.")
  private boolean stages;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "Where to put the log (default: the temporary directory).")
  private Path directory;

  private final LongSupplier nanos = ServiceRuntime.system().nanos();

  /** Of the thread that reads; the seconds of its processor are less where others wanted it, too. */
  private record Run(
      LineCounts counts, long reads, double seconds, double cpuSeconds, double bytesPerLine) {}

  /** The best of three runs, and of grep. */
  private record Measured(Run run, double grepSeconds, long bytes) {
    long linesPerSecond() {
      return Math.round(run.counts().lines() / run.seconds());
    }

    double ratio() {
      return rounded(run.seconds() / grepSeconds);
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (files < 16 || files % 16 != 0) {
      throw new ParameterException(
          spec.commandLine(), "--files: expected a multiple of 16, found " + files);
    }
    long count = lines > 0 ? lines : quick ? 2_000_000 : 20_000_000;
    Path place =
        directory == null
            ? Files.createTempDirectory("thermocline-observe")
            : Files.createTempDirectory(directory, "thermocline-observe");
    Path log = place.resolve("hdfs-audit.log");
    // Also where we are stopped.
    Thread removal = new Thread(() -> remove(place));
    Runtime.getRuntime().addShutdownHook(removal);
    try {
      SplittableRandom random = new SplittableRandom(seed);
      Measured usual = measure(log, count, new LivingNamespace(files, random), random);
      Map<String, Object> report = new TreeMap<>();
      if (stages) {
        measureStages(log, count, report);
      }
      measureWithGroups(log, report);
      long most = Math.min(count, SHUFFLED_LINES);
      System.out.println("the same with renames and deletions by the popularity of reads:");
      Measured shuffled = measure(log, most, new ShuffledPaths(files, random), random);
      report(usual, shuffled, report);
      return 0;
    } finally {
      remove(place);
      Runtime.getRuntime().removeShutdownHook(removal);
    }
  }

  private Measured measure(Path log, long count, AuditPaths paths, SplittableRandom random)
      throws IOException, InterruptedException {
    long malformed = generate(log, count, new AuditLines(paths, LINES_PER_SECOND, random));
    System.out.printf("%.1f GB in %s%n", Files.size(log) / 1e9, log);
    // Both find the file in the page cache; the compiler has seen each path of the parser.
    grep(log);
    run(log, Math.min(count, 2_000_000));
    double grep = Double.MAX_VALUE;
    Run best = null;
    for (int i = 0; i < 3; i++) {
      double grepSeconds = grep(log);
      Run run = run(log, Long.MAX_VALUE);
      System.out.printf("grep %.2f s, observe %.2f s%n", grepSeconds, run.seconds());
      grep = Math.min(grep, grepSeconds);
      best = best == null || run.seconds() < best.seconds() ? run : best;
    }
    check(best, count, malformed);
    return new Measured(best, grep, Files.size(log));
  }

  /** The same with what is read together found beside heat, as a service with groups does. */
  private void measureWithGroups(Path log, Map<String, Object> report) throws IOException {
    Run best = null;
    for (int i = 0; i < 2; i++) {
      GroupMining mining = new GroupMining(GROUPS, List.of("/"), 0);
      Heat heat = new Heat(HEAT, "nameservice1");
      Run run =
          run(
              log,
              Long.MAX_VALUE,
              heat,
              access -> {
                heat.accept(access);
                mining.accept(access);
              });
      System.out.printf("observe with groups %.2f s%n", run.seconds());
      best = best == null || run.seconds() < best.seconds() ? run : best;
    }
    report.put(
        "lines_per_second_core_with_groups", Math.round(best.counts().lines() / best.cpuSeconds()));
  }

  /** Of each the best of three, in turns, so that other work on the machine meets all. */
  private void measureStages(Path log, long count, Map<String, Object> report) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Map<ObserveStages, Long> best = new EnumMap<>(ObserveStages.class);
    double all = Double.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      boolean isForCompiler = i == 0;
      for (ObserveStages stage : ObserveStages.values()) {
        long start = threads.getCurrentThreadCpuTime();
        stage.run(log, settings(), HEAT.tableBytes());
        long cpu = threads.getCurrentThreadCpuTime() - start;
        best.merge(stage, isForCompiler ? Long.MAX_VALUE : cpu, Math::min);
      }
      double cpuOfAll = run(log, Long.MAX_VALUE).cpuSeconds();
      all = isForCompiler ? all : Math.min(all, cpuOfAll);
    }
    report.put("cpu_nanos_per_line_as_far_as_all", Math.round(all * 1e9 / count));
    best.forEach(
        (stage, nanos) ->
            report.put(
                "cpu_nanos_per_line_as_far_as_" + stage.name().toLowerCase(Locale.ROOT),
                nanos / count));
  }

  private static AccessSettings settings() {
    return AccessSettings.defaults(AccessSettings.Ignored.nothing())
        .without("thermocline", "thermocline");
  }

  private void report(Measured usual, Measured shuffled, Map<String, Object> report) {
    Run run = usual.run();
    report.put("benchmark", "observe");
    report.put("quick", quick);
    report.put("seed", seed);
    report.put("lines", run.counts().lines());
    report.put("log_bytes", usual.bytes());
    report.put("lines_per_second_core", usual.linesPerSecond());
    report.put("cpu_seconds", rounded(run.cpuSeconds()));
    report.put("seconds", rounded(run.seconds()));
    report.put("grep_seconds", rounded(usual.grepSeconds()));
    report.put("ratio_to_grep", usual.ratio());
    report.put("shuffled_lines_per_second_core", shuffled.linesPerSecond());
    report.put("shuffled_ratio_to_grep", shuffled.ratio());
    report.put("bytes_per_line_allocated", rounded(run.bytesPerLine()));
    report.put("parsed", run.counts().parsed());
    report.put("ignored", run.counts().ignored());
    report.put("malformed", run.counts().malformed());
    report.put("shared_opens", run.counts().opens().shared());
    report.put("reads_counted", run.reads());
    report.put("files", files);
    report.put("java_version", Runtime.version().toString());
    System.out.println(FlatJson.of(report));
  }

  private static double rounded(double value) {
    return Math.round(1000 * value) / 1000.0;
  }

  /** A parser that skipped lines would be fast. */
  private static void check(Run run, long count, long malformed) {
    LineCounts counts = run.counts();
    boolean all =
        counts.lines() == count
            && counts.malformed() == malformed
            && counts.parsed() + counts.ignored() + counts.malformed() == count
            && run.reads() > 0;
    if (!all) {
      throw new IllegalStateException(
          "of " + count + " lines, " + malformed + " of them malformed, was counted: " + counts);
    }
  }

  /** Returns how many lines are malformed. */
  private long generate(Path log, long count, AuditLines generator) throws IOException {
    byte[] buffer = new byte[1 << 20];
    int used = 0;
    long malformed = 0;
    long start = nanos.getAsLong();
    long said = start;
    try (OutputStream out = Files.newOutputStream(log)) {
      for (long i = 0; i < count; i++) {
        int from = used;
        used = generator.append(buffer, used);
        if (i % MALFORMED_ONE_IN == MALFORMED_ONE_IN - 1) {
          used = from + 70;
          buffer[used++] = '\n';
          malformed++;
        }
        if (used > buffer.length - 8192) {
          out.write(buffer, 0, used);
          used = 0;
          long now = nanos.getAsLong();
          if (now - said > 2_000_000_000L) {
            said = now;
            double left = (now - start) / 1e9 * (count - i) / i;
            System.out.printf(
                "generating: %.0f %%, %.0f s left%n", 100.0 * i / count, Math.ceil(left));
          }
        }
      }
      out.write(buffer, 0, used);
    }
    return malformed;
  }

  private Run run(Path log, long most) throws IOException {
    Heat heat = new Heat(HEAT, "nameservice1");
    return run(log, most, heat, heat);
  }

  private Run run(Path log, long most, Heat heat, AccessSink sink) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = currentThread();
    try (AuditSource source =
        new AuditSource(
            List.of(new AuditLog("nameservice1", log, ZoneOffset.UTC, null)),
            LogStart.BEGINNING,
            settings(),
            SourceCheckpoint.none(),
            ServiceRuntime.system().clock())) {
      long allocated = threads.getThreadAllocatedBytes(thread);
      long cpu = threads.getCurrentThreadCpuTime();
      long start = nanos.getAsLong();
      while (source.poll(sink, BYTES_AT_ONCE) && source.counts().lines() < most) {
        // Until the end of the log.
      }
      double seconds = (nanos.getAsLong() - start) / 1e9;
      double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
      long more = threads.getThreadAllocatedBytes(thread) - allocated;
      LineCounts counts = source.counts();
      return new Run(counts, heat.reads(), seconds, cpuSeconds, (double) more / counts.lines());
    }
  }

  private static long currentThread() {
    return Thread.currentThread().getId();
  }

  @SystemRuntime
  private double grep(Path log) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("grep", "-c", "cmd=open", log.toString());
    builder.environment().put("LC_ALL", "C");
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    long start = nanos.getAsLong();
    Process process = builder.start();
    String printed =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
    int status = process.waitFor();
    double seconds = (nanos.getAsLong() - start) / 1e9;
    if (status != 0 || Long.parseLong(printed) == 0) {
      throw new IOException("grep found nothing in " + log + ": status " + status);
    }
    return seconds;
  }

  private static void remove(Path place) {
    try {
      Files.deleteIfExists(place.resolve("hdfs-audit.log"));
      Files.deleteIfExists(place);
    } catch (IOException e) {
      System.err.println("could not remove " + place + ": " + e);
    }
  }
}
