// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import io.thermocline.tiering.process.CommandLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bin/thermocline chaos}. */
@Command(
    name = "thermocline chaos",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs a cluster that tiers itself on this machine, with two NameNodes and three JournalNodes,"
          + " two services and three ZooKeeper servers, and has things go wrong: services killed, frozen, cut off from ZooKeeper,"
          + " with a wrong clock or without their rights; DataNodes and ZooKeeper servers killed,"
          + " the active NameNode restarted, replaced by the standby or lost to it, disks full; no"
          + " room for the journal, a quota that is"
          + " exceeded, files renamed and deleted.",
      "",
      "Checks throughout that files hold what was written and that no read fails but for a fault"
          + " that takes files or their copies away, and at the end that each block has its"
          + " replicas, that no move was done twice or has no end, and that every storage policy"
          + " set is in the journal.",
      "",
      "Says on the standard error output what goes wrong and how much time is left. Ends with one"
          + " line of JSON. Exit code 1 where something didn't hold."
    })
public final class ChaosMain implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "10",
      description = "how long things go wrong (default: 10)")
  private int minutes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "of what goes wrong when (default: 1)")
  private long seed;

  @Option(
      names = "--scenarios",
      paramLabel = "NAME",
      split = ",",
      description = {
        "instead of random faults, these scenarios on a cluster of processes with the packaged service and a mover,"
            + " or all of: quota, user_changes, cold_replicas, idle, renames, silence, floods, killed, load, hints, undo, refused"
      })
  private List<String> scenarios = List.of();

  @Option(
      names = "--fault-seconds",
      paramLabel = "N",
      defaultValue = "75",
      description = "of scenarios: how long each fault lasts (default: 75)")
  private int faultSeconds;

  @Option(
      names = "--keep",
      paramLabel = "DIRECTORY",
      description = "for the logs; by default nothing is kept")
  private Path keep;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new ChaosMain()).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory =
        keep == null
            ? Files.createTempDirectory("thermocline-chaos-")
            : Files.createDirectories(keep).toAbsolutePath();
    try {
      if (!scenarios.isEmpty()) {
        return scenarios(directory);
      }
      Chaos.Outcome outcome =
          new Chaos(seed, spec.commandLine().getErr()::println)
              .run(directory, Duration.ofMinutes(minutes));
      spec.commandLine().getOut().println(json(outcome));
      return outcome.violations().isEmpty() ? 0 : 1;
    } finally {
      if (keep == null) {
        delete(directory);
      }
    }
  }

  private int scenarios(Path directory) throws IOException, InterruptedException {
    Set<Scenario> chosen = EnumSet.noneOf(Scenario.class);
    for (String name : scenarios) {
      if (name.equals("all")) {
        chosen.addAll(EnumSet.allOf(Scenario.class));
      } else {
        chosen.add(scenario(name));
      }
    }
    Scenarios run = new Scenarios(chosen, seed, spec.commandLine().getErr()::println);
    run.run(directory, Duration.ofMinutes(minutes), Duration.ofSeconds(faultSeconds), run.faults());
    spec.commandLine().getOut().println(run.json(seed));
    return run.violations().isEmpty() ? 0 : 1;
  }

  private Scenario scenario(String name) {
    return Arrays.stream(Scenario.values())
        .filter(one -> one.label().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--scenarios: there is no scenario "
                        + name
                        + "; there are all, "
                        + Scenario.labels()));
  }

  private String json(Chaos.Outcome outcome) {
    StringBuilder line = new StringBuilder("{\"benchmark\":\"chaos\"");
    line.append(",\"minutes\":").append(minutes).append(",\"seed\":").append(seed);
    line.append(",\"faults\":")
        .append(outcome.faults().values().stream().mapToInt(Integer::intValue).sum());
    for (Fault fault : Fault.values()) {
      line.append(",\"")
          .append(fault.name().toLowerCase(Locale.ROOT))
          .append("\":")
          .append(outcome.faults().getOrDefault(fault, 0));
    }
    line.append(",\"reads\":")
        .append(outcome.reads())
        .append(",\"reads_failed\":")
        .append(outcome.failedReads().values().stream().mapToInt(Integer::intValue).sum());
    outcome
        .failedReads()
        .forEach(
            (fault, count) ->
                line.append(",\"reads_failed_by_")
                    .append(fault.name().toLowerCase(Locale.ROOT))
                    .append("\":")
                    .append(count));
    return line.append(",\"moves_finished\":")
        .append(outcome.moves())
        .append(",\"violations\":")
        .append(outcome.violations().size())
        .append('}')
        .toString();
  }

  private static void delete(Path directory) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(directory)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    try {
      for (Path path : all) {
        Files.deleteIfExists(path);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
