// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.groups.GroupMetrics;
import io.thermocline.tiering.app.groups.GroupNumbers;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.heat.HeatHealth;
import io.thermocline.tiering.hints.HintTotals;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.metrics.Metrics;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.readorder.NodeDifference;
import io.thermocline.tiering.shadow.ShadowLedger;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names the numbers of each stage; docs/reference/metrics.md says what they are for. */
final class ServiceMetrics {

  private final Metrics metrics = new Metrics();
  private final Sources from;
  private final Supplier<ServiceStatus> status;
  private final Supplier<Map<Decision.Cause, Long>> decisions;
  private final Metrics.Durations phases;
  private final Metrics.Counts requests;
  private final Metrics.Durations requestTimes;

  /** What is always said of, held or not. */
  private static final List<String> HOLDS =
      List.of(
          "calendar",
          "cluster",
          "ending",
          "journal",
          "kerberos",
          "leadership",
          "load",
          "logs",
          "lostJournal",
          "mover",
          "mutex",
          "namenode",
          "people",
          "planning",
          "readers",
          "redundancy",
          "replication",
          "stalled",
          "standby");

  /**
   * Where the numbers are. All of them are asked by any thread.
   *
   * @param heardMillis up to when the logs were read, in milliseconds since 1970; Long.MIN_VALUE before the first time
   * @param last plan; null before the first
   * @param planFailures how often planning failed
   * @param waiting entries that can't be written to the journal yet
   * @param held what keeps moves from being begun, as {@link ExecutionControl#heldBy}
   * @param silence of the plan under way
   */
  record Sources(
      Supplier<ServiceStatus> status,
      Supplier<LineCounts> lines,
      LongSupplier heardMillis,
      Supplier<Completeness> completeness,
      Supplier<Map<String, Completeness>> completenessOfEach,
      Supplier<HeatHealth> heat,
      Supplier<PlanningRound.Outcome> last,
      LongSupplier planFailures,
      Supplier<Journal.Size> journal,
      IntSupplier waiting,
      Supplier<ShadowLedger.Totals> shadow,
      Supplier<Set<String>> held,
      Supplier<Duration> silence,
      Supplier<Throttle> throttle,
      LongSupplier overwritten,
      Supplier<Hinted> hints,
      Supplier<GroupNumbers> groups,
      Clock clock) {}

  /**
   * Hints, and how many weren't taken.
   *
   * @param refused since the start
   */
  record Hinted(HintTotals totals, long refused) {
    static final Hinted NONE = new Hinted(HintTotals.NONE, 0);
  }

  ServiceMetrics(Sources from) {
    this.from = from;
    this.status = Metrics.lately(from.status());
    this.decisions = Metrics.lately(this::decisions);
    observe();
    served();
    heat();
    decide();
    this.phases =
        metrics.durations("thermocline_plan_seconds", "phase", "How long parts of planning took");
    act();
    hints();
    GroupMetrics.register(metrics, from.groups());
    metrics.counter(
        "thermocline_shadow_moves_total",
        "Moves that shadow mode would have made since its journal begins",
        () -> from.shadow().get().moves());
    metrics.counter(
        "thermocline_shadow_bytes_total",
        "Bytes of the moves that shadow mode would have made",
        () -> from.shadow().get().bytes());
    metrics.counter(
        "thermocline_journal_entries_total",
        "Entries written to the journal since the start",
        () -> from.journal().get().appended());
    metrics.gauge(
        "thermocline_journal_bytes", "Length of the journal", () -> from.journal().get().bytes());
    metrics.gauge(
        "thermocline_journal_waiting_entries",
        "Entries that wait since the journal can't be written",
        () -> from.waiting().getAsInt());
    this.requests =
        metrics.counts(
            "thermocline_api_requests_total",
            "route",
            "status",
            "Requests over HTTP, by route and by status of the answer");
    this.requestTimes =
        metrics.durations(
            "thermocline_api_request_seconds", "route", "How long requests over HTTP took");
  }

  Metrics metrics() {
    return metrics;
  }

  /** A part of planning is over. */
  void took(String phase, long nanos) {
    phases.took(phase, nanos);
  }

  /** A request over HTTP was answered. */
  void answered(String route, int status, long nanos) {
    requests.came(route, Integer.toString(status));
    requestTimes.took(route, nanos);
  }

  private Map<String, Supplier<Double>> shares() {
    Map<String, Supplier<Double>> shares = new TreeMap<>();
    for (String nameservice : from.completenessOfEach().get().keySet()) {
      shares.put(nameservice, () -> share(from.completenessOfEach().get().get(nameservice)));
    }
    return shares;
  }

  private static double share(Completeness completeness) {
    // Null of a nameservice whose log is not configured any more.
    return completeness != null && completeness.isKnown() ? completeness.share() : Double.NaN;
  }

  private void observe() {
    metrics.counter(
        "thermocline_observe_lines_total",
        "outcome",
        "Lines of audit logs and topics, by what became of them",
        of(
            from.lines(),
            Map.of(
                "parsed", LineCounts::parsed,
                "ignored", LineCounts::ignored,
                "malformed", LineCounts::malformed)));
    metrics.counter(
        "thermocline_observe_reads_left_out_total",
        "reason",
        "Opens that don't heat: of a scan, of maintenance or the service itself, of the service's own user where"
            + " logs have no caller contexts, the second one of a Spark task, refused, over WebHDFS (a DataNode opens the file, too), or of another nameservice",
        of(
            from.lines(),
            Map.of(
                "scan", (LineCounts lines) -> lines.opens().scanned(),
                "maintenance", (LineCounts lines) -> lines.opens().maintenance(),
                "own_user", (LineCounts lines) -> lines.opens().ownUsers(),
                "second_open", (LineCounts lines) -> lines.opens().seconds(),
                "refused", (LineCounts lines) -> lines.opens().refused(),
                "redirected", (LineCounts lines) -> lines.opens().redirected(),
                "other_nameservice", (LineCounts lines) -> lines.opens().elsewhere())));
    metrics.counter(
        "thermocline_observe_opens_total",
        "All lines of opens: those that heat, and those that are left out",
        () -> from.lines().get().opens().all());
    metrics.counter(
        "thermocline_observe_shared_opens_total",
        "Opens that share a file with others of their application, and heat by a block each",
        () -> from.lines().get().opens().shared());
    metrics.counter(
        "thermocline_observe_scans_forgotten_total",
        "Files whose scan was forgotten for want of room: their next read by a scan doesn't heat",
        () -> from.lines().get().scansForgotten());
    metrics.counter(
        "thermocline_observe_discarded_total",
        "Records that NameNodes' loggers say they dropped",
        () -> from.lines().get().discarded());
    metrics.counter(
        "thermocline_observe_gaps_total",
        "How often a log's file, or records of a topic, were gone before they were read",
        () -> from.lines().get().gaps());
    metrics.gauge(
        "thermocline_observe_lag_seconds",
        "Time since all that stood in the logs was read",
        () ->
            from.heardMillis().getAsLong() == Long.MIN_VALUE
                ? Double.NaN
                : Math.max(0, from.clock().millis() - from.heardMillis().getAsLong()) / 1000.0);
    metrics.gauge(
        "thermocline_observe_completeness_ratio",
        "Share of what the managed nameservice's NameNodes counted that stands in their audit logs, 0 to 1; NaN where it"
            + " isn't known",
        () -> share(from.completeness().get()));
    metrics.gauge(
        "thermocline_observe_nameservice_completeness_ratio",
        "nameservice",
        "The same of each nameservice whose lines are read",
        shares());
    metrics.counter(
        "thermocline_observe_transfers_total",
        "kind",
        "Transfers in DataNodes' logs: of files with a profile, of others, without bytes, malformed",
        of(
            () -> status.get().transfers(),
            Map.of(
                "known", ServiceStatus.Transfers::known,
                "others", ServiceStatus.Transfers::others,
                "without_bytes", ServiceStatus.Transfers::withoutBytes,
                "malformed", ServiceStatus.Transfers::malformed)));
    metrics.gauge(
        "thermocline_observe_measured_to_estimated_ratio",
        "readers",
        "Disk time of reads that DataNodes logged, divided by its estimate; 1 where none was logged",
        Arrays.stream(ReadCalibration.Reader.values())
            .filter(reader -> reader != ReadCalibration.Reader.HBASE)
            .collect(
                Collectors.toMap(
                    reader -> reader.name().toLowerCase(Locale.ROOT), this::measuredRatio)));
  }

  private void served() {
    metrics.gauge(
        "thermocline_observe_served_difference_ratio",
        "Share of the bytes that DataNodes served, from other DataNodes than estimated; NaN where unknown",
        () -> status.get().served().map(NodeDifference.Known::share).orElse(Double.NaN));
  }

  private Supplier<Double> measuredRatio(ReadCalibration.Reader reader) {
    return () ->
        status.get().measured().stream()
            .filter(each -> each.reader() == reader && !Double.isNaN(each.ratio()))
            .map(ReadCalibration.Measured::ratio)
            .findFirst()
            .orElse(1.0);
  }

  private void heat() {
    metrics.counter(
        "thermocline_heat_reads_total",
        "Reads counted into heat since the start; a read that turns out to be of a scan is taken back",
        () -> status.get().reads());
    metrics.gauge("thermocline_heat_files", "Files with counts", () -> from.heat().get().items());
    metrics.gauge(
        "thermocline_heat_files_capacity",
        "Files that there is room for; above nine tenths of it counts begin to be lost",
        () -> from.heat().get().capacity());
    metrics.counter(
        "thermocline_heat_evictions_total",
        "Files whose counts gave way to others' for want of room",
        () -> from.heat().get().evictions());
    metrics.gauge(
        "thermocline_heat_lost_reads",
        "Cooled reads that were dropped for want of room",
        () -> from.heat().get().lostReads());
    metrics.gauge(
        "thermocline_heat_error_ratio",
        "How likely the count shown for a file contains another's",
        () -> from.heat().get().errorBound());
    metrics.gauge(
        "thermocline_heat_renames",
        "Renames, deletions and replaced files that are remembered",
        () -> from.heat().get().renames());
  }

  private void decide() {
    metrics.counter(
        "thermocline_plans_total", "Plans made, empty ones too", () -> status.get().plans());
    metrics.counter(
        "thermocline_plan_failures_total",
        "How often planning failed, and is tried again",
        () -> from.planFailures().getAsLong());
    metrics.gauge(
        "thermocline_files",
        "kind",
        "Files at the last plan: managed, or left alone since somebody set their storage policy",
        of(
            status,
            Map.of("managed", ServiceStatus::files, "left_alone", ServiceStatus::leftAlone)));
    metrics.gauge(
        "thermocline_plan_decisions",
        "cause",
        "Decisions of the last plan",
        by(
            Arrays.stream(Decision.Cause.values()),
            cause -> () -> decisions.get().getOrDefault(cause, 0L)));
    metrics.gauge(
        "thermocline_plan_moves",
        "Moves of the last plan",
        () -> ofLast(last -> last.plan().moves().size()));
    metrics.gauge(
        "thermocline_plan_bytes",
        "Bytes of the copies of the last plan",
        () -> ofLast(last -> last.plan().bytes()));
    metrics.gauge(
        "thermocline_plan_actions",
        "Files of the last plan that are cached, or have more or fewer replicas",
        () -> ofLast(last -> last.plan().actions().size()));
    metrics.gauge(
        "thermocline_plan_deferred",
        "Decisions of the last plan that come with a later one",
        () -> ofLast(last -> last.plan().unplaced().size()));
    metrics.gauge(
        "thermocline_storage_used_bytes",
        "type",
        "Taken on all storages of a type, at the last plan",
        storage(ClusterView.Occupancy::used));
    metrics.gauge(
        "thermocline_storage_capacity_bytes",
        "type",
        "Capacity of all storages of a type, at the last plan",
        storage(ClusterView.Occupancy::capacity));
  }

  private void act() {
    metrics.counter(
        "thermocline_moves_total",
        "state",
        "Moves of replicas since the start",
        of(
            () -> status.get().moves(),
            Map.of(
                "planned", ServiceStatus.Moves::planned,
                "verified", ServiceStatus.Moves::verified,
                "failed", ServiceStatus.Moves::failed,
                "dropped", ServiceStatus.Moves::dropped)));
    metrics.gauge(
        "thermocline_moves_running",
        "Moves being copied or awaiting the NameNode's word",
        () -> status.get().moves().running());
    metrics.counter(
        "thermocline_moved_bytes_total",
        "Bytes of verified moves",
        () -> status.get().moves().bytes());
    metrics.counter(
        "thermocline_changes_overwritten_total",
        "Storage policies and replication factors of users that the service replaced and can't restore",
        () -> from.overwritten().getAsLong());
    metrics.gauge(
        "thermocline_moves_blocked",
        "reason",
        "1 where that keeps moves from being begun, or a plan from its end",
        by(HOLDS.stream(), name -> () -> from.held().get().contains(name) ? 1 : 0));
    metrics.gauge(
        "thermocline_plan_silent_seconds",
        "Time since anything happened of the plan under way; 0 where none is, or it just did",
        () -> from.silence().get().toMillis() / 1000.0);
    metrics.gauge(
        "thermocline_copies_allowed",
        "Copies that may run at once now; 0 where nothing is moved, or another decides that",
        () -> from.throttle().get().allowed());
    metrics.gauge(
        "thermocline_copies_max",
        "Copies that may ever run at once, as configured",
        () -> from.throttle().get().most());
    metrics.counter(
        "thermocline_throttle_cuts_total",
        "How often half as many copies were allowed for congestion",
        () -> from.throttle().get().cuts());
    metrics.gauge(
        "thermocline_nodes_throttled",
        "DataNodes that take one copy at a time, since they have enough to do",
        () -> from.throttle().get().spared());
  }

  private void hints() {
    metrics.gauge("thermocline_hints", "Hints that hold", () -> from.hints().get().totals().held());
    metrics.gauge(
        "thermocline_hints_owner_reliability_ratio",
        "Mean of how far the owners of hints that hold are believed, 0 to 1; NaN where none hold",
        () -> from.hints().get().totals().reliability());
    metrics.counter(
        "thermocline_hints_judged_total",
        "verdict",
        "Hints that came true, and that did not, since the journal begins",
        of(
            () -> from.hints().get().totals(),
            Map.of("right", HintTotals::right, "wrong", HintTotals::wrong)));
    metrics.counter(
        "thermocline_hints_refused_total",
        "Hints that weren't taken since the start",
        () -> from.hints().get().refused());
  }

  private Map<Decision.Cause, Long> decisions() {
    PlanningRound.Outcome last = from.last().get();
    return last == null
        ? Map.of()
        : last.decisions().stream()
            .collect(Collectors.groupingBy(Decision::cause, Collectors.counting()));
  }

  /** None of a type that no DataNode has. */
  private Map<String, Supplier<Number>> storage(Function<ClusterView.Occupancy, Long> value) {
    return by(
        Arrays.stream(StorageType.values()),
        type ->
            () -> {
              ClusterView.Occupancy there = status.get().occupancy().get(type);
              return there == null ? null : value.apply(there);
            });
  }

  private double ofLast(Function<PlanningRound.Outcome, ? extends Number> value) {
    PlanningRound.Outcome last = from.last().get();
    return last == null ? 0 : value.apply(last).doubleValue();
  }

  private static <T> Map<String, Supplier<Number>> of(
      Supplier<T> of, Map<String, Function<? super T, ? extends Number>> values) {
    return by(values.keySet().stream(), name -> () -> values.get(name).apply(of.get()));
  }

  private static <T> Map<String, Supplier<Number>> by(
      Stream<T> label, Function<T, Supplier<Number>> value) {
    return label.collect(Collectors.toMap(T::toString, value));
  }
}
