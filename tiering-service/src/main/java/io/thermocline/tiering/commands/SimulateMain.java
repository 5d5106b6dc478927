// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.app.simulated.ServicePolicies;
import io.thermocline.tiering.config.ClusterFile;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.policy.Policies;
import io.thermocline.tiering.sim.report.Comparison;
import io.thermocline.tiering.sim.report.HtmlReport;
import io.thermocline.tiering.sim.report.JsonReport;
import io.thermocline.tiering.sim.report.TextReport;
import io.thermocline.tiering.sim.trace.AuditLogReader;
import io.thermocline.tiering.sim.trace.BlockTraceReader;
import io.thermocline.tiering.sim.trace.ClientTraceReader;
import io.thermocline.tiering.sim.trace.Fb2010Reader;
import io.thermocline.tiering.sim.trace.TraceFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Entry point of the simulator. */
@Command(
    name = "thermocline simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Replays a trace over a cluster that a file describes, once for each tiering policy and size of"
          + " the fastest tier, and compares them: latency, throughput, hits of each tier, bytes moved,"
          + " writes to flash, time of a decision. Nothing of a real cluster is needed or changed.",
      "",
      "With --audit-log, and --fsimage for the sizes of the files, it answers for a site's own load how"
          + " much fast storage would pay."
    })
public final class SimulateMain implements Callable<Integer> {
  private static final long MEBIBYTE = 1 << 20;

  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Input input;

  /** One of the two. */
  private static final class Input {
    @Option(
        names = "--trace",
        paramLabel = "FILE",
        description =
            "jobs (fb2010, a file or a folder of them), requests of a block device (CSV), or a"
                + " clienttrace or audit log; the first line tells which")
    private Path trace;

    @Option(
        names = "--audit-log",
        paramLabel = "FILE",
        arity = "1..*",
        description = "audit logs of NameNodes, rolled ones too, each named")
    private List<Path> auditLogs;
  }

  @Option(
      names = "--fsimage",
      paramLabel = "FILE",
      description = "image of the namespace, for the sizes of files in audit logs")
  private Path image;

  @Option(
      names = "--file-size",
      paramLabel = "MB",
      defaultValue = "128",
      description =
          "of files in audit logs that the image doesn't have (default: ${DEFAULT-VALUE})")
  private long fileMebibytes;

  @Option(
      names = "--chunk-size",
      paramLabel = "MB",
      defaultValue = "64",
      description = "size of a chunk of a block device (default: ${DEFAULT-VALUE})")
  private long chunkMebibytes;

  @Option(
      names = "--time-zone",
      paramLabel = "ZONE",
      description = "of the times in logs (default: this host's)")
  private ZoneId zone = ZoneId.systemDefault();

  @Option(
      names = "--cluster",
      paramLabel = "FILE",
      description = "racks, nodes, devices (default: conf/simulate.yaml beside the project)")
  private Path cluster =
      Path.of(System.getProperty("thermocline.home", "."), "conf", "simulate.yaml");

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "the service's thermocline.yaml, which 'ours' works by (default: every key as it is shipped, all"
              + " files managed)")
  private Path config;

  @Option(
      names = "--read-order",
      paramLabel = "ORDER",
      description =
          "which copy a reader gets first: ${COMPLETION-CANDIDATES} (default: by the Hadoop configuration that"
              + " --config names)")
  private ReadOrder readOrder;

  @Option(
      names = "--sizes",
      paramLabel = "FACTOR",
      split = ",",
      defaultValue = "0.25,0.5,1,2,4",
      description =
          "of the fastest tier, as multiples of its capacity in the cluster file; 1 is always there"
              + " (default: ${DEFAULT-VALUE})")
  private List<Double> factors;

  @Option(
      names = "--policies",
      paramLabel = "NAME",
      split = ",",
      description =
          "which, by name, a comma between them (default: all but the parts of ours alone); a wrong name lists"
              + " them")
  private List<String> policies = List.of();

  @Option(
      names = "--mode",
      defaultValue = "live",
      description =
          "live: decisions from time to time, moves at the tiers' bandwidth; immediate: moves at once, as"
              + " in a cache (default: ${DEFAULT-VALUE})")
  private MoveMode mode;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "seed of all random choices (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(names = "--json", description = "print one JSON object instead of the table")
  private boolean json;

  @Option(names = "--report", paramLabel = "FILE", description = "write an HTML page with curves")
  private Path report;

  private final LongSupplier nanos;

  private SimulateMain(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public static void main(String[] args) {
    System.exit(line().execute(args));
  }

  /** With what it takes. */
  public static CommandLine line() {
    return CommandLines.of(new SimulateMain(ServiceRuntime.system().nanos()))
        .registerConverter(ZoneId.class, new Zone());
  }

  private static final class Zone implements ITypeConverter<ZoneId> {
    @Override
    public ZoneId convert(String text) {
      try {
        return ZoneId.of(text);
      } catch (DateTimeException e) {
        throw new TypeConversionException("'" + text + "' is no time zone, as UTC or Europe/Paris");
      }
    }
  }

  @Override
  public Integer call() throws IOException, ConfigException {
    ServiceConfig service = service();
    List<PolicyFactory> chosen = chosen(service);
    if (factors.stream().anyMatch(factor -> !(factor > 0)) || fileMebibytes < 0) {
      throw bad("--sizes are above 0, and --file-size from 0 on");
    }
    if (chunkMebibytes < 1) {
      throw bad("--chunk-size is from 1 on");
    }
    if (image != null && !isAudit()) {
      throw bad("--fsimage goes with an audit log: other traces say the sizes");
    }
    ClusterFile site = ClusterFile.read(cluster);
    Trace trace = trace(service);
    Comparison comparison =
        new WhatIf(
                trace,
                site.withReadOrder(
                    readOrder == null ? ServicePolicies.readOrder(service) : readOrder),
                mode,
                seed,
                nanos)
            .compare(chosen, factors, line -> spec.commandLine().getErr().println(line));
    System.out.print(json ? JsonReport.of(comparison) + "\n" : TextReport.of(comparison));
    if (report != null) {
      HtmlReport.write(comparison, report);
      spec.commandLine().getErr().println("curves: " + report.toAbsolutePath());
    }
    return 0;
  }

  private ParameterException bad(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  private ServiceConfig service() throws ConfigException {
    return config == null ? ServiceConfigFile.defaults() : ServiceConfigFile.read(config);
  }

  private List<PolicyFactory> chosen(ServiceConfig service) {
    boolean isLive = mode == MoveMode.LIVE;
    List<PolicyFactory> usual =
        Stream.of(
                Stream.of(Policies.oracle()),
                isLive ? Stream.of(ServicePolicies.ours(service)) : Stream.<PolicyFactory>empty(),
                Policies.compared().stream())
            .flatMap(each -> each)
            .toList();
    if (policies.isEmpty()) {
      return usual;
    }
    List<PolicyFactory> all = new ArrayList<>(usual);
    if (isLive) {
      all.addAll(ServicePolicies.parts(service));
    }
    List<String> names = all.stream().map(SimulateMain::name).toList();
    List<PolicyFactory> chosen = new ArrayList<>();
    for (String name : policies) {
      int index = names.indexOf(name);
      if (index < 0) {
        throw bad("no policy '" + name + "'; there are " + String.join(", ", names));
      }
      chosen.add(all.get(index));
    }
    return chosen;
  }

  private static String name(PolicyFactory policy) {
    return policy.name().isEmpty() ? "ours" : policy.name();
  }

  private boolean isAudit() throws IOException {
    return input.auditLogs != null || TraceFormat.of(input.trace) == TraceFormat.AUDIT;
  }

  private Trace trace(ServiceConfig service) throws IOException {
    if (isAudit()) {
      List<Path> logs = input.auditLogs == null ? List.of(input.trace) : input.auditLogs;
      return AuditLogReader.read(
          logs,
          new AuditLogReader.Sizes(image, fileMebibytes * MEBIBYTE),
          service
              .observe()
              .accesses()
              .cooling(service.heat().settings().halfLife())
              .without("", TieringService.CALLER_CONTEXT),
          zone,
          nanos);
    }
    return switch (TraceFormat.of(input.trace)) {
      case FB2010 ->
          Files.isDirectory(input.trace)
              ? Fb2010Reader.readFolder(input.trace)
              : Fb2010Reader.read(input.trace);
      case BLOCKS -> BlockTraceReader.read(input.trace, chunkMebibytes * MEBIBYTE);
      case CLIENTTRACE -> ClientTraceReader.read(List.of(input.trace), zone);
      case AUDIT -> throw new IllegalStateException("was read above");
    };
  }
}
