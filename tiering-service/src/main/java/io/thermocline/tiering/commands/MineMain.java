// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.app.groups.FoundSets;
import io.thermocline.tiering.app.groups.GeneratedSets;
import io.thermocline.tiering.app.groups.MinedReads;
import io.thermocline.tiering.classify.groups.CorrelationMiner;
import io.thermocline.tiering.classify.groups.ObjectGroup;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.sim.trace.TraceFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
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
      arity = "0..*",
      description = "audit logs, or clienttrace logs, rolled ones too, each named")
  private List<Path> logs = List.of();

  @ArgGroup(
      exclusive = false,
      validate = false,
      heading = "Generate a log with known sets, and see how many of them mining finds:%n")
  private final Generate generate = new Generate();

  /** What is generated. */
  static final class Generate {
    @Option(
        names = "--generate",
        paramLabel = "FILE",
        description =
            "write an audit log of clients that read sets of files, mine it, and print how many of the pairs are found; FILE must not"
                + " exist")
    private Path file;

    @Option(
        names = "--clients",
        paramLabel = "N",
        defaultValue = "128",
        description = "that read at once (default: ${DEFAULT-VALUE})")
    private int clients;

    @Option(
        names = "--sets",
        paramLabel = "N",
        defaultValue = "200",
        description = "of files that are read together (default: ${DEFAULT-VALUE})")
    private int sets;

    @Option(
        names = "--set-files",
        paramLabel = "N",
        defaultValue = "8",
        description = "of each set (default: ${DEFAULT-VALUE})")
    private int files;

    @Option(
        names = "--reads",
        paramLabel = "N",
        defaultValue = "48000",
        description = "in all (default: ${DEFAULT-VALUE})")
    private long reads;

    @Option(
        names = "--singles",
        paramLabel = "S",
        defaultValue = "0",
        description = "share of turns that read one file of no set (default: ${DEFAULT-VALUE})")
    private double singles;

    @Option(
        names = "--skipped",
        paramLabel = "S",
        defaultValue = "0",
        description = "share of a set's files that a client leaves out (default: ${DEFAULT-VALUE})")
    private double skipped;

    @Option(
        names = "--shared",
        paramLabel = "N",
        defaultValue = "0",
        description = "files of each set that the next one has too (default: ${DEFAULT-VALUE})")
    private int shared;

    @Option(
        names = "--weeks",
        paramLabel = "N",
        defaultValue = "1",
        description =
            "after each of which sets are of other files, with another date in their paths (default: ${DEFAULT-VALUE})")
    private int weeks;

    @Option(
        names = "--marks",
        paramLabel = "HOW",
        defaultValue = "ADDRESSES",
        description =
            "by which clients are told apart: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private GeneratedSets.Marks marks;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description = "of all that is drawn (default: ${DEFAULT-VALUE})")
    private long seed;

    private GeneratedSets sets() {
      return new GeneratedSets(
          sets, files, clients, reads, singles, skipped, shared, weeks, marks, seed);
    }

    private void write(ZoneId zone) throws IOException {
      DateTimeFormatter times =
          DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(zone);
      GeneratedSets sets = sets();
      try (PrintWriter lines =
          new PrintWriter(Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW))) {
        sets.each(
            (set, file, client, millis) ->
                lines.println(
                    sets.line(set, file, client, times.format(Instant.ofEpochMilli(millis)))));
        if (lines.checkError()) {
          throw new IOException(file + " can't be written whole: is its disk full?");
        }
      } catch (FileAlreadyExistsException e) {
        throw new IOException(file + " exists: name another file", e);
      }
    }
  }

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
    if (logs.isEmpty() == (generate.file == null)) {
      throw new ParameterException(spec.commandLine(), "give LOG, or --generate FILE");
    }
    if (generate.file != null) {
      try {
        generate.write(timeZone);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
      logs = List.of(generate.file);
    }
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
    List<ObjectGroup> groups = reads.groups(miner);
    options.print(miner, groups, reads.size(), reads::name);
    if (generate.file != null) {
      FoundSets found = FoundSets.of(generate.sets(), groups, reads::name);
      System.err.printf(
          Locale.ROOT,
          "of the pairs that are read together %.1f %% are found, %.1f %% of those found are wrong; %,d of %,d sets are whole%n",
          found.foundPercent(),
          found.wrongPercent(),
          found.whole(),
          found.sets());
    }
    return 0;
  }
}
