// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.placement.model.RegularFiles;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.shadow.ReportFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints what shadow mode would have done from the files that it wrote: the command with --config. */
@Command(
    name = "thermocline report",
    mixinStandardHelpOptions = true,
    description = {
      "Prints what the service would have done on a day in shadow mode, what reads would have been served from, what"
          + " it would have cost, and which files were read most from slow storage.",
      "",
      "The service writes it with each plan, as text, JSON and HTML, below journal.directory. Disturbs nobody.",
      "",
      "Exit codes: 1 where there is no such report; 2 for bad usage and what is wrong with the configuration."
    })
public final class ReportMain implements Callable<Integer> {

  private static final String LATEST = "latest";

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "the service's thermocline.yaml")
  private Path config;

  @Option(
      names = "--day",
      paramLabel = "DAY",
      defaultValue = LATEST,
      description = "for instance 2026-11-20, in the zone of the logs (default: the last there is)")
  private String day;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "${COMPLETION-CANDIDATES} (default: text)")
  private ReportFiles.Format format;

  @Override
  public Integer call() throws ConfigException, IOException {
    Path directory = ServiceConfigFile.read(config).shadow();
    ReportFiles reports = new ReportFiles(directory);
    List<String> days = reports.days();
    if (days.isEmpty()) {
      throw new IOException(
          "no report in " + directory + " yet: a service in shadow mode writes it with each plan");
    }
    String wanted = day.equals(LATEST) ? days.get(days.size() - 1) : day;
    if (!days.contains(wanted)) {
      throw new IOException(
          "no report of "
              + wanted
              + " in "
              + directory
              + ": there are "
              + days.get(0)
              + " to "
              + days.get(days.size() - 1));
    }
    spec.commandLine().getOut().print(RegularFiles.text(reports.file(wanted, format)));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
