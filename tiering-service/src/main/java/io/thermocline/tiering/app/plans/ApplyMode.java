// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.ActionExecutor;
import io.thermocline.tiering.act.ActionRecord;
import io.thermocline.tiering.act.BackEnd;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.Pacing;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.act.UnrecordedException;
import io.thermocline.tiering.api.PlanResource;
import io.thermocline.tiering.app.groups.GroupActs;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.app.records.RecentMoves;
import io.thermocline.tiering.app.records.Recorder;
import io.thermocline.tiering.app.records.Recovery;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.UndoPlan;
import io.thermocline.tiering.plan.ActionChange;
import io.thermocline.tiering.plan.FileChange;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has plans carried out, and records what becomes of each move and action. */
public final class ApplyMode implements PlanHandler {

  private static final Logger LOG = LoggerFactory.getLogger(ApplyMode.class);

  /** In force where none is set. */
  private static final String DEFAULT_POLICY = "HOT";

  private final Journal journal;
  private final Recorder recorder;
  private final Recovery recovery;
  private final Undo undo;
  private final HdfsCalls hdfs;
  private final ActionCalls actionCalls;
  private final BackEnd backEnd;
  private final ActionExecutor actions;
  private final ExecutionControl control;
  private final LongSupplier nanos;
  private final String pool;
  private final MoveCounts counts = new MoveCounts();
  private final FailurePauses pauses;
  private final RecentMoves recent;
  private final RecordedMoves moves;
  private MoveCounts ofNext = new MoveCounts();

  /** Paths that have the policy again that somebody had set before ours. */
  private final Set<String> returned = ConcurrentHashMap.newKeySet();

  /** Has the journal marked. */
  private Runnable mark = () -> {};

  /** What others took over before the plan that is carried out. */
  private volatile long takeovers;

  /** Null where there are none. */
  private final GroupActs groups;

  /**
   * Who carries plans out.
   *
   * @param groups null where there are none
   */
  public record Hands(
      HdfsCalls hdfs,
      Moving moves,
      ActionCalls actions,
      ExecutorService copiers,
      GroupActs.Hands groups) {

    /** Without groups. */
    public Hands(HdfsCalls hdfs, Moving moves, ActionCalls actions, ExecutorService copiers) {
      this(hdfs, moves, actions, copiers, null);
    }
  }

  /** Who makes the moves. */
  @FunctionalInterface
  public interface Moving {
    BackEnd by(PlanExecutor.Machinery machinery, PlanExecutor.PolicyListener policies);
  }

  /**
   * @param pool of the cache that actions use
   */
  public ApplyMode(
      Hands hands, ActLimits limits, String pool, Journal journal, ServiceRuntime runtime) {
    this.pool = pool;
    this.nanos = runtime.nanos();
    this.journal = journal;
    this.recent = new RecentMoves(runtime.clock(), hands.hdfs()::host);
    this.control = control(journal, runtime.clock());
    this.recorder = new Recorder(journal, control, runtime);
    this.pauses = new FailurePauses(runtime.nanos());
    this.moves = new RecordedMoves(List.of(counts), recent, recorder, pauses);
    this.hdfs = hands.hdfs();
    this.actionCalls = hands.actions();
    PlanExecutor.Machinery machinery =
        new PlanExecutor.Machinery(hands.copiers(), runtime.nanos(), runtime.pause(), control);
    this.backEnd = hands.moves().by(machinery, new Setting());
    this.actions = new ActionExecutor(hands.actions(), limits, machinery, new Recorded());
    this.recovery =
        new Recovery(journal, hdfs, recorder, control, runtime.nanos(), limits.verifyWithin());
    this.groups =
        hands.groups() == null
            ? null
            : new GroupActs(
                // Its copies are no part of a plan's moves.
                journal, recorder, hands.groups(), machinery, backEnd, moves);
    this.undo = new Undo(journal, hands, recorder, control, groups, pool, this::execute);
  }

  /** Of storage policies. */
  private final class Setting implements PlanExecutor.PolicyListener {

    /** With what was there before, so that it can be put back. */
    @Override
    public void willSet(String path, String policy) throws IOException {
      String own = ownPolicy(path);
      if (!policy.isEmpty() && policy.equals(journal.originalPolicy(path, own))) {
        returned.add(path);
      }
      JournalEntry set = new JournalEntry.PolicySet(recorder.now(), path, policy, own);
      try {
        recorder.before("policy", set);
      } catch (IOException e) {
        throw new UnrecordedException("the policy of " + path, e);
      }
    }

    @Override
    public String inherited(String path, String policy) throws IOException {
      String above = path.equals("/") ? "" : hdfs.storagePolicy(Undo.parent(path));
      if (!policy.equals(above.isEmpty() ? DEFAULT_POLICY : above)) {
        return policy;
      }
      String own = ownPolicy(path);
      boolean isOurs = journal.hasSet(path) || journal.maySet(path, own);
      String before = isOurs ? journal.originalPolicy(path, own) : own;
      return before.isEmpty() ? "" : policy;
    }

    @Override
    public void notSet(String path) {
      recorder.notSet(path);
    }

    @Override
    public Optional<String> objection(String path) {
      return journal.takenOver(path, takeovers).map(ApplyMode::words);
    }

    @Override
    public void giveBack(String path, HdfsCalls.Own own) throws IOException {
      Optional<JournalEntry.PolicySet> ours =
          journal.lastPolicy(path).filter(set -> set.policy().equals(own.policy()));
      if (ours.isPresent()
          && ours.get().before() != null
          && hdfs.storagePolicy(path).equals(own.policy())) {
        recorder.replacePolicy(hdfs, path, ours.get().before(), own);
      }
    }
  }

  private static String words(JournalEntry.TakenOver taken) {
    String what =
        switch (taken.what()) {
          case POLICY -> " set the storage policy of ";
          case NO_POLICY -> " unset the storage policy of ";
          case BROUGHT_IN -> " renamed something to ";
          case REPLICATION -> " set the replication factor of ";
          case UNDONE -> " took back what a plan did to ";
        };
    return taken.who() + what + taken.path() + " at " + taken.at();
  }

  /** What is the same above was inherited; HDFS doesn't say more. */
  private String ownPolicy(String path) throws IOException {
    String now = hdfs.storagePolicy(path);
    return path.equals("/") || !now.equals(hdfs.storagePolicy(Undo.parent(path))) ? now : "";
  }

  /** As it was when the service was there last; each change is in the journal before it holds. */
  public static ExecutionControl control(Journal journal, Clock clock) {
    return new ExecutionControl(
        journal
            .steered()
            .map(
                last ->
                    new ExecutionControl.Current(
                        ExecutionControl.State.valueOf(last.state()),
                        last.who(),
                        last.why(),
                        Instant.parse(last.at())))
            .orElseGet(() -> ExecutionControl.unsteered(clock.instant())),
        clock,
        next ->
            Journals.record(
                journal,
                new JournalEntry.Steered(
                    next.since().toString(), next.state().name(), next.who(), next.why())));
  }

  /**
   * Takes back a policy of ours that nothing needs any more, where HDFS shows that it is in force.
   *
   * @param isOverridden whether policies of others don't count on the path: the default of ours then stays against one above
   * @return the policy that somebody had set before, which is set again; "" where none is; nothing where the policy stays
   */
  public Optional<String> takeBack(String path, String policy, boolean isOverridden)
      throws IOException {
    if (!control.mayBegin() || journal.takenOver(path, journal.takeovers()).isPresent()) {
      return Optional.empty();
    }
    try {
      String before = journal.originalPolicy(path, policy);
      boolean isNeeded =
          before.isEmpty() && policy.equals(DEFAULT_POLICY) && isAgainstAbove(path, isOverridden);
      if (isNeeded || !hdfs.storagePolicy(path).equals(policy)) {
        return Optional.empty();
      }
      recorder.replacePolicy(hdfs, path, before, new HdfsCalls.Own(policy, 0));
      return Optional.of(before);
    } catch (FileNotFoundException | ChangedSinceException e) {
      return Optional.empty();
    }
  }

  /** Whether the default keeps copies of ours from what the directory has: there it is ours, or doesn't count. */
  private boolean isAgainstAbove(String path, boolean isOverridden) throws IOException {
    String parent = Undo.parent(path);
    String above = hdfs.storagePolicy(parent);
    return !Set.of("", DEFAULT_POLICY).contains(above)
        && (isOverridden || journal.maySet(parent, above));
  }

  /** Puts what was there before in the place of a policy of ours. */
  void replacePolicy(String path, String policy, String before) throws IOException {
    recorder.replacePolicy(hdfs, path, before, new HdfsCalls.Own(policy, 0));
  }

  /** Takes a replication factor, or what is cached, back to what it was. */
  void putBack(UndoPlan.Path path) throws IOException {
    undo.putBack(path);
  }

  /** From now on undo also moves files that lie as a plan's policy on a directory has them. */
  public void lookFor(Newcomers newcomers) {
    undo.lookFor(newcomers);
  }

  /** Called when a plan is recorded, before its first change, and when it ended. */
  public void mark(Runnable action) {
    mark = action;
  }

  /** Goes on within other limits; as {@link BackEnd#limit}. */
  public void limit(ActLimits limits, Pacing pacing, Map<String, String> excluded) {
    backEnd.limit(limits, pacing, excluded);
    actions.limit(limits);
  }

  /** What changes HDFS. */
  public HdfsCalls hdfs() {
    return hdfs;
  }

  /** What changes replication factors. */
  public ActionCalls actions() {
    return actionCalls;
  }

  /** Records what happened, now or as soon as that is possible. */
  public void record(JournalEntry entry) {
    recorder.after("takenOver", entry);
  }

  /** Has the journal write what it noted. */
  public void writeNoted() {
    recorder.writeNoted();
  }

  @Override
  public Optional<String> objection(String path) {
    return recovery.isOpen(path)
        ? Optional.of("a copy of it was asked for before a restart, and may still be made")
        : hdfs.objection(path).or(() -> pauses.objection(path));
  }

  @Override
  public boolean isWaitedFor(String path) {
    return recovery.isOpen(path) || pauses.objection(path).isPresent();
  }

  @Override
  public Optional<String> objection(FileChange change) {
    return hdfs.objection(change);
  }

  /** Who makes the moves. */
  BackEnd backEnd() {
    return backEnd;
  }

  @Override
  public ExecutionControl control() {
    return control;
  }

  @Override
  public void handle(Plan plan) throws IOException, InterruptedException {
    if (!control.beginPlan()) {
      LOG.info("plan {} is not carried out: {}", plan.number(), control.reason());
      return;
    }
    control.watch().begin("plan " + plan.number(), nanos);
    try {
      carryOut(plan);
    } finally {
      control.watch().end();
      control.endPlan();
    }
  }

  @Override
  public Throttle throttle() {
    return backEnd.throttle();
  }

  @Override
  public void countIn(MoveCounts next) {
    ofNext = next;
  }

  private void carryOut(Plan plan) throws IOException, InterruptedException {
    execute(plan);
    if (!plan.isEmpty()) {
      recorder.after("planEnded", new JournalEntry.PlanEnded(recorder.now(), plan.number()));
      mark.run();
    }
  }

  private void execute(Plan plan) throws IOException, InterruptedException {
    takeovers = journal.takeovers();
    RecordedMoves ofPlan = new RecordedMoves(List.of(counts, ofNext), recent, recorder, pauses);
    List<Recorder.Line> planned = new ArrayList<>();
    for (Plan.FileMoves file : plan.files()) {
      planned.add(
          line(
              plan,
              file.decision(),
              file.moves().size(),
              file.moves().stream().mapToLong(move -> move.bytes()).sum()));
    }
    for (ActionChange change : plan.actions()) {
      planned.add(line(plan, change.decision(), change.copies(), change.bytes()));
    }
    recorder.before(planned);
    if (!planned.isEmpty()) {
      mark.run();
    }
    ofPlan.planned(plan.moves());
    backEnd.execute(plan, ofPlan);
    unmarkReturned();
    actions.execute(plan.actions());
    if (groups != null) {
      groups.carryOut(plan.number(), plan.groups());
    }
  }

  private Recorder.Line line(Plan plan, Decision decision, int moves, long bytes) {
    return new Recorder.Line(
        "planned", planned(recorder.now(), plan.number(), decision, moves, bytes));
  }

  private void unmarkReturned() {
    for (String path : returned) {
      try {
        hdfs.unmark(path);
      } catch (IOException e) {
        LOG.warn("{} stays marked as the service's own", path, e);
      }
    }
    returned.clear();
  }

  /** Makes and ends groups; null where there are none. */
  public GroupActs groups() {
    return groups;
  }

  @Override
  public void tick() {
    recorder.retry();
  }

  @Override
  public int waiting() {
    return recorder.waiting();
  }

  /** Records what waits, where that can be done now: nobody tries it later. */
  public void end() {
    recorder.end();
  }

  @Override
  public boolean isFenced() {
    return recorder.isFenced();
  }

  @Override
  public Recovery recovery() {
    return recovery;
  }

  @Override
  public UndoResult undo(long plan, String who, String why)
      throws IOException, InterruptedException {
    if (!control.beginPlan()) {
      throw new IllegalStateException("can't undo: " + control.reason());
    }
    control.watch().begin("taking back plan " + plan, nanos);
    try {
      recovery.look();
      if (!recovery.isEnded()) {
        throw new IllegalStateException(
            "can't undo: what was under way when the service ended is not at its end yet; try"
                + " again");
      }
      return undo.run(plan, who, why, ofNext::looked);
    } finally {
      mark.run();
      control.watch().end();
      control.endPlan();
    }
  }

  @Override
  public UndoResult previewUndo(long plan, int most) throws IOException {
    return undo.preview(plan, most, ofNext::looked);
  }

  @Override
  public void stop() {
    control.end(ExecutionControl.Stop.FINISH);
  }

  @Override
  public ServiceStatus.Moves moves() {
    return counts.snapshot();
  }

  @Override
  public List<PlanResource.MoveState> recentMoves() {
    return recent.all();
  }

  static JournalEntry planned(String now, long number, Decision decision, int moves, long bytes) {
    return new JournalEntry.Planned(
        now,
        number,
        decision.hot().file().path(),
        decision.cause().name(),
        decision.target().toString(),
        moves,
        decision.reason(),
        decision.from().name(),
        bytes);
  }

  /** The directive by which a path is cached by us. */
  static Optional<ActionCalls.Directive> directive(Journal journal, String path) {
    return journal
        .directive(path)
        .map(made -> new ActionCalls.Directive(made.directive(), made.copies(), made.expires()));
  }

  static JournalEntry directiveOf(String now, String path, ActionCalls.Directive made) {
    return new JournalEntry.CacheDirective(now, path, made.id(), made.copies(), made.expires());
  }

  /** In the journal. */
  private final class Recorded implements ActionRecord {

    @Override
    public void cached(String path, int after) throws IOException {
      int before = journal.cached().getOrDefault(path, 0);
      recorder.before(
          "cache", new JournalEntry.CacheSet(recorder.now(), path, pool, before, after));
    }

    @Override
    public void made(String path, ActionCalls.Directive directive) {
      recorder.after("cacheDirective", directiveOf(recorder.now(), path, directive));
    }

    @Override
    public Optional<ActionCalls.Directive> directive(String path) {
      return ApplyMode.directive(journal, path);
    }

    @Override
    public void replication(String path, int before, int after) throws IOException {
      recorder.before(
          "replication", new JournalEntry.ReplicationSet(recorder.now(), path, before, after));
    }

    @Override
    public void ended(ActionChange change, String failure) {
      String cause = change.decision().cause().name();
      ofNext.changed(failure.isEmpty());
      if (!failure.isEmpty()) {
        pauses.failed(change.path(), failure);
        LOG.warn("{} of {} failed: {}", cause, change.path(), failure);
      }
      recorder.after(
          "lever", new JournalEntry.ActionEnded(recorder.now(), change.path(), cause, failure));
    }
  }
}
