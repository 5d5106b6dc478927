// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.ActionMarks;
import io.thermocline.tiering.act.ChangedSinceException;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.HdfsMarks;
import io.thermocline.tiering.act.PolicyMarks;
import io.thermocline.tiering.app.records.MarkedActions;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.SegmentTables;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.journal.UndoPlan;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.plan.Budget;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back all that the service has in force in HDFS: replication factors, cached files and storage policies by the
 * journal and by marks in HDFS; groups by the journal and by the files in their directory; hints by attributes; and copies
 * that lie where no policy has one then. Done again, it goes on where it ended. One thread, while no service runs.
 */
public final class Removal {

  private static final Logger LOG = LoggerFactory.getLogger(Removal.class);
  private static final String WHY = "the service is removed";
  private static final String DEFAULT_POLICY = "HOT";

  /** Files at a time. */
  private static final int BATCH = 500;

  private final ServiceConfig config;
  private final Journal journal;
  private final ApplyMode mode;
  private final HdfsReader reader;
  private final List<String> roots;
  private final HdfsMarks marks;
  private final ServiceRuntime runtime;
  private final Progress progress;
  private final Map<Integer, String> policyNames;
  private final Map<String, List<StorageType>> types = new HashMap<>();

  /** Whether something is under way, or HDFS has yet to settle. */
  private boolean mayComeYet;

  /** Why something is left, by path. */
  private final Map<String, String> left = new LinkedHashMap<>();

  /** Hears how far it is. */
  public interface Progress {

    /** The next part begins. */
    void begin(String what, long total, LongSupplier done);
  }

  /**
   * What there is to take back.
   *
   * @param groupFiles of groups that the journal doesn't have
   * @param policies that are in force, by the path that they are set on, with what was there before
   * @param hints that are set on files and directories, by path
   * @param unrecorded factors and cached files of the service by their marks alone
   * @param marks paths marked as having something of the service, and having none
   * @param misplaced files of which copies lie where no policy has them without these policies
   * @param copies of blocks to be moved for that
   * @param bytes of those copies
   */
  public record Found(
      List<Journal.Group> groups,
      List<String> groupFiles,
      Map<String, Journal.Raised> raised,
      Map<String, Integer> cached,
      List<JournalEntry> unrecorded,
      Map<String, Own> policies,
      Map<String, Set<String>> hints,
      Set<String> marks,
      Set<String> misplaced,
      long copies,
      long bytes) {}

  /**
   * A policy of the service.
   *
   * @param before that was set on the path before the service's first one; empty: none
   */
  public record Own(String before, String policy) {}

  /**
   * @param reader may ask which storages there are
   * @param roots where marks are looked for: more than what is managed where the journal doesn't know the rest
   */
  public Removal(
      ServiceConfig config,
      Journal journal,
      ApplyMode mode,
      HdfsReader reader,
      List<String> roots,
      HdfsMarks marks,
      ServiceRuntime runtime,
      Progress progress)
      throws IOException {
    this.config = config;
    this.journal = journal;
    this.mode = mode;
    this.reader = reader;
    this.roots = roots;
    this.marks = marks;
    this.runtime = runtime;
    this.progress = progress;
    this.policyNames = reader.storagePolicies();
  }

  /** Changes nothing. */
  public Found look() throws IOException {
    NavigableMap<String, Own> set = policiesSet();
    Attributes attributes = attributes(set);
    Looking looking = new Looking(set);
    AtomicLong done = new AtomicLong();
    progress.begin("paths looked at", set.size(), done::get);
    for (String path : set.keySet()) {
      looking.at(path);
      done.incrementAndGet();
    }
    attributes.marked.removeAll(looking.policies.keySet());
    Map<String, Journal.Raised> raised = new HashMap<>(journal.raised());
    Map<String, Integer> cached = new HashMap<>(journal.cached());
    List<JournalEntry> unrecorded =
        MarkedActions.find(
            journal,
            mode.actions(),
            reader,
            roots,
            path -> false,
            config.decide().actions().pool(),
            runtime.clock().instant());
    for (JournalEntry entry : unrecorded) {
      if (entry instanceof JournalEntry.ReplicationSet factor) {
        raised.put(factor.path(), new Journal.Raised(factor.before(), factor.after()));
      } else if (entry instanceof JournalEntry.CacheSet copies) {
        cached.put(copies.path(), copies.after());
      }
    }
    attributes.marked.removeAll(raised.keySet());
    attributes.marked.removeAll(cached.keySet());
    return new Found(
        journal.groups(),
        groupFiles(),
        raised,
        cached,
        unrecorded,
        looking.policies,
        attributes.hints,
        attributes.marked,
        looking.misplaced,
        looking.copies,
        looking.bytes);
  }

  /** None where this user may not list them, as beside a mover, which makes none. */
  private List<String> groupFiles() throws IOException {
    try {
      return mode.groups().unrecordedFiles();
    } catch (AccessControlException e) {
      return List.of();
    }
  }

  /** What attributes tell. */
  private record Attributes(Map<String, Set<String>> hints, Set<String> marked) {}

  /**
   * All that is managed, and elsewhere what may have a policy of the service; adds policies by their marks that the
   * journal doesn't know.
   */
  private Attributes attributes(NavigableMap<String, Own> set) throws IOException {
    Attributes found = new Attributes(new LinkedHashMap<>(), new LinkedHashSet<>());
    AtomicLong done = new AtomicLong();
    long[] all = new long[1];
    reader.walk(roots, path -> false, (path, policy, above) -> all[0]++);
    progress.begin("files and directories looked at for attributes", all[0], done::get);
    reader.walk(
        roots,
        path -> false,
        (path, policy, above) -> {
          done.incrementAndGet();
          if (policy == 0 && !Paths.isAtOrBelowAny(path, config.manage().paths())) {
            return;
          }
          Set<String> names = names(path);
          Set<String> hints =
              names.stream()
                  .filter(HdfsMarks::isHint)
                  .collect(Collectors.toCollection(TreeSet::new));
          if (!hints.isEmpty()) {
            found.hints.put(path, hints);
          }
          boolean isMarked = names.contains(PolicyMarks.ATTRIBUTE);
          if (names.contains(ActionMarks.REPLICATION) || names.contains(ActionMarks.CACHE)) {
            found.marked.add(path);
          }
          if (isMarked || isApart() && policy != above) {
            Optional<PolicyMarks.Mark> mark = mode.hdfs().mark(path);
            if (isMarked || mark.isPresent()) {
              found.marked.add(path);
            }
            if (mark.isPresent()
                && mark.get().policy().equals(policyNames.get(policy))
                && !set.containsKey(path)
                && journal.taken(path, JournalEntry.Taken.POLICY).isEmpty()) {
              set.put(path, new Own("", mark.get().policy()));
            }
          }
        });
    reader.unreadable().stream()
        .min(Comparator.naturalOrder())
        .ifPresent(
            path ->
                left.putIfAbsent(
                    "what is below directories that this user may not list",
                    "the first is " + path + ": run this command as an HDFS superuser"));
    return found;
  }

  private boolean isApart() {
    return config.hdfs().mover() != null;
  }

  /** Of attributes. With a mover the service needs the right to read files only if it takes hints. */
  private Set<String> names(String path) throws IOException {
    if (isApart() && !config.hints().isOn()) {
      return Set.of();
    }
    try {
      return marks.names(path);
    } catch (FileNotFoundException e) {
      return Set.of();
    } catch (AccessControlException e) {
      left.putIfAbsent(
          "hints that this user may not look for",
          "the first is on "
              + path
              + ". As an HDFS superuser look for them with: hdfs dfs -getfattr -R -d "
              + String.join(" ", config.manage().paths()));
      return Set.of();
    }
  }

  /** Each path that the service set or unset a policy on, and nobody since. */
  private NavigableMap<String, Own> policiesSet() throws IOException {
    NavigableMap<String, Own> set = new TreeMap<>();
    journal.history(
        entry -> {
          if (entry instanceof JournalEntry.PolicySet policy) {
            String before = policy.before() == null ? "" : policy.before();
            set.merge(
                policy.path(),
                new Own(before, policy.policy()),
                (first, now) -> new Own(first.before(), now.policy()));
          } else if (entry instanceof JournalEntry.TakenOver taken
              && (taken.what() == JournalEntry.Taken.POLICY
                  || taken.what() == JournalEntry.Taken.NO_POLICY)) {
            set.remove(taken.path());
          } else if (entry instanceof JournalEntry.Renamed renamed) {
            Paths.rename(set, renamed.path(), renamed.to());
          }
        });
    return set;
  }

  /** Where the copies of files are, and where they will be wanted. */
  private final class Looking {
    private final NavigableMap<String, Own> set;
    private final Map<String, Own> policies = new LinkedHashMap<>();
    private final Set<String> misplaced = new LinkedHashSet<>();
    private long copies;
    private long bytes;

    private Looking(NavigableMap<String, Own> set) {
      this.set = set;
    }

    private void at(String path) throws IOException {
      String now;
      try {
        now = mode.hdfs().storagePolicy(path);
        if (now.equals(set.get(path).policy()) && !now.equals(set.get(path).before())) {
          policies.put(path, set.get(path));
        }
        String after = after(path, now);
        reader.pass(
            List.of(path),
            below -> !below.equals(path) && set.containsKey(below),
            file -> {
              // Another one is somebody's.
              if (name(file).equals(now.isEmpty() ? DEFAULT_POLICY : now)) {
                look(file, after);
              }
            });
      } catch (UncheckedIOException e) {
        throw e.getCause();
      } catch (FileNotFoundException e) {
        policies.remove(path);
      }
    }

    /** The policy in force on a path when all is taken back. */
    private String after(String path, String now) throws IOException {
      Own own = policies.get(path);
      if (own == null) {
        return now.isEmpty() ? DEFAULT_POLICY : now;
      }
      if (!own.before().isEmpty()) {
        return own.before();
      }
      if (path.equals("/")) {
        return DEFAULT_POLICY;
      }
      // Directories come before what is below them.
      String parent = Undo.parent(path);
      String above = mode.hdfs().storagePolicy(parent);
      for (String at = parent; at != null; at = Paths.above(at)) {
        if (policies.containsKey(at) && policies.get(at).policy().equals(above)) {
          return after(at, above);
        }
      }
      return above.isEmpty() ? DEFAULT_POLICY : above;
    }

    private void look(FileView file, String policy) {
      Target target;
      try {
        target = target(file, policy);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      for (FileView.Block block : file.blocks()) {
        int shifts = target.shifts(block.types()).size();
        copies += shifts;
        bytes += shifts * block.length();
        if (shifts > 0) {
          misplaced.add(file.path());
        }
      }
    }
  }

  private String name(FileView file) {
    return policyNames.getOrDefault(file.storagePolicy(), DEFAULT_POLICY);
  }

  private Target target(FileView file, String policy) throws IOException {
    String key = policy + " " + file.replication();
    if (!types.containsKey(key)) {
      types.put(key, reader.types(policy, file.replication()));
    }
    return new Target(types.get(key), policy);
  }

  /**
   * Takes back what was found.
   *
   * @return what is left, with the reason, by path
   * @throws IOException where HDFS or the journal doesn't go on; done again, it goes on from there
   */
  public Map<String, String> run(Found found, String who) throws IOException, InterruptedException {
    journal.append(found.unrecorded());
    journal.append(unrecorded(found.policies()));
    try {
      mode.groups().removeFiles();
    } catch (AccessControlException e) {
      LOG.debug("the directory of group files is another user's: it is told with what is left", e);
    }
    if (!found.groups().isEmpty()) {
      int all = found.groups().size();
      progress.begin("groups", all, () -> all - journal.groups().size());
      mode.groups().end(0, found.groups(), who, WHY);
      journal
          .groups()
          .forEach(group -> left.put("group " + group.made().group(), "its files are still there"));
    }
    each("replication factors", found.raised().keySet(), path -> lower(path, found));
    each("cached files", found.cached().keySet(), path -> uncache(path, found));
    each(
        "storage policies",
        found.policies().keySet(),
        path -> {
          Own own = found.policies().get(path);
          mode.replacePolicy(path, own.policy(), own.before());
        });
    each("hints", found.hints().keySet(), path -> marks.removeHints(path, found.hints().get(path)));
    each("marks of nothing that is in force", found.marks(), this::unmark);
    bringBack(found);
    lookAgain(found);
    return left;
  }

  /** A mark that can't be removed keeps nothing else from being taken back, so only HDFS tells. */
  private void lookAgain(Found found) throws IOException, InterruptedException {
    Set<String> paths = new TreeSet<>(found.marks());
    paths.addAll(found.policies().keySet());
    paths.addAll(found.raised().keySet());
    paths.addAll(found.cached().keySet());
    paths.addAll(found.hints().keySet());
    paths.removeAll(left.keySet());
    Map<String, String> still = new LinkedHashMap<>();
    each(
        "paths looked at again",
        paths,
        path -> {
          List<String> there = there(path, found);
          if (!there.isEmpty()) {
            still.put(path, "HDFS still shows " + String.join(", ", there));
          }
        });
    left.putAll(still);
  }

  /** What of the service HDFS shows on a path. */
  private List<String> there(String path, Found found) throws IOException {
    List<String> there = new ArrayList<>();
    Own own = found.policies().get(path);
    if (own != null
        && mode.hdfs().storagePolicy(path).equals(own.policy())
        && journal.taken(path, JournalEntry.Taken.POLICY).isEmpty()) {
      there.add("the storage policy " + own.policy());
    }
    Journal.Raised raised = found.raised().get(path);
    if (raised != null) {
      mode.actions()
          .file(path)
          .filter(file -> file.replication() == raised.now())
          .ifPresent(file -> there.add("the replication factor " + raised.now()));
    }
    Set<String> names = new TreeSet<>(names(path));
    if (isApart()) {
      mode.hdfs().mark(path).ifPresent(mark -> names.add(PolicyMarks.ATTRIBUTE));
      ActionCalls.Marks marked = mode.actions().marks(path);
      if (marked.raised() != null) {
        names.add(ActionMarks.REPLICATION);
      }
      if (marked.cached() != null) {
        names.add(ActionMarks.CACHE);
      }
    }
    names.forEach(name -> there.add("the attribute " + name));
    return there;
  }

  /**
   * Of policies known by their marks alone: that they are the service's. Else the next run would take their removal
   * for what the service did, and set them again.
   */
  private List<JournalEntry> unrecorded(Map<String, Own> policies) {
    String now = runtime.clock().instant().toString();
    List<JournalEntry> entries = new ArrayList<>();
    policies.forEach(
        (path, own) -> {
          if (!journal.hasSet(path)) {
            entries.add(new JournalEntry.PolicySet(now, path, own.policy(), own.before()));
          }
        });
    return entries;
  }

  /** Takes one thing back. */
  @FunctionalInterface
  private interface Step {
    void take(String path) throws IOException;
  }

  private void each(String what, Collection<String> paths, Step step)
      throws IOException, InterruptedException {
    AtomicLong done = new AtomicLong();
    if (!paths.isEmpty()) {
      progress.begin(what, paths.size(), done::get);
    }
    for (String path : paths) {
      awaitTurn();
      try {
        step.take(path);
      } catch (FileNotFoundException | ChangedSinceException e) {
        LOG.info("{} is left: {}", path, e.getMessage());
      } catch (IOException e) {
        if (mode.isFenced()) {
          throw e;
        }
        left.put(path, CommandLines.explain(e));
      }
      done.incrementAndGet();
    }
  }

  private void awaitTurn() throws IOException, InterruptedException {
    if (!mode.control().awaitTurn()) {
      throw new IOException("interrupted: run it again, it goes on where it ended");
    }
  }

  private void unmark(String path) throws IOException {
    mode.hdfs().unmark(path);
    ActionCalls.Marks marked = mode.actions().marks(path);
    if (marked.raised() != null) {
      mode.actions().unmarkReplication(path);
    }
    if (marked.cached() != null) {
      mode.actions().uncache(path, marked.cached());
    }
  }

  private void lower(String path, Found found) throws IOException {
    Journal.Raised raised = found.raised().get(path);
    Optional<FileView> file = mode.actions().file(path);
    if (file.isPresent() && file.get().replication() == raised.now()) {
      mode.putBack(
          new UndoPlan.Path(
              path, List.of(), new UndoPlan.Change(raised.before(), raised.now()), null));
    }
  }

  private void uncache(String path, Found found) throws IOException {
    mode.putBack(
        new UndoPlan.Path(path, List.of(), null, new UndoPlan.Change(0, found.cached().get(path))));
  }

  /** Again until HDFS shows each copy where its policy has it, or nothing more comes of it. */
  private void bringBack(Found found) throws IOException, InterruptedException {
    MoveCounts counts = new MoveCounts();
    mode.countIn(counts);
    Set<String> todo = found.misplaced();
    if (!todo.isEmpty()) {
      progress.begin("copies back to where they belong", found.copies(), counts::done);
    }
    HdfsCalls hdfs = mode.hdfs();
    Map<String, String> last = Map.of();
    long until = patience();
    mayComeYet = true;
    while (!todo.isEmpty() && mayComeYet && runtime.nanos().getAsLong() - until < 0) {
      awaitTurn();
      mayComeYet = false;
      List<String> all = List.copyOf(todo);
      Map<String, String> still = new LinkedHashMap<>();
      for (int i = 0; i < all.size(); i += BATCH) {
        still.putAll(move(hdfs.files(all.subList(i, Math.min(all.size(), i + BATCH))).values()));
      }
      if (still.size() < all.size()) {
        until = patience();
      }
      last = still;
      todo = still.keySet();
      if (mayComeYet) {
        runtime.pause().pause(config.act().limits().verifyEvery());
      }
    }
    left.putAll(last);
  }

  private long patience() {
    return runtime.nanos().getAsLong() + config.act().limits().verifyWithin().toNanos();
  }

  /** Moves copies of files; of those that aren't where they belong, why. */
  private Map<String, String> move(Collection<FileView> files)
      throws IOException, InterruptedException {
    Map<String, String> still = new LinkedHashMap<>();
    List<Decision> decisions = new ArrayList<>();
    for (FileView file : files) {
      Target target = target(file, name(file));
      boolean isOut =
          file.blocks().stream().anyMatch(block -> !target.shifts(block.types()).isEmpty());
      boolean isMore =
          file.blocks().stream().anyMatch(block -> block.replicas().size() > file.replication());
      if (isOut || isMore) {
        still.put(file.path(), "HDFS doesn't show its copies where its storage policy has them");
      }
      mayComeYet |= isMore || isOut && !file.isSettled();
      if (isOut && file.isSettled()) {
        decisions.add(
            new Decision(
                new HotFile(file, 0),
                target.lead(),
                target,
                Decision.Cause.UNDONE,
                WHY,
                new Gate.Benefit(Double.NaN, Double.NaN, Double.NaN)));
      }
    }
    if (!decisions.isEmpty()) {
      ClusterView cluster = reader.cluster();
      NumberLines lines =
          NumberLines.empty()
              .update(cluster, new SegmentTables(config.hdfs().segmentTables()).read());
      Plan plan =
          new Planner(
                  new Budget(Integer.MAX_VALUE, Long.MAX_VALUE, config.decide().budget().fill()))
              .plan(journal.lastPlan() + 1, decisions, cluster, lines);
      plan.unplaced().forEach(one -> still.put(one.decision().hot().file().path(), one.reason()));
      mayComeYet |= !plan.files().isEmpty();
      // The policy is in force already.
      mode.handle(
          new Plan(
              plan.number(),
              plan.files().stream()
                  .map(file -> new Plan.FileMoves(file.decision(), null, file.moves()))
                  .toList(),
              List.of()));
    }
    return still;
  }
}
