// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.placement.model.SystemRuntime;
import io.thermocline.tiering.attributes.ReplacedFile;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.YamlSection;
import io.thermocline.tiering.probe.MeasuredLibrary;
import io.thermocline.tiering.probe.ProbeLimits;
import io.thermocline.tiering.probe.Probed;
import io.thermocline.tiering.probe.Scratch;
import io.thermocline.tiering.probe.StorageProbe;
import io.thermocline.tiering.probe.TypeSpeed;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Entry point of the command that measures storage types and writes a pattern library. */
@Command(
    name = "thermocline probe",
    mixinStandardHelpOptions = true,
    description = {
      "Measures what one client gets from each storage type of a running cluster (writing, reading in sequence, reading at"
          + " random), through HDFS, and writes the pattern library for decide.strategy: chew of the service, with the"
          + " weights and speeds that it found. docs/guides/probe.md says what is measured and how.",
      "",
      "Writes files of one copy in a directory of its own, and removes it, also after SIGTERM and Ctrl-C. Needs the rights of"
          + " HDFS's superuser, as DataNodes' storage types are told to nobody else.",
      "",
      "Exit codes: 0 where all types were measured; 3 where the file was written without some types, which it names"
          + " with the reason; 1 where HDFS can't be used, fewer than two types were measured or the file can't be written;"
          + " 2 for bad usage, and where the file is there and --force isn't given; 143 after SIGTERM, 130 after Ctrl-C."
    })
public final class ProbeMain implements Callable<Integer> {

  /** Some storage types were not measured. */
  public static final int INCOMPLETE = 3;

  private static final Logger LOG = LoggerFactory.getLogger(ProbeMain.class);

  /** How long the NameNode may take to remove the directory when the process is asked to end. */
  private static final long REMOVING_SECONDS = 30;

  @Spec private CommandSpec spec;

  @Mixin private WritesFromCluster options;

  @Option(names = "--force", description = "write the file where it is there already")
  private boolean force;

  @Option(
      names = "--directory",
      paramLabel = "PATH",
      defaultValue = "/tmp",
      description = "in HDFS, in which the command makes one of its own (default: /tmp)")
  private String directory;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "60",
      description = "at most, for each storage type (default: 60)")
  private int seconds;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = Sizes.class,
      defaultValue = "1GB",
      description = {
        "at most, to be written to each storage type, such as 512MB: half of it, twice; and at most as many are read"
            + " (default: 1GB)"
      })
  private long bytes;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new ProbeMain()).execute(args));
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    check();
    ProbeLimits limits = limits();
    Configuration hadoop = options.hadoop();
    return OwnCalls.make(() -> probe(hadoop, limits));
  }

  private int probe(Configuration hadoop, ProbeLimits limits) throws ConfigException, IOException {
    try (DistributedFileSystem hdfs = options.open(hadoop)) {
      Probed probed = measure(hdfs, limits);
      report(probed);
      String text = new MeasuredLibrary(probed, limits).text();
      check();
      new ReplacedFile(options.out()).write(text);
      options.say(options.out() + " is written");
      return probed.unmeasured().isEmpty() ? 0 : INCOMPLETE;
    }
  }

  /** Who stops it removes the directory, however early that is. */
  @SystemRuntime
  private Probed measure(DistributedFileSystem hdfs, ProbeLimits limits) throws IOException {
    ServiceRuntime runtime = ServiceRuntime.system();
    long seed = runtime.clock().millis() ^ ProcessHandle.current().pid();
    String name = "thermocline-probe-" + Long.toHexString(seed);
    try (Scratch scratch = Scratch.in(hdfs, new org.apache.hadoop.fs.Path(directory), name)) {
      // Before Hadoop's own hook, which closes every client of HDFS.
      Runnable remove = () -> removeAtEnd(scratch);
      ShutdownHookManager hooks = ShutdownHookManager.get();
      hooks.addShutdownHook(
          remove, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1, REMOVING_SECONDS, TimeUnit.SECONDS);
      try {
        scratch.make();
        return new StorageProbe(
                hdfs,
                scratch,
                limits,
                new StorageProbe.Time(runtime.clock(), runtime.nanos(), new SplittableRandom(seed)),
                options::say)
            .run();
      } finally {
        if (!hooks.isShutdownInProgress()) {
          hooks.removeShutdownHook(remove);
        }
      }
    }
  }

  private static void removeAtEnd(Scratch scratch) {
    try {
      scratch.close();
    } catch (IOException e) {
      LOG.warn("{} can't be removed: do it by hand", scratch.directory(), e);
    }
  }

  private void report(Probed probed) {
    PrintWriter lines = spec.commandLine().getOut();
    if (options.isJson()) {
      options.print(values(probed));
    } else {
      lines.printf(
          Locale.ROOT,
          "%-8s %12s %12s %12s %14s %8s%n",
          "",
          "write MB/s",
          "anew MB/s",
          "read MB/s",
          "64 KB reads/s",
          "spread");
      for (TypeSpeed speed : probed.speeds()) {
        lines.printf(
            Locale.ROOT,
            "%-8s %12.2f %12.2f %12.2f %14.1f %6.0f %%%n",
            speed.type(),
            speed.write() / (1 << 20),
            speed.overwrite() / (1 << 20),
            speed.sequential() / (1 << 20),
            speed.random(),
            100 * speed.spread());
      }
      new TreeMap<>(probed.unmeasured())
          .forEach((type, why) -> lines.println(type + " was not measured: " + why));
    }
    lines.flush();
  }

  /** In bytes and seconds. */
  private static Map<String, Object> values(Probed probed) {
    List<Map<String, Object>> types = new ArrayList<>();
    for (TypeSpeed speed : probed.speeds()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("type", speed.type().name());
      one.put("at", speed.at().toString());
      one.put("policy", speed.policy());
      one.put("file_bytes", speed.bytes());
      one.put("write_bytes_per_s", speed.write());
      one.put("overwrite_bytes_per_s", speed.overwrite());
      one.put("sequential_read_bytes_per_s", speed.sequential());
      one.put("random_reads_per_s", speed.random());
      one.put("random_read_bytes", TypeSpeed.REQUEST);
      one.put("spread_share", speed.spread());
      types.add(one);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("types", types);
    values.put("unmeasured", new TreeMap<>(probed.unmeasured()));
    return values;
  }

  private ProbeLimits limits() {
    try {
      return new ProbeLimits(Duration.ofSeconds(seconds), bytes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds " + seconds + ", --bytes " + bytes + ": " + e.getMessage());
    }
  }

  private void check() {
    options.checkDirectory();
    Path out = options.out();
    if (Files.exists(out) && !force) {
      throw new ParameterException(
          spec.commandLine(), "--out: " + out + " is there; --force writes it anew");
    }
    if (!directory.startsWith("/")) {
      throw new ParameterException(
          spec.commandLine(),
          "--directory: expected an absolute path in HDFS, found '" + directory + "'");
    }
  }

  private static final class Sizes implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      Long size = YamlSection.toBytes(text);
      if (size == null) {
        throw new TypeConversionException(
            "expected a size like 512MB or 1GB, found '" + text + "'");
      }
      return size;
    }
  }
}
