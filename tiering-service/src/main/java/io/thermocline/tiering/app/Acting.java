// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.HdfsHintAttributes;
import io.thermocline.tiering.act.HdfsSurroundings;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.WithinQuotas;
import io.thermocline.tiering.act.groups.GroupStore;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.api.UnrecordedException;
import io.thermocline.tiering.app.cycle.DecideStrategy;
import io.thermocline.tiering.app.cycle.NeedlessPolicies;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.app.groups.GroupNumbers;
import io.thermocline.tiering.app.groups.GroupReconciler;
import io.thermocline.tiering.app.hints.HintTasks;
import io.thermocline.tiering.app.hints.HintTracker;
import io.thermocline.tiering.app.hints.WakeupCalls;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.plans.MovingParts;
import io.thermocline.tiering.app.plans.Newcomers;
import io.thermocline.tiering.app.plans.PartlyApplied;
import io.thermocline.tiering.app.plans.PlanHandler;
import io.thermocline.tiering.app.plans.PlanQueue;
import io.thermocline.tiering.app.plans.ShadowMode;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.app.records.JournaledTasks;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.app.records.LayoutOwners;
import io.thermocline.tiering.app.records.MarkedJournal;
import io.thermocline.tiering.cluster.AttributeReader;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.config.GroupsConfig;
import io.thermocline.tiering.config.HintOperations;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.HintedDirectories;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.Closer;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.PathSet;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.ServiceThreads;
import io.thermocline.tiering.process.Superuser;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.savings.SavingsLedger;
import io.thermocline.tiering.shadow.Overlay;
import io.thermocline.tiering.shadow.ShadowLedger;
import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Those parts of a service that acts: the journal, and all that follows from it. Made when it begins to act, which is at once
 * where no other service may. Wiring only.
 */
final class Acting implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Acting.class);

  /** A restart takes as long at most, and no service acts in the place of this one meanwhile. */
  private static final int MISSED_PLANS = 3;

  /** Threads that look at files before their copies, at copies that were made, and whether sources go. */
  private static final int NOT_COPYING = 3;

  /** After which a thread that copies nothing ends. */
  private static final int IDLE_SECONDS = 30;

  private final Closer closer = new Closer();
  private final ServiceConfig config;
  private final Parts parts;
  private final Journal journal;
  private final AuditTrail audit;
  private final HdfsHintService hintService;
  private final ShadowLedger shadow;

  /** Null where nothing is changed, or can be counted. */
  private final SavingsLedger savings;

  private final Quotas quotas;
  private final PlanningRound round;
  private final PlanHandler handler;
  private final PlanQueue planQueue;
  private final GroupLife groups;
  private final LayoutOwners owners;

  /** Null where nothing may be changed, as are the next two. */
  private ApplyMode applying;

  private MovingParts moving;
  private ThreadPoolExecutor copiers;

  private final MarkedJournal marked;
  private Optional<String> unrecovered = Optional.empty();

  /** Of all calls of the NameNode for acting. */
  private final OperationBudget calls;

  /** DataNodes that HDFS finds slow, or that are silent; none where nothing is moved, as nobody looks then. */
  private volatile Set<String> slow = Set.of();

  /** Of them those that are silent, by UUID, each in words. */
  private volatile Map<String, String> silent = Map.of();

  /**
   * What a service has whether it acts or not.
   *
   * @param leadership null where no other service may act
   * @param last the last plan with what it was made of; null before the first
   * @param reads which type serves the reads of a file, with these DataNodes
   * @param tasks of a service that goes on with another configuration; null: those of the journal
   * @param acceptsJournal also where it was lost, or replaced by an older copy
   */
  record Parts(
      DistributedFileSystem fileSystem,
      Configuration hadoop,
      ServiceThreads threads,
      Observing observing,
      RulesInForce rules,
      DecideStrategy strategy,
      Leadership leadership,
      Supplier<PlanningRound.Outcome> last,
      Function<ClusterView, ReadShares> reads,
      Tasks tasks,
      boolean acceptsJournal,
      ServiceRuntime runtime) {}

  /**
   * @param managed of the files that are managed
   * @throws IOException where HDFS or the journal can't be used; nothing is left open then
   */
  Acting(ServiceConfig config, Parts parts, Supplier<ManagedFiles> managed) throws IOException {
    this.config = config;
    this.parts = parts;
    ServiceRuntime runtime = parts.runtime();
    try {
      this.journal = closer.register(Journals.open(config, parts.fileSystem(), runtime.pause()));
      this.calls =
          new OperationBudget(config.act().pacing().operations(), runtime.nanos(), runtime.pause());
      this.marked = MarkedJournal.of(config, parts.fileSystem(), journal, calls);
      requireJournal();
      this.audit =
          new AuditTrail(UserGroupInformation.getCurrentUser().getShortUserName(), runtime.clock());
      HdfsHintService[] taken = new HdfsHintService[1];
      HintTracker hints = hints(taken);
      this.hintService = taken[0];
      this.shadow = shadow();
      this.savings = config.act().changes() ? savings() : null;
      this.quotas = new Quotas(parts.fileSystem().getClient(), runtime.nanos());
      this.round =
          new PlanningRound(
              config,
              new PlanningRound.Sources(
                  Superuser.reader(config, parts.fileSystem()),
                  quotas,
                  managed.get(),
                  parts.rules(),
                  parts.observing().heat(),
                  parts.observing().calibration(),
                  parts.observing().admission(),
                  hints,
                  journal,
                  runtime.clock(),
                  () -> slow,
                  parts.reads(),
                  SavedImpossible.open(config)),
              parts.strategy(),
              shadow == null ? Overlay.NONE : shadow);
      this.handler = newHandler();
      round.leaveAlone(handler::objection, handler::objection);
      if (parts.leadership() != null) {
        handler.control().guard("leadership", parts.leadership()::objection);
      }
      this.planQueue = PlanQueue.of(config.act(), handler, journal, tasks(), runtime.clock());
      if (hintService != null) {
        hintService.follow(
            new HintTasks(planQueue.tasks(), hintService.registry(), handler::isWaitedFor));
      }
      this.owners =
          new LayoutOwners(
              journal,
              applying == null ? this::record : applying::record,
              applying == null ? this::writeNoted : applying::writeNoted,
              parts.observing().heat()::of,
              () -> applying == null ? "" : applying.hdfs().user(),
              runtime.clock());
      parts.observing().tell(owners::accept);
      parts.observing().afterEachPoll(owners::endOfPoll);
      this.groups = groups();
      journal.append(
          journal.started(runtime.clock().instant().toString(), config.act().mode().name()));
      if (applying != null) {
        marked.keepUp();
        // Before the mutex is given up.
        closer.register((Closeable) marked::keepUp);
        closer.register((Closeable) applying::end);
      }
    } catch (IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
  }

  /**
   * Refuses to act by a journal that doesn't have what was recorded before, unless it is to be accepted: it would take the
   * service's own storage policies, replicas and cached files for somebody else's. Where nothing is changed, that is said.
   */
  private void requireJournal() throws IOException {
    Optional<String> lost = marked.lacks();
    if (!config.act().changes()) {
      lost.ifPresent(
          lacks ->
              LOG.warn(
                  "{} Storage policies that it doesn't know count as somebody else's, unless another service acts"
                      + " with a journal of its own.",
                  lacks));
      return;
    }
    if (lost.isEmpty()
        && journal.isEmpty()
        && config.shared().election() == null
        && parts.observing().hasSaved()) {
      lost =
          Optional.of(
              "the journal in %s is empty, but %s shows that a service ran here before."
                  .formatted(config.journal(), SavedHeat.file(config)));
    }
    if (lost.isPresent()) {
      // Its journal is the one that has what this one lacks.
      Superuser.requireNoOther(config, parts.fileSystem(), calls);
    }
    if (lost.isPresent() && !parts.acceptsJournal()) {
      throw new IOException(lost.get() + MarkedJournal.ADVICE);
    }
    if (lost.isPresent()) {
      LOG.warn("--accept-journal: {}", lost.get());
      marked.accept(config.act().mode().name(), parts.runtime().clock());
    }
  }

  Journal journal() {
    return journal;
  }

  PlanningRound round() {
    return round;
  }

  PlanHandler handler() {
    return handler;
  }

  PlanQueue planQueue() {
    return planQueue;
  }

  private Tasks tasks() {
    return parts.tasks() == null
        ? JournaledTasks.open(journal, parts.runtime().clock())
        : JournaledTasks.goOn(parts.tasks(), journal);
  }

  private void record(JournalEntry entry) {
    try {
      Journals.record(journal, entry);
    } catch (UnrecordedException e) {
      LOG.error("{}: what others changed isn't recorded", e.getMessage());
    }
  }

  private void writeNoted() {
    try {
      journal.append(List.of());
    } catch (IOException e) {
      LOG.error("what others changed isn't recorded yet: {}", e.getMessage());
    }
  }

  /** Takes back policies of ours that nothing needs any more, where anything is changed at all. */
  void takeBack(List<NeedlessPolicies.Needless> needless) throws IOException {
    if (applying == null) {
      return;
    }
    PathSet overridden = new PathSet(config.manage().override());
    int taken = 0;
    for (NeedlessPolicies.Needless each : needless) {
      audit.because(each.path(), each.reason());
      Optional<String> before;
      try {
        before = applying.takeBack(each.path(), each.policy(), overridden.contains(each.path()));
      } catch (io.thermocline.tiering.act.UnrecordedException e) {
        throw e;
      } catch (IOException e) {
        // What HDFS has against one path is nothing against the others; the next round tries again.
        LOG.warn("{}: {} stays: {}", each.path(), each.policy(), CommandLines.explain(e));
        continue;
      }
      if (before.isPresent() && taken++ == 0) {
        LOG.info(
            "{}: {} is {}: {}",
            each.path(),
            each.policy(),
            before.get().isEmpty() ? "unset" : "replaced by " + before.get() + " from before",
            each.reason());
      }
    }
    if (taken > 1) {
      LOG.info(
          "{} more storage policies are taken back that nothing needs any more: audit.log has each",
          taken - 1);
    }
  }

  /** Goes on within the limits of another configuration, also with the plan that is being carried out. */
  synchronized void limit(ServiceConfig.Act act) {
    round.exclude(act.excluded());
    if (applying == null) {
      return;
    }
    int threads = act.limits().copies() + NOT_COPYING;
    if (threads > copiers.getMaximumPoolSize()) {
      copiers.setMaximumPoolSize(threads);
      copiers.setCorePoolSize(threads);
    } else {
      copiers.setCorePoolSize(threads);
      copiers.setMaximumPoolSize(threads);
    }
    moving.limit(act);
    PlanningRound.Outcome last = parts.last().get();
    Map<String, String> excluded = new HashMap<>();
    if (last != null) {
      last.cluster().nodes().values().stream()
          .filter(node -> act.excluded().stream().anyMatch(node::isNamed))
          .forEach(node -> excluded.put(node.uuid(), node.name()));
    }
    applying.limit(act.limits(), act.pacing(), excluded);
  }

  /** DataNodes that send no heartbeat, by UUID, each in words; where nothing is moved, those of the last plan. */
  Map<String, String> silent() {
    PlanningRound.Outcome last = parts.last().get();
    if (applying != null || last == null) {
      return silent;
    }
    long after = HdfsSurroundings.silentAfter(parts.hadoop()).toMillis();
    return last.cluster().nodes().values().stream()
        .filter(node -> node.silentMillis() > after)
        .collect(
            Collectors.toMap(
                ClusterView.Node::uuid,
                node -> HdfsSurroundings.silence(node.host(), node.silentMillis())));
  }

  /** To be called every second or so. */
  void tick() {
    handler.tick();
    if (hintService != null) {
      hintService.tick();
    }
    if (applying != null && handler.control().mayBegin()) {
      owners.settle(applying.hdfs(), applying.actions());
    }
    if (applying != null) {
      owners.unmark(applying.hdfs(), applying.actions());
    }
  }

  /** Changes of users that the service replaced and can't restore. */
  long overwritten() {
    return owners.unrestored();
  }

  /** Paths that stay marked as the service's own, and aren't. */
  long stillMarked() {
    return owners.stillMarked();
  }

  /** What a lost journal had, and marks in HDFS don't tell; empty where nothing is unknown. */
  Optional<String> unrecovered() {
    return unrecovered;
  }

  /** The plan of a round, with what is to be done for files that are read together. */
  Plan grouped(PlanningRound.Outcome outcome) {
    return groups.addTo(outcome, handler.control());
  }

  /**
   * Ends a group for somebody.
   *
   * @throws IllegalStateException where nothing may be changed now, or there is no such group
   */
  void endGroup(long id, String who, String why) throws IOException {
    if (applying == null) {
      throw new IllegalStateException("the service changes nothing: it is in shadow mode");
    }
    if (!handler.control().mayBegin()) {
      throw new IllegalStateException("nothing may be begun: " + handler.control().reason());
    }
    applying
        .groups()
        .end(
            0,
            journal.groups().stream().filter(group -> group.made().group() == id).toList(),
            who,
            why);
  }

  /** Groups that there are, and what became of others. */
  GroupNumbers groupNumbers() {
    return GroupNumbers.of(
        journal.groups(),
        config.decide().actions().groups(),
        applying == null ? GroupNumbers.Life.NONE : applying.groups().life(),
        parts.observing().mining() == null ? 0 : parts.observing().mining().opens());
  }

  private GroupLife groups() {
    Optional<GroupsConfig> configured = config.decide().actions().groups();
    GroupReconciler reconciler =
        configured
            .map(
                each ->
                    new GroupReconciler(
                        each,
                        GroupStore.of(parts.fileSystem(), new Path(each.directory()), calls),
                        config.decide().benefit().speeds(),
                        journal,
                        config.act().mode() == ServiceConfig.Mode.APPLY || applying == null
                            ? path -> true
                            : applied()))
            .orElse(null);
    return new GroupLife(
        new GroupLife.Parts(
            configured,
            parts.observing().mining(),
            reconciler,
            applying == null ? null : applying.groups(),
            journal,
            config.decide().budget(),
            parts.runtime().clock()));
  }

  AuditTrail audit() {
    return audit;
  }

  /** Counts what was read and moved since the plan before. */
  void count(PlanningRound.Outcome outcome) {
    if (savings == null) {
      return;
    }
    try {
      savings.planned(
          outcome.shown(),
          outcome.journaled(),
          outcome.situation().reads(),
          parts.observing().measured().take());
    } catch (IOException e) {
      LOG.warn("what moves brought can't be written down, trying again with the next plan", e);
    }
  }

  /** Empty where no hints are taken. */
  Optional<HdfsHintService> hintService() {
    return Optional.ofNullable(hintService);
  }

  /**
   * Hints on directories that NameNodes are to place new files by, and those that they aren't; empty before the first
   * plan.
   */
  Optional<HintedDirectories> hintedDirectories() {
    return hintService == null
        ? Optional.of(HintedDirectories.NONE)
        : round.hinted().map(this::inForce);
  }

  private HintedDirectories inForce(HintedDirectories planned) {
    HintedDirectories hinted =
        planned.without(one -> hintService.registry().hint(one.hint().id()).isEmpty());
    if (config.act().mode() != ServiceConfig.Mode.APPLY) {
      return hinted.withheld("act.mode is shadow");
    }
    return handler.control().current().state() == ExecutionControl.State.RUNNING
        ? hinted
        : hinted.withheld("the service is paused");
  }

  /** Hints in numbers. */
  ServiceMetrics.Hinted hinted() {
    return hintService == null
        ? ServiceMetrics.Hinted.NONE
        : new ServiceMetrics.Hinted(hintService.registry().totals(), hintService.refused());
  }

  /** Of what is said and not done. */
  ShadowLedger.Totals imagined() {
    return shadow == null ? new ShadowLedger.Totals(0, 0) : shadow.totals();
  }

  long lastPlan() {
    return Math.max(journal.lastPlan(), shadow == null ? 0 : shadow.lastPlan());
  }

  @Override
  public void close() {
    closer.close();
  }

  /** Null where none are taken. */
  private HintTracker hints(HdfsHintService[] taken) throws IOException {
    if (!config.hints().isOn()) {
      return null;
    }
    DistributedFileSystem fileSystem = parts.fileSystem();
    AttributeReader attributes = new AttributeReader(fileSystem.getClient());
    HdfsHintAttributes hands =
        closer.register(new HdfsHintAttributes(fileSystem.getUri(), parts.hadoop(), audit));
    boolean acts = config.act().mode() == ServiceConfig.Mode.APPLY;
    Clock clock = parts.runtime().clock();
    HintTracker tracker =
        HintTracker.open(
            config,
            parts.observing().heat(),
            new HintTracker.Hands(
                attributes, acts ? hands : null, clock, () -> handler().control().mayBegin()),
            journal,
            new JournaledHints(entry -> Journals.record(journal, entry), clock));
    HintOperations operations = config.hints().operations();
    taken[0] =
        new HdfsHintService(
            tracker,
            new HintTracker.Hands(attributes, hands, clock),
            config,
            () -> planQueue().wake());
    if (!operations.wakeups().webhooks().isEmpty()) {
      askOwners(new WakeupCalls(operations.wakeups(), taken[0]), operations.wakeups().every());
    }
    parts.observing().tell(tracker::accept);
    return tracker;
  }

  private void askOwners(WakeupCalls calls, Duration every) {
    ScheduledExecutorService asking =
        closer.register(
            Executors.newSingleThreadScheduledExecutor(parts.threads().named("thermocline-ask")));
    asking.scheduleWithFixedDelay(
        () -> {
          try {
            calls.ask();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException e) {
            // A scheduled task that throws is never run again.
            LOG.warn("asking owners failed, trying again", e);
          }
        },
        every.toMillis(),
        every.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private PlanHandler newHandler() throws IOException {
    if (shadow == null) {
      return apply();
    }
    ShadowMode imagined =
        new ShadowMode(
            ApplyMode.control(journal, parts.runtime().clock()), this::imagine, audit::imagined);
    return config.act().changes() ? new PartlyApplied(imagined, apply(), applied()) : imagined;
  }

  private void imagine(Plan plan) throws IOException {
    PlanningRound.Outcome last = parts.last().get();
    shadow.planned(plan, last.listed(), last.files(), last.situation().reads());
  }

  private Predicate<String> applied() {
    return new PathSet(config.act().apply())::contains;
  }

  /** Told of reads from now on; null where all is carried out. */
  private ShadowLedger shadow() throws IOException {
    if (config.act().mode() == ServiceConfig.Mode.APPLY) {
      return null;
    }
    ShadowLedger ledger =
        closer.register(
            ShadowLedger.open(
                new ShadowLedger.Settings(
                    config.shadow(),
                    PathKey.nameservice(parts.fileSystem().getUri().getAuthority()),
                    config.decide().benefit().speeds(),
                    applied(),
                    config.act().changes()
                        ? ShadowLedger.RoomRule.NEVER_MORE_THAN_THERE_IS
                        : ShadowLedger.RoomRule.AS_IT_WOULD_BE,
                    config.observe().zone(),
                    parts.runtime().clock())));
    parts.observing().tell(ledger::accept);
    return ledger;
  }

  /** Told of reads from now on; null where nothing can be counted, which keeps nobody from acting. */
  private SavingsLedger savings() {
    SavingsLedger.Settings settings =
        new SavingsLedger.Settings(
            config.savings(),
            PathKey.nameservice(parts.fileSystem().getUri().getAuthority()),
            config.decide().benefit().speeds(),
            config.decide().stability(),
            // Another may have acted meanwhile.
            parts.leadership() == null
                ? config.interval().most().multipliedBy(MISSED_PLANS)
                : Duration.ZERO,
            config.observe().zone(),
            parts.runtime().clock());
    try {
      SavingsLedger ledger = SavingsLedger.open(settings);
      parts.observing().tell(ledger::accept);
      return ledger;
    } catch (IOException e) {
      LOG.warn("what moves bring isn't counted until the next start: {}", e.toString());
      return null;
    }
  }

  private PlanHandler apply() throws IOException {
    ServiceConfig.Act act = config.act();
    DistributedFileSystem fileSystem = parts.fileSystem();
    moving = new MovingParts(config, fileSystem, parts.runtime(), closer, audit, calls, quotas);
    Superuser superuser =
        moving.superuser(
            parts.hadoop(),
            journal.epoch() + 1,
            parts.leadership() == null ? () -> true : parts.leadership()::isSure);
    HdfsCalls moves =
        audit.audited(HdfsCalls.class, WithinQuotas.of(quotas, HdfsCalls.class, superuser.moves()));
    ActionCalls current =
        audit.audited(
            ActionCalls.class, WithinQuotas.of(quotas, ActionCalls.class, superuser.actions()));
    int threads = act.limits().copies() + NOT_COPYING;
    copiers =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            parts.threads().named("thermocline-copy"));
    copiers.allowCoreThreadTimeOut(true);
    closer.register((ExecutorService) copiers);
    ApplyMode mode =
        new ApplyMode(
            new ApplyMode.Hands(
                moves, moving.moves(moves), current, copiers, moving.groups(moves, current)),
            act.limits(),
            config.decide().actions().pool(),
            journal,
            parts.runtime());
    // Also where the journal lacks nothing: the start before may have ended half way through it.
    if (parts.acceptsJournal()) {
      unrecovered =
          LostJournal.recover(
              config,
              journal,
              moves,
              current,
              new HdfsReader(fileSystem.getClient(), calls::take),
              path -> parts.rules().ruleSet().ignores(path),
              parts.observing(),
              parts.runtime().clock().instant());
    }
    marked.steer(mode.control());
    mode.lookFor(new Newcomers(config, Superuser.reader(config, parts.fileSystem())));
    mode.mark(marked::keepUp);
    try {
      moving.watch(mode, superuser, parts.threads(), marked::compare, this::saw);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted at the start", e);
    }
    applying = mode;
    return mode;
  }

  private void saw(Surroundings around) {
    marked.keepUp();
    Set<String> avoided = new HashSet<>(around.slow());
    avoided.addAll(around.silent().keySet());
    slow = avoided;
    silent = around.silent();
    if (hintService != null) {
      hintService.queueLength().saw(around.meanTransfers());
    }
  }
}
