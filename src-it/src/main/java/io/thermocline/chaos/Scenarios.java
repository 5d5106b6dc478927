// SPDX-License-Identifier: Apache-2.0
package io.thermocline.chaos;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Runs scenarios on one {@link ScenarioCluster}: first those of users, all at once, then faults, one after the other, and at
 * the end checks what must hold. By a seed; for one thread.
 */
final class Scenarios {

  private static final Duration MAX_SILENCE = Duration.ofSeconds(10);
  private static final int MAX_LINES = 50;
  private static final int MAX_LINES_A_MINUTE = 10;

  /** Of a fault: after it the lines a minute are counted. */
  private static final Duration BEGINNING = Duration.ofSeconds(15);

  /** Less tells nothing about lines a minute. */
  private static final Duration MIN_COUNTED = Duration.ofSeconds(30);

  private static final Duration SETTLING = Duration.ofMinutes(3);
  private static final Duration STEP = Duration.ofMillis(500);
  private static final int BUSY_FILES = 12;
  private static final int BUSY_READS = 3;

  private final SplittableRandom random;
  private final Consumer<String> progress;
  private final Findings findings;
  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final Set<Scenario> chosen;
  private final Map<ProcessFault, Measured> measured = new LinkedHashMap<>();
  private ScenarioCluster cluster;
  private List<UserScenario> users = List.of();

  /**
   * What a fault brought.
   *
   * @param silence the longest
   * @param lines written from its begin until the service acted again
   * @param linesAMinute written while it lasted, after its beginning; 0 where it was too short to tell
   * @param recovery from its end until the service acted again
   */
  record Measured(Duration silence, long lines, long linesAMinute, Duration recovery) {}

  /**
   * @param chosen which of them
   * @param progress told what goes on, and what doesn't hold
   */
  Scenarios(Set<Scenario> chosen, long seed, Consumer<String> progress) {
    this.chosen = EnumSet.copyOf(chosen);
    this.random = new SplittableRandom(seed);
    this.progress = progress;
    this.findings = new Findings(progress);
  }

  /** Faults of the chosen scenarios, in the order of a run. */
  List<ProcessFault> faults() {
    return chosen.stream().flatMap(scenario -> scenario.faults().stream()).toList();
  }

  /**
   * @param acting how long users do what they do
   * @param lasting how long each fault lasts
   * @param faults which of them are tried
   */
  void run(Path directory, Duration acting, Duration lasting, List<ProcessFault> faults)
      throws IOException, InterruptedException {
    progress.accept("starting the cluster and the service, about a minute");
    try (ScenarioCluster started = ScenarioCluster.start(directory)) {
      cluster = started;
      users = chosen.stream().flatMap(scenario -> user(scenario).stream()).toList();
      try {
        usersAct(acting);
        for (ProcessFault fault : faults) {
          goWrong(fault, lasting);
        }
        check();
      } catch (IOException e) {
        findings.add(Findings.Kind.OTHER, "the run ended early: " + e);
      }
    }
  }

  private Optional<UserScenario> user(Scenario scenario) {
    return Optional.ofNullable(
        switch (scenario) {
          case QUOTA -> new QuotaScenario(cluster, findings);
          case USER_CHANGES -> new UserChangesScenario(cluster, findings, random.split());
          case COLD_REPLICAS -> new ColdReplicasScenario(cluster, findings);
          case IDLE -> new CoolingScenario(cluster, findings);
          case RENAMES -> new RenamesScenario(cluster, findings, random.split());
          case LOAD -> new LoadScenario(cluster, findings);
          case HINTS -> new HintScenario(cluster, findings);
          case UNDO -> new UndoScenario(cluster, findings);
          case REFUSED -> new RefusedScenario(cluster, findings);
          case SILENCE, FLOODS, KILLED -> null;
        });
  }

  private void usersAct(Duration time) throws IOException, InterruptedException {
    if (users.isEmpty()) {
      return;
    }
    for (UserScenario each : users) {
      each.prepare();
    }
    progress.accept("users act for " + time.toSeconds() + " s");
    long end = runtime.nanos().getAsLong() + time.toNanos();
    while (runtime.nanos().getAsLong() < end) {
      for (UserScenario each : users) {
        each.step();
      }
      runtime.pause().pause(STEP);
    }
    for (UserScenario each : users) {
      each.checkAfterUsers();
    }
  }

  private void goWrong(ProcessFault fault, Duration time) throws IOException, InterruptedException {
    progress.accept(fault + " for " + time.toSeconds() + " s");
    fault.prepare(cluster);
    // Something is under way then.
    String busy = "busy" + measured.size();
    for (int i = 0; i < BUSY_FILES; i++) {
      cluster.files().create(busy);
    }
    for (int i = 0; i < BUSY_READS; i++) {
      cluster.files().read(busy);
    }
    long before = cluster.logLines();
    cluster.silence().begin();
    fault.begin(cluster);
    Duration beginning = time.compareTo(BEGINNING) < 0 ? time : BEGINNING;
    lasts(beginning);
    long atFirst = cluster.logLines();
    Duration rest = time.minus(beginning);
    lasts(rest);
    long later = cluster.logLines() - atFirst;
    Duration silence = cluster.silence().end();
    long ended = runtime.nanos().getAsLong();
    fault.end(cluster);
    cluster.awaitActing();
    Measured brought =
        new Measured(
            silence,
            cluster.logLines() - before,
            rest.compareTo(MIN_COUNTED) < 0 ? 0 : later * 60 / rest.toSeconds(),
            Duration.ofNanos(runtime.nanos().getAsLong() - ended));
    measured.put(fault, brought);
    progress.accept(fault + ": " + brought);
    cluster.silence().obstacles().forEach(shown -> progress.accept(fault + ", shown: " + shown));
    if (silence.compareTo(MAX_SILENCE) > 0) {
      violation(fault + ": silent for " + silence);
    }
    if (brought.lines() >= MAX_LINES) {
      violation(fault + ": " + brought.lines() + " log lines");
    }
    if (brought.linesAMinute() >= MAX_LINES_A_MINUTE) {
      violation(fault + ": " + brought.linesAMinute() + " log lines a minute");
    }
  }

  private void lasts(Duration time) throws IOException, InterruptedException {
    long end = runtime.nanos().getAsLong() + time.toNanos();
    while (runtime.nanos().getAsLong() < end) {
      cluster.keepService();
      runtime.pause().pause(STEP);
    }
  }

  private void check() throws IOException, InterruptedException {
    progress.accept(
        "nothing goes wrong any more; until all is settled, at most "
            + SETTLING.toSeconds()
            + " s left");
    cluster.awaitActing();
    awaitSettled();
    if (chosen.contains(Scenario.QUOTA)) {
      // A NameNode counts anew what quotas are used for when it starts.
      cluster.killNameNodes();
      cluster.startNameNodes();
      cluster.awaitActing();
    }
    for (UserScenario each : users) {
      each.check();
    }
    for (int id : cluster.files().ids()) {
      if (!cluster.files().isWhole(id)) {
        findings.add(
            Findings.Kind.LOST, cluster.files().name(id) + " doesn't have what was written");
      }
    }
    cluster.journal().check().forEach(this::violation);
    cluster.keepLogs();
  }

  /** Returns when moves are at their end, and what was hot has cooled. */
  private void awaitSettled() throws IOException, InterruptedException {
    long deadline = runtime.nanos().getAsLong() + SETTLING.toNanos();
    String left = unsettled();
    while (!left.isEmpty() && runtime.nanos().getAsLong() < deadline) {
      runtime.pause().pause(Duration.ofSeconds(1));
      left = unsettled();
    }
    for (String move : Invariants.stuck(cluster.hdfs().client())) {
      findings.add(Findings.Kind.STUCK_MOVES, "no end in the journal: " + move);
    }
    if (!left.isEmpty()) {
      violation(left + "\n" + cluster.host().service());
    }
  }

  private String unsettled() throws IOException {
    if (!Invariants.stuck(cluster.hdfs().client()).isEmpty()) {
      return "moves or plans have no end in the journal";
    }
    for (UserScenario each : users) {
      String left = each.unsettled();
      if (!left.isEmpty()) {
        return left;
      }
    }
    return "";
  }

  private void violation(String what) {
    findings.add(Findings.Kind.OTHER, what);
  }

  /** What didn't hold. */
  List<String> violations() {
    return findings.violations();
  }

  /** What came of it as one line of JSON. */
  String json(long seed) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("benchmark", "chaos scenarios").put("seed", seed);
    for (Findings.Kind kind : Findings.Kind.values()) {
      if (kind != Findings.Kind.OTHER) {
        line.put(kind.label(), findings.count(kind));
      }
    }
    line.put("silent_seconds", seconds(longest(Measured::silence)));
    line.put("log_lines_per_fault", most(Measured::lines));
    line.put("log_lines_per_minute", most(Measured::linesAMinute));
    line.put("recovery_seconds", seconds(longest(Measured::recovery)));
    measured.forEach(
        (fault, brought) ->
            line.put(fault.label() + "_silent_seconds", seconds(brought.silence()))
                .put(fault.label() + "_log_lines", brought.lines())
                .put(fault.label() + "_log_lines_per_minute", brought.linesAMinute())
                .put(fault.label() + "_recovery_seconds", seconds(brought.recovery())));
    users.forEach(each -> each.report(line));
    return line.put("violations", findings.violations().size()).toString();
  }

  private long most(ToLongFunction<Measured> number) {
    return measured.values().stream().mapToLong(number).max().orElse(0);
  }

  private Duration longest(Function<Measured, Duration> time) {
    return Duration.ofMillis(most(each -> time.apply(each).toMillis()));
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }
}
