// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.HdfsHintAttributes;
import io.thermocline.tiering.act.HdfsLevers;
import io.thermocline.tiering.act.Steering;
import io.thermocline.tiering.api.Activity;
import io.thermocline.tiering.api.ApiServer;
import io.thermocline.tiering.api.HintDesk;
import io.thermocline.tiering.api.State;
import io.thermocline.tiering.cluster.AttributeReader;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.cluster.KeptFiles;
import io.thermocline.tiering.cluster.ManagedFiles;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Explanation;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.LeverLimits;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.heat.Profile;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.image.FirstView;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

  /** Marks our calls in the audit log, so that they count as nobody's access. */
  static final String CALLER_CONTEXT = "thermocline";

  private final ServiceConfig config;
  private final Seams seams;
  private final List<String> unknown;
  private final Closer closer = new Closer();
  private final Map<StorageType, TierLimits> limits;
  private final RulesInForce rules;
  private final Journal journal;
  private final Observing observing;
  private final HintKeeper hints;

  /** Null where no hints are taken. */
  private ServiceHintDesk hintDesk;

  private volatile boolean isHurried;

  private final Cycle cycle;
  private final PlanHandler handler;
  private final PlanDesk desk;
  private final ApiServer api;
  private final CountDownLatch draining = new CountDownLatch(1);
  private final CountDownLatch planningEnded = new CountDownLatch(1);
  private final ExecutorService planning;

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
      ServiceThreads threads = new ServiceThreads(user, CALLER_CONTEXT);
      Configuration hadoop = HadoopConfiguration.load(config.hdfs());
      this.rules = rules(config);
      this.journal = closer.register(Journal.open(config.journal()));
      DistributedFileSystem fileSystem =
          closer.register(HdfsConnection.open(config.hdfs().nameNode(), hadoop));
      HdfsReader reader = new HdfsReader(fileSystem.getClient());
      ScheduledExecutorService polling =
          closer.register(
              Executors.newSingleThreadScheduledExecutor(threads.named("thermocline-observe")));
      // Closed before the thread, whose interruption would break off a read or a checkpoint.
      this.observing =
          closer.register(
              Observing.open(
                  config, fileSystem.getUri().getAuthority(), user.getShortUserName(), seams));
      DecideStrategy strategy =
          ServiceTiering.strategy(
              config,
              hadoop,
              (tiering, chew) ->
                  ChewStrategy.following(
                      tiering, chew, observing.heat(), observing.tally(), seams.clock()));
      this.limits = strategy.limits();
      this.hints = hints(config, fileSystem, hadoop);
      this.cycle =
          new Cycle(
              config,
              new Cycle.Sources(
                  reader,
                  managedFiles(reader, hadoop),
                  rules,
                  observing.heat(),
                  observing.worth(),
                  hints,
                  journal,
                  seams.clock()),
              strategy);
      this.handler = handler(fileSystem, hadoop, threads);
      this.desk = new PlanDesk(config.act(), handler, journal, seams.clock());
      this.planning =
          closer.register(Executors.newSingleThreadExecutor(threads.named("thermocline-plan")));
      journal.append(
          new JournalEntry.Started(seams.clock().instant().toString(), config.act().mode().name()));
      long poll = config.observe().poll().toMillis();
      polling.scheduleWithFixedDelay(this::observe, 0, poll, TimeUnit.MILLISECONDS);
      planning.execute(this::planUntilDrained);
      this.api = config.api().host() == null ? null : closer.register(api(threads));
    } catch (IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
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
    return new ServiceStatus(
        observing.counts().lines(),
        observing.counts().malformed(),
        observing.heat().reads(),
        plans,
        seen == null ? 0 : seen.managed(),
        seen == null ? 0 : seen.leftAlone(),
        seen == null ? Map.of() : seen.cluster().occupancy(),
        limits,
        handler.moves(),
        observing.transfers(),
        unknown,
        rules.problem(),
        handler.steering().reason(),
        message);
  }

  /** How much of what the NameNodes did stands in the audit logs. */
  public Completeness completeness() {
    return observing.completeness();
  }

  /** The rules that the last plan was made by. */
  public RulesInForce rules() {
    return rules;
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
    return seen == null ? Optional.empty() : Optional.of(cycle.explain(path, seen));
  }

  /** The decisions of the last plan. */
  public List<Decision> decisions() {
    Cycle.Outcome seen = last;
    return seen == null ? List.of() : seen.decisions();
  }

  /** Takes hints by REST; empty where none are taken. */
  public Optional<HintDesk> hintDesk() {
    return Optional.ofNullable(hintDesk);
  }

  /** Pauses, resumes and stops what the service does in HDFS. */
  public Steering steering() {
    return handler.steering();
  }

  /**
   * Makes no further plan, and returns when the current one is at its end.
   *
   * @return false where it is not after the given time
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    draining.countDown();
    desk.wake();
    if (!handler.steering().mayBegin()) {
      // What is begun comes to its end; the rest would wait for somebody to resume.
      handler.stop();
    }
    return planningEnded.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops at once. Copies under way go on inside the DataNodes; HDFS settles them by itself. */
  @Override
  public void close() {
    draining.countDown();
    desk.wake();
    handler.stop();
    closer.close();
  }

  private void observe() {
    try {
      observing.poll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      // A scheduled task that throws is never run again.
      LOG.warn("reading the audit logs failed, trying again", e);
    }
  }

  private void planUntilDrained() {
    long every = config.decide().every().toNanos();
    long due = seams.nanos().getAsLong() + every;
    try {
      while (draining.getCount() > 0) {
        try {
          if (desk.await(isHurried ? 0 : due - seams.nanos().getAsLong())) {
            continue;
          }
          isHurried = false;
          due = seams.nanos().getAsLong() + every;
          planOnce();
        } catch (IOException | RuntimeException e) {
          message = "planning failed: " + e;
          LOG.warn("planning failed, trying again", e);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      planningEnded.countDown();
    }
  }

  /** Has the next plan made at once. */
  private void hurry() {
    isHurried = true;
    desk.wake();
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
    long asOf = observing.heardMillis();
    Cycle.Outcome outcome = cycle.run(journal.lastPlan() + 1);
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
    desk.made(outcome.plan());
  }

  /** Files that the last plan was made of. */
  List<HotFile> hotFiles() {
    Cycle.Outcome seen = last;
    return seen == null ? List.of() : seen.files();
  }

  /** Where the REST interface is reached; empty where there is none. */
  public Optional<URI> apiAddress() {
    return Optional.ofNullable(api).map(ApiServer::address);
  }

  private ApiServer api(ServiceThreads threads) throws IOException {
    return ServiceApi.start(
        config.api(),
        new ServiceApi.Parts(
            this::state,
            () -> last == null ? Optional.of("no plan yet: " + message) : Optional.empty(),
            handler::steering,
            new OutcomeHeats(this),
            desk,
            handler::recentMoves,
            () -> last == null ? new ClusterView(Map.of(), 0) : last.cluster(),
            cycle::lines,
            rules::book,
            hintDesk),
        Activity.HERE,
        threads.named("thermocline-api"));
  }

  private State state() {
    return ServiceApi.state(
        config.act(),
        status(),
        observing.completeness(),
        Duration.ofMillis(seams.clock().millis() - observing.heardMillis()),
        handler.steering());
  }

  /** Null where none are taken. */
  private HintKeeper hints(
      ServiceConfig config, DistributedFileSystem fileSystem, Configuration hadoop)
      throws IOException {
    if (!config.hints().isOn()) {
      return null;
    }
    AttributeReader attributes = new AttributeReader(fileSystem.getClient());
    HdfsHintAttributes hands = closer.register(new HdfsHintAttributes(fileSystem.getUri(), hadoop));
    boolean acts = config.act().mode() == ServiceConfig.Mode.APPLY;
    HintKeeper keeper =
        HintKeeper.open(
            config,
            observing.heat().nameservice(),
            new HintKeeper.Hands(attributes, acts ? hands : null, seams.clock()),
            journal,
            new JournaledHints(journal::append, seams.clock()));
    hintDesk = new ServiceHintDesk(keeper, attributes, hands, seams.clock(), this::hurry);
    observing.tell(keeper::accept);
    return keeper;
  }

  private ManagedFiles managedFiles(HdfsReader reader, Configuration hadoop) {
    List<String> roots = config.manage().paths();
    Predicate<String> ignored = path -> rules.book().ignores(path);
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

  private static RulesInForce rules(ServiceConfig config) throws IOException {
    try {
      return RulesInForce.of(config);
    } catch (ConfigException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void progress(String words) {
    LOG.info("{}", words);
    message = words;
  }

  private PlanHandler handler(
      DistributedFileSystem fileSystem, Configuration hadoop, ServiceThreads threads)
      throws IOException {
    ServiceConfig.Act act = config.act();
    if (act.mode() == ServiceConfig.Mode.SHADOW) {
      return new ShadowMode(ApplyMode.steering(journal, seams.clock()));
    }
    MovingParts parts = new MovingParts(config, fileSystem, seams, closer);
    ApplyMode.Moving moves = parts.moves(hadoop);
    ExecutorService copiers =
        closer.register(
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
            new ApplyMode.Hands(moves, pulled, copiers),
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
