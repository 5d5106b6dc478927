// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.act.ActLimits;
import io.thermocline.tiering.act.FakeHdfs;
import io.thermocline.tiering.act.Pause;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.api.AccessMix;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.ConfigResource;
import io.thermocline.tiering.api.FileState;
import io.thermocline.tiering.api.Groups;
import io.thermocline.tiering.api.HeatOfDirectory;
import io.thermocline.tiering.api.HeatOfFile;
import io.thermocline.tiering.api.Heats;
import io.thermocline.tiering.api.HintResource;
import io.thermocline.tiering.api.History;
import io.thermocline.tiering.api.Json;
import io.thermocline.tiering.api.KeptReplies;
import io.thermocline.tiering.api.PlanOrders;
import io.thermocline.tiering.api.Resource;
import io.thermocline.tiering.api.SavingsResource;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.api.Undoing;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.plans.PlanQueue;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.app.plans.ShadowMode;
import io.thermocline.tiering.app.records.JournaledReplies;
import io.thermocline.tiering.app.records.JournaledTasks;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HintedDirectories;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.journal.FillingStore;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.NumberLines;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.readorder.NodeDifference;
import io.thermocline.tiering.review.StoredPlan;
import io.thermocline.tiering.rules.Impact;
import io.thermocline.tiering.rules.RuleSet;
import io.thermocline.tiering.savings.SavingsDay;
import io.thermocline.tiering.savings.SavingsLedger;
import io.thermocline.tiering.shadow.ReportFiles;
import io.thermocline.tiering.shadow.ShadowReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What stands behind a service's API, on an HDFS of the tests: planQueue, store, journal and mover are the real ones. */
public final class ApiParts implements AutoCloseable {

  private static final ActLimits LIMITS =
      new ActLimits(4, 2, 1, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofSeconds(60));

  private static final RuleSet RULES = RuleSet.of(List.of("/tmp"), List.of("/pinned"), List.of());

  final Scene scene = new Scene().nodes(6, Map.of(DISK, 1000L, SSD, 100L));
  final FakeHdfs hdfs = new FakeHdfs();
  final FillingStore disk;
  final Journal journal;
  final ApplyMode handler;
  final PlanQueue planQueue;
  private final Path directory;
  private final Clock clock;
  private final ServiceConfig.Act act;
  private final ExecutorService copiers = Executors.newFixedThreadPool(4);
  private final NumberLines lines;
  private volatile Optional<HintedDirectories> hinted = Optional.of(HintedDirectories.NONE);

  public ApiParts(
      Path directory, ServiceConfig.Mode mode, ServiceConfig.Approval approval, Clock clock)
      throws IOException {
    this.act =
        new ServiceConfig.Act(
            mode,
            ServiceConfig.Mover.DIRECTED,
            LIMITS,
            null,
            null,
            null,
            "/m",
            new ServiceConfig.Review(approval, Duration.ofHours(1)),
            List.of(),
            List.of());
    this.directory = directory;
    this.clock = clock;
    this.disk = new FillingStore(directory);
    this.journal = Journal.open(disk);
    Pause pause = duration -> TimeUnit.NANOSECONDS.sleep(1);
    ServiceRuntime runtime = new ServiceRuntime(clock, System::nanoTime, pause);
    this.handler =
        new ApplyMode(
            new ApplyMode.Hands(
                hdfs,
                (machinery, policies) -> new PlanExecutor(hdfs, LIMITS, machinery, policies),
                null,
                copiers),
            LIMITS,
            "pool",
            journal,
            runtime);
    this.planQueue =
        PlanQueue.of(
            act,
            mode == ServiceConfig.Mode.SHADOW
                ? new ShadowMode(handler.control(), plan -> {}, decision -> {})
                : handler,
            journal,
            JournaledTasks.open(journal, clock),
            clock);
    this.lines = NumberLines.empty().update(scene.cluster(), Map.of());
  }

  /** Takes a plan that promotes these files. */
  public void make(String... paths) throws IOException, InterruptedException {
    made(plan(paths));
  }

  /** Takes a plan as the service does. */
  void made(Plan plan) throws IOException, InterruptedException {
    planQueue.made(plan, scene.cluster());
  }

  /** Carries out what somebody wants carried out. */
  public boolean carryOut() throws IOException, InterruptedException {
    return planQueue.await(0);
  }

  /** A plan that promotes these files. */
  public Plan plan(String... paths) {
    long number = journal.lastPlan() + 1;
    return new Plan(
        number, List.of(paths).stream().map(path -> promotion(number, path)).toList(), List.of());
  }

  /** The same, as somebody asks for it. */
  Plan order(String path) {
    Plan plan = plan(path);
    Plan.FileMoves file = plan.files().get(0);
    Decision decision = file.decision();
    return new Plan(
        plan.number(),
        List.of(
            new Plan.FileMoves(
                new Decision(
                    decision.hot(),
                    decision.from(),
                    decision.target(),
                    Decision.Cause.ORDERED_UP,
                    decision.reason(),
                    decision.benefit()),
                file.storagePolicy(),
                file.moves())),
        List.of());
  }

  private Plan.FileMoves promotion(long number, String path) {
    FileView file = scene.file(path, 10, "n1-DISK", "n3-DISK", "n5-DISK");
    hdfs.put(file);
    FileView.Block block = file.blocks().get(0);
    Move move =
        new Move(number + "-" + path, path, block, block.replicas().get(0), "n2", "n2-SSD", SSD);
    return new Plan.FileMoves(decision(file), "ONE_SSD", List.of(move));
  }

  /** The same, with the policy on the directory of its files, and a file that it finds no place for. */
  Plan onDirectory(Plan plan, String directory) {
    return new Plan(
        plan.number(),
        plan.files().stream()
            .map(
                file ->
                    new Plan.FileMoves(
                        file.decision(),
                        file.storagePolicy(),
                        directory,
                        plan.files().size(),
                        file.moves()))
            .toList(),
        List.of(
            new Plan.Unplaced(
                decision(scene.file(directory + "/c", 10, "n1-DISK", "n3-DISK", "n5-DISK")),
                "no room")));
  }

  /** The same copies, to a node that is less full now. */
  Plan elsewhere(Plan plan) {
    return new Plan(
        plan.number(),
        plan.files().stream()
            .map(
                file ->
                    new Plan.FileMoves(
                        file.decision(),
                        file.storagePolicy(),
                        file.moves().stream().map(ApiParts::toN4).toList()))
            .toList(),
        plan.unplaced());
  }

  private static Move toN4(Move move) {
    return new Move(
        move.id(), move.path(), move.block(), move.source(), "n4", "n4-SSD", move.targetType());
  }

  private static Decision decision(FileView file) {
    return new Decision(
        new HotFile(file, 1),
        DISK,
        new Target(List.of(SSD, DISK, DISK), "ONE_SSD"),
        Decision.Cause.PROMOTED,
        "1.0 reads",
        new Gate.Benefit(2, 0, 1));
  }

  /** What a plan finds of hints on directories isn't known yet. */
  public void beforeTheFirstPlan() {
    hinted = Optional.empty();
  }

  /** There are no hints on directories. */
  public void plannedWithoutHints() {
    hinted = Optional.of(HintedDirectories.NONE);
  }

  public List<Resource> resources() {
    List<ConfigResource.Setting> settings =
        List.of(
            new ConfigResource.Setting(
                "act.maxConcurrentCopies", "16", ConfigResource.Source.DEFAULT));
    return ServiceApi.resources(
        new ServiceApi.Parts(
            this::state,
            Optional::empty,
            handler::control,
            new Known(),
            planQueue,
            handler::recentMoves,
            scene::cluster,
            () -> Map.of("n6", "n6 is silent for 40 s"),
            () -> lines,
            () -> RULES,
            Optional.empty(),
            () -> hinted,
            Optional.of(new TakenBack()),
            new Asked(),
            new Configured(settings),
            new Grouped(),
            history(),
            new ReportFiles(shadow()),
            new SavingsResource(SavingsLedger.files(savings()), Map.of(SSD, 10L << 20)),
            replies(),
            (route, status, nanos) -> {}),
        Thread::new);
  }

  /** Files of the plan that somebody asks for next; none: there is nothing to do. */
  List<String> wanted = List.of("/d/now");

  /** Plans of {@link #wanted}. */
  private final class Asked implements PlanOrders {
    @Override
    public String prospect() {
      return "makes a plan now: it is carried out at once";
    }

    @Override
    public Ordered planNow(String who, String why) throws IOException, InterruptedException {
      Optional<Long> number =
          planQueue
              .ordered(
                  plan(wanted.toArray(String[]::new)),
                  "asked for by " + who + ": " + why,
                  scene.cluster())
              .map(StoredPlan::number);
      return new Ordered(
          false, number.isPresent() ? "plan " + number.get() : "no plan: nothing to do", number);
    }

    @Override
    public Move move(String path, StorageType type, boolean isMeant, String who, String why) {
      return new Move(
          !isMeant, type + " for " + who, Optional.empty(), 1, 0, 0, List.of(), List.of());
    }
  }

  /** A file that says what is in force. */
  private record Configured(List<ConfigResource.Setting> settings) implements ConfigReload {
    @Override
    public Reloaded reload(boolean isMeant, String who, String why) {
      return new Reloaded(!isMeant, "nothing changes", List.of(), Optional.empty());
    }
  }

  /** Leaves a day's report as shadow mode does. */
  public void report(String day) throws IOException {
    ShadowReport report =
        new ShadowReport(
            day,
            day + "T10:00:00Z",
            4,
            Map.of("DISK to SSD", new ShadowReport.Flow(3, 3 << 20)),
            Map.of("CACHED", 2),
            Map.of(
                "DISK", new ShadowReport.Served(20, 20 << 20, 5, 5 << 20),
                "SSD", new ShadowReport.Served(0, 0, 15, 15 << 20)),
            7,
            new ShadowReport.Seconds(40, 11.5, 3),
            Map.of("SSD", new ShadowReport.Room(0, 3 << 20, 100 << 20)),
            List.of(new ShadowReport.SlowRead("/d/a", 1 << 20, 20, "DISK", 15, "would be on SSD")));
    Files.createDirectories(shadow());
    Json.MAPPER.writeValue(shadow().resolve("report-" + day + ".json").toFile(), report);
  }

  /** Of requests with an id. */
  public KeptReplies replies() {
    return new JournaledReplies(() -> journal, clock);
  }

  /** Leaves what a day of carrying plans out leaves. */
  public void savings(String day) throws IOException {
    SavingsLedger.files(savings())
        .write(
            day,
            new SavingsDay(
                day,
                day + "T10:00:00Z",
                5,
                Map.of(
                    "DISK", new SavingsDay.Reads(5, 5 << 20),
                    "SSD", new SavingsDay.Reads(15, 15 << 20)),
                2,
                Map.of("DISK to SSD", new SavingsDay.Flow(3, 3 << 20)),
                1,
                Map.of("SSD", 3L << 20),
                new SavingsDay.Seconds(11.5, 40, 3),
                List.of(
                    new SavingsDay.Misprediction(
                        SavingsDay.Kind.DOWN_AND_READ,
                        "/d/a",
                        day + "T09:00:00Z",
                        "SSD",
                        "DISK",
                        1 << 20,
                        7,
                        "gives way")),
                List.of(),
                day + "T10:00:00Z",
                new SavingsDay.Measured(
                    day + "T09:00:00Z",
                    day + "T09:50:00Z",
                    Map.of(
                        "DISK", new SavingsDay.Reads(12, 8 << 20),
                        "SSD", new SavingsDay.Reads(24, 24 << 20)),
                    new SavingsDay.Reads(12, 1 << 20),
                    1,
                    3,
                    4)));
  }

  void damagedSavings(String day) throws IOException {
    Files.writeString(savings().resolve("savings-" + day + ".json"), "{");
  }

  private Path savings() {
    return directory.resolve("savings");
  }

  Path shadow() {
    return directory.resolve("shadow");
  }

  private History history() {
    History history = new History(directory.resolve("charts.json"));
    history.add(
        new History.Sample(
            Instant.EPOCH,
            Map.of(SSD, 0.25),
            Map.of(SSD, 0.5),
            Map.of("/data", 3.5),
            Map.of("ann", 0.8)));
    return history;
  }

  private io.thermocline.tiering.api.State state() {
    ServiceStatus status =
        new ServiceStatus(
            new LineCounts(10, 6, 3, 1, new LineCounts.Opens(20, 2, 1, 7, 3, 2, 1, 0, 4), 8, 4, 5),
            7,
            1,
            2,
            0,
            scene.cluster().occupancy(),
            Map.of(),
            handler.moves(),
            new ServiceStatus.Transfers(0, 0, 0, 0),
            List.of(),
            List.of("bytes of reads"),
            "",
            "",
            "reads take 2.0 times as long as without copies",
            "1 decisions, 1 moves",
            "Readers take the nearest replica: a copy on SSD serves 33 % of its file's reads"
                + " (estimated). docs/guides/read-order.md",
            Optional.of(
                new NodeDifference.Known(
                    0.25,
                    Optional.of(0.125),
                    3,
                    4,
                    Instant.parse("2026-11-20T09:00:00Z"),
                    Instant.parse("2026-11-20T10:00:00Z"))));
    return ServiceApi.state(
        act,
        status,
        ServiceApi.Shares.of(
            new Completeness(2000, 1990, 0), Map.of("ns", new Completeness(2000, 1990, 0))),
        Duration.ofSeconds(3),
        handler.control(),
        new Activity.Standing(true, Optional.empty()));
  }

  /** One group, 7. */
  private static final class Grouped implements Groups {
    private boolean ended;

    @Override
    public List<FileGroup> all() {
      return ended
          ? List.of()
          : List.of(
              new FileGroup(
                  "7",
                  "MAKE_FILE",
                  true,
                  Instant.EPOCH,
                  1,
                  Optional.of("/system/thermocline/groups/group-7"),
                  "local",
                  "random_small",
                  List.of(new GroupedFile("/d/a", 10), new GroupedFile("/d/b", 20)),
                  List.of("n1:9866 SSD"),
                  30,
                  Optional.empty(),
                  "read together"));
    }

    @Override
    public GroupSpace space() {
      return new GroupSpace(30, 100, 0, 0, all().size());
    }

    @Override
    public void end(String id, String who, String why) {
      ended = true;
    }
  }

  /** Plan 1 can be taken back, and plan 3, of many files; plan 2 not. */
  private static final class TakenBack implements Undoing {
    @Override
    public long lastPlan() {
      return 3;
    }

    @Override
    public Undone preview(long plan, int most) {
      List<String> paths =
          switch ((int) plan) {
            case 1 -> List.of("/d/a", "/d/b", "/d/c");
            case 3 -> IntStream.range(0, most + 1).mapToObj(i -> "/d/" + i).toList();
            default -> List.of();
          };
      return new Undone(plan, paths, Math.min(1, paths.size()), Map.of());
    }

    @Override
    public Undone undo(
        long plan, String who, String why, Consumer<Supplier<Tasks.Progress>> progress) {
      progress.accept(() -> new Tasks.Progress(1, 1));
      return new Undone(plan, List.of("/d/a"), 1, Map.of());
    }
  }

  /** By which what rules are about is held up. */
  volatile Runnable beforeImpact = () -> {};

  /** Whether that takes too long. */
  volatile BooleanSupplier isImpactOver = () -> false;

  /** One file, /a. */
  private final class Known implements Heats {
    private final FileView file = scene.file("/d/a", 10, "n1-SSD", "n3-DISK");

    @Override
    public List<HeatOfFile> hottest() {
      return List.of(new HeatOfFile("/d/a", 2.5, 1.5, 10, DISK, Optional.of(SSD), "ann"));
    }

    @Override
    public Impact impact(RuleSet rules) {
      beforeImpact.run();
      Impact impact = new Impact(RULES, rules, Instant.EPOCH, isImpactOver);
      impact.add(file, SSD, 2.5);
      return impact;
    }

    @Override
    public List<HeatOfDirectory> directories(String path) {
      return List.of(new HeatOfDirectory("/d", 2.5, 1, 10, 10, access(file), 2));
    }

    @Override
    public Optional<Explanation> explain(String path) {
      Explanation.Standing standing =
          path.equals("/d/a")
              ? new Explanation.Standing(
                  new HotFile(file, 2.5),
                  SSD,
                  Map.of(SSD, 10L, DISK, 10L),
                  0.5,
                  1,
                  2,
                  Hold.NONE,
                  null)
              : null;
      return Optional.of(
          new Explanation(path, standing, Optional.empty(), Map.of(SSD, "there is room for less")));
    }

    @Override
    public AccessMix access(FileView each) {
      return new AccessMix(List.of("active"), List.of("hot"), Optional.of(0.75), Optional.empty());
    }

    @Override
    public List<HintResource.HintView> hints(String path) {
      return List.of();
    }

    @Override
    public Optional<FileState.Profile> profile(String path) {
      return Optional.of(
          new FileState.Profile(
              Instant.EPOCH, 3, 0, 0, 30, 0, Optional.of(0.5), List.of(Instant.EPOCH)));
    }
  }

  @Override
  public void close() throws IOException {
    handler.stop();
    copiers.shutdownNow();
    journal.close();
  }
}
