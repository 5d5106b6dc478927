// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.app.ReadOrders;
import io.thermocline.tiering.app.SavedHeat;
import io.thermocline.tiering.app.SavedImpossible;
import io.thermocline.tiering.app.cycle.ChewStrategy;
import io.thermocline.tiering.app.cycle.DecideStrategy;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.app.cycle.ServiceTiering;
import io.thermocline.tiering.app.hints.HintTracker;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.cluster.AttributeReader;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.admission.LearnedAdmission;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.ReaderTally;
import io.thermocline.tiering.observe.SourceCheckpoint;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.Superuser;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Entry point of the command that tells why files are where they are. */
@Command(
    name = "thermocline explain",
    mixinStandardHelpOptions = true,
    description = {
      "Says why files are where they are, what the next plan would do with them, and what keeps them from a"
          + " faster type, with the numbers.",
      "",
      "Makes the decisions of a plan on this host, from what the service works on: HDFS as it is now, the heat and the"
          + " worth that the service saved last (heat.checkpointEvery), and its journal. Changes nothing, and doesn't disturb a"
          + " service that is running. Thresholds that are learned are those of a service that starts now; patterns"
          + " (decide.strategy: chew) are those of all that was recorded of a file, not of the service's last epoch, and no"
          + " file is split.",
      "",
      "Exit codes: 1 where HDFS, the heat or the journal can't be read, or a path is no managed, closed file; 2 for bad usage and what is wrong with the"
          + " configuration."
    })
public final class ExplainMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "the service's thermocline.yaml")
  private Path config;

  @Option(names = "--json", description = "print one JSON object a path")
  private boolean json;

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "of files in HDFS")
  private List<String> paths;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new ExplainMain()).execute(args));
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    ServiceConfig settings = ServiceConfigFile.read(config);
    Configuration hadoop = HadoopConfiguration.load(settings.hdfs());
    return OwnCalls.make(() -> explain(settings, hadoop));
  }

  private int explain(ServiceConfig settings, Configuration hadoop)
      throws IOException, ConfigException {
    try (DistributedFileSystem hdfs = HdfsConnection.open(settings.hdfs().nameNode(), hadoop);
        Journal journal = Journals.read(settings, hdfs)) {
      HdfsReader reader = Superuser.reader(settings, hdfs);
      RulesInForce rules = RulesInForce.of(settings);
      String nameservice = hdfs.getUri().getAuthority();
      LearnedAdmission admission = SavedHeat.admission(settings, nameservice);
      HeatCheckpoint.Restored restored = restored(settings, nameservice, admission);
      Heat heat = restored.heat();
      Clock clock = ServiceRuntime.system().clock();
      PlanningRound.Sources sources =
          new PlanningRound.Sources(
              reader,
              new Quotas(hdfs.getClient(), ServiceRuntime.system().nanos()),
              ManagedFiles.listed(
                  reader, settings.manage().paths(), path -> rules.ruleSet().ignores(path)),
              rules,
              heat,
              SavedHeat.calibration(settings, SourceCheckpoint.parse(restored.position())),
              admission,
              settings.hints().isOn()
                  ? HintTracker.open(
                      settings,
                      heat,
                      new HintTracker.Hands(new AttributeReader(hdfs.getClient()), null, clock),
                      journal,
                      new JournaledHints(entry -> {}, clock))
                  : null,
              journal,
              clock,
              Set::of,
              new ReadOrders(
                      settings,
                      hadoop,
                      nameservice,
                      new ReaderTally(1),
                      ServiceRuntime.system().nanos())
                  ::of,
              SavedImpossible.read(settings));
      DecideStrategy strategy =
          ServiceTiering.strategy(
              settings,
              hadoop,
              (tiering, chew) ->
                  ChewStrategy.once(tiering, chew, heat, clock, settings.interval().least()));
      PlanningRound round = new PlanningRound(settings, sources, strategy);
      PlanningRound.Outcome outcome = round.run(journal.lastPlan() + 1);
      int exitCode = 0;
      for (String path : paths) {
        Explanation explanation = round.explain(path, outcome);
        print(path, explanation.lines());
        if (explanation.standing() == null) {
          exitCode = 1;
        }
      }
      return exitCode;
    }
  }

  private void print(String path, List<String> lines) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode object = Json.MAPPER.createObjectNode().put("path", path);
      lines.forEach(object.putArray("explanation")::add);
      out.println(object);
    } else {
      lines.stream().map(OneLine::of).forEach(out::println);
    }
  }

  private static HeatCheckpoint.Restored restored(
      ServiceConfig settings, String nameservice, LearnedAdmission admission) throws IOException {
    return HeatCheckpoint.load(
            SavedHeat.file(settings),
            settings.heat().settings(),
            nameservice,
            SavedHeat.restoring(admission))
        .orElseThrow(
            () ->
                new IOException(
                    "no heat in "
                        + settings.checkpoint()
                        + " yet: the service saves it each heat.checkpointEvery, and at its end"));
  }
}
