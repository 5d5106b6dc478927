// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.plans.MoveCounts;
import io.thermocline.tiering.app.plans.UndoResult;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.HadoopConfiguration;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/thermocline undo}, for when the service is stopped. */
@Command(
    name = "thermocline undo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Takes back what a plan did: storage policies, replication factors, what is cached, where the"
          + " replicas lie, and groups. Files that somebody changed since are left as they are, and"
          + " named with the reason. Without --yes or --why it only says what it would do.",
      "",
      "With --yes or --why the service must be stopped; a running one is asked through its API.",
      "",
      "Exit codes: 1 where HDFS or the journal can't be used, or with --yes or --why the service runs; 2 for bad usage;"
          + " 3 where files were left as they are."
    })
public final class UndoMain implements Callable<Integer> {

  private static final int PARTLY = 3;

  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "PLAN", description = "the plan's number in the journal")
  private long plan;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "thermocline.yaml of the service")
  private Path config;

  @Option(
      names = {"--why", "--reason"},
      paramLabel = "REASON",
      description = "do it, and record this reason in the journal and in the audit log")
  private String why;

  @Option(names = "--yes", description = "do it")
  private boolean yes;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    yes |= why != null;
    ServiceConfig settings = ServiceConfigFile.read(config);
    Configuration hadoop = HadoopConfiguration.load(settings.hdfs());
    return OwnCalls.make(() -> undo(settings, hadoop));
  }

  private int undo(ServiceConfig settings, Configuration hadoop)
      throws IOException, InterruptedException {
    try (StoppedService stopped = new StoppedService(settings, hadoop, yes, false)) {
      long last = stopped.journal().lastPlan();
      if (plan < 1 || plan > last) {
        throw new IllegalStateException("there is no plan " + plan + ": the last one is " + last);
      }
      UndoResult result = undo(stopped);
      print(result, spec.commandLine().getOut());
      return result.refused().isEmpty() ? 0 : PARTLY;
    }
  }

  private UndoResult undo(StoppedService stopped) throws IOException, InterruptedException {
    ApplyMode hands = stopped.hands();
    UndoResult recorded = hands.previewUndo(plan, 0);
    MoveCounts counts = new MoveCounts();
    hands.countIn(counts);
    try (ProgressLines progress =
        new ProgressLines(
            line -> spec.commandLine().getErr().println("thermocline undo: " + line),
            stopped.runtime().nanos(),
            hands.control())) {
      int files = recorded.paths().size();
      progress.begin(
          yes ? "looks at files, and moves" : "files looked at",
          yes ? 2L * files + recorded.moves() : files,
          () -> counts.progress(0).done());
      return yes
          ? stopped.act(
              "UNDO",
              (all, who) -> {
                String by = "plan " + plan + " is taken back by " + who;
                stopped.trail().becauseOfAll(why == null ? by : by + ": " + why);
                return all.undo(plan, who, why);
              })
          : hands.previewUndo(plan, Integer.MAX_VALUE);
    }
  }

  private void print(UndoResult result, PrintWriter out) {
    if (json) {
      ObjectNode object = Json.MAPPER.valueToTree(result);
      out.println(object.put("done", yes));
      return;
    }
    if (result.paths().isEmpty() && result.refused().isEmpty()) {
      out.println(
          "plan "
              + result.plan()
              + ": nothing is left of it to take back. The journal has no more of it, as what is older"
              + " than journal.keep is deleted; or all is as it was before.");
      return;
    }
    result
        .paths()
        .forEach(path -> out.println(OneLine.of(path) + (yes ? ": taken back" : ": can be")));
    result
        .refused()
        .forEach((path, why) -> out.println(OneLine.of(path + ": left as it is: " + why)));
    out.println(
        "plan "
            + result.plan()
            + ": "
            + Quantities.count(result.paths().size(), "file")
            + ", "
            + Quantities.count(result.moves(), "move")
            + (yes ? " under plan " + result.number() : "; nothing was done: add --yes")
            + "; left unchanged: "
            + Quantities.count(result.refused().size(), "file"));
  }
}
