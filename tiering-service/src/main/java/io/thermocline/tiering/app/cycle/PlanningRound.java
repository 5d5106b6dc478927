// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import io.thermocline.hints.Operation;
import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.app.groups.GroupWords;
import io.thermocline.tiering.app.hints.HintTracker;
import io.thermocline.tiering.classify.FilePattern;
import io.thermocline.tiering.cluster.AttributesFile;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.cluster.NamespaceView;
import io.thermocline.tiering.cluster.QuotaCharge;
import io.thermocline.tiering.cluster.QuotaSource;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.cluster.SegmentTables;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Cap;
import io.thermocline.tiering.decide.CurrentActions;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HintedDirectories;
import io.thermocline.tiering.decide.HintedHolds;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LearnedThresholds;
import io.thermocline.tiering.decide.MoveHistory;
import io.thermocline.tiering.decide.MoveOrder;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.decide.Situation;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.decide.admission.LearnedAdmission;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintsInForce;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.observe.Paths;
import io.thermocline.tiering.plan.DirectoryPolicies;
import io.thermocline.tiering.plan.FileChange;
import io.thermocline.tiering.plan.FirstParts;
import io.thermocline.tiering.plan.FlashWrites;
import io.thermocline.tiering.plan.Impossible;
import io.thermocline.tiering.plan.NewNodes;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.plan.Planner;
import io.thermocline.tiering.process.PathSet;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.shadow.Overlay;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One look at HDFS and the plan that follows from it: snapshot, heat, decide, plan. Changes nothing but
 * what it has learned: number lines, thresholds, what was moved. One thread.
 */
public final class PlanningRound {

  /** About 100 bytes each. */
  private static final int FILES_OF_REACH = 1_000;

  /** At either end of each type, for each move that a plan may have. */
  private static final int CANDIDATES_PER_MOVE = 5;

  private static final int LEAST_CANDIDATES = 1_000;

  private final ServiceConfig.Decide settings;
  private final int mostKept;
  private final QuotaSource quotas;
  private final Map<StorageType, TierLimits> limits;
  private final Clock clock;
  private final NamespaceView reader;
  private final ManagedFiles managed;
  private final Heat heat;
  private final FileHeat fileHeat;
  private final Journal journal;
  private final DecideStrategy strategy;
  private final Planner planner;
  private final SegmentTables tables;
  private final AttributesFile attributes;
  private final RuledFiles ruled;
  private final PolicyOwners owners;
  private final MoveHistory history;
  private final FlashWrites flashWrites;
  private final ActionStates actions;
  private final HintTracker hints;
  private final FirstParts firstParts;
  private final NewNodeFiles newNodes = new NewNodeFiles();
  private final TakenBackFiles takenBack;

  private final HintedPlacement hinted;
  private final Impossible impossible;
  private final AbandonedDirectories abandoned;

  /** With each plan as they are then. */
  private HintsInForce inForce = HintsInForce.NONE;

  /** What the journal has of moves that no outcome has told of: a plan may fail after they were taken. */
  private final List<JournalEntry> untold = new ArrayList<>();

  private final Supplier<Set<String>> slow;
  private final Function<ClusterView, ReadShares> reads;
  private final Overlay overlay;
  private volatile NumberLines lines = NumberLines.empty();
  private Function<String, Optional<String>> leftAlone = path -> Optional.empty();
  private Function<FileChange, Optional<String>> notMade = change -> Optional.empty();
  private LearnedThresholds thresholds = LearnedThresholds.none();
  private volatile List<String> excluded;

  /**
   * Where a round looks.
   *
   * @param rules that are looked at before each plan
   * @param calibration of the estimates of reads
   * @param admission null where it isn't learned
   * @param hints null where none are taken
   * @param slow UUIDs of DataNodes that HDFS finds slow
   * @param reads which type serves the reads of a file, with these DataNodes
   * @param impossible what no plan could carry out before
   */
  public record Sources(
      NamespaceView reader,
      QuotaSource quotas,
      ManagedFiles managed,
      RulesInForce rules,
      Heat heat,
      ReadCalibration calibration,
      LearnedAdmission admission,
      HintTracker hints,
      Journal journal,
      Clock clock,
      Supplier<Set<String>> slow,
      Function<ClusterView, ReadShares> reads,
      Impossible impossible) {}

  public PlanningRound(ServiceConfig config, Sources sources, DecideStrategy strategy) {
    this(config, sources, strategy, Overlay.NONE);
  }

  /**
   * @param overlay what is taken for real beside what HDFS shows
   */
  public PlanningRound(
      ServiceConfig config, Sources sources, DecideStrategy strategy, Overlay overlay) {
    this.overlay = overlay;
    this.excluded = config.act().excluded();
    ServiceConfig.Manage manage = config.manage();
    this.settings = config.decide();
    this.mostKept = manage.maxFiles();
    this.quotas = sources.quotas();
    this.limits = strategy.limits();
    this.tables = new SegmentTables(config.hdfs().segmentTables());
    this.attributes = new AttributesFile(config.hdfs().nodeAttributes());
    this.reader = sources.reader();
    this.abandoned = new AbandonedDirectories(reader);
    this.managed = sources.managed();
    this.heat = sources.heat();
    this.fileHeat =
        new FileHeat(
            heat,
            sources.calibration(),
            config.heat().settings().halfLife(),
            sources.admission(),
            config.hints());
    this.journal = sources.journal();
    this.clock = sources.clock();
    this.slow = sources.slow();
    this.reads = sources.reads();
    this.strategy = strategy;
    this.planner = new Planner(settings.budget());
    this.owners = new PolicyOwners(new PathSet(manage.override()), journal, clock);
    this.impossible = sources.impossible();
    this.history = new MoveHistory(settings.stability());
    this.ruled = new RuledFiles(sources.rules(), history);
    this.flashWrites = new FlashWrites(settings.flashWritesPerDay());
    this.hints = sources.hints();
    this.hinted =
        new HintedPlacement(
            config.hints().operations().redirect(), reader, sources.rules(), limits);
    this.firstParts =
        new FirstParts(
            settings.firstPart(),
            config.heat().settings().halfLife(),
            path -> heat.profile(path).map(Profile::reads).orElse(-1L),
            fileHeat.readsOfAnOpen());
    this.takenBack = new TakenBackFiles(journal, heat::of, settings.stability().takenBackFactor());
    this.actions = new ActionStates(settings.actions(), reader, heat, journal);
  }

  /**
   * What was seen and planned.
   *
   * @param cluster as HDFS shows it
   * @param listed files as HDFS shows them
   * @param files that decisions are made of, with what is taken for real
   * @param real the same files, as HDFS shows them
   * @param managed how many files there are
   * @param leftAlone how many there are beside
   * @param directories what lies where, where the files are some of those that are managed; else empty
   * @param profiled paths of the files with a profile, before the others were looked at
   * @param policyNames by id
   * @param leftFactors replication factors that we changed, and somebody else after us, by path
   * @param firstParts what was found of first parts that were moved before
   * @param journaled what the journal has of plans and moves since the plan before
   * @param takenBack what the journal is to have of files of which somebody took back what was done
   * @param needless policies of ours that nothing needs any more; none where not all files were looked at
   */
  public record Outcome(
      ClusterView cluster,
      List<FileView> listed,
      List<HotFile> files,
      List<HotFile> real,
      int managed,
      int leftAlone,
      Optional<DirectoryTotals> directories,
      Set<String> profiled,
      Map<Integer, String> policyNames,
      Situation situation,
      DecideStrategy.Ruling ruling,
      Plan plan,
      Map<String, Integer> leftFactors,
      List<FirstParts.Change> firstParts,
      List<JournalEntry> journaled,
      List<JournalEntry> takenBack,
      List<NeedlessPolicies.Needless> needless) {

    /** Files that are managed, as HDFS shows them. */
    public List<FileView> shown() {
      return real.stream().map(HotFile::file).toList();
    }

    /** Files that shadow mode takes for moved, as they would be, by path. */
    public Map<String, FileView> imagined() {
      Map<String, FileView> imagined = new HashMap<>();
      for (int i = 0; i < files.size(); i++) {
        if (files.get(i) != real.get(i)) {
          imagined.put(files.get(i).file().path(), files.get(i).file());
        }
      }
      return imagined;
    }

    public List<Decision> decisions() {
      return ruling.decisions();
    }

    /** The files that had a profile, as HDFS shows them, hottest first. */
    public List<FileView> candidates() {
      return real.stream()
          .filter(hot -> profiled.contains(hot.file().path()))
          .sorted(Comparator.comparingDouble(HotFile::heat).reversed())
          .map(HotFile::file)
          .toList();
    }

    public String message() {
      boolean isPlain = cluster.occupancy().keySet().stream().noneMatch(StorageType::isFast);
      if (isPlain && decisions().isEmpty()) {
        return "no SSD or NVDIMM storage in the cluster: nothing to plan";
      }
      return decisions().size()
          + " decisions, "
          + plan.moves().size()
          + " moves"
          + (plan.actions().isEmpty() ? "" : ", " + plan.actions().size() + " actions")
          + (plan.unplaced().isEmpty()
              ? ""
              : ", " + plan.unplaced().size() + " later: " + plan.unplaced().get(0).reason())
          + (cluster.excluded().isEmpty()
              ? ""
              : "; " + cluster.excluded().size() + " DataNodes excluded (act.exclude)")
          + ruling.notes().stream().map(note -> "; " + note).collect(Collectors.joining());
    }
  }

  public Outcome run(long number) throws IOException {
    ruled.begin(clock.instant());
    abandoned.begin(clock.instant());
    ClusterView shown = reader.cluster().without(excluded);
    ClusterView cluster = overlay.over(shown).withSlow(slow.get()).withWear(attributes.read());
    Map<Integer, String> policyNames = reader.storagePolicies();
    Set<String> profiled =
        heat.profiles().stream().map(Profile::path).collect(Collectors.toUnmodifiableSet());
    if (hints != null) {
      hints.refresh();
      inForce = hints.registry().inForce(clock.millis());
    }
    owners.begin(inForce);
    fileHeat.begin(inForce);
    lines = lines.update(cluster, tables.read());
    newNodes.begin(
        settings.fillNewNodes() == ServiceConfig.FillNewNodes.ON
            ? NewNodes.of(cluster, lines)
            : NewNodes.NONE,
        mostMoves(cluster));
    FilePass pass = pass(cluster, policyNames);
    HdfsReader.Listing listing = managed.look(pass, profiled);
    if (hints != null) {
      hints.scan(listing.files());
    }
    overlay.endOfPass();
    Instant now = clock.instant();
    ReadShares shares = reads.apply(cluster);
    fileHeat.learn(cluster, limits, reach(listing.files(), shares));
    List<JournalEntry> moves = journal.takeMoves();
    untold.addAll(moves);
    remember(moves, now);
    List<HotFile> hot = new ArrayList<>();
    List<HotFile> real = new ArrayList<>();
    for (FileView file : listing.files()) {
      if (owners.isOurs(file, policyNames)) {
        owners.takeOver(file, policyNames);
        HotFile each = fileHeat.of(overlay.over(file), now);
        hot.add(each);
        real.add(each.as(file));
      }
    }
    hot.forEach(ruled::rule);
    ActionStates.Seen current = actions.look(hot, cluster);
    takenBack.look(inForce, ruled::isRuledSince, current.left().keySet(), now);
    List<FirstParts.Change> parts = firstParts.look(hot, now);
    Situation situation = situation(cluster, pass, hot, current.current(), shares, now);
    hinted.look(
        inForce,
        situation,
        policyNames,
        listing.files(),
        file ->
            !owners.isOurs(file, policyNames)
                && PolicyOwners.policyOf(file, policyNames).equals(PolicyOwners.DEFAULT_POLICY));
    DecideStrategy.Ruling ruling = withNewNodes(strategy.decide(hot, situation), situation, now);
    List<Decision> decisions = ruling.decisions();
    Plan plan =
        firstParts.bound(
            planner
                .plan(number, decisions, cluster, lines, flashWrites.wear(now), situation.reads())
                .within(notMade),
            now);
    DirectoryPolicies directories =
        new DirectoryPolicies(
            withoutQuotas(listing.wholeDirectories(), situation.caps()),
            file -> owners.mayHaveOwn(file, policyNames),
            file -> owners.hasTheirs(file, policyNames),
            file -> PolicyOwners.policyOf(file, policyNames));
    Outcome outcome =
        new Outcome(
            shown,
            listing.files(),
            hot,
            real,
            pass.managed(),
            pass.leftAlone(),
            pass.directories(),
            profiled,
            policyNames,
            situation,
            ruling,
            directories.apply(impossible.since(plan, now), listing.files()),
            current.left(),
            parts,
            List.copyOf(untold),
            takenBack.changes(),
            NeedlessPolicies.of(
                journal.policies(),
                listing.files(),
                hot.size() >= pass.managed(),
                policyNames,
                decisions,
                owners::replacesAnother,
                path -> leftAlone.apply(path).isPresent(),
                abandoned::isNeedless));
    untold.clear();
    return outcome;
  }

  /** What a policy on a directory makes of new files counts against quotas too. */
  private static Set<String> withoutQuotas(Set<String> directories, List<Cap> caps) {
    List<String> limited =
        caps.stream()
            .filter(cap -> cap.isQuota() && cap.type() != null)
            .map(cap -> ((Cap.Scope.Below) cap.scope()).directory())
            .toList();
    return limited.isEmpty()
        ? directories
        : directories.stream()
            .filter(directory -> !Paths.isAtOrBelowAny(directory, limited))
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * A plan for one file, or the files below a directory, that somebody asks for.
   *
   * @param plan only these moves; those of at most as many files as a plan may have moves
   * @param files that are managed there
   * @param left those that stay, with the reason, by path
   * @param cluster that it is made for
   */
  public record Ordered(Plan plan, int files, Map<String, String> left, ClusterView cluster) {}

  /**
   * Plans to bring files to a type, once, whatever their heat. To be called between two plans; changes nothing.
   *
   * @param by who asks, and why, in words
   * @param last the last plan with what it was made of
   */
  public Ordered order(
      MoveOrder order, long number, String path, StorageType type, String by, Outcome last)
      throws IOException {
    Instant now = clock.instant();
    List<FileView> found = new ArrayList<>();
    int[] count = new int[1];
    ClusterView shown = reader.cluster();
    int most = mostMoves(shown);
    reader.pass(
        managed.contains(path) ? List.of(path) : List.of(),
        below -> !managed.contains(below),
        file -> {
          count[0]++;
          boolean isThere =
              file.blocks().stream().allMatch(block -> Collections.max(block.types()) == type);
          if (found.size() < most && (!isThere || found.isEmpty())) {
            found.add(file);
          }
        });
    ClusterView cluster =
        overlay.over(shown.without(excluded)).withSlow(slow.get()).withWear(attributes.read());
    Map<String, Hold> asked = new HashMap<>();
    List<HotFile> files = new ArrayList<>();
    for (FileView file : found) {
      HotFile hot = fileHeat.of(file, now);
      files.add(hot);
      asked.put(
          file.path(),
          leftAlone
              .apply(file.path())
              .map(Hold::still)
              .orElseGet(
                  () ->
                      owners.isOurs(file, last.policyNames())
                          ? ruled.ofRules(hot, now)
                          : Hold.still(
                              "somebody set the storage policy "
                                  + PolicyOwners.policyOf(file, last.policyNames()))));
    }
    last.real().stream().filter(hot -> !asked.containsKey(hot.file().path())).forEach(files::add);
    MoveOrder.Result result =
        order.decide(
            files,
            new Situation(
                cluster,
                Map.of(),
                last.situation().caps(),
                each -> Hold.NONE,
                CurrentActions.NOTHING,
                last.situation().reads()),
            asked,
            type,
            by);
    Plan plan =
        planner
            .plan(
                number,
                result.decisions(),
                cluster,
                lines,
                flashWrites.wear(now),
                last.situation().reads())
            .within(notMade);
    Map<String, String> left = new HashMap<>(result.left());
    plan.unplaced().forEach(one -> left.put(one.decision().hot().file().path(), one.reason()));
    return new Ordered(plan, count[0], left, cluster);
  }

  /** Has no further plan move anything to or from these DataNodes; any thread may. */
  public void exclude(List<String> names) {
    excluded = List.copyOf(names);
  }

  /** Directories whose files are in no plan, since HDFS doesn't let this user list them. Any thread may ask. */
  public Set<String> unreadable() {
    return managed.unreadable();
  }

  /** As of the last plan. */
  public HintsInForce hints() {
    return inForce;
  }

  /**
   * By which hints NameNodes are to place new files, as of the last plan; empty before the first. Any thread may ask.
   */
  public Optional<HintedDirectories> hinted() {
    return hinted.found();
  }

  /** As of the last plan; any thread may ask. */
  public NumberLines lines() {
    return lines;
  }

  private int mostMoves(ClusterView cluster) {
    return settings.budget().in(cluster.nodes().size()).moves();
  }

  private FilePass pass(ClusterView cluster, Map<Integer, String> policyNames) {
    Instant now = clock.instant();
    Set<String> current = new HashSet<>(journal.cached().keySet());
    current.addAll(journal.raised().keySet());
    return new FilePass(
        new FilePass.Limits(
            mostKept,
            Math.max(LEAST_CANDIDATES, CANDIDATES_PER_MOVE * mostMoves(cluster)),
            leaving(cluster),
            ruled.caps()),
        new FilePass.Known(
            file -> owners.isOurs(file, policyNames),
            file -> overlay.policy(file.path()).orElseGet(() -> policySet(file, policyNames)),
            file -> policySet(file, policyNames),
            file -> PathKey.of(heat.nameservice(), file.path()),
            // What was read since the last plan is learned after this pass: ranked by heat still.
            file -> fileHeat.of(file, now),
            this::passed,
            current::contains,
            (hot, lead) ->
                ruled.mustMove(hot, lead)
                    || inForce.of(hot.file().path(), Operation.MIGRATE).isPresent()));
  }

  /** An image knows nothing of what was set since. */
  private String policySet(FileView file, Map<Integer, String> policyNames) {
    return journal.lastSet(file.path()).orElseGet(() -> PolicyOwners.policyOf(file, policyNames));
  }

  private void passed(FileView file) {
    fileHeat.passed(file);
    overlay.passed(file);
    newNodes.passed(overlay.over(file));
  }

  private DecideStrategy.Ruling withNewNodes(
      DecideStrategy.Ruling ruling, Situation situation, Instant now) {
    return new DecideStrategy.Ruling(
        newNodes.added(
            ruling.decisions(),
            situation,
            file -> {
              HotFile hot = fileHeat.of(file, now);
              ruled.rule(hot);
              return hot;
            }),
        ruling.explanation(),
        ruling.notes(),
        ruling.patterns());
  }

  /** Types whose coldest data may have to leave: always on fast ones, and where DISK is too full for ARCHIVE. */
  private Set<StorageType> leaving(ClusterView cluster) {
    Set<StorageType> leaving = EnumSet.of(StorageType.SSD, StorageType.NVDIMM);
    TierLimits disk = limits.get(StorageType.DISK);
    ClusterView.Occupancy used = cluster.occupancy().get(StorageType.DISK);
    if (disk != null
        && used != null
        && limits.containsKey(StorageType.ARCHIVE)
        && used.fraction() > disk.upperWatermark()) {
      leaving.add(StorageType.DISK);
    }
    return leaving;
  }

  /**
   * Why a file is where it is; of a path that is no file that is managed, just that.
   *
   * @throws IOException where it was passed over in the plan, and HDFS can't be asked where it lies
   */
  public Explanation explain(String path, Outcome outcome) throws IOException {
    Optional<HotFile> other = Optional.empty();
    if (outcome.files().size() < outcome.managed()
        && outcome.files().stream().noneMatch(hot -> hot.file().path().equals(path))
        && managed.contains(path)) {
      other =
          reader
              .file(path)
              .filter(file -> owners.isOurs(file, outcome.policyNames()))
              .map(file -> fileHeat.of(file, clock.instant()));
      other.ifPresent(ruled::rule);
    }
    Explanation decided = outcome.ruling().explanation().apply(path, other);
    Explanation explanation =
        outcome.real().stream()
            .map(HotFile::file)
            .filter(file -> decided.standing() != null && file.path().equals(path))
            .findFirst()
            .map(decided::shownAs)
            .orElse(decided);
    return explanation
        .plus(accessed(explanation))
        .plus(served(explanation, outcome.situation().reads()))
        .plus(
            hinted.found().flatMap(all -> all.of(path)).map(HintedDirectories.One::words).stream()
                .toList())
        .plus(
            outcome.decisions().stream()
                .filter(each -> each.cause() == Decision.Cause.TO_NEW_NODE)
                .filter(each -> each.hot().file().path().equals(path))
                .map(Decision::reason)
                .toList())
        .plus(
            outcome.plan().unplaced().stream()
                .filter(each -> each.decision().hot().file().path().equals(path))
                .map(each -> "the last plan found no place for it: " + each.reason())
                .toList())
        .plus(GroupWords.of(path, journal.groups()));
  }

  private static List<String> served(Explanation explanation, ReadShares reads) {
    return explanation.standing() == null
        ? List.of()
        : ServedWords.of(explanation.standing().hot().file(), reads);
  }

  private List<String> accessed(Explanation explanation) {
    if (explanation.standing() == null) {
      return List.of();
    }
    FileView file = explanation.standing().hot().file();
    return List.of(
        fileHeat.decay(),
        heat.profile(file.path())
            .map(profile -> FilePattern.of(file, profile, clock.millis()).words(profile))
            .orElse("how it is accessed isn't known: that is recorded of the hottest files"));
  }

  private Situation situation(
      ClusterView cluster,
      FilePass pass,
      List<HotFile> files,
      CurrentActions current,
      ReadShares shares,
      Instant now)
      throws IOException {
    if (settings.learnsThresholds()) {
      thresholds =
          thresholds.next(
              pass.distribution(files),
              LearnedThresholds.room(pass.onFastTypes(files), cluster, limits));
    }
    List<Cap> caps = new ArrayList<>(pass.caps(files));
    Quotas.Look quotas = quotas(files);
    for (Quotas.Quota quota : quotas.quotas()) {
      caps.add(
          Cap.quota(
              quota.directory(), quota.type(), quota.max(), quota.used() + onNvdimm(quota, files)));
    }
    Set<String> raised = GroupWords.raised(journal.groups());
    Function<String, Hold> holds = firstParts.holds(HintedHolds.over(ruled.holds(now), inForce));
    return new Situation(
        cluster,
        thresholds.heats(),
        caps,
        path ->
            leftAlone
                .apply(path)
                .map(Hold::still)
                .orElseGet(
                    () ->
                        quotas.unknown().contains(Paths.above(path))
                            ? Hold.still(
                                "the service doesn't know yet whether its directories have quotas, and asks"
                                    + " with the next plan")
                            : raised.contains(path)
                                ? Hold.still("as one of a group it has one more replica")
                                : takenBack.hold(path).orElseGet(() -> holds.apply(path))),
        current,
        shares);
  }

  /** Of the reads of a file, what one fast copy serves on average; some files stand for all. */
  private static double reach(List<FileView> files, ReadShares shares) {
    int step = Math.max(1, files.size() / FILES_OF_REACH);
    return IntStream.range(0, files.size() / step)
        .mapToDouble(i -> shares.fastWithOneCopy(files.get(i * step)))
        .average()
        .orElse(1);
  }

  /** Of the directories of files and hints, those of the hottest files first. */
  private Quotas.Look quotas(List<HotFile> files) throws IOException {
    Set<String> directories = new LinkedHashSet<>();
    inForce.onDirectories(Operation.REDIRECT).forEach(hint -> directories.add(hint.path()));
    files.stream()
        .sorted(Comparator.comparingDouble(HotFile::density).reversed())
        .forEach(hot -> directories.add(Paths.above(hot.file().path())));
    return quotas.look(directories);
  }

  /** Bytes that lie on NVDIMM below a directory with a quota of it, and that HDFS counts as SSD. */
  private static long onNvdimm(Quotas.Quota quota, List<HotFile> files) {
    return quota.type() != StorageType.NVDIMM
        ? 0
        : files.stream()
            .map(HotFile::file)
            .filter(file -> Paths.isBelow(file.path(), quota.directory()))
            .filter(file -> !QuotaCharge.policyName(file.storagePolicy()).equals("ALL_NVDIMM"))
            .flatMap(file -> file.blocks().stream())
            .mapToLong(
                block ->
                    block.length()
                        * block.types().stream().filter(StorageType.NVDIMM::equals).count())
            .sum();
  }

  /**
   * What isn't to be planned.
   *
   * @param paths why a file is left alone; empty where it isn't
   * @param changes why a change would not be made; empty where it would
   */
  public void leaveAlone(
      Function<String, Optional<String>> paths, Function<FileChange, Optional<String>> changes) {
    leftAlone = paths;
    notMade = changes;
  }

  /** Learns from the journal what was moved since the last round, or before the start. */
  private void remember(List<JournalEntry> journaled, Instant now) {
    Instant latest = Instant.EPOCH;
    List<JournalEntry> moves = new ArrayList<>(journaled);
    moves.addAll(overlay.takeMoves());
    for (JournalEntry entry : moves) {
      Instant at = Instant.parse(entry.at());
      latest = at.isAfter(latest) ? at : latest;
      if (entry instanceof JournalEntry.Planned planned) {
        Decision.Cause cause = Decision.Cause.valueOf(planned.cause());
        if (cause != Decision.Cause.TO_NEW_NODE) {
          history.moved(planned.path(), cause, at);
        }
        firstParts.begun(planned.path());
        fileHeat.planned(planned.path(), cause, at);
      } else if (entry instanceof JournalEntry.Moved moved && moved.state().equals("VERIFIED")) {
        String type = moved.to().substring(moved.to().indexOf(' ') + 1);
        flashWrites.written(StorageType.valueOf(type), moved.bytes(), at);
      }
    }
    history.forgetBefore(now);
    fileHeat.plannedUpTo(latest);
  }
}
