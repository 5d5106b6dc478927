// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.app.groups.MinedReads;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.sim.trace.TraceFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Entry point of mining: logs to groups. */
@Command(
    name = "thermocline mine",
    mixinStandardHelpOptions = true,
    description = {
      "Finds which files (audit logs) or blocks (clienttrace logs with reads, which DataNodes log at"
          + " DEBUG) are read together, or are hot and read about equally often, and prints these"
          + " groups. Nothing of a cluster is needed or changed.",
      "",
      "With --spark MASTER the counting runs on Apache Spark, where the logs may be in HDFS; this needs"
          + " the optional module mining-spark, which the launcher builds then."
    })
public final class MineMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "LOG",
      arity = "1..*",
      description = "audit logs, or clienttrace logs, rolled ones too, each named")
  private List<Path> logs;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "of the times in logs (default: this host's)")
  private String zone = ZoneId.systemDefault().getId();

  @Mixin private MiningOptions options;

  public MineMain() {}

  public static void main(String[] args) {
    System.exit(CommandLines.of(new MineMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    MinedReads reads = new MinedReads();
    Set<TraceFormat> formats = EnumSet.noneOf(TraceFormat.class);
    ZoneId timeZone = MiningOptions.zone(spec.commandLine(), zone);
    for (Path log : logs) {
      formats.add(reads.add(log, timeZone));
    }
    if (formats.size() > 1) {
      throw new ParameterException(
          spec.commandLine(), "audit and clienttrace logs name different things: mine either");
    }
    if (reads.size() == 0) {
      throw new IOException(
          "no reads in "
              + logs
              + "; DataNodes log reads at DEBUG only: conf/log4j-clienttrace.properties");
    }
    CorrelationMiner miner =
        new CorrelationMiner(options.settings(formats.contains(TraceFormat.AUDIT)));
    reads.into(miner);
    options.print(miner, reads.size(), reads::name);
    return 0;
  }
}
