// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.doctor.Check;
import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Finding;
import io.thermocline.tiering.doctor.Severity;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Entry point of the command that finds what keeps a cluster from being tiered. */
@Command(
    name = "thermocline doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Checks for common mistakes: settings of NameNodes and DataNodes as they run (their pages /conf,"
          + " /jmx and /logLevel), what HDFS says, and this host. Says of each finding what it is, where, why it"
          + " matters, and what to do. Changes nothing. docs/reference/doctor.md lists the checks.",
      "",
      "Run it as the service's user on the service's host. Of a directory in manage.paths without a quota the NameNode counts"
          + " the files, once.",
      "",
      "Exit codes: 0 without an error among the findings; 1 with one, or where it can't look at all; 2 for bad usage and"
          + " what is wrong with the configuration."
    })
public final class DoctorMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "the service's thermocline.yaml")
  private Path config;

  @Option(
      names = "--hadoop-conf",
      paramLabel = "DIRECTORY",
      description =
          "of core-site.xml and hdfs-site.xml (default: hdfs.configuration of thermocline.yaml)")
  private Path hadoopConf;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new DoctorMain()).execute(args));
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    ServiceConfig settings = ServiceConfigFile.read(config);
    Path directory = hadoopConf == null ? settings.hdfs().configuration() : hadoopConf;
    Configuration hadoop =
        HadoopConfiguration.load(
            directory,
            hadoopConf == null ? "hdfs.configuration" : "--hadoop-conf",
            settings.hdfs().kerberos());
    Facts facts =
        OwnCalls.make(
            () -> DoctorFacts.gather(settings, directory, hadoop, ServiceRuntime.system().clock()));
    return report(facts) == Severity.ERROR ? 1 : 0;
  }

  /** Returns the worst. */
  private Severity report(Facts facts) throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ArrayNode checks = mapper.createArrayNode();
    PrintWriter out = spec.commandLine().getOut();
    int[] counts = new int[Severity.values().length];
    for (Check check : Check.all()) {
      List<Finding> findings = check.look().apply(facts);
      Severity worst =
          findings.stream().map(Finding::severity).max(Severity::compareTo).orElse(Severity.OK);
      counts[worst.ordinal()]++;
      if (json) {
        ObjectNode node = checks.addObject();
        node.put("check", check.id()).put("severity", word(worst)).put("title", check.title());
        ArrayNode list = node.putArray("findings");
        findings.forEach(finding -> list.add(mapper.valueToTree(finding)));
      } else {
        out.printf("%-8s%s: %s%n", word(worst), check.id(), check.title());
        findings.forEach(finding -> print(out, finding));
      }
    }
    String sum =
        String.format(
            Locale.ROOT,
            "%d errors, %d warnings, %d notes, %d ok",
            counts[Severity.ERROR.ordinal()],
            counts[Severity.WARNING.ordinal()],
            counts[Severity.NOTE.ordinal()],
            counts[Severity.OK.ordinal()]);
    if (json) {
      ObjectNode root = mapper.createObjectNode();
      root.put("sum", sum).set("checks", checks);
      out.println(mapper.writeValueAsString(root));
    } else {
      out.println(sum);
    }
    return counts[Severity.ERROR.ordinal()] > 0 ? Severity.ERROR : Severity.OK;
  }

  private static void print(PrintWriter out, Finding finding) {
    out.println("        " + OneLine.of(finding.where() + ": " + finding.what()));
    if (!finding.why().isEmpty()) {
      out.println("          why: " + OneLine.of(finding.why()));
    }
    if (!finding.fix().isEmpty()) {
      out.println("          fix: " + OneLine.of(finding.fix()));
    }
  }

  private static String word(Severity severity) {
    return severity.name().toLowerCase(Locale.ROOT);
  }
}
