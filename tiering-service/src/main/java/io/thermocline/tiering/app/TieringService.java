// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.MoveState;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.decide.TierDecider;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HotnessTable;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.AuditInterpreter;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
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

  private static final String OUR_POLICY =
      "io.thermocline.placement.hdfs.ThermoclinePlacementPolicy";

  private final ServiceConfig config;
  private final Seams seams;
  private final Closer closer = new Closer();
  private final Map<StorageType, TierLimits> limits;
  private final Journal journal;
  private final AuditSource source;
  private final Heat heat;
  private final Cycle cycle;
  private final PlanExecutor executor;
  private final MoveCounts counts = new MoveCounts();
  private final CountDownLatch draining = new CountDownLatch(1);
  private final CountDownLatch planningEnded = new CountDownLatch(1);
  private final ExecutorService planning;

  /** Of the last plan in shadow mode; the planning thread's. */
  private Map<String, Target> previewed = Map.of();

  private volatile Cycle.Outcome last;
  private volatile long plans;
  private volatile String message = "starting";

  private TieringService(ServiceConfig config, Seams seams) throws IOException {
    this.config = config;
    this.seams = seams;
    try {
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      ServiceThreads threads = new ServiceThreads(user, CALLER_CONTEXT);
      Configuration hadoop = HadoopConfiguration.load(config.hdfs());
      this.limits = usableLimits(hadoop);
      this.journal = closer.register(Journal.open(config.journal()));
      DistributedFileSystem fileSystem = closer.register(connect(hadoop));
      HdfsReader reader = new HdfsReader(fileSystem.getClient());
      Set<String> ignored = new HashSet<>(config.observe().ignoreUsers());
      ignored.add(user.getShortUserName());
      this.source =
          closer.register(
              new AuditSource(
                  config.observe().auditLogs(),
                  config.observe().start(),
                  new AuditInterpreter(ignored, CALLER_CONTEXT)));
      this.heat =
          new Heat(
              new HotnessTable(config.heat().counters()),
              fileSystem.getUri().getAuthority(),
              config.heat().halfLife(),
              seams.clock());
      this.cycle =
          new Cycle(
              config, reader, heat, journal, new TierDecider(limits, config.decide().margin()));
      this.executor = applies() ? executor(fileSystem, hadoop, threads) : null;
      ScheduledExecutorService observing =
          closer.register(
              Executors.newSingleThreadScheduledExecutor(threads.named("thermocline-observe")));
      this.planning =
          closer.register(Executors.newSingleThreadExecutor(threads.named("thermocline-plan")));
      journal.append(new JournalEntry.Started(now(), config.act().mode().name()));
      long poll = config.observe().poll().toMillis();
      observing.scheduleWithFixedDelay(this::observe, 0, poll, TimeUnit.MILLISECONDS);
      planning.execute(this::planUntilDrained);
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
        source.lines(),
        source.malformedLines(),
        heat.reads(),
        plans,
        seen == null ? 0 : seen.files().size(),
        seen == null ? 0 : seen.leftAlone(),
        seen == null ? Map.of() : seen.cluster().occupancy(),
        limits,
        counts.snapshot(),
        message);
  }

  /** How hot a path is now, in cooled reads. */
  public double heat(String path) {
    return heat.of(path);
  }

  /** The decisions of the last plan. */
  public List<Decision> decisions() {
    Cycle.Outcome seen = last;
    return seen == null ? List.of() : seen.decisions();
  }

  /**
   * Makes no further plan, and returns when the current one is at its end.
   *
   * @return false where it is not after the given time
   */
  public boolean drain(Duration atMost) throws InterruptedException {
    draining.countDown();
    return planningEnded.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Stops at once. Copies under way go on inside the DataNodes; HDFS settles them by itself. */
  @Override
  public void close() {
    draining.countDown();
    if (executor != null) {
      executor.stop();
    }
    closer.close();
  }

  private void observe() {
    try {
      source.poll(heat::accept);
      heat.cool();
    } catch (IOException | RuntimeException e) {
      // A scheduled task that throws is never run again.
      LOG.warn("reading the audit logs failed, trying again", e);
    }
  }

  private void planUntilDrained() {
    long every = config.decide().every().toNanos();
    long due = seams.nanos().getAsLong() + every;
    try {
      while (!draining.await(due - seams.nanos().getAsLong(), TimeUnit.NANOSECONDS)) {
        due = seams.nanos().getAsLong() + every;
        try {
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

  private void planOnce() throws IOException, InterruptedException {
    Cycle.Outcome outcome = cycle.run(journal.lastPlan() + 1);
    last = outcome;
    plans++;
    String summary = outcome.message();
    if (!summary.equals(message)) {
      LOG.info(
          "plan {}: {} files managed, {} left alone: {}",
          outcome.plan().number(),
          outcome.files().size(),
          outcome.leftAlone(),
          summary);
    }
    message = summary;
    if (executor == null) {
      preview(outcome.plan());
      return;
    }
    for (Plan.FileMoves file : outcome.plan().files()) {
      journal.append(planned(outcome.plan().number(), file));
      file.moves().forEach(counts::planned);
    }
    executor.execute(outcome.plan(), this::moveChanged);
  }

  /** Says what would be moved, and why, once: a decision that stands is not said with every plan. */
  private void preview(Plan plan) {
    Map<String, Target> said = new HashMap<>();
    for (Plan.FileMoves file : plan.files()) {
      Decision decision = file.decision();
      String path = decision.hot().file().path();
      said.put(path, decision.target());
      if (!decision.target().equals(previewed.get(path))) {
        LOG.info("shadow: {}: {}: {}", path, decision.target(), decision.reason());
      }
    }
    previewed = said;
  }

  private JournalEntry planned(long number, Plan.FileMoves file) {
    Decision decision = file.decision();
    return new JournalEntry.Planned(
        now(),
        number,
        decision.hot().file().path(),
        decision.cause().name(),
        decision.target().toString(),
        file.moves().size(),
        decision.reason());
  }

  private void moveChanged(Move move, MoveState state, String detail) {
    counts.changed(move, state);
    if (state == MoveState.FAILED) {
      LOG.warn("move {} of {} failed: {}", move.id(), move.path(), detail);
    }
    try {
      journal.append(
          new JournalEntry.Moved(
              now(),
              move.id(),
              move.path(),
              move.block().id(),
              move.source().node() + " " + move.source().type(),
              move.targetNode() + " " + move.targetType(),
              state.name(),
              detail));
    } catch (IOException e) {
      // The move itself is HDFS's and done or not; the record of it is what is lost, so say it
      // loudly.
      LOG.error("journal: could not record move {} as {}", move.id(), state, e);
    }
  }

  private PlanExecutor executor(
      DistributedFileSystem fileSystem, Configuration hadoop, ServiceThreads threads)
      throws IOException {
    DirectedMoves moves =
        closer.register(
            new DirectedMoves(fileSystem.getUri(), new Path(config.act().mutex()), hadoop));
    ExecutorService copiers =
        closer.register(
            Executors.newFixedThreadPool(
                config.act().limits().copies(), threads.named("thermocline-copy")));
    return new PlanExecutor(
        moves,
        config.act().limits(),
        new PlanExecutor.Machinery(copiers, seams.nanos(), seams.pause()),
        (path, policy) -> journal.append(new JournalEntry.PolicySet(now(), path, policy)));
  }

  /** Without our placement policy in the NameNode, one copy on NVDIMM would be removed again. */
  private Map<StorageType, TierLimits> usableLimits(Configuration hadoop) {
    Map<StorageType, TierLimits> usable = new EnumMap<>(StorageType.class);
    usable.putAll(config.decide().tiers());
    String loaded = hadoop.get(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, "");
    if (!loaded.equals(OUR_POLICY) && usable.remove(StorageType.NVDIMM) != null) {
      LOG.warn(
          "{} is not {}: no storage policy of HDFS has one copy on NVDIMM, so NVDIMM is left alone",
          DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
          OUR_POLICY);
    }
    return usable;
  }

  private DistributedFileSystem connect(Configuration hadoop) throws IOException {
    URI uri =
        config.hdfs().nameNode() != null
            ? config.hdfs().nameNode()
            : FileSystem.getDefaultUri(hadoop);
    FileSystem fileSystem = open(uri, hadoop);
    if (fileSystem instanceof DistributedFileSystem hdfs) {
      try {
        LOG.info("connecting to {}", uri);
        hdfs.getServerDefaults(new Path("/"));
        return hdfs;
      } catch (IOException e) {
        hdfs.close();
        throw new IOException(uri + " can't be reached: " + e.getMessage(), e);
      }
    }
    fileSystem.close();
    throw new IOException(
        uri
            + " is no HDFS: name one in hdfs.nameNode, or in fs.defaultFS of the Hadoop"
            + " configuration that hdfs.configuration points to");
  }

  private static FileSystem open(URI uri, Configuration hadoop) throws IOException {
    try {
      return FileSystem.newInstance(uri, hadoop);
    } catch (IllegalArgumentException e) {
      // A host or nameservice that nobody knows.
      throw new IOException(uri + " can't be reached: " + e.getMessage(), e);
    }
  }

  private boolean applies() {
    return config.act().mode() == ServiceConfig.Mode.APPLY;
  }

  private String now() {
    return seams.clock().instant().toString();
  }

  /** Closes what was opened, last first, whatever goes wrong on the way. */
  private static final class Closer {
    private final java.util.ArrayDeque<Closeable> open = new java.util.ArrayDeque<>();

    <T extends Closeable> T register(T resource) {
      open.push(resource);
      return resource;
    }

    <T extends ExecutorService> T register(T executor) {
      open.push(
          () -> {
            executor.shutdownNow();
            try {
              executor.awaitTermination(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      return executor;
    }

    synchronized void close() {
      while (!open.isEmpty()) {
        try {
          open.pop().close();
        } catch (IOException | RuntimeException e) {
          LOG.warn("closing failed", e);
        }
      }
    }
  }
}
