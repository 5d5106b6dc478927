// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.hints.wire.OneLine;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsHintAttributes;
import io.thermocline.tiering.act.HdfsLeftovers;
import io.thermocline.tiering.act.HdfsMarks;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.app.groups.GroupExecutorFactory;
import io.thermocline.tiering.app.plans.Removal;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.Superuser;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bin/thermocline uninstall}, before the package is removed. */
@Command(
    name = "thermocline uninstall",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Takes back what the service has in force in HDFS: raised replication factors, cache directives and their pool,"
          + " storage policies with their marks, hints on files and directories, and copies of groups. Moves copies back to where the remaining storage"
          + " policies have them. Then removes the service's own files and attributes in HDFS, and its nodes in"
          + " ZooKeeper. Without --yes it only says what it would do.",
      "",
      "With --yes the service must be stopped. A mover must run. If the command is interrupted, run it again: it goes on where it"
          + " ended. It names the settings of NameNodes, DataNodes and this host that load the package's classes or let its user act"
          + " for others: change these, then remove the package and the directories of this host.",
      "",
      "Exit codes: 1 if HDFS, ZooKeeper or the journal can't be used, or with --yes a service runs; 2 for bad usage; 3 if something"
          + " is left, with the reason."
    })
public final class UninstallMain implements Callable<Integer> {

  private static final int PARTLY = 3;

  /** How long an interrupted run may take to end. */
  private static final long CLOSING_SECONDS = 30;

  @Spec private CommandSpec spec;

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

  public static void main(String[] args) {
    System.exit(CommandLines.of(new UninstallMain()).execute(args));
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    ServiceConfig settings = ServiceConfigFile.read(config);
    Configuration hadoop = HadoopConfiguration.load(settings.hdfs());
    return OwnCalls.make(() -> uninstall(settings, hadoop));
  }

  /** What there was, and what is left of it, by name. */
  private record Outcome(Removal.Found found, Map<String, String> left, boolean isJournalLost) {}

  private int uninstall(ServiceConfig settings, Configuration hadoop)
      throws IOException, InterruptedException {
    Leadership.Election election = settings.shared().election();
    List<String> nodes =
        election == null
            ? List.of()
            : Leadership.remove(
                election, yes ? Leadership.Removing.CHECK : Leadership.Removing.LOOK);
    Outcome outcome = takeBack(settings, hadoop);
    Map<String, String> left = new LinkedHashMap<>(outcome.left());
    // As long as something is in force, the journal is needed.
    boolean mayGo = yes && left.isEmpty();
    List<String> removed = new ArrayList<>();
    // Only now without the mutex.
    try (DistributedFileSystem hdfs = HdfsConnection.open(settings.hdfs().nameNode(), hadoop)) {
      HdfsLeftovers leftovers =
          new HdfsLeftovers(
              hdfs,
              settings.decide().actions().pool(),
              settings.shared().journal() == null ? null : Journals.path(settings),
              new org.apache.hadoop.fs.Path(GroupExecutorFactory.directory(settings)),
              new org.apache.hadoop.fs.Path(settings.act().mutex()),
              outcome.isJournalLost());
      removed.addAll(leftovers.found());
      if (mayGo) {
        left.putAll(leftovers.remove());
      }
    }
    if (mayGo && election != null) {
      Leadership.remove(election, Leadership.Removing.REMOVE);
    }
    List<String> remaining =
        RemainingSettings.of(
            DoctorFacts.gather(
                settings, settings.hdfs().configuration(), hadoop, ServiceRuntime.system().clock()),
            UserGroupInformation.getCurrentUser().getShortUserName());
    nodes.forEach(node -> removed.add("ZooKeeper node " + node));
    removed.removeAll(left.keySet());
    if (yes && !mayGo) {
      removed.clear();
    }
    print(outcome.found(), removed, left, remaining, spec.commandLine().getOut());
    return left.isEmpty() ? 0 : PARTLY;
  }

  private Outcome takeBack(ServiceConfig settings, Configuration hadoop)
      throws IOException, InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    ShutdownHookManager hooks = ShutdownHookManager.get();
    try (StoppedService stopped = new StoppedService(settings, hadoop, yes, true);
        HdfsHintAttributes hints =
            new HdfsHintAttributes(stopped.hdfs().getUri(), hadoop, stopped.trail())) {
      // Interrupted, it gives the mutex up; else the next run would wait for HDFS to do so.
      Runnable end = () -> end(stopped.hands().control(), closed);
      // Before Hadoop's own hook, which closes every client of HDFS.
      hooks.addShutdownHook(
          end, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1, CLOSING_SECONDS, TimeUnit.SECONDS);
      try {
        return takeBack(settings, stopped, hints);
      } finally {
        if (!hooks.isShutdownInProgress()) {
          hooks.removeShutdownHook(end);
        }
      }
    } finally {
      closed.countDown();
    }
  }

  private static void end(ExecutionControl control, CountDownLatch closed) {
    control.end(ExecutionControl.Stop.ABANDON);
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Outcome takeBack(ServiceConfig settings, StoppedService stopped, HdfsHintAttributes hints)
      throws IOException, InterruptedException {
    stopped
        .lacks()
        .ifPresent(
            lacks -> say(lacks + " What is the service's own is found by its marks in HDFS."));
    boolean isLost = stopped.lacks().isPresent();
    try (ProgressLines progress =
        new ProgressLines(this::say, stopped.runtime().nanos(), stopped.hands().control())) {
      Removal removal =
          new Removal(
              settings,
              stopped.journal(),
              stopped.hands(),
              Superuser.reader(settings, stopped.hdfs()),
              roots(settings, stopped.journal(), isLost),
              new HdfsMarks(stopped.hdfs(), hints),
              stopped.runtime(),
              progress);
      if (!yes) {
        return new Outcome(removal.look(), Map.of(), isLost);
      }
      return stopped.act(
          "UNINSTALL",
          (hands, who) -> {
            stopped.trail().becauseOfAll("the service is removed");
            Removal.Found found = removal.look();
            return new Outcome(found, removal.run(found, who), isLost);
          });
    }
  }

  /** A mover's user may not look elsewhere. */
  private static List<String> roots(ServiceConfig settings, Journal journal, boolean isLost) {
    boolean isKnown = !isLost && !journal.isEmpty();
    return isKnown || settings.hdfs().mover() != null ? settings.manage().paths() : List.of("/");
  }

  private void say(String line) {
    spec.commandLine().getErr().println("thermocline uninstall: " + line);
  }

  private void print(
      Removal.Found found,
      List<String> removed,
      Map<String, String> left,
      List<String> remaining,
      PrintWriter out) {
    if (json) {
      ObjectNode object = Json.MAPPER.createObjectNode();
      object.put("groups", found.groups().size() + found.groupFiles().size());
      object.put("replicationFactors", found.raised().size());
      object.put("cachedFiles", found.cached().size());
      object.put("storagePolicies", found.policies().size());
      object.put("hints", found.hints().size());
      object.put("marks", found.marks().size());
      object.put("copies", found.copies());
      object.put("bytes", found.bytes());
      object.set("removed", Json.MAPPER.valueToTree(removed));
      object.set("left", Json.MAPPER.valueToTree(left));
      object.set("settings", Json.MAPPER.valueToTree(remaining));
      out.println(object.put("done", yes));
      return;
    }
    out.println("groups of copies: " + (found.groups().size() + found.groupFiles().size()));
    out.println("raised replication factors: " + found.raised().size());
    out.println("cached files: " + found.cached().size());
    out.println("storage policies: " + found.policies().size());
    out.println("files and directories with hints: " + found.hints().size());
    out.println("marks of nothing that is in force: " + found.marks().size());
    out.println("copies to move back: " + found.copies() + ", " + Quantities.bytes(found.bytes()));
    removed.forEach(each -> out.println(OneLine.of(each) + (yes ? ": removed" : "")));
    left.forEach((what, why) -> out.println(OneLine.of(what + ": left: " + why)));
    if (!remaining.isEmpty()) {
      out.println(
          "Settings to remove, and servers to restart or reconfigure, before the package goes:");
      remaining.forEach(line -> out.println("  " + OneLine.of(line)));
    }
    if (!yes) {
      out.println("Nothing was done: add --yes.");
    } else if (left.isEmpty()) {
      out.println(
          "Nothing of the service is left in HDFS"
              + (remaining.isEmpty()
                  ? ": remove the package."
                  : ". Change the settings above, and restart or reconfigure their servers, before you remove the package."));
    } else {
      out.println("Left: " + left.size() + ". Mend the reasons, and run the command again.");
    }
  }
}
