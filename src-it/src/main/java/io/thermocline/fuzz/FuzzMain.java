// SPDX-License-Identifier: Apache-2.0
package io.thermocline.fuzz;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.thermocline.testbed.cluster.ConfDirectory;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/thermocline fuzz}. */
@Command(
    name = "thermocline fuzz",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Has a live service's REST interface asked what its OpenAPI document allows, and what it doesn't, by the public tool"
          + " Schemathesis: every route, parameter and body, steps that follow from each other, with and without who asks."
          + " The service acts on an HDFS of this process.",
      "",
      "Schemathesis is installed from PyPI into the work directory, the first time.",
      "",
      "Ends with one line of JSON: cases, server_errors (answers from 500 on that aren't documented or should not be), hangs"
          + " (not answered within 20 s), failures of any kind, reads of the cluster's files meanwhile and failed_reads. Exit code 1"
          + " where there is an error, a hang or a failure, or a read failed."
    })
public final class FuzzMain implements Callable<Integer> {

  private static final long READ_EVERY_MILLIS = 500;

  @Spec private CommandSpec spec;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "10",
      description = "how long (default: 10); parts of one are taken")
  private double minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of the requests (default: 1)")
  private long seed;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "for the tool and its report (default: target/fuzz of the checkout)")
  private Path directory = Path.of(System.getProperty("thermocline.home", "."), "target", "fuzz");

  @Mixin private ConfDirectory conf;

  /**
   * Rounds of reads beside the requests, and those that failed; one thread's, until that has
   * ended.
   */
  private long reads;

  private long failedReads;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new FuzzMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    PrintWriter err = spec.commandLine().getErr();
    Path work = Files.createDirectories(directory).toAbsolutePath();
    Schemathesis tool = Schemathesis.in(work);
    Path out = work.resolve("schemathesis.txt");
    Path temporary = Files.createTempDirectory("thermocline-fuzz-");
    Schemathesis.Findings found;
    try (FuzzedService service = new FuzzedService(temporary, conf.directory())) {
      ScheduledExecutorService reading = Executors.newSingleThreadScheduledExecutor();
      try {
        reading.scheduleWithFixedDelay(
            () -> read(service, err), 0, READ_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        service.awaitPlan(ServiceRuntime.system().pause());
        err.println("asking " + service.address() + "; what is found goes to " + out);
        found =
            tool.run(
                service.address(),
                service.token(),
                Duration.ofSeconds(Math.round(60 * minutes)),
                seed,
                out);
      } finally {
        // Not interrupted: a read that is cut short is none that failed.
        reading.shutdown();
        reading.awaitTermination(1, TimeUnit.MINUTES);
      }
    } finally {
      FileUtil.fullyDelete(temporary.toFile());
    }
    spec.commandLine().getOut().println(json(found));
    return found.isClean() && failedReads == 0 ? 0 : 1;
  }

  /** Goes on where it fails: a task that throws would never be run again. */
  private void read(FuzzedService service, PrintWriter err) {
    try {
      service.read();
      reads++;
    } catch (IOException | RuntimeException e) {
      if (failedReads++ == 0) {
        err.println("the cluster's files can't be read, trying again: " + e);
      }
    }
  }

  private String json(Schemathesis.Findings found) throws IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("benchmark", "fuzz");
    report.put("minutes", minutes);
    report.put("seed", seed);
    report.put("operations", found.operations());
    report.put("operations_tested", found.tested());
    report.put("cases", found.cases());
    report.put("server_errors", found.serverErrors());
    report.put("hangs", found.hangs());
    report.put("failures", found.failures());
    report.put("reads", reads);
    report.put("failed_reads", failedReads);
    return new ObjectMapper().writeValueAsString(report);
  }
}
