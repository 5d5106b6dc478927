// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.act.WithinQuotas;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.app.groups.GroupHands;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.plans.MovingParts;
import io.thermocline.tiering.app.plans.UndoResult;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.app.records.MarkedJournal;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.process.Closer;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.Seams;
import io.thermocline.tiering.process.ServiceThreads;
import io.thermocline.tiering.process.Superuser;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
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
          + " named with the reason. Without --yes it only says what it would do.",
      "",
      "The service must be stopped; a running one is asked through its API.",
      "",
      "Exit codes: 1 where HDFS or the journal can't be used, or the service runs; 2 for bad usage;"
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

  @Option(names = "--yes", description = "do it")
  private boolean yes;

  @Option(names = "--json", description = "print one JSON object")
  private boolean json;

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    ServiceConfig settings = ServiceConfigFile.read(config);
    Configuration hadoop = HadoopConfiguration.load(settings.hdfs());
    return OwnCalls.make(() -> undo(settings, hadoop));
  }

  private int undo(ServiceConfig settings, Configuration hadoop)
      throws IOException, InterruptedException {
    Seams seams = Seams.system();
    ServiceConfig.Act act = settings.act();
    ExecutorService copiers = Executors.newFixedThreadPool(act.limits().copies() + 1);
    Closer watching = new Closer();
    try (DistributedFileSystem hdfs = HdfsConnection.open(settings.hdfs().nameNode(), hadoop);
        // Refused while a service has the mutex, before the journal is taken from it.
        Superuser superuser =
            Superuser.of(
                settings,
                hdfs,
                hadoop,
                OperationBudget.unlimited(),
                new MoverClient.Terms(MoverClient.Away.FAIL, epoch(settings, hdfs) + 1));
        Journal journal =
            yes ? Journals.open(settings, hdfs, seams.pause()) : Journals.read(settings, hdfs)) {
      MarkedJournal marked = MarkedJournal.of(settings, hdfs, journal, OperationBudget.unlimited());
      Optional<String> lacks = marked.lacks();
      if (lacks.isPresent()) {
        throw new IOException(lacks.get() + MarkedJournal.ADVICE);
      }
      AuditTrail trail =
          new AuditTrail(UserGroupInformation.getCurrentUser().getShortUserName(), seams.clock());
      Quotas quotas = new Quotas(hdfs.getClient(), seams.nanos());
      HdfsActions moves =
          trail.audited(
              HdfsActions.class, WithinQuotas.of(quotas, HdfsActions.class, superuser.moves()));
      LeverActions levers =
          trail.audited(
              LeverActions.class, WithinQuotas.of(quotas, LeverActions.class, superuser.levers()));
      ApplyMode hands =
          new ApplyMode(
              new ApplyMode.Hands(
                  moves,
                  (machinery, policies) ->
                      new PlanExecutor(moves, act.limits(), act.pacing(), machinery, policies),
                  levers,
                  copiers,
                  GroupHands.of(
                      settings,
                      hdfs,
                      new GroupHands.Parts(
                          moves,
                          levers,
                          OperationBudget.unlimited(),
                          OperationBudget.unlimited(),
                          trail))),
              act.limits(),
              settings.decide().levers().pool(),
              journal,
              seams);
      UndoResult result;
      if (yes) {
        MovingParts parts =
            new MovingParts(
                settings, hdfs, seams, watching, trail, OperationBudget.unlimited(), quotas);
        parts.watchCluster(
            hands,
            superuser,
            new ServiceThreads(
                UserGroupInformation.getCurrentUser(), TieringService.CALLER_CONTEXT));
        journal.append(
            new JournalEntry.Started(
                seams.clock().instant().toString(), "UNDO", journal.epoch() + 1));
        hands.mark(marked::keepUp);
        result = undoWhateverWasSaid(hands, act.limits().verifyEvery(), seams);
      } else {
        result = hands.previewUndo(plan);
      }
      print(result, spec.commandLine().getOut());
      return result.refused().isEmpty() ? 0 : PARTLY;
    } finally {
      watching.close();
      copiers.shutdownNow();
    }
  }

  private static long epoch(ServiceConfig settings, DistributedFileSystem hdfs) throws IOException {
    try (Journal seen = Journals.read(settings, hdfs)) {
      return seen.epoch();
    }
  }

  /** Who takes a plan back with the service ended means it, also where it was paused or stopped before; that it stays. */
  private UndoResult undoWhateverWasSaid(ApplyMode hands, Duration every, Seams seams)
      throws IOException, InterruptedException {
    String who = UserGroupInformation.getCurrentUser().getShortUserName();
    Steering steering = hands.steering();
    Steering.Current said = steering.current();
    if (said.state() == Steering.State.RUNNING) {
      return undo(hands, who, every, seams);
    }
    steering.resume(who, "to take plan " + plan + " back");
    try {
      return undo(hands, who, every, seams);
    } finally {
      steering.pause(said.who(), said.why());
    }
  }

  /** After what was under way when the service ended: nobody else looks after that here. */
  private UndoResult undo(ApplyMode hands, String who, Duration every, Seams seams)
      throws IOException, InterruptedException {
    hands.recovery().look();
    while (!hands.recovery().isEnded()) {
      if (!hands.steering().mayBegin()) {
        throw new IllegalStateException("can't undo: " + hands.steering().reason());
      }
      seams.pause().pause(every);
      hands.recovery().look();
    }
    return hands.undo(plan, who);
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
            + result.paths().size()
            + " files, "
            + result.moves()
            + " moves"
            + (yes ? " under plan " + result.number() : "; nothing was done: add --yes")
            + ", "
            + result.refused().size()
            + " files left as they are");
  }
}
