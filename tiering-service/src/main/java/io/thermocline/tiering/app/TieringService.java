// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.HdfsLevers;
import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.KeptFiles;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.LeverLimits;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.journal.HdfsJournalStore;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.image.FirstView;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running service: one thread reads the audit logs into heat, one plans and has plans carried out.
 * Wiring only; what is decided and done is in the other packages.
 */
public final class TieringService implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TieringService.class);

  private static final long TICK_NANOS = 200_000_000L;

  /** Marks our calls in the audit log, so that they count as nobody's access. */
  static final String CALLER_CONTEXT = "thermocline";

  private final ServiceConfig config;
  private final Seams seams;
  private final List<String> unknown;
  private final Closer closer = new Closer();
  private final Map<StorageType, TierLimits> limits;
  private final Observing observing;
  private final DecideStrategy strategy;
  private final DistributedFileSystem fileSystem;
  private final Configuration hadoop;
  private final ServiceThreads threads;
  private final Steering standingBy;

  /** What acting needs; closed after the threads that act. */
  private final Closer acting = new Closer();

  /** Null where no other service may act. */
  private final Leadership leadership;

  private final CountDownLatch draining = new CountDownLatch(1);
  private final CountDownLatch planningEnded = new CountDownLatch(1);
  private final ExecutorService planning;
  private final BlockingQueue<Runnable> orders = new LinkedBlockingQueue<>();

  /** Null while another service acts. */
  private volatile Acting active;

  private final CountDownLatch deposed = new CountDownLatch(1);
  private volatile Cycle.Outcome last;
  private volatile long plans;
  private volatile String message = "starting";

  private TieringService(ServiceConfig config, Seams seams) throws IOException {
    this.config = config;
    this.seams = seams;
    this.unknown = Unknowns.of(config);
    unknown.forEach(sentence -> LOG.info("not known: {}", sentence));
    try {
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      this.threads = new ServiceThreads(user, CALLER_CONTEXT);
      this.hadoop = HadoopConfiguration.load(config.hdfs());
      this.standingBy = Steering.running(seams.clock());
      standingBy.hold("standby", "another service acts");
      this.fileSystem = closer.register(HdfsConnection.open(config.hdfs().nameNode(), hadoop));
      ScheduledExecutorService polling =
          closer.register(
              Executors.newSingleThreadScheduledExecutor(threads.named("thermocline-observe")));
      // Closed before the thread, whose interruption would break off a read or a checkpoint.
      this.observing =
          closer.register(
              Observing.open(
                  config, fileSystem.getUri().getAuthority(), user.getShortUserName(), seams));
      this.strategy =
          ServiceTiering.strategy(
              config,
              hadoop,
              (tiering, rules) ->
                  ChewStrategy.following(
                      tiering, rules, observing.heat(), observing.tally(), seams.clock()));
      this.limits = strategy.limits();
      closer.register((Closeable) acting::close);
      Leadership.Election election = config.shared().election();
      if (election == null) {
        activate();
      }
      this.planning =
          closer.register(Executors.newSingleThreadExecutor(threads.named("thermocline-plan")));
      long poll = config.observe().poll().toMillis();
      polling.scheduleWithFixedDelay(this::observe, 0, poll, TimeUnit.MILLISECONDS);
      // Closed first: another service may act once nothing here does.
      this.leadership =
          election == null ? null : closer.register(new Leadership(election, seams.nanos()));
      message = election == null ? message : "standing by";
      planning.execute(this::planUntilDrained);
    } catch (IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
  }

  /** Those parts of a service that acts. */
  private record Acting(Journal journal, Cycle cycle, PlanHandler handler) {}

  /** Takes up the journal, and all that follows from it. */
  private void activate() throws IOException {
    Path mutex = new Path(config.act().mutex());
    if (leadership != null && fileSystem.exists(mutex)) {
      // Its holder doesn't lead any more; HDFS would keep it for a minute. Begun before the
      // journal's, as either takes
      // a heartbeat.
      fileSystem.recoverLease(mutex);
    }
    Journal journal = acting.register(Journals.open(config, fileSystem, seams.pause()));
    HdfsReader reader = new HdfsReader(fileSystem.getClient());
    Cycle cycle =
        new Cycle(
            config,
            new Cycle.Sources(
                reader,
                managedFiles(reader, hadoop),
                observing.heat(),
                observing.worth(),
                journal,
                seams.clock()),
            strategy);
    PlanHandler handler = handler(journal);
    Recovery recovery = handler.recovery();
    if (recovery != null) {
      cycle.leaveAlone(recovery::isOpen);
    }
    if (leadership != null) {
      handler.steering().guard(leadership::isSure);
    }
    journal.append(
        new JournalEntry.Started(
            seams.clock().instant().toString(), config.act().mode().name(), journal.epoch() + 1));
    active = new Acting(journal, cycle, handler);
  }

  /** Whether this service acts, or waits to. */
  public boolean isActive() {
    return active != null;
  }

  /** Who acts, by its id; empty where that isn't elected, or not known. */
  public String leader() {
    return leadership == null ? "" : leadership.leader();
  }

  /** Waits until the service can't go on, since another one acts in its place. */
  public void awaitDeposed() throws InterruptedException {
    deposed.await();
  }

  /**
   * Starts the service as the current user.
   *
   * @throws IOException where HDFS or the journal cannot be used; nothing is left running then
   */
  public static TieringService start(ServiceConfig config, Seams seams) throws IOException {
    return new TieringService(config, seams);
  }

  /** What was seen and done so far. */
  public ServiceStatus status() {
    Cycle.Outcome seen = last;
    Acting now = active;
    return new ServiceStatus(
        observing.counts().lines(),
        observing.counts().malformed(),
        observing.heat().reads(),
        plans,
        seen == null ? 0 : seen.managed(),
        seen == null ? 0 : seen.leftAlone(),
        seen == null ? Map.of() : seen.cluster().occupancy(),
        limits,
        now == null ? ServiceStatus.Moves.NONE : now.handler().moves(),
        observing.transfers(),
        unknown,
        steering().reason(),
        message);
  }

  /** How much of what the NameNodes did stands in the audit logs. */
  public Completeness completeness() {
    return observing.completeness();
  }

  /** How hot a path is now, in cooled reads. */
  public double heat(String path) {
    return observing.heat().of(path);
  }

  /** What is known exactly of a path, where it is one of the hottest. */
  public Optional<Profile> profile(String path) {
    return observing.heat().profile(path);
  }

  /**
   * Why a file was where it was at the last plan, what would move it, and what that was reckoned from.
   *
   * @throws IOException where HDFS has to be asked, and can't be
   */
  public Optional<Explanation> explain(String path) throws IOException {
    Cycle.Outcome seen = last;
    return seen == null ? Optional.empty() : Optional.of(active.cycle().explain(path, seen));
  }

  /** The decisions of the last plan. */
  public List<Decision> decisions() {
    Cycle.Outcome seen = last;
    return seen == null ? List.of() : seen.decisions();
  }

  /** Pauses, resumes and stops what the service does in HDFS. */
  public Steering steering() {
    Acting now = active;
    return now == null ? standingBy : now.handler().steering();
  }

  /**
   * Takes back what a plan did, between two plans, and returns when that is done.
   *
   * @param who asked for it
   * @throws IllegalStateException where nothing may be begun: in shadow mode, standing by, paused or stopped
   */
  public UndoResult undo(long plan, String who) throws IOException, InterruptedException {
    return order(handler -> handler.undo(plan, who));
  }

  /** What {@link #undo} would take back, and what not, and why. Changes nothing. */
  public UndoResult previewUndo(long plan) throws IOException, InterruptedException {
    return order(handler -> handler.previewUndo(plan));
  }

  private interface Order {
    UndoResult carryOut(PlanHandler handler) throws IOException, InterruptedException;
  }

  private UndoResult order(Order order) throws IOException, InterruptedException {
    Acting now = active;
    if (now == null) {
      throw new IllegalStateException("another service acts: ask that one");
    }
    FutureTask<UndoResult> task = new FutureTask<>(() -> order.carryOut(now.handler()));
    orders.add(task);
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IOException(e.getCause());
    }
  }

  /**
   * Makes no further plan, and returns when the current one is at its end.
   *
   * @return false where it is not after the given time
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    draining.countDown();
    Acting now = active;
    if (now != null && !now.handler().steering().mayBegin()) {
      // What is begun comes to its end; the rest would wait for somebody to resume.
      now.handler().stop();
    }
    return planningEnded.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops at once. Copies under way go on inside the DataNodes; HDFS settles them by itself. */
  @Override
  public void close() {
    draining.countDown();
    Acting now = active;
    if (now != null) {
      now.handler().stop();
    }
    closer.close();
  }

  private void observe() {
    Acting now = active;
    if (now != null) {
      now.handler().tick();
    }
    boolean isFenced = now != null && now.handler().isFenced();
    if (isFenced || (leadership != null && leadership.isLost())) {
      depose(now);
    }
    try {
      observing.poll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      // A scheduled task that throws is never run again.
      LOG.warn("reading the audit logs failed, trying again", e);
    }
  }

  private void depose(Acting now) {
    if (deposed.getCount() > 0) {
      message = "another service acts";
      if (now != null) {
        now.handler().steering().end(Steering.Stop.ABANDON);
      }
      draining.countDown();
      deposed.countDown();
    }
  }

  private void planUntilDrained() {
    try {
      if (leadership != null && !lead()) {
        return;
      }
      long every = config.decide().every().toNanos();
      // One that takes over goes on at once; it knows what is hot.
      long due = seams.nanos().getAsLong() + (leadership == null ? every : 0);
      while (draining.getCount() > 0) {
        long wait = Math.min(due - seams.nanos().getAsLong(), TICK_NANOS);
        Runnable order = orders.poll(Math.max(0, wait), TimeUnit.NANOSECONDS);
        if (order != null) {
          order.run();
        }
        if (seams.nanos().getAsLong() >= due && draining.getCount() > 0) {
          due = seams.nanos().getAsLong() + every;
          tryToPlan();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      planningEnded.countDown();
    }
  }

  /** Waits to lead, and takes up acting; false where the service ends first. */
  private boolean lead() throws InterruptedException {
    while (draining.getCount() > 0) {
      if (leadership.await(Duration.ofNanos(TICK_NANOS))) {
        try {
          activate();
          LOG.info("leading, in epoch {}", active.journal().epoch());
          return true;
        } catch (IOException | RuntimeException e) {
          acting.close();
          message = "can't take over: " + e;
          LOG.warn("can't take over, trying again", e);
          seams.pause().pause(Duration.ofNanos(TICK_NANOS));
        }
      }
    }
    return false;
  }

  private void tryToPlan() throws InterruptedException {
    try {
      planOnce();
    } catch (IOException | RuntimeException e) {
      message = "planning failed: " + e;
      LOG.warn("planning failed, trying again", e);
    }
  }

  private void planOnce() throws IOException, InterruptedException {
    Optional<String> objection =
        CompletenessGate.objection(observing.completeness(), config.observe().leastCompleteness());
    if (objection.isPresent()) {
      // Its numbers change with each measurement.
      if (!message.startsWith(CompletenessGate.OPENING)) {
        LOG.warn("{}", objection.get());
      }
      message = objection.get();
      return;
    }
    Journal journal = active.journal();
    PlanHandler handler = active.handler();
    if (handler.recovery() != null) {
      handler.recovery().look();
    }
    long asOf = observing.heardMillis();
    Cycle.Outcome outcome = active.cycle().run(journal.lastPlan() + 1);
    last = outcome;
    if (!config.observe().clientTraceLogs().isEmpty()) {
      observing.learnBlocks(outcome.candidateBlocks(asOf));
    }
    plans++;
    String summary = outcome.message();
    if (!summary.equals(message)) {
      LOG.info(
          "plan {}: {} files managed, {} left alone: {}",
          outcome.plan().number(),
          outcome.managed(),
          outcome.leftAlone(),
          summary);
    }
    message = summary;
    for (Map.Entry<String, Integer> left : outcome.leftFactors().entrySet()) {
      journal.append(
          new JournalEntry.ReplicationLeft(
              seams.clock().instant().toString(), left.getKey(), left.getValue()));
    }
    handler.handle(outcome.plan());
  }

  private ManagedFiles managedFiles(HdfsReader reader, Configuration hadoop) {
    List<String> roots = config.manage().paths();
    Predicate<String> ignored = new PathSet(config.manage().ignore())::contains;
    ServiceConfig.Image image = config.observe().image();
    if (image == null) {
      return ManagedFiles.listed(reader, roots, ignored);
    }
    FirstView view =
        image.web() == null
            ? FirstView.of(image.file(), hadoop, seams.nanos(), this::progress)
            : FirstView.fetched(
                image.web(),
                config.journal().resolve("image"),
                hadoop,
                seams.nanos(),
                this::progress);
    KeptFiles kept = new KeptFiles(roots, ignored, seams.clock());
    observing.tell(kept::accept);
    return ManagedFiles.fromImage(
        reader,
        roots,
        ignored,
        new ManagedFiles.Bootstrap(view, kept, observing::history, image.useFor(), seams.nanos()));
  }

  private void progress(String words) {
    LOG.info("{}", words);
    message = words;
  }

  private PlanHandler handler(Journal journal) throws IOException {
    ServiceConfig.Act act = config.act();
    if (act.mode() == ServiceConfig.Mode.SHADOW) {
      return new ShadowMode(ApplyMode.steering(journal, seams.clock()));
    }
    Path mutex = new Path(act.mutex());
    if (leadership != null && fileSystem.exists(mutex)) {
      HdfsJournalStore.recoverLease(fileSystem, mutex, seams.pause()::pause);
    }
    MovingParts parts = new MovingParts(config, fileSystem, seams, acting);
    DirectedMoves directed = parts.directed(hadoop);
    ExecutorService copiers =
        acting.register(
            Executors.newFixedThreadPool(
                // One looks whether sources go.
                act.limits().copies() + 1, threads.named("thermocline-copy")));
    ServiceConfig.Levers levers = config.decide().levers();
    LeverLimits.Cache cache = levers.limits().cache();
    HdfsLevers pulled =
        new HdfsLevers(
            fileSystem.getClient(),
            UserGroupInformation.getCurrentUser().getShortUserName(),
            new HdfsLevers.Pool(levers.pool(), cache == null ? 0 : cache.most(), levers.ttl()),
            parts.budget());
    ApplyMode mode =
        new ApplyMode(
            new ApplyMode.Hands(directed, parts.moves(directed), pulled, copiers),
            act.limits(),
            levers.pool(),
            journal,
            seams);
    try {
      parts.watch(mode, threads);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted at the start", e);
    }
    return mode;
  }
}
