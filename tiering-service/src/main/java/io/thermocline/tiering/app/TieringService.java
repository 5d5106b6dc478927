// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.FailureText;
import io.thermocline.tiering.act.MutexWatch;
import io.thermocline.tiering.act.PeerWatch;
import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.HintDesk;
import io.thermocline.tiering.api.PlanOrders;
import io.thermocline.tiering.app.cycle.ChewStrategy;
import io.thermocline.tiering.app.cycle.Cycle;
import io.thermocline.tiering.app.cycle.DecideStrategy;
import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.app.cycle.ServiceTiering;
import io.thermocline.tiering.app.groups.GroupNumbers;
import io.thermocline.tiering.app.plans.MoveCounts;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.app.plans.UndoResult;
import io.thermocline.tiering.app.records.PastReviews;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.MoveOrder;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintBook;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.process.Closer;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.KerberosTicketOfLogin;
import io.thermocline.tiering.process.LoginWatch;
import io.thermocline.tiering.process.Seams;
import io.thermocline.tiering.process.ServiceThreads;
import io.thermocline.tiering.process.Superuser;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.shadow.ShadowLedger;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
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

  /** Between two tries to take over, the longest. */
  private static final long MOST_PAUSE_NANOS = 10_000_000_000L;

  /** How long a thread of the interface waits for the thread that plans. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Marks our calls in the audit log, so that they count as nobody's access. */
  public static final String CALLER_CONTEXT = "thermocline";

  private final ServiceConfig config;
  private final Seams seams;
  private final boolean acceptsJournal;
  private final List<String> unknown;
  private final Closer closer = new Closer();
  private final Map<StorageType, TierLimits> limits;
  private final Observing observing;
  private final RulesInForce rules;
  private final DistributedFileSystem fileSystem;
  private final Configuration hadoop;
  private final ServiceThreads threads;
  private final DecideStrategy strategy;
  private final ServiceMetrics metrics;
  private final PlanRounds rounds;
  private final Function<ClusterView, ReadShares> reads;
  private final Serving serving;
  private final Steering standingBy;

  /** Null where no other service may act. */
  private final Leadership leadership;

  /** Null where the cluster doesn't want Kerberos. */
  private final LoginWatch login;

  private final PeerWatch nameNode;

  private final CountDownLatch draining = new CountDownLatch(1);
  private final CountDownLatch planningEnded = new CountDownLatch(1);
  private final ExecutorService planning;
  private final Orders orders = new Orders(PATIENCE);
  private final ServiceReload reload;

  /** Null while another service acts. */
  private volatile Acting active;

  private final CountDownLatch deposed = new CountDownLatch(1);

  private TieringService(ServiceConfig config, Seams seams, boolean acceptsJournal)
      throws ConfigException, IOException {
    this.config = config;
    this.reload = new ServiceReload(config, this::take, () -> acting().desk().tasks());
    this.acceptsJournal = acceptsJournal;
    this.seams = seams;
    this.unknown = Unknowns.of(config);
    unknown.forEach(sentence -> LOG.info("not known: {}", sentence));
    try {
      this.hadoop = HadoopConfiguration.load(config.hdfs());
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      this.threads = new ServiceThreads(user, CALLER_CONTEXT);
      this.rules = RulesInForce.of(config);
      this.standingBy = Steering.running(seams.clock());
      standingBy.hold("standby", "another service acts");
      this.fileSystem = closer.register(HdfsConnection.open(config.hdfs().nameNode(), hadoop));
      this.nameNode =
          new PeerWatch(
              "no active NameNode",
              // Neither audited nor under a lock.
              () -> fileSystem.getClient().getNamenode().getServerDefaults(),
              seams.nanos());
      this.login = UserGroupInformation.isSecurityEnabled() ? login(user) : null;
      Superuser.require(config, fileSystem);
      tellWhatIsMissing();
      ScheduledExecutorService polling =
          closer.register(
              Executors.newSingleThreadScheduledExecutor(threads.named("thermocline-observe")));
      // Closed before the thread, whose interruption would break off a read or a checkpoint.
      this.observing =
          closer.register(
              Observing.open(
                  config,
                  hadoop,
                  fileSystem.getUri().getAuthority(),
                  user.getShortUserName(),
                  seams));
      this.strategy =
          ServiceTiering.strategy(
              config,
              hadoop,
              (tiering, chew) ->
                  ChewStrategy.following(
                      tiering, chew, observing.heat(), observing.tally(), seams.clock()));
      this.limits = strategy.limits();
      ReadOrders readOrders =
          new ReadOrders(
              config,
              hadoop,
              fileSystem.getUri().getAuthority(),
              observing.readers(),
              seams.nanos());
      this.rounds = new PlanRounds(config, seams, observing, readOrders);
      this.reads = readOrders::of;
      guard(standingBy);
      this.metrics = new ServiceMetrics(numbers());
      metrics.metrics().jvm();
      closer.register(metrics.metrics().toJmx());
      ApiSecurity security = ApiSecurity.of(config.api().security(), hadoop, seams);
      Leadership.Election election = config.shared().election();
      // Closed when nothing here acts any more: then another service does.
      this.leadership =
          election == null ? null : closer.register(new Leadership(election, seams.nanos()));
      // Closed after the threads that act.
      closer.register((Closeable) this::endActing);
      if (election == null) {
        activate();
      }
      this.planning =
          closer.register(Executors.newSingleThreadExecutor(threads.named("thermocline-plan")));
      watch("thermocline-namenode", nameNode::look);
      watch("thermocline-logs", observing::tellOfObjection);
      if (login != null) {
        watch("thermocline-login", login::look);
      }
      long poll = config.observe().poll().toMillis();
      polling.scheduleWithFixedDelay(
          new RepeatedTask("thermocline-observe", this::observe, seams.nanos()),
          0,
          poll,
          TimeUnit.MILLISECONDS);
      if (leadership != null) {
        rounds.say("standing by");
      }
      this.serving =
          closer.register(
              new Serving(
                  config,
                  this,
                  new Serving.Parts(
                      security, rounds, observing, metrics, leadership, threads, seams)));
      serving.begin(active);
      planning.execute(this::planUntilDrained);
    } catch (ConfigException | IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
  }

  private LoginWatch login(UserGroupInformation user) {
    KerberosTicketOfLogin ticket = new KerberosTicketOfLogin(user);
    return user.doAs(
        (PrivilegedAction<LoginWatch>)
            () -> new LoginWatch(user.getUserName(), ticket, seams.nanos()));
  }

  /** In a thread of its own: it may hang as long as what it looks at. */
  private void watch(String name, Runnable look) {
    ScheduledExecutorService watching =
        closer.register(Executors.newSingleThreadScheduledExecutor(threads.named(name)));
    watching.scheduleWithFixedDelay(
        new RepeatedTask(name, look, seams.nanos()),
        0,
        MutexWatch.EVERY.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Holds back, and shows, while HDFS can't be asked. */
  private void guard(Steering steering) {
    steering.guard("namenode", nameNode::objection);
    if (login != null) {
      steering.guard("kerberos", login::objection);
      steering.notice("kerberos", login::warning);
    }
    steering.notice("logs", () -> observing.objection().orElse(""));
    // A round lasts as long as its plan, which has a watch of its own.
    steering.notice("planning", () -> steering.watch().isWatching() ? "" : rounds.slow());
    steering.notice("failing", rounds::failing);
  }

  /** Why HDFS can't be asked, or soon can't; empty where it can. */
  String outage() {
    String silent = nameNode.objection();
    return silent.isEmpty() && login != null ? login.warning() : silent;
  }

  /** Takes up the journal, and all that follows from it. */
  private void activate() throws IOException {
    active =
        new Acting(
            config,
            new Acting.Parts(
                fileSystem,
                hadoop,
                threads,
                observing,
                rules,
                strategy,
                leadership,
                rounds::last,
                reads,
                acceptsJournal,
                seams),
            () ->
                NamespaceSource.of(
                    config, fileSystem, hadoop, observing, rules, seams, this::progress));
    guard(active.handler().steering());
  }

  private void endActing() {
    Acting now = active;
    if (now != null) {
      now.close();
    }
  }

  /** Whether this service acts, or waits to. */
  public boolean isActive() {
    return active != null;
  }

  /** Waits until the service can't go on, since another one acts in its place. */
  public void awaitDeposed() throws InterruptedException {
    deposed.await();
  }

  /**
   * Starts the service as the current user.
   *
   * @throws ConfigException where the rules file, or Hadoop's configuration, has mistakes
   * @throws IOException where HDFS or the journal cannot be used; nothing is left running in either case
   */
  public static TieringService start(ServiceConfig config, Seams seams)
      throws ConfigException, IOException {
    return start(config, seams, false);
  }

  /**
   * The same.
   *
   * @param acceptsJournal goes on with the journal as it is, also where HDFS shows that it was lost or replaced by an older
   *     copy
   */
  public static TieringService start(ServiceConfig config, Seams seams, boolean acceptsJournal)
      throws ConfigException, IOException {
    return new TieringService(config, seams, acceptsJournal);
  }

  private void tellWhatIsMissing() throws IOException {
    for (String path : config.manage().paths()) {
      try {
        if (!fileSystem.exists(new Path(path))) {
          LOG.warn("manage.paths: there is no {} in {}", path, fileSystem.getUri());
        }
      } catch (AccessControlException e) {
        LOG.warn("manage.paths: {} can't be looked at: {}", path, CommandLines.explain(e));
      }
    }
  }

  /** What was seen and done so far. */
  public ServiceStatus status() {
    Cycle.Outcome seen = rounds.last();
    Acting now = active;
    return new ServiceStatus(
        observing.counts(),
        observing.heat().reads(),
        rounds.plans(),
        seen == null ? 0 : seen.managed(),
        seen == null ? 0 : seen.leftAlone(),
        seen == null ? Map.of() : seen.cluster().occupancy(),
        limits,
        now == null ? ServiceStatus.Moves.NONE : now.handler().moves(),
        observing.transfers(),
        observing.calibration().measured(),
        unknown(),
        rules.problem(),
        steering().obstacle(),
        now == null ? "" : now.handler().throttle().why(),
        observing.objection().orElseGet(rounds::message),
        rounds.readOrder());
  }

  private List<String> unknown() {
    return Stream.of(
            unknown.stream(),
            observing.missing().stream()
                .map(log -> "what " + log + " would say: there is no such file"),
            observing.unreadTraces().stream(),
            observing.uncounted().stream(),
            Stream.of(overwritten())
                .filter(paths -> paths > 0)
                .map(
                    paths ->
                        "what users set on "
                            + paths
                            + " paths in the moment before the service did, and can't be put back:"
                            + " the service's log names them"),
            Stream.of(active == null ? 0 : active.stillMarked())
                .filter(paths -> paths > 0)
                .map(
                    paths ->
                        "that users set what is on "
                            + paths
                            + " paths, if the journal is lost: the service's marks on them can't be"
                            + " removed, and the service's log names them"))
        .flatMap(each -> each)
        .toList();
  }

  private long overwritten() {
    Acting now = active;
    return now == null ? 0 : now.overwritten();
  }

  private ServiceMetrics.Sources numbers() {
    return new ServiceMetrics.Sources(
        this::status,
        observing::counts,
        observing::heardMillis,
        observing::completeness,
        observing::completenessOfEach,
        observing.heat()::health,
        rounds::last,
        rounds::failures,
        () -> active == null ? new Journal.Size(0, 0) : active.journal().size(),
        () -> active == null ? new ShadowLedger.Totals(0, 0) : active.imagined(),
        () -> steering().heldBy(),
        () -> steering().watch().silence(),
        () -> active == null ? Throttle.NONE : active.handler().throttle(),
        this::overwritten,
        () -> active == null ? ServiceMetrics.Hinted.NONE : active.hinted(),
        this::groups,
        seams.clock());
  }

  /** The rules that the last plan was made by. */
  public RulesInForce rules() {
    return rules;
  }

  /** How hot a path is now, in cooled reads. */
  public double heat(String path) {
    return observing.heat().of(path);
  }

  /** The hints that hold; empty where none are taken. */
  Optional<HintBook> hints() {
    Acting now = active;
    return now == null ? Optional.empty() : now.hintDesk().map(HintDesk::book);
  }

  long nowMillis() {
    return seams.clock().millis();
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
    Cycle.Outcome seen = rounds.last();
    Acting now = active;
    return seen == null || now == null
        ? Optional.empty()
        : Optional.of(now.cycle().explain(path, seen));
  }

  /** The decisions of the last plan. */
  public List<Decision> decisions() {
    return rounds.decisions();
  }

  /** Takes hints by REST; empty where none are taken. */
  public Optional<HintDesk> hintDesk() {
    Acting now = active;
    return now == null ? Optional.empty() : now.hintDesk().map(HintDesk.class::cast);
  }

  /** Pauses, resumes and stops what the service does in HDFS. */
  public Steering steering() {
    Acting now = active;
    return now == null ? standingBy : now.handler().steering();
  }

  /**
   * Takes back what a plan did, between two plans, and returns when that is done.
   *
   * @param who asked for it, and why
   * @param counts of its moves
   * @throws IllegalStateException where nothing may be begun: in shadow mode, standing by, paused or stopped
   */
  public UndoResult undo(long plan, String who, String why, MoveCounts counts)
      throws IOException, InterruptedException {
    Acting now = acting();
    return orders.carryOut(
        () -> {
          now.handler().countIn(counts);
          now.audit().becauseOfAll(takenBack(plan, who, why));
          UndoResult result;
          try {
            result = now.handler().undo(plan, who);
          } finally {
            now.audit().becauseOfAll("");
          }
          now.desk()
              .undone(result, PastReviews.files(now.journal().planned(result.number())), who, why);
          return result;
        },
        now.desk()::wake);
  }

  private static String takenBack(long plan, String who, String why) {
    return "plan " + plan + " is taken back by " + who + ": " + why;
  }

  /** The number of the last plan; 0 where there is none. */
  long lastPlan() {
    return acting().journal().lastPlan();
  }

  /**
   * What {@link #undo} would take back, and what not, and why. Changes nothing.
   *
   * @param most of how many files is HDFS asked; where there are more, this is what the journal has of all
   */
  public UndoResult previewUndo(long plan, int most) throws IOException, InterruptedException {
    Acting now = acting();
    if (now.desk().isUnderWay(plan)) {
      throw new IllegalStateException(
          "plan " + plan + " is being carried out: cancel it, or ask again when it has ended");
    }
    return orders.carryOutSoon(() -> now.handler().previewUndo(plan, most), now.desk()::wake);
  }

  /** Reads the file of its configuration again. */
  ConfigReload configuration() {
    return reload;
  }

  private void take(ServiceConfig next) {
    rules.replace(next);
    acting().limit(next.act());
  }

  /** Makes a plan between two others, for somebody, and returns when it is made. */
  PlanOrders.Ordered planNow(String who, String why) throws IOException, InterruptedException {
    Acting now = acting();
    return orders.carryOutSoon(() -> rounds.now(now, metrics, who, why), now.desk()::wake);
  }

  /** Brings files to a type once, for somebody, by a plan of its own; returns when it is made. */
  PlanOrders.Move move(String path, StorageType type, boolean isMeant, String who, String why)
      throws IOException, InterruptedException {
    Acting now = acting();
    MoveOrder order = ServiceTiering.orders(config, hadoop);
    return orders.carryOutSoon(
        () -> rounds.order(now, order, path, type, isMeant, who, why), now.desk()::wake);
  }

  /** Groups of files that are read together; none while another service acts. */
  GroupNumbers groups() {
    Acting now = active;
    return now == null ? GroupNumbers.NONE : now.groupNumbers();
  }

  /** Ends a group of files that are read together, for somebody. */
  void endGroup(long id, String who, String why) throws IOException, InterruptedException {
    Acting now = acting();
    orders.carryOutSoon(
        () -> {
          now.endGroup(id, who, why);
          return null;
        },
        now.desk()::wake);
  }

  private Acting acting() {
    Acting now = active;
    if (now == null) {
      throw new IllegalStateException("another service acts: ask that one");
    }
    return now;
  }

  /**
   * Makes no further plan, and returns when the current one is at its end, and so is each of its moves.
   *
   * @return false where it is not after the given time
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    draining.countDown();
    Acting now = active;
    if (now != null) {
      now.desk().wake();
    }
    if (now != null && !now.handler().steering().mayBegin()) {
      // What is begun comes to its end; the rest would wait for somebody to resume.
      now.handler().stop();
    }
    long deadline = seams.nanos().getAsLong() + atMost.toNanos();
    if (!planningEnded.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    // A plan ends when clients are shown its copies; their sources go a little later.
    while (now != null && now.handler().moves().running() > 0) {
      if (seams.nanos().getAsLong() > deadline) {
        return false;
      }
      seams.pause().pause(Duration.ofNanos(TICK_NANOS));
    }
    return true;
  }

  /** Stops at once. Copies under way go on inside the DataNodes; HDFS settles them by itself. */
  @Override
  public void close() {
    draining.countDown();
    Acting now = active;
    if (now != null) {
      now.desk().wake();
      now.handler().stop();
    }
    closer.close();
  }

  /** Reads the logs also where what is due before that fails. */
  private void observe() {
    Acting now = active;
    try {
      if (now != null) {
        now.tick();
      }
    } finally {
      boolean isFenced = now != null && now.handler().isFenced();
      if (isFenced || (leadership != null && leadership.isLost())) {
        depose(now);
      }
      observing.pollAndLog();
    }
  }

  private void depose(Acting now) {
    if (deposed.getCount() > 0) {
      rounds.say("another service acts");
      if (now != null) {
        now.handler().steering().end(Steering.Stop.ABANDON);
        now.desk().wake();
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
      new PlanLoop(config.interval(), seams.nanos(), new Planning()).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      planningEnded.countDown();
      orders.end();
    }
  }

  /** What the loop of plans does here. */
  private final class Planning implements PlanLoop.Work {
    @Override
    public boolean isDraining() {
      return draining.getCount() == 0;
    }

    @Override
    public boolean awaitOrder(long nanos) throws IOException, InterruptedException {
      boolean isCarriedOut = active.desk().await(nanos);
      return orders.runNext() || isCarriedOut;
    }

    @Override
    public boolean hasHeard() {
      return observing.hasHeard();
    }

    @Override
    public Duration plan() throws IOException, InterruptedException {
      rounds.run(active, metrics);
      return rounds.planning();
    }

    @Override
    public void failed(Throwable why) {
      rounds.failed(why);
    }
  }

  /** Waits to lead, and takes up acting; false where the service ends first. */
  private boolean lead() throws InterruptedException {
    Succession succession = new Succession(leadership, config, fileSystem);
    long pause = TICK_NANOS;
    while (draining.getCount() > 0) {
      if (leadership.await(Duration.ofNanos(TICK_NANOS))) {
        try {
          activate();
          LOG.info("leading, in epoch {}", active.journal().epoch());
          serving.begin(active);
          return true;
        } catch (IOException | RuntimeException e) {
          endActing();
          active = null;
          String why = "can't take over: " + FailureText.of(e);
          if (!why.equals(rounds.message())) {
            LOG.warn("can't take over, trying again", e);
          }
          rounds.say(why);
          // Each try begins a segment of the journal.
          seams.pause().pause(Duration.ofNanos(pause));
          pause = Math.min(2 * pause, MOST_PAUSE_NANOS);
        }
      } else {
        standingBy.hold("standby", leadership.waitsFor());
        succession.look();
      }
    }
    return false;
  }

  /** Where the REST interface is reached; empty where there is none. */
  public Optional<URI> apiAddress() {
    return serving.address();
  }

  private void progress(String words) {
    LOG.info("{}", words);
    rounds.say(words);
  }
}
