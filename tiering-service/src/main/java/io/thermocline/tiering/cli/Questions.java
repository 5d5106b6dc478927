// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.commands.ExplainMain;
import io.thermocline.tiering.commands.ReportMain;
import io.thermocline.tiering.shadow.ReportFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that ask. */
final class Questions {

  private Questions() {}

  /** Which part of a list. */
  static final class ListOptions {
    @Option(
        names = "--limit",
        defaultValue = "100",
        description = "how many at most, up to 1000 (default: ${DEFAULT-VALUE})")
    private int limit;

    @Option(
        names = "--offset",
        defaultValue = "0",
        description = "how many to pass over (default: ${DEFAULT-VALUE})")
    private int offset;

    Map<String, String> query() {
      return new TreeMap<>(
          Map.of("limit", Integer.toString(limit), "offset", Integer.toString(offset)));
    }
  }

  /** The service at a glance. */
  @Command(name = "status", description = "Shows what the service sees and does.")
  static final class Status implements Callable<Integer> {
    @Mixin private ServiceOptions options;

    @Override
    public Integer call() throws CliException, InterruptedException {
      options.print(options.client().get("/state", Map.of()));
      return 0;
    }
  }

  /** Files or directories by heat. */
  @Command(name = "heat", description = "The hottest files, or the hottest directories in one.")
  static final class Heat implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ListOptions part;

    @Option(
        names = "--in",
        paramLabel = "DIRECTORY",
        description = "show the directories in this one instead of files")
    private String directory;

    @Override
    public Integer call() throws CliException, InterruptedException {
      Map<String, String> query = part.query();
      if (directory != null) {
        query.put("path", directory);
      }
      options.print(options.client().get(directory == null ? "/heat" : "/directories", query));
      return 0;
    }
  }

  /** What it moves. */
  @Command(name = "moves", description = "The last moves, newest first, and what became of them.")
  static final class Moves implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ListOptions part;
    @Mixin private InOption in;

    @Override
    public Integer call() throws CliException, InterruptedException {
      options.print(options.client().get("/moves", in.addTo(part.query())));
      return 0;
    }
  }

  /** Which files. */
  static final class InOption {
    @Option(
        names = "--in",
        paramLabel = "PATH",
        description = "only of this file, or of the files below this directory")
    private String path;

    Map<String, String> addTo(Map<String, String> query) {
      if (path != null) {
        query.put("path", path);
      }
      return query;
    }
  }

  /** What it is at. */
  @Command(
      name = "tasks",
      description = "Lists the operations of the service, running and finished, or shows one.")
  static final class Tasks implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ListOptions part;

    @Parameters(arity = "0..1", paramLabel = "ID", description = "of a task")
    private Integer id;

    @Override
    public Integer call() throws CliException, InterruptedException {
      ServiceClient client = options.client();
      options.print(
          id == null ? client.get("/tasks", part.query()) : client.get("/tasks/" + id, Map.of()));
      return 0;
    }
  }

  /** DataNodes and buckets. */
  @Command(
      name = "nodes",
      description = "Lists the live DataNodes, the buckets, or the segments of one bucket.")
  static final class Nodes implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ListOptions part;

    @Option(names = "--buckets", description = "the number line of each storage type")
    private boolean buckets;

    @Option(
        names = "--segments",
        paramLabel = "TYPE",
        description = "the segment table of a storage type, like SSD")
    private String segments;

    @Override
    public Integer call() throws CliException, InterruptedException {
      String path =
          segments != null ? "/buckets/" + segments + "/segments" : buckets ? "/buckets" : "/nodes";
      options.print(options.client().get(path, part.query()));
      return 0;
    }
  }

  /** Why a file is where it is. */
  @Command(
      name = "explain",
      description = {
        "Says why files are where they are, what the next plan would do with them, and what keeps them from a"
            + " faster type, with the numbers.",
        "",
        "Asks the service that runs; with --config, computes on this host from what the service saved last"
            + " (thermocline explain --config FILE --help says how)."
      })
  static final class Explain implements Callable<Integer> {
    @Mixin private ServiceOptions options;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "the service's thermocline.yaml: don't ask the service")
    private String config;

    @Parameters(arity = "1..*", paramLabel = "PATH", description = "of files in HDFS")
    private List<String> paths;

    @Override
    public Integer call() throws CliException, InterruptedException {
      if (config != null) {
        List<String> arguments = new ArrayList<>(List.of("--config", config));
        if (options.isJson()) {
          arguments.add("--json");
        }
        arguments.addAll(paths);
        return options.here(new ExplainMain(), arguments);
      }
      ServiceClient client = options.client();
      int exitCode = 0;
      for (String path : paths) {
        try {
          say(client.get("/files", Map.of("path", path)));
        } catch (CliException e) {
          if (e.exitCode() == CliException.NOT_REACHABLE) {
            throw e;
          }
          // What is known of the others is said all the same.
          options.out().flush();
          options.progress().println(OneLine.of(e.getMessage()));
          exitCode = e.exitCode();
        }
      }
      return exitCode;
    }

    private void say(JsonNode file) {
      if (options.isJson()) {
        options.print(file);
      } else {
        file.get("explanation").forEach(line -> options.out().println(OneLine.of(line.asText())));
      }
    }
  }

  /** What shadow mode would have done. */
  @Command(
      name = "report",
      description = {
        "Prints what the service would have done on a day in shadow mode, what reads would have been served from,"
            + " what it would have cost, and which files were read most from slow storage.",
        "",
        "Asks the service that runs; with --config, reads on this host what the service wrote below"
            + " journal.directory."
      })
  static final class Report implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ListOptions part;

    @Option(
        names = "--config",
        paramLabel = "FILE",
        description = "the service's thermocline.yaml: don't ask the service")
    private String config;

    @Option(
        names = "--day",
        paramLabel = "DAY",
        defaultValue = "latest",
        description =
            "for instance 2026-11-20, in the zone of the logs (default: the last there is)")
    private String day;

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        description = "with --config: ${COMPLETION-CANDIDATES} (default: text)")
    private ReportFiles.Format format;

    @Option(names = "--days", description = "list the days that there are reports of")
    private boolean days;

    @Override
    public Integer call() throws CliException, InterruptedException {
      if (config != null) {
        String as = format == null ? (options.isJson() ? "json" : "text") : format.toString();
        return options.here(
            new ReportMain(), List.of("--config", config, "--day", day, "--format", as));
      }
      if (format != null) {
        throw new CliException(
            CliException.USAGE,
            "--format is for the files of --config: leave it out, or give --json");
      }
      ServiceClient client = options.client();
      if (days) {
        options.print(client.get("/shadow", part.query()));
        return 0;
      }
      options.print(
          "report",
          client.get("/shadow/" + ServiceClient.encoded(day), Map.of()),
          "slowReads",
          client.get("/shadow/" + ServiceClient.encoded(day) + "/slow-reads", part.query()));
      return 0;
    }
  }

  /** What moves brought and cost. */
  @Command(
      name = "savings",
      description =
          "Prints what fast types served on a day, what that cost in moves, and which moves should not have been."
              + " Nothing of shadow mode, which moves nothing: report has its estimate.")
  static final class Savings implements Callable<Integer> {
    @Mixin private ServiceOptions options;
    @Mixin private ListOptions part;

    @Option(
        names = "--day",
        paramLabel = "DAY",
        defaultValue = "latest",
        description =
            "for instance 2026-11-20, in the zone of the logs (default: the last there is)")
    private String day;

    @Option(names = "--days", description = "list the days that there are")
    private boolean days;

    @Override
    public Integer call() throws CliException, InterruptedException {
      ServiceClient client = options.client();
      if (days) {
        options.print(client.get("/savings", part.query()));
        return 0;
      }
      String path = "/savings/" + ServiceClient.encoded(day);
      options.print(
          "savings", client.get(path, Map.of()),
          "mispredictions", client.get(path + "/mispredictions", part.query()));
      return 0;
    }
  }
}
