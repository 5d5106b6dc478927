// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.FailureText;
import io.thermocline.tiering.act.MutexWatch;
import io.thermocline.tiering.act.PeerWatch;
import io.thermocline.tiering.act.Throttle;
import io.thermocline.tiering.api.ConfigReload;
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.api.PlanOrders;
import io.thermocline.tiering.api.Tasks;
import io.thermocline.tiering.app.cycle.ChewStrategy;
import io.thermocline.tiering.app.cycle.DecideStrategy;
import io.thermocline.tiering.app.cycle.PlanningRound;
import io.thermocline.tiering.app.cycle.RulesInForce;
import io.thermocline.tiering.app.cycle.ServiceTiering;
import io.thermocline.tiering.app.groups.GroupNumbers;
import io.thermocline.tiering.app.plans.MoveCounts;
import io.thermocline.tiering.app.plans.PlanHandler;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.app.plans.UndoResult;
import io.thermocline.tiering.app.records.PastReviews;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.MoveOrder;
import io.thermocline.tiering.ha.Leadership;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.PathKey;
import io.thermocline.tiering.process.Closer;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.KerberosTicketOfLogin;
import io.thermocline.tiering.process.LoginWatch;
import io.thermocline.tiering.process.RepeatedTask;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.ServiceThreads;
import io.thermocline.tiering.process.Superuser;
import io.thermocline.tiering.shadow.ShadowLedger;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
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

  /** From the end of a plan on. */
  private static final Duration SOURCES_GO_WITHIN = Duration.ofSeconds(30);

  /** How long a thread of the interface waits for the thread that plans. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Marks our calls in the audit log, so that they count as nobody's access. */
  public static final String CALLER_CONTEXT = "thermocline";

  private final ServiceRuntime runtime;
  private final boolean acceptsJournal;
  private final Closer closer = new Closer();
  private final DistributedFileSystem fileSystem;
  private final Configuration hadoop;
  private final UserGroupInformation user;
  private final ServiceThreads threads;
  private final ServiceMetrics metrics;
  private final PlanRounds rounds;
  private final Serving serving;
  private final ConfigCheck check;
  private final ScheduledExecutorService polling;
  private final ExecutionControl standingBy;

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

  private volatile Configured configured;

  /** Reads the logs from time to time; null before it begins. */
  private ScheduledFuture<?> poll;

  /** Null while another service acts, or another configuration is taken up. */
  private volatile Acting active;

  /** Null before the service acted first; the planning thread's, once that has begun. */
  private Tasks tasks;

  /** The planning thread's: whether plans are to be made by another configuration. */
  private boolean isRenewed;

  private final CountDownLatch deposed = new CountDownLatch(1);

  /** Looks whether a service can run by a configuration, on this host and this cluster. */
  @FunctionalInterface
  public interface ConfigCheck {
    /**
     * @throws ConfigException with all that is wrong
     * @throws IOException where the cluster can't be asked
     */
    void check(ServiceConfig config) throws ConfigException, IOException, InterruptedException;
  }

  /** What is made by a configuration, beside {@link Acting}, and anew where another one is to be in force. */
  private record Configured(
      ServiceConfig config,
      List<String> unknown,
      RulesInForce rules,
      Observing observing,
      DecideStrategy strategy,
      ReadOrders readOrders,
      ServedCheck served) {}

  private TieringService(
      ServiceConfig config, ServiceRuntime runtime, boolean acceptsJournal, ConfigCheck check)
      throws ConfigException, IOException {
    this.reload = new ServiceReload(config, new Reloading());
    this.acceptsJournal = acceptsJournal;
    this.runtime = runtime;
    this.check = check;
    try {
      this.hadoop = HadoopConfiguration.load(config.hdfs());
      this.user = UserGroupInformation.getCurrentUser();
      this.threads = new ServiceThreads(user, CALLER_CONTEXT);
      // Before anything is asked of HDFS.
      RulesInForce.of(config);
      this.standingBy = ExecutionControl.running(runtime.clock());
      standingBy.hold("standby", "another service acts");
      this.fileSystem = closer.register(HdfsConnection.open(config.hdfs().nameNode(), hadoop));
      this.nameNode =
          new PeerWatch(
              "no active NameNode",
              // Neither audited nor under a lock.
              () -> fileSystem.getClient().getNamenode().getServerDefaults(),
              runtime.nanos());
      this.login = UserGroupInformation.isSecurityEnabled() ? login(user) : null;
      Superuser.require(config, fileSystem);
      this.polling =
          closer.register(
              Executors.newSingleThreadScheduledExecutor(threads.named("thermocline-observe")));
      // Closed before the thread, whose interruption would break off a read or a checkpoint.
      closer.register((Closeable) this::endObserving);
      this.rounds = new PlanRounds(config, runtime);
      configure(config);
      guard(standingBy);
      this.metrics = new ServiceMetrics(numbers());
      metrics.metrics().jvm();
      closer.register(metrics.metrics().toJmx());
      ApiSecurity security = ApiSecurity.of(config.api().security(), hadoop, runtime);
      Leadership.Election election = config.shared().election();
      // Closed when nothing here acts any more: then another service does.
      this.leadership =
          election == null ? null : closer.register(new Leadership(election, runtime.nanos()));
      // Closed after the threads that act.
      closer.register((Closeable) this::endActing);
      if (election == null) {
        activate(acceptsJournal);
      }
      this.planning =
          closer.register(Executors.newSingleThreadExecutor(threads.named("thermocline-plan")));
      watch("thermocline-namenode", nameNode::look);
      watch("thermocline-logs", () -> observing().tellOfObjection());
      if (login != null) {
        watch("thermocline-login", login::look);
      }
      pollFromTimeToTime();
      if (leadership != null) {
        rounds.say("standing by");
      }
      this.serving =
          closer.register(
              new Serving(
                  config.api(),
                  this,
                  new Serving.Parts(security, rounds, metrics, leadership, threads, runtime)));
      serving.begin(config, active);
      planning.execute(this::planUntilDrained);
    } catch (ConfigException | IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
  }

  /** Makes what goes by a configuration, but for what acts. */
  private void configure(ServiceConfig config) throws ConfigException, IOException {
    tellWhatIsMissing(config);
    List<String> unknown = MissingInputs.of(config);
    unknown.forEach(sentence -> LOG.info("not known: {}", sentence));
    RulesInForce rules = RulesInForce.of(config);
    String nameservice = fileSystem.getUri().getAuthority();
    Observing observing =
        Observing.open(config, hadoop, nameservice, user.getShortUserName(), runtime);
    try {
      DecideStrategy strategy =
          ServiceTiering.strategy(
              config,
              hadoop,
              (tiering, chew) ->
                  ChewStrategy.following(
                      tiering, chew, observing.heat(), observing.tally(), runtime.clock()));
      ReadOrders readOrders =
          new ReadOrders(config, hadoop, nameservice, observing.readers(), runtime.nanos());
      ServedCheck served =
          new ServedCheck(
              PathKey.nameservice(nameservice), hadoop, config.checkpoint(), runtime.clock());
      observing.tell(served::accept);
      rounds.observe(observing, readOrders, served);
      configured = new Configured(config, unknown, rules, observing, strategy, readOrders, served);
    } catch (RuntimeException e) {
      observing.close();
      throw e;
    }
  }

  private void endObserving() throws IOException {
    Configured now = configured;
    if (now != null) {
      now.observing().close();
    }
  }

  private void pollFromTimeToTime() {
    poll =
        polling.scheduleWithFixedDelay(
            new RepeatedTask("thermocline-observe", this::observe, runtime.nanos()),
            0,
            configured.config().observe().poll().toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** What reads the logs now. */
  Observing observing() {
    return configured.observing();
  }

  private LoginWatch login(UserGroupInformation user) {
    KerberosTicketOfLogin ticket = new KerberosTicketOfLogin(user);
    return user.doAs(
        (PrivilegedAction<LoginWatch>)
            () -> new LoginWatch(user.getUserName(), ticket, runtime.nanos()));
  }

  /** In a thread of its own: it may hang as long as what it looks at. */
  private void watch(String name, Runnable look) {
    ScheduledExecutorService watching =
        closer.register(Executors.newSingleThreadScheduledExecutor(threads.named(name)));
    watching.scheduleWithFixedDelay(
        new RepeatedTask(name, look, runtime.nanos()),
        0,
        MutexWatch.EVERY.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** Holds back, and shows, while HDFS can't be asked. */
  private void guard(ExecutionControl control) {
    control.guard("namenode", nameNode::objection);
    if (login != null) {
      control.guard("kerberos", login::objection);
      control.notice("kerberos", login::warning);
    }
    control.notice("logs", () -> observing().objection().orElse(""));
    // A round lasts as long as its plan, which has a watch of its own.
    control.notice("planning", () -> control.watch().isWatching() ? "" : rounds.slow());
    control.notice("failing", rounds::failing);
  }

  /** Why HDFS can't be asked, or soon can't; empty where it can. */
  String outage() {
    String silent = nameNode.objection();
    return silent.isEmpty() && login != null ? login.warning() : silent;
  }

  /** Takes up the journal, and all that follows from it. */
  private void activate(boolean isAccepted) throws IOException {
    Configured by = configured;
    ServiceConfig config = by.config();
    Acting now =
        new Acting(
            config,
            new Acting.Parts(
                fileSystem,
                hadoop,
                threads,
                by.observing(),
                by.rules(),
                by.strategy(),
                leadership,
                rounds::last,
                by.readOrders()::of,
                tasks,
                isAccepted,
                runtime),
            () ->
                NamespaceSource.of(
                    config,
                    fileSystem,
                    hadoop,
                    by.observing(),
                    by.rules(),
                    runtime,
                    this::progress));
    tasks = now.planQueue().tasks();
    guard(now.handler().control());
    active = now;
  }

  private void endActing() {
    Acting now = active;
    if (now != null) {
      active = null;
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
  public static TieringService start(ServiceConfig config, ServiceRuntime runtime)
      throws ConfigException, IOException {
    return start(config, runtime, false, next -> {});
  }

  /**
   * The same.
   *
   * @param acceptsJournal goes on with the journal as it is, also where HDFS shows that it was lost or replaced by an older
   *     copy
   * @param check of a configuration that is to be in force from now on
   */
  public static TieringService start(
      ServiceConfig config, ServiceRuntime runtime, boolean acceptsJournal, ConfigCheck check)
      throws ConfigException, IOException {
    return new TieringService(config, runtime, acceptsJournal, check);
  }

  private void tellWhatIsMissing(ServiceConfig config) throws IOException {
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
    PlanningRound.Outcome seen = rounds.last();
    Acting now = active;
    Configured by = configured;
    Observing observing = by.observing();
    return new ServiceStatus(
        observing.counts(),
        observing.heat().reads(),
        rounds.plans(),
        seen == null ? 0 : seen.managed(),
        seen == null ? 0 : seen.leftAlone(),
        seen == null ? Map.of() : seen.cluster().occupancy(),
        by.strategy().limits(),
        now == null ? ServiceStatus.Moves.NONE : now.handler().moves(),
        observing.transfers(),
        observing.calibration().measured(),
        unknown(by),
        by.rules().problem(),
        control().obstacle(),
        now == null ? "" : now.handler().throttle().why(),
        observing.objection().orElseGet(rounds::message),
        rounds.readOrder(),
        by.served().last());
  }

  private List<String> unknown(Configured by) {
    Observing observing = by.observing();
    return Stream.of(
            by.unknown().stream(),
            observing.missing().stream()
                .map(log -> "what " + log + " would say: there is no such file"),
            observing.unreadTraces().stream(),
            observing.uncounted().stream(),
            ofActive(Acting::unrecovered, Optional.<String>empty()).stream(),
            Stream.of(overwritten())
                .filter(paths -> paths > 0)
                .map(
                    paths ->
                        "what users set on "
                            + paths
                            + " paths in the moment before the service did, and can't be put back:"
                            + " the service's log names them"),
            Stream.of(stillMarked())
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

  private long stillMarked() {
    Acting now = active;
    return now == null ? 0 : now.stillMarked();
  }

  private ServiceMetrics.Sources numbers() {
    return new ServiceMetrics.Sources(
        this::status,
        () -> observing().counts(),
        () -> observing().heardMillis(),
        () -> observing().completeness(),
        () -> observing().completenessOfEach(),
        () -> observing().heat().health(),
        rounds::last,
        rounds::failures,
        () -> ofActive(now -> now.journal().size(), new Journal.Size(0, 0)),
        () -> ofActive(now -> now.handler().waiting(), 0),
        () -> ofActive(Acting::imagined, new ShadowLedger.Totals(0, 0)),
        () -> control().heldBy(),
        () -> control().watch().silence(),
        () -> ofActive(now -> now.handler().throttle(), Throttle.NONE),
        this::overwritten,
        () -> ofActive(Acting::hinted, ServiceMetrics.Hinted.NONE),
        this::groups,
        runtime.clock());
  }

  private <T> T ofActive(Function<Acting, T> what, T none) {
    Acting now = active;
    return now == null ? none : what.apply(now);
  }

  /** The rules that the last plan was made by. */
  public RulesInForce rules() {
    return configured.rules();
  }

  /** How hot a path is now, in cooled reads. */
  public double heat(String path) {
    return observing().heat().of(path);
  }

  /** The hints that hold; empty where none are taken. */
  Optional<HintRegistry> hints() {
    Acting now = active;
    return now == null ? Optional.empty() : now.hintService().map(HintService::registry);
  }

  long nowMillis() {
    return runtime.clock().millis();
  }

  /** What is known exactly of a path, where it is one of the hottest. */
  public Optional<Profile> profile(String path) {
    return observing().heat().profile(path);
  }

  /**
   * Why a file was where it was at the last plan, what would move it, and what that was reckoned from.
   *
   * @throws IOException where HDFS has to be asked, and can't be
   */
  public Optional<Explanation> explain(String path) throws IOException {
    PlanningRound.Outcome seen = rounds.last();
    Acting now = active;
    return seen == null || now == null
        ? Optional.empty()
        : Optional.of(now.round().explain(path, seen));
  }

  /** The decisions of the last plan. */
  public List<Decision> decisions() {
    return rounds.decisions();
  }

  /** Takes hints by REST; empty where none are taken. */
  public Optional<HintService> hintService() {
    Acting now = active;
    return now == null ? Optional.empty() : now.hintService().map(HintService.class::cast);
  }

  /** The journal that is open. */
  Journal journal(Acting otherwise) {
    return ofActive(Acting::journal, otherwise.journal());
  }

  /** Pauses, resumes and stops what the service does in HDFS. */
  public ExecutionControl control() {
    Acting now = active;
    return now == null ? standingBy : now.handler().control();
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
    return orders.carryOut(
        () -> {
          Acting now = acting();
          now.handler().countIn(counts);
          now.audit().becauseOfAll(takenBack(plan, who, why));
          UndoResult result;
          try {
            result = now.handler().undo(plan, who, why);
          } finally {
            now.audit().becauseOfAll("");
          }
          now.planQueue()
              .undone(result, PastReviews.files(now.journal().planned(result.number())), who, why);
          return result;
        },
        acting().planQueue()::wake);
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
    if (now.planQueue().isUnderWay(plan)) {
      throw new IllegalStateException(
          "plan " + plan + " is being carried out: cancel it, or ask again when it has ended");
    }
    return orders.carryOutSoon(
        () -> acting().handler().previewUndo(plan, most), now.planQueue()::wake);
  }

  /** Reads the file of its configuration again. */
  ConfigReload configuration() {
    return reload;
  }

  /** What a reload of the configuration has done. */
  private final class Reloading implements ServiceReload.Service {
    @Override
    public Tasks tasks() {
      return acting().planQueue().tasks();
    }

    @Override
    public void check(ServiceConfig next)
        throws ConfigException, IOException, InterruptedException {
      check.check(next);
      RulesInForce.of(next);
      Superuser.require(next, fileSystem);
    }

    @Override
    public void limit(ServiceConfig next) {
      rules().replace(next);
      acting().limit(next.act());
    }

    @Override
    public boolean betweenPlans(Callable<Void> order) throws IOException, InterruptedException {
      return orders.carryOutOrLeave(order, acting().planQueue()::wake);
    }

    @Override
    public void renew(ServiceConfig next, ServiceConfig before)
        throws ConfigException, IOException, InterruptedException {
      isRenewed = true;
      standingBy.hold("standby", "another configuration is being taken up");
      endSources();
      poll.cancel(false);
      awaitPolled();
      endActing();
      try {
        beginAgain(next);
      } catch (ConfigException | IOException | RuntimeException e) {
        LOG.warn("{}: going on as before: {}", next.api().file(), CommandLines.explain(e));
        beginBefore(before);
        throw e;
      } catch (OutOfMemoryError e) {
        LOG.warn("{}: going on as before", next.api().file(), e);
        beginBefore(before);
        throw new IOException("there is too little memory for it: " + e.getMessage(), e);
      }
    }
  }

  /** Copies are shown before their sources go. */
  private void endSources() throws InterruptedException {
    PlanHandler handler = acting().handler();
    long deadline = runtime.nanos().getAsLong() + SOURCES_GO_WITHIN.toNanos();
    while (handler.moves().running() > 0 && runtime.nanos().getAsLong() < deadline) {
      runtime.pause().pause(Duration.ofNanos(TICK_NANOS));
    }
  }

  private void awaitPolled() throws InterruptedException, IOException {
    try {
      polling.submit(() -> {}).get();
    } catch (ExecutionException e) {
      throw new IOException(e);
    }
  }

  private void beginAgain(ServiceConfig config) throws ConfigException, IOException {
    endActing();
    endObserving();
    configure(config);
    activate(false);
    rounds.forgetFirstParts();
    serving.begin(config, active);
    pollFromTimeToTime();
  }

  /** Tries until it works, or the service ends. */
  private void beginBefore(ServiceConfig config) throws InterruptedException {
    long pause = TICK_NANOS;
    while (draining.getCount() > 0) {
      try {
        beginAgain(config);
        return;
      } catch (ConfigException | IOException | RuntimeException e) {
        rounds.say("can't go on: " + FailureText.of(e));
        LOG.warn("can't go on by the configuration from before, trying again", e);
        runtime.pause().pause(Duration.ofNanos(pause));
        pause = Math.min(2 * pause, MOST_PAUSE_NANOS);
      }
    }
  }

  /** Makes a plan between two others, for somebody, and returns when it is made. */
  PlanOrders.Ordered planNow(String who, String why) throws IOException, InterruptedException {
    Acting now = acting();
    return orders.carryOutSoon(
        () -> rounds.now(acting(), metrics, who, why), now.planQueue()::wake);
  }

  /** Brings files to a type once, for somebody, by a plan of its own; returns when it is made. */
  PlanOrders.Move move(String path, StorageType type, boolean isMeant, String who, String why)
      throws IOException, InterruptedException {
    Acting now = acting();
    return orders.carryOutSoon(
        () -> {
          MoveOrder order = ServiceTiering.orders(configured.config(), hadoop);
          return rounds.order(acting(), order, path, type, isMeant, who, why);
        },
        now.planQueue()::wake);
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
          acting().endGroup(id, who, why);
          return null;
        },
        now.planQueue()::wake);
  }

  private Acting acting() {
    Acting now = active;
    if (now == null) {
      throw new IllegalStateException(
          leadership == null || leadership.isSure()
              ? "another configuration is being taken up: ask again"
              : "another service acts: ask that one");
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
      now.planQueue().wake();
    }
    if (now != null && !now.handler().control().mayBegin()) {
      // What is begun comes to its end; the rest would wait for somebody to resume.
      now.handler().stop();
    }
    long deadline = runtime.nanos().getAsLong() + atMost.toNanos();
    if (!planningEnded.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      return false;
    }
    // A plan ends when clients are shown its copies; their sources go a little later.
    while (now != null && now.handler().moves().running() > 0) {
      if (runtime.nanos().getAsLong() > deadline) {
        return false;
      }
      runtime.pause().pause(Duration.ofNanos(TICK_NANOS));
    }
    return true;
  }

  /** Stops at once. Copies under way go on inside the DataNodes; HDFS settles them by itself. */
  @Override
  public void close() {
    draining.countDown();
    Acting now = active;
    if (now != null) {
      now.planQueue().wake();
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
      observing().pollAndLog();
    }
  }

  private void depose(Acting now) {
    if (deposed.getCount() > 0) {
      rounds.say("another service acts");
      if (now != null) {
        now.handler().control().end(ExecutionControl.Stop.ABANDON);
        now.planQueue().wake();
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
      do {
        isRenewed = false;
        new PlanLoop(configured.config().interval(), runtime.nanos(), new Planning()).run();
      } while (draining.getCount() > 0);
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
      return isRenewed || draining.getCount() == 0;
    }

    @Override
    public boolean awaitOrder(long nanos) throws IOException, InterruptedException {
      boolean isCarriedOut = active.planQueue().await(nanos);
      return orders.runNext() || isCarriedOut;
    }

    @Override
    public boolean hasHeard() {
      return observing().hasHeard();
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
    TakeoverPreparation succession =
        new TakeoverPreparation(leadership, configured.config(), fileSystem);
    long pause = TICK_NANOS;
    while (draining.getCount() > 0) {
      if (leadership.await(Duration.ofNanos(TICK_NANOS))) {
        try {
          activate(acceptsJournal);
          serving.begin(configured.config(), active);
          LOG.info("leading, in epoch {}", active.journal().epoch());
          return true;
        } catch (IOException | RuntimeException e) {
          endActing();
          String why = "can't take over: " + FailureText.of(e);
          if (!why.equals(rounds.message())) {
            LOG.warn("can't take over, trying again", e);
          }
          rounds.say(why);
          // Each try begins a segment of the journal.
          runtime.pause().pause(Duration.ofNanos(pause));
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
