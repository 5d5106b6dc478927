// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.FailureText;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.app.groups.GroupActs;
import io.thermocline.tiering.app.records.Recorder;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.UndoPlan;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back what a plan did: storage policies, replication factors, what is cached, where replicas lie, and groups. A file that
 * somebody changed since is left as it is, and said. By the thread that plans, so that no plan is under way meanwhile.
 */
final class Undo {

  private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

  private final Journal journal;
  private final HdfsCalls hdfs;
  private final ActionCalls actions;
  private final Recorder recorder;
  private final ExecutionControl control;
  private final GroupActs groups;

  /** The next plan sees it. */
  private static final double HEAT_TO_BE_SEEN = -1;

  /** Files that one call asks HDFS for. */
  private static final int LOOKED_AT_ONCE = 100;

  private final String pool;
  private final Execution execution;

  /** Null where none are looked for. */
  private Newcomers newcomers;

  /** Carries a plan of moves out and records it, but for its end. */
  @FunctionalInterface
  interface Execution {
    void carryOut(Plan plan) throws IOException, InterruptedException;
  }

  /**
   * @param groups null where there are none
   */
  Undo(
      Journal journal,
      ApplyMode.Hands hands,
      Recorder recorder,
      ExecutionControl control,
      GroupActs groups,
      String pool,
      Execution execution) {
    this.groups = groups;
    this.journal = journal;
    this.hdfs = hands.hdfs();
    this.actions = hands.actions();
    this.recorder = recorder;
    this.control = control;
    this.pool = pool;
    this.execution = execution;
  }

  /** From now on also files are moved back that lie as a plan's policy on a directory has them. */
  void lookFor(Newcomers newcomers) {
    this.newcomers = newcomers;
  }

  /**
   * What would be taken back, and what not. Changes nothing.
   *
   * @param most of how many files is HDFS asked; where there are more, this is what the journal has of all
   * @param looked runs for each file that is checked
   */
  UndoResult preview(long plan, int most, Runnable looked) throws IOException {
    UndoPlan undo = read(plan);
    Checked checked =
        undo.paths().stream().filter(undo::isChanged).count() <= most
            ? check(undo, looked)
            : Checked.unasked(undo);
    return checked.result(0);
  }

  /**
   * Takes a plan back, as far as that can be done, and returns when it is.
   *
   * @param who asked for it
   * @param why the reason that was given; null where none was
   * @param looked runs twice for each file: when it is checked, and before it is changed
   */
  UndoResult run(long plan, String who, String why, Runnable looked)
      throws IOException, InterruptedException {
    Checked checked = check(read(plan), looked);
    List<Journal.Group> made = groups(checked.undo);
    if (checked.allowed.isEmpty() && made.isEmpty() && checked.newcomers.isEmpty()) {
      return checked.result(0);
    }
    long number = journal.lastPlan() + 1;
    recorder.before("undo", new JournalEntry.Undo(recorder.now(), number, plan, who, why));
    try {
      takeBack(checked, number, looked);
      if (!made.isEmpty() && control.awaitTurn()) {
        groups.end(number, made, who, "plan " + plan + " was taken back");
      } else {
        made.forEach(group -> checked.failed.put(name(group.made().group()), notBegun()));
      }
    } finally {
      recorder.after(
          checked
              .takenBack()
              .map(
                  path ->
                      new Recorder.Line(
                          "takenOver",
                          new JournalEntry.TakenOver(
                              recorder.now(),
                              path,
                              JournalEntry.Taken.UNDONE,
                              who,
                              HEAT_TO_BE_SEEN)))
              .toList());
      // Else the next start would take what was put back for what a plan had left half done.
      recorder.after("planEnded", new JournalEntry.PlanEnded(recorder.now(), number));
    }
    return checked.result(number);
  }

  private void takeBack(Checked checked, long number, Runnable looked)
      throws IOException, InterruptedException {
    List<Plan.FileMoves> files = new ArrayList<>();
    // A directory's policy that is set before the moves would pass for somebody's: files were
    // looked at with the old one.
    Map<UndoPlan.Policy, UndoPlan.Path> afterMoves = new LinkedHashMap<>();
    int index = 0;
    for (UndoPlan.Path path : checked.allowed) {
      looked.run();
      control.watch().progressed();
      if (!control.awaitTurn()) {
        checked.failed.put(path.path(), notBegun());
        continue;
      }
      try {
        UndoPlan.Policy policy = checked.undo.policyOf(path.path());
        UndoPlan.Shown now = stillAsLeft(checked, path);
        if (now == null) {
          continue;
        }
        UndoPlan.Path left = checked.undo.left(path, now);
        Plan.FileMoves back = back(number + "-" + index++, left, policy, now.file());
        checked.moves.put(path.path(), back.moves().size());
        if (back.moves().isEmpty()) {
          recorder.before(
              "planned", ApplyMode.planned(recorder.now(), number, back.decision(), 0, 0));
          if (policy != null && !policy.path().equals(path.path())) {
            afterMoves.putIfAbsent(policy, path);
          } else if (policy != null && !UndoPlan.isBack(policy, now)) {
            setPolicy(policy, now.file());
          }
        } else {
          files.add(back);
        }
        putBack(left);
      } catch (IOException e) {
        if (recorder.isFenced()) {
          throw e;
        }
        checked.failed.put(path.path(), FailureText.of(e));
      }
    }
    execution.carryOut(new Plan(number, files, List.of()));
    takeBack(afterMoves, checked);
    unmark(checked);
    bringBackNewcomers(checked, number, index);
    journal.history(entry -> noteFailure(entry, number, checked));
  }

  /** Takes back policies of directories below which nothing was moved. */
  private void takeBack(Map<UndoPlan.Policy, UndoPlan.Path> policies, Checked checked)
      throws IOException, InterruptedException {
    for (Map.Entry<UndoPlan.Policy, UndoPlan.Path> each : policies.entrySet()) {
      UndoPlan.Path path = each.getValue();
      if (!control.awaitTurn()) {
        checked.failed.put(path.path(), notBegun());
        continue;
      }
      try {
        UndoPlan.Shown now = stillAsLeft(checked, path);
        if (now != null && !UndoPlan.isBack(each.getKey(), now)) {
          setPolicy(each.getKey(), now.file());
        }
      } catch (IOException e) {
        if (recorder.isFenced()) {
          throw e;
        }
        checked.failed.put(path.path(), FailureText.of(e));
      }
    }
  }

  /**
   * Takes back policies of directories of which no file of the plan is left, then moves what lies there because of one.
   *
   * @param from how many files the plan has already
   */
  private void bringBackNewcomers(Checked checked, long number, int from)
      throws IOException, InterruptedException {
    Map<String, Newcomers.Newcomer> all = new LinkedHashMap<>();
    for (Newcomers.Way before : checked.ways) {
      if (!control.awaitTurn()) {
        checked.newcomers.keySet().forEach(path -> checked.failed.put(path, notBegun()));
        return;
      }
      try {
        UndoPlan.Policy policy = checked.undo.policyOf(before.directory());
        if (hdfs.storagePolicy(policy.path()).equals(policy.after())
            && !before.after().equals(policy.after())
            && checked.allowed.stream()
                .noneMatch(path -> policy.equals(checked.undo.policyOf(path.path())))) {
          recorder.replacePolicy(
              hdfs, policy.path(), policy.before(), new HdfsCalls.Own(policy.after(), 0));
        }
        // Also those that came since all were looked at.
        Newcomers.Way now = way(checked.undo, policy);
        if (now != null && now.now().equals(now.after())) {
          newcomers
              .below(now, checked.undo::isKnown)
              .forEach(one -> all.put(one.file().path(), one));
        }
      } catch (ChangedSinceException | FileNotFoundException e) {
        LOG.info("{} is left: {}", before.directory(), e.getMessage());
      }
    }
    checked.newcomers.clear();
    all.forEach((path, one) -> checked.newcomers.put(path, one.moves()));
    if (!all.isEmpty()) {
      Plan plan = newcomers.plan(number, from, List.copyOf(all.values()));
      plan.unplaced()
          .forEach(one -> checked.failed.put(one.decision().hot().file().path(), one.reason()));
      execution.carryOut(plan);
    }
  }

  /**
   * Of a directory's policy.
   *
   * @return null where somebody changed it, or it isn't a directory's
   */
  private Newcomers.Way way(UndoPlan undo, UndoPlan.Policy policy) throws IOException {
    String path = policy.path();
    String now = hdfs.storagePolicy(path);
    String inherited = path.equals("/") ? "" : hdfs.storagePolicy(parent(path));
    boolean isBack = UndoPlan.isBack(policy, new UndoPlan.Shown(null, now, inherited, 0));
    if (!isBack && (!now.equals(policy.after()) || undo.policyTakenBy(path).isPresent())) {
      return null;
    }
    String after = policy.before().isEmpty() ? inherited : policy.before();
    return new Newcomers.Way(path, isBack ? after : now, policy.after(), after);
  }

  /** What is in force again was set before the plan, maybe by somebody else. */
  private void unmark(Checked checked) {
    for (UndoPlan.Path path : checked.allowed) {
      UndoPlan.Policy policy = checked.undo.policyOf(path.path());
      if (policy != null && policy.before() != null && !policy.before().isEmpty()) {
        try {
          hdfs.unmark(policy.path());
        } catch (IOException e) {
          LOG.warn("{} stays marked as the service's own", policy.path(), e);
        }
      }
    }
  }

  private static void noteFailure(JournalEntry entry, long number, Checked checked) {
    if (entry instanceof JournalEntry.Moved moved
        && moved.move().startsWith(number + "-")
        && moved.isFinal()
        && !moved.state().equals("VERIFIED")) {
      checked.failed.put(
          moved.path(),
          "the copy to "
              + UndoPlan.type(moved.to())
              + " is "
              + moved.state()
              + ": "
              + moved.detail());
    }
  }

  /**
   * Many files take long, and somebody may have changed this one since all were looked at.
   *
   * @return null where it isn't, and why is noted
   */
  private UndoPlan.Shown stillAsLeft(Checked checked, UndoPlan.Path path) throws IOException {
    UndoPlan.Shown now =
        shown(
            hdfs.files(List.of(path.path())).get(path.path()),
            checked.undo.policyOf(path.path()),
            cached(path),
            new HashMap<>());
    String refusal = checked.undo.refusal(path, now);
    if (refusal.isEmpty()) {
      return now;
    }
    checked.failed.put(path.path(), refusal);
    return null;
  }

  static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private String notBegun() {
    return "not begun: " + control.reason();
  }

  private static String name(long group) {
    return "group " + group;
  }

  /** Those that the plan made and that are still there. */
  private List<Journal.Group> groups(UndoPlan undo) {
    return groups == null
        ? List.of()
        : journal.groups().stream()
            .filter(group -> undo.groups().contains(group.made().group()))
            .toList();
  }

  private UndoPlan read(long plan) throws IOException {
    List<JournalEntry> history = new ArrayList<>();
    journal.history(history::add);
    return UndoPlan.of(plan, history);
  }

  private void setPolicy(UndoPlan.Policy policy, FileView found) throws IOException {
    recorder.before(
        "policy",
        new JournalEntry.PolicySet(recorder.now(), policy.path(), policy.before(), policy.after()));
    hdfs.setStoragePolicy(policy.path(), policy.before(), found);
  }

  void putBack(UndoPlan.Path path) throws IOException {
    UndoPlan.Change factor = path.replication();
    if (factor != null && factor.before() != factor.after()) {
      recorder.before(
          "replication",
          new JournalEntry.ReplicationSet(
              recorder.now(), path.path(), factor.after(), factor.before()));
      actions.setReplication(path.path(), factor.before(), factor.after());
    }
    UndoPlan.Change cached = path.cached();
    if (cached != null && cached.before() != cached.after()) {
      Optional<ActionCalls.Directive> ours = ApplyMode.directive(journal, path.path());
      recorder.before(
          "cache",
          new JournalEntry.CacheSet(
              recorder.now(), path.path(), pool, cached.after(), cached.before()));
      if (ours.isPresent()) {
        actions.uncache(path.path(), ours.get());
      }
      if (cached.before() != 0) {
        actions.cache(
            path.path(),
            cached.before(),
            made ->
                recorder.after(
                    "cacheDirective", ApplyMode.directiveOf(recorder.now(), path.path(), made)));
      }
    }
  }

  /** The moves of one file, each from where the plan put the copy to where it was. */
  private static Plan.FileMoves back(
      String id, UndoPlan.Path path, UndoPlan.Policy policy, FileView file) {
    List<Move> moves = new ArrayList<>();
    for (JournalEntry.Moved moved : path.moves()) {
      FileView.Block block =
          file.blocks().stream().filter(one -> one.id() == moved.block()).findAny().orElseThrow();
      FileView.Replica there =
          block.replicas().stream()
              .filter(replica -> UndoPlan.isAt(replica, moved.to()))
              .findAny()
              .orElseThrow();
      moves.add(
          new Move(
              id + "." + moves.size(),
              path.path(),
              block,
              there,
              UndoPlan.node(moved.from()),
              "",
              UndoPlan.type(moved.from())));
    }
    String before = policy == null ? "" : policy.before();
    Target target = new Target(UndoPlan.types(file), before);
    return new Plan.FileMoves(
        new Decision(
            new HotFile(file, 0),
            target.lead(),
            target,
            Decision.Cause.UNDONE,
            "taken back",
            new Gate.Benefit(Double.NaN, Double.NaN, Double.NaN)),
        before,
        policy == null ? path.path() : policy.path(),
        moves);
  }

  /** What may be taken back, with what HDFS showed of it, and why the rest may not. */
  private static final class Checked {
    private final UndoPlan undo;
    private final Map<String, Integer> moves = new HashMap<>();
    private final List<UndoPlan.Path> allowed = new ArrayList<>();
    private final Map<String, String> refused = new LinkedHashMap<>();

    /** Directories whose policy goes, or is gone. */
    private final List<Newcomers.Way> ways = new ArrayList<>();

    /** Moves of files that the plan doesn't name. */
    private final Map<String, Integer> newcomers = new LinkedHashMap<>();

    /** Of those that may: which were not, or not wholly, and why. */
    private final Map<String, String> failed = new LinkedHashMap<>();

    Checked(UndoPlan undo) {
      this.undo = undo;
    }

    /** As if nothing had changed since. */
    static Checked unasked(UndoPlan undo) {
      Checked all = new Checked(undo);
      for (UndoPlan.Path path : undo.paths()) {
        if (undo.isChanged(path)) {
          all.moves.put(path.path(), path.moves().size());
          all.allowed.add(path);
        }
      }
      return all;
    }

    UndoResult result(long number) {
      Map<String, String> left = new LinkedHashMap<>(refused);
      left.putAll(failed);
      return new UndoResult(
          undo.plan(),
          number,
          Stream.concat(
                  takenBack(),
                  undo.groups().stream()
                      .map(Undo::name)
                      .filter(group -> !failed.containsKey(group)))
              .toList(),
          takenBack()
              .mapToInt(path -> moves.getOrDefault(path, 0) + newcomers.getOrDefault(path, 0))
              .sum(),
          left);
    }

    private Stream<String> takenBack() {
      return Stream.concat(allowed.stream().map(UndoPlan.Path::path), newcomers.keySet().stream())
          .filter(path -> !failed.containsKey(path));
    }
  }

  private Checked check(UndoPlan undo, Runnable looked) throws IOException {
    Checked checked = new Checked(undo);
    List<UndoPlan.Path> changed = undo.paths().stream().filter(undo::isChanged).toList();
    Map<String, FileView> files = files(changed.stream().map(UndoPlan.Path::path).toList());
    Map<String, String> kept = new LinkedHashMap<>();
    Map<String, String> policies = new HashMap<>();
    List<UndoPlan.Path> mayBe = new ArrayList<>();
    for (UndoPlan.Path path : changed) {
      UndoPlan.Policy policy = undo.policyOf(path.path());
      UndoPlan.Shown now = shown(files.get(path.path()), policy, cached(path), policies);
      looked.run();
      control.watch().progressed();
      String refusal = undo.refusal(path, now);
      if (!refusal.isEmpty()) {
        checked.refused.put(path.path(), refusal);
        if (policy != null
            && policy.before() != null
            && now.file() != null
            && !UndoPlan.isBack(policy, now)) {
          kept.putIfAbsent(policy.path(), path.path());
        }
      } else if (!undo.isBack(path, now)) {
        checked.moves.put(path.path(), undo.left(path, now).moves().size());
        mayBe.add(path);
      }
    }
    for (UndoPlan.Path path : mayBe) {
      UndoPlan.Policy policy = undo.policyOf(path.path());
      if (policy != null && kept.containsKey(policy.path())) {
        checked.refused.put(
            path.path(),
            policy.path()
                + " keeps its storage policy for the sake of "
                + kept.get(policy.path())
                + ", which was changed since");
      } else {
        checked.allowed.add(path);
      }
    }
    if (newcomers != null) {
      for (UndoPlan.Policy policy : undo.policies()) {
        boolean isOfFile = undo.isKnown(policy.path());
        if (!isOfFile && policy.before() != null && !kept.containsKey(policy.path())) {
          look(policy, checked);
        }
      }
    }
    return checked;
  }

  /** Some at a time, since many take long. */
  private Map<String, FileView> files(List<String> paths) throws IOException {
    Map<String, FileView> files = new HashMap<>();
    for (int from = 0; from < paths.size(); from += LOOKED_AT_ONCE) {
      files.putAll(hdfs.files(paths.subList(from, Math.min(paths.size(), from + LOOKED_AT_ONCE))));
      control.watch().progressed();
    }
    return files;
  }

  private void look(UndoPlan.Policy policy, Checked checked) throws IOException {
    try {
      Newcomers.Way way = way(checked.undo, policy);
      if (way != null) {
        checked.ways.add(way);
        newcomers
            .below(way, checked.undo::isKnown)
            .forEach(one -> checked.newcomers.put(one.file().path(), one.moves()));
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} is gone, and all below it", policy.path(), e);
    }
  }

  /** Copies in memory by our directive: none where it has ended, or somebody removed or replaced it. */
  private int cached(UndoPlan.Path path) throws IOException {
    int copies = path.cached() == null ? 0 : journal.cached().getOrDefault(path.path(), 0);
    Optional<ActionCalls.Directive> ours = ApplyMode.directive(journal, path.path());
    if (copies == 0 || ours.isEmpty() || actions.cached(path.path(), ours.get()).isPresent()) {
      return copies;
    }
    return actions.isAltered(path.path(), ours.get()) ? UndoPlan.Shown.ALTERED : 0;
  }

  /**
   * @param policy that the plan set for it; null where it set none
   * @param known policies in force by path, which needn't be asked for; gets those that are
   */
  private UndoPlan.Shown shown(
      FileView file, UndoPlan.Policy policy, int cached, Map<String, String> known)
      throws IOException {
    if (policy == null) {
      return new UndoPlan.Shown(file, "", "", cached);
    }
    String path = policy.path();
    try {
      return new UndoPlan.Shown(
          file, policy(path, known), path.equals("/") ? "" : policy(parent(path), known), cached);
    } catch (FileNotFoundException e) {
      return new UndoPlan.Shown(file, "", "", cached);
    }
  }

  private String policy(String path, Map<String, String> known) throws IOException {
    String policy = known.get(path);
    if (policy == null) {
      policy = hdfs.storagePolicy(path);
      known.put(path, policy);
    }
    return policy;
  }
}
