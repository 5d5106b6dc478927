// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.HtmlReport;
import io.thermocline.demo.report.JsonFigures;
import io.thermocline.demo.report.RunRecord;
import io.thermocline.testbed.cluster.ConfDirectory;
import io.thermocline.testbed.workload.TraceFormatException;
import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Entry point of the demo. */
@Command(
    name = "thermocline demo",
    mixinStandardHelpOptions = true,
    description = {
      "Starts an HDFS with ARCHIVE, DISK, SSD and NVDIMM storage in this process, whose devices are as"
          + " slow as real ones are in relation to each other; lets clients read files from it; and runs"
          + " the tiering service beside it, which learns from the NameNode's audit log what is hot and"
          + " moves replicas.",
      "",
      "Prints what it brought, and writes a report. Exit code 0 when every planned move was verified and"
          + " every file still has its content and replication, else 1. What Hadoop logs meanwhile is in"
          + " thermocline-demo.log.",
      ""
    })
public final class DemoMain implements Callable<Integer> {

  private static final int DEFAULT_ACCESSES = 18_000;

  /** Below this an NVDIMM would hold no block. */
  private static final double SMALLEST_SCALE = 0.4;

  @Spec private CommandSpec spec;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = {
        "replay this trace instead of a generated workload: tab-separated, with the columns job_id,"
            + " submit_time_s, map_input_bytes, shuffle_bytes, reduce_output_bytes, input_file,"
            + " first_occurrence"
      })
  private Path trace;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      defaultValue = "1",
      description =
          "size of data and cluster; 1 is 230 MB of files, to which a trace's sizes are fitted"
              + " (default: 1)")
  private double scale;

  @Option(
      names = "--accesses",
      paramLabel = "N",
      description = "how many reads to replay (default: 18000; of a trace, all)")
  private Integer accesses;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "12",
      description = "how many clients read at the same time (default: 12)")
  private int clients;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "42",
      description = "of the generated workload and of all contents (default: 42)")
  private long seed;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      defaultValue = "thermocline-demo.html",
      description = "where to write the report (default: thermocline-demo.html)")
  private Path report;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "also write the figures as one flat JSON object")
  private Path json;

  @Mixin private ConfDirectory conf;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new DemoMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    check();
    int reads = accesses != null ? accesses : trace != null ? Integer.MAX_VALUE : DEFAULT_ACCESSES;
    DemoOptions options =
        new DemoOptions(Optional.ofNullable(trace), scale, reads, clients, seed, conf.directory());
    requireHostName();
    Interruption interruption = Interruption.of(Thread.currentThread());
    try (View view = View.open(spec.commandLine().getOut())) {
      return publish(new Demo(options, view, interruption::hasArrived).run(), view);
    } catch (TraceFormatException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    } catch (IOException | InterruptedException | RuntimeException e) {
      if (!interruption.hasArrived()) {
        throw e;
      }
      spec.commandLine().getErr().println("thermocline demo: interrupted; nothing is left behind");
      return Interruption.EXIT_CODE;
    }
  }

  private void check() {
    if (!(scale >= SMALLEST_SCALE && scale <= 100)) {
      throw new ParameterException(
          spec.commandLine(), "--scale " + scale + ": expected " + SMALLEST_SCALE + " to 100");
    }
    if (accesses != null && accesses < 100) {
      throw new ParameterException(
          spec.commandLine(), "--accesses " + accesses + ": expected at least 100");
    }
    if (clients < 1 || clients > 1000) {
      throw new ParameterException(
          spec.commandLine(), "--clients " + clients + ": expected 1 to 1000");
    }
    if (trace != null && !Files.isRegularFile(trace)) {
      throw new ParameterException(spec.commandLine(), "--trace " + trace + ": no such file");
    }
    for (Path file : json == null ? List.of(report) : List.of(report, json)) {
      Path parent = file.toAbsolutePath().getParent();
      if (parent == null || !Files.isWritable(parent)) {
        throw new ParameterException(spec.commandLine(), file + ": cannot write there");
      }
    }
  }

  /** Hadoop asks for it at many places, and says of none what was the matter. */
  private static void requireHostName() throws IOException {
    try {
      InetAddress.getLocalHost();
    } catch (UnknownHostException e) {
      throw new IOException(
          "the name of this host can't be resolved, which HDFS needs: add a line \"127.0.0.1 NAME\""
              + " to /etc/hosts ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  private int publish(DemoResult result, View view) throws IOException {
    RunRecord record = result.record();
    new HtmlReport().write(record, report);
    StringBuilder words = new StringBuilder(Summary.of(record));
    words.append(System.lineSeparator()).append("Report: ").append(report.toAbsolutePath());
    if (json != null) {
      JsonFigures.write(record.figures(), json);
      words.append(System.lineSeparator()).append("Figures: ").append(json.toAbsolutePath());
    }
    view.conclude(words.toString());
    for (String problem : result.problems()) {
      spec.commandLine().getErr().println("thermocline demo: " + problem);
    }
    return result.problems().isEmpty() ? 0 : CommandLines.FAILURE;
  }
}
