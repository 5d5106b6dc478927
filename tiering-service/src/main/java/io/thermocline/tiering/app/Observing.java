// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import io.thermocline.tiering.api.Quantities;
import io.thermocline.tiering.app.groups.GroupMining;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.app.records.OthersSettings;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.ReadCalibration;
import io.thermocline.tiering.decide.admission.LearnedAdmission;
import io.thermocline.tiering.heat.BlockTally;
import io.thermocline.tiering.heat.Heat;
import io.thermocline.tiering.heat.HeatCheckpoint;
import io.thermocline.tiering.heat.Transfers;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.AccessSettings;
import io.thermocline.tiering.observe.AccessSink;
import io.thermocline.tiering.observe.AccessSource;
import io.thermocline.tiering.observe.AccessSources;
import io.thermocline.tiering.observe.AuditHistory;
import io.thermocline.tiering.observe.AuditLog;
import io.thermocline.tiering.observe.AuditSource;
import io.thermocline.tiering.observe.CandidateBlocks;
import io.thermocline.tiering.observe.ClientTraceLogs;
import io.thermocline.tiering.observe.Completeness;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.JmxPage;
import io.thermocline.tiering.observe.LineCounts;
import io.thermocline.tiering.observe.LogPositions;
import io.thermocline.tiering.observe.PrivateFiles;
import io.thermocline.tiering.observe.ReaderTally;
import io.thermocline.tiering.observe.SourceCheckpoint;
import io.thermocline.tiering.observe.kafka.KafkaAuditSource;
import io.thermocline.tiering.process.FailureLog;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.readorder.MeasuredReads;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Audit logs, topics and DataNodes' logs read into heat, and heat saved from time to time together with the positions
 * in all of them, so that a restart goes on where the last checkpoint was taken and counts each line once. One thread
 * polls; any may ask, and close.
 */
final class Observing implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Observing.class);

  /** Of the audit logs, between two looks at what else is due. */
  private static final long BYTES_AT_ONCE = 64L << 20;

  /** Among the windows of a checkpoint. */
  private static final String TRANSFERS = "transfers";

  private static final String READERS = "readers";

  /** Of the hottest files. */
  private static final int MOST_BLOCKS = 1_000_000;

  private static final long NANOS_BETWEEN_MEASUREMENTS = 1_000_000_000L;

  private final ServiceRuntime runtime;
  private final String ownUser;
  private final Path file;
  private final long everyNanos;
  private final double minCompleteness;
  private final Heat heat;

  /** Null where it isn't learned. */
  private final LearnedAdmission admission;

  /** Null where nobody asks what is read together. */
  private final GroupMining mining;

  private final ReaderTally readers;
  private final Transfers transfers;
  private final ReadCalibration calibration;
  private final MeasuredReads measured = new MeasuredReads();
  private final AccessSink learners = new Learners();
  private final Sources sources;
  private final ReaderHealth health;
  private final FailureLog failures = new FailureLog();
  private final FailureLog traceFailures = new FailureLog();
  private volatile Optional<String> unreadTraces = Optional.empty();
  private volatile CandidateBlocks blocks = CandidateBlocks.NONE;
  private volatile long heardMillis = Long.MIN_VALUE;

  /** Of the accesses since the last poll began, the latest time; Long.MIN_VALUE: there was none. */
  private long newestMillis = Long.MIN_VALUE;

  /** How much later than what they tell of lines come. */
  private long lateMillis;

  private volatile Consumer<Access> names = access -> {};
  private volatile Runnable polledParts = () -> {};
  private long measuredNanos;
  private long savedNanos;
  private long savedLines = -1;
  private final boolean restored;
  private final boolean readsTraces;
  private boolean polled;
  private boolean isObjectionTold;
  private boolean closed;
  private volatile boolean closing;

  /**
   * @param logs of NameNodes
   * @param audit what reads them
   * @param all what accesses are read from, the audit logs among it
   * @param tally what the traces tell of blocks; null where nobody asks for it
   */
  private record Sources(
      List<AuditLog> logs,
      AuditSource audit,
      MeasuredCompleteness completeness,
      AccessSource all,
      ClientTraceLogs traces,
      BlockTally tally) {}

  /**
   * @param restored whether some of it was saved before
   */
  private record Learned(
      Heat heat,
      Transfers transfers,
      ReaderTally readers,
      ReadCalibration calibration,
      LearnedAdmission admission,
      GroupMining mining,
      boolean restored) {}

  private Observing(
      ServiceConfig config,
      ServiceRuntime runtime,
      String ownUser,
      Path file,
      Learned learned,
      Sources sources) {
    this.runtime = runtime;
    this.ownUser = ownUser;
    this.file = file;
    this.everyNanos = config.heat().checkpointEvery().toNanos();
    this.minCompleteness = config.observe().minCompleteness();
    this.readsTraces = !config.observe().clientTraceLogs().isEmpty();
    this.health = new ReaderHealth(config.observe().poll(), runtime.nanos().getAsLong());
    this.heat = learned.heat();
    this.admission = learned.admission();
    this.mining = learned.mining();
    this.restored = learned.restored();
    this.readers = learned.readers();
    this.transfers = learned.transfers();
    this.calibration = learned.calibration();
    this.sources = sources;
    this.savedNanos = runtime.nanos().getAsLong();
    this.measuredNanos = savedNanos - NANOS_BETWEEN_MEASUREMENTS;
  }

  /**
   * Goes on from the checkpoint, where there is one.
   *
   * @param hadoop of TLS and of the login, for pages of NameNodes
   * @param nameservice whose heat it is; of logs that name none
   * @param ownUser whose calls are the service's own
   * @throws IOException where there are checkpoints but none that can be used, or a source can't be read
   */
  static Observing open(
      ServiceConfig config,
      Configuration hadoop,
      String nameservice,
      String ownUser,
      ServiceRuntime runtime)
      throws IOException {
    ServiceConfig.Learning learning = config.heat();
    PrivateFiles.createDirectories(config.checkpoint());
    Path file = SavedHeat.file(config);
    LearnedAdmission admission = SavedHeat.admission(config, nameservice);
    GroupMining mining =
        config
            .decide()
            .actions()
            .groups()
            .map(
                groups ->
                    new GroupMining(groups, config.manage().paths(), runtime.clock().millis()))
            .orElse(null);
    Optional<HeatCheckpoint.Restored> restored =
        SavedHeat.load(config, nameservice, admission, mining);
    SourceCheckpoint saved =
        restored.isPresent()
            ? SourceCheckpoint.parse(restored.get().position())
            : SourceCheckpoint.none();
    Heat heat =
        restored
            .map(HeatCheckpoint.Restored::heat)
            .orElseGet(() -> new Heat(learning.settings(), nameservice));
    LOG.info(
        "{}",
        restored.isPresent()
            ? "heat of " + heat.reads() + " reads was found in " + file
            : "no heat in " + config.checkpoint() + " yet: learning it");
    ServiceConfig.Observe observe = config.observe();
    AccessSettings accesses =
        observe
            .accesses()
            .cooling(learning.settings().halfLife())
            .without(ownUser, TieringService.CALLER_CONTEXT)
            .heating(nameservice);
    List<AuditLog> logs = logs(observe, nameservice, hadoop);
    AuditSource audit = new AuditSource(logs, observe.start(), accesses, saved, runtime.clock());
    List<AccessSource> all = new ArrayList<>(List.of(audit));
    List<KafkaAuditSource> topics;
    try {
      topics = topics(observe, nameservice, accesses, saved);
      all.addAll(topics);
    } catch (IOException | RuntimeException e) {
      audit.close();
      throw e;
    }
    BlockTally tally = tally(config);
    ClientTraceLogs traces =
        new ClientTraceLogs(
            observe.clientTraceLogs(), observe.start(), saved, observe.zone(), runtime.clock());
    return new Observing(
        config,
        runtime,
        ownUser,
        file,
        new Learned(
            heat,
            transfers(heat, tally, saved),
            readers(learning, saved),
            SavedHeat.calibration(config, saved),
            admission,
            mining,
            restored.isPresent()),
        new Sources(
            logs,
            audit,
            new MeasuredCompleteness(nameservice, audit, topics, observe.kafka(), hadoop),
            new AccessSources(all),
            traces,
            tally));
  }

  /** Reads that don't count as they are by the service's own user. */
  long ownUsers() {
    return counts().opens().ownUsers();
  }

  /** That there are such reads, and what to do; empty where there were none. */
  Optional<String> uncounted() {
    long reads = ownUsers();
    return reads == 0
        ? Optional.empty()
        : Optional.of(
            Quantities.count(reads, "read")
                + " ignored: made by "
                + ownUser
                + ", the service's own user. Nothing tells such reads from the service's own calls: read as another user, or"
                + " set hadoop.caller.context.enabled in the NameNodes");
  }

  /** Taken with each plan, by patterns alone: otherwise it would only grow. */
  private static BlockTally tally(ServiceConfig config) {
    boolean isTaken =
        config.decide().chew().isPresent() && !config.observe().clientTraceLogs().isEmpty();
    return isTaken ? new BlockTally() : null;
  }

  private static Transfers transfers(Heat heat, BlockTally tally, SourceCheckpoint saved) {
    Transfers transfers = new Transfers(heat, tally);
    byte[] windows = saved.windows().get(TRANSFERS);
    if (windows != null) {
      LongBuffer longs = ByteBuffer.wrap(windows).asLongBuffer();
      long[] restored = new long[longs.remaining()];
      longs.get(restored);
      transfers.restore(restored);
    }
    return transfers;
  }

  private static ReaderTally readers(ServiceConfig.Learning learning, SourceCheckpoint saved)
      throws IOException {
    ReaderTally readers = new ReaderTally(learning.settings().halfLife().toMillis());
    byte[] bytes = saved.windows().get(READERS);
    if (bytes != null) {
      try {
        readers.restore(bytes);
      } catch (IllegalArgumentException e) {
        throw new IOException("the checkpoint of the heat is damaged: " + e.getMessage(), e);
      }
    }
    return readers;
  }

  private SourceCheckpoint windows() {
    long[] windows = transfers.windows();
    ByteBuffer bytes = ByteBuffer.allocate(windows.length * Long.BYTES);
    bytes.asLongBuffer().put(windows);
    return new SourceCheckpoint(
        LogPositions.none(),
        Map.of(
            TRANSFERS,
            bytes.array(),
            READERS,
            readers.toBytes(),
            SavedHeat.CALIBRATION,
            SavedHeat.bytes(calibration.saved())));
  }

  private static List<AuditLog> logs(
      ServiceConfig.Observe observe, String nameservice, Configuration hadoop) {
    return observe.auditLogs().stream()
        .map(
            log ->
                new AuditLog(
                    or(log.nameservice(), nameservice),
                    log.path(),
                    observe.zone(),
                    log.web() == null ? null : new JmxPage(log.web(), hadoop)))
        .toList();
  }

  private static List<KafkaAuditSource> topics(
      ServiceConfig.Observe observe,
      String nameservice,
      AccessSettings accesses,
      SourceCheckpoint saved)
      throws IOException {
    List<KafkaAuditSource> topics = new ArrayList<>();
    if (observe.kafka() == null) {
      return topics;
    }
    Properties client = new Properties();
    client.putAll(observe.kafka().client());
    try {
      for (ServiceConfig.Topic topic : observe.kafka().topics()) {
        String whose = or(topic.nameservice(), nameservice);
        topics.add(
            new KafkaAuditSource(
                new KafkaAuditSource.Topic(topic.name(), whose, observe.zone(), observe.start()),
                client,
                accesses,
                saved));
      }
      return topics;
    } catch (IOException | RuntimeException e) {
      new AccessSources(List.copyOf(topics)).close();
      throw e;
    }
  }

  private static String or(String name, String managed) {
    return name == null ? managed : name;
  }

  /** Reads what is new, and saves where it is time to. Does nothing after {@link #close}. */
  void poll() throws IOException {
    long now = runtime.clock().millis();
    newestMillis = Long.MIN_VALUE;
    heat.trust(now);
    try {
      while (pollOnce(BYTES_AT_ONCE)) {
        saveWhereDue();
      }
      heard(now);
    } finally {
      // One source that can't be read is no reason to lose what came from the others, and what it
      // lacks is to be seen.
      saveWhereDue();
      measure();
      health.stepped(runtime.nanos().getAsLong());
    }
  }

  /**
   * All that stood in the logs by now was read. Heat then cools by the wall clock, unless the logs lack something: what
   * happened since the last line isn't known then. Where lines come late, it cools as much later.
   */
  private synchronized void heard(long now) {
    if (heardMillis != Long.MIN_VALUE && newestMillis != Long.MIN_VALUE) {
      // What was written after the last poll tells of what happened after it, where nothing delays
      // it.
      lateMillis = Math.max(0, heardMillis - newestMillis);
    }
    heardMillis = now;
    if (allMissing().isEmpty()
        && CompletenessGate.objection(completeness(), minCompleteness).isEmpty()) {
      heat.advance(now - lateMillis);
    }
  }

  /** Reads and saves as {@link #poll}; a failure is logged, at a bounded rate, and reading is tried again at the next call. */
  void pollAndLog() {
    try {
      poll();
      if (failures.isOver()) {
        LOG.info("the logs are read again");
      }
    } catch (IOException | RuntimeException | Error e) {
      if (failures.isNews(e, runtime.nanos().getAsLong())) {
        LOG.warn("reading the logs failed, trying again", e);
      }
    }
  }

  /** Why nothing may be planned by what was read; empty where it may be. */
  Optional<String> objection() {
    return health.objection(completeness(), minCompleteness, runtime.nanos().getAsLong());
  }

  /** Logs that nothing may be planned, and that it may be again. For one thread. */
  void tellOfObjection() {
    Optional<String> now = objection();
    if (now.isPresent() && !isObjectionTold) {
      LOG.warn("{}", now.get());
    } else if (now.isEmpty() && isObjectionTold) {
      LOG.info("enough of the logs is read to plan again");
    }
    isObjectionTold = now.isPresent();
  }

  /**
   * @param maxBytes of log, after which it returns
   * @return whether there is more at once
   */
  synchronized boolean pollOnce(long maxBytes) throws IOException {
    if (closed) {
      return false;
    }
    // Before anything may fail: part of it was counted then.
    polled = true;
    boolean more = false;
    Throwable failure = null;
    try {
      more = sources.all.poll(learners, maxBytes);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    } finally {
      polledParts.run();
      health.read(failure, allMissing(), runtime.nanos().getAsLong());
      more |= pollTraces(maxBytes);
    }
    return more && !closing;
  }

  /** None where some log is there: that of a NameNode that never ran needn't be. */
  private List<Path> allMissing() {
    List<Path> missing = missing();
    return missing.size() == sources.logs.size() ? missing : List.of();
  }

  /** Audit logs that have no file. */
  List<Path> missing() {
    return sources.audit.missing();
  }

  /** What can't be read of them isn't known; heat needs none of it. */
  private boolean pollTraces(long maxBytes) {
    CandidateBlocks known = blocks;
    try {
      boolean more =
          sources.traces.poll(
              access -> {
                transfers.accept(access, known);
                calibration.read(access, known);
                measured.accept(access, known);
                if (mining != null) {
                  mining.accept(access);
                }
              },
              maxBytes,
              known.asOfMillis());
      unreadTraces = Optional.empty();
      if (traceFailures.isOver()) {
        LOG.info("the DataNodes' logs are read again");
      }
      return more;
    } catch (IOException | RuntimeException | Error e) {
      int others = e.getSuppressed().length;
      unreadTraces =
          Optional.of(
              "what DataNodes' logs would say: "
                  + ReaderHealth.text(e)
                  + (others == 0 ? "" : ", and " + Quantities.count(others, "other failure")));
      if (traceFailures.isNews(e, runtime.nanos().getAsLong())) {
        LOG.warn("reading the DataNodes' logs failed, trying again", e);
      }
      return false;
    }
  }

  /** What isn't known since DataNodes' logs can't be read, and why; empty where they can. */
  Optional<String> unreadTraces() {
    return unreadTraces;
  }

  /** All who learn from accesses. */
  private final class Learners implements AccessSink {
    @Override
    public void accept(Access access) {
      if (access.kind() != Access.Kind.WITHDRAW && access.kind() != Access.Kind.RESTORE) {
        newestMillis = Math.max(newestMillis, access.timeMillis());
      }
      heat.accept(access);
      if (admission != null) {
        admission.accept(access);
      }
      if (isOurs(access)) {
        readers.accept(access);
        names.accept(access);
        if (mining != null) {
          mining.accept(access);
        }
      }
    }

    @Override
    public void expect(Access[] soon, int count) {
      heat.expect(soon, count);
    }
  }

  private boolean isOurs(Access access) {
    return access.nameservice() == heat.nameservice();
  }

  /** From now on it is told what {@link #heat} is told, as those are that were named before. */
  void tell(Consumer<Access> listener) {
    names = names.andThen(listener);
  }

  /** From now on this runs when a part of the logs was read. */
  void afterEachPoll(Runnable action) {
    Runnable before = polledParts;
    polledParts =
        () -> {
          before.run();
          action.run();
        };
  }

  /** What the audit logs' files have of our nameservice: as {@link AuditHistory#read}. */
  boolean history(long sinceMillis, Consumer<? super Access> sink) throws IOException {
    return !sources.logs.isEmpty()
        && AuditHistory.read(
            sources.logs,
            sinceMillis,
            runtime.clock(),
            access -> {
              if (isOurs(access)) {
                sink.accept(access);
              }
            });
  }

  /**
   * What others set, as the audit logs' files have it; what is read later follows without a gap.
   *
   * @param since when to begin
   * @param mover its user, whose calls are the service's
   */
  OthersSettings settings(Instant since, String mover) throws IOException {
    if (!hasHeard()) {
      // Where logs are read from their ends on, these are from now on where they are now.
      poll();
    }
    OthersSettings others = new OthersSettings(mover);
    AuditHistory.read(
        sources.logs,
        since.toEpochMilli(),
        new AccessSettings.Own(ownUser, TieringService.CALLER_CONTEXT),
        runtime.clock(),
        access -> {
          if (isOurs(access)) {
            others.accept(access);
          }
        });
    return others;
  }

  /** Whether the audit logs' files have what happened since. */
  boolean reachBack(Instant since) throws IOException {
    return !sources.logs.isEmpty() && AuditHistory.reaches(sources.logs, since.toEpochMilli());
  }

  private synchronized void measure() {
    long now = runtime.nanos().getAsLong();
    if (!closed && now - measuredNanos >= NANOS_BETWEEN_MEASUREMENTS) {
      measuredNanos = now;
      sources.completeness.measure(runtime.clock().millis());
    }
  }

  /** Saves where the last time was long enough ago. */
  synchronized void saveWhereDue() {
    long now = runtime.nanos().getAsLong();
    if (!closed && now - savedNanos >= everyNanos) {
      savedNanos = now;
      save();
    }
  }

  /**
   * Saves heat and position as they are between two polls, unless nothing was read since. What can't be
   * written is said, and tried again: heat in memory doesn't depend on it.
   */
  synchronized void save() {
    long lines = sources.all.counts().lines() + sources.traces.counts().lines();
    if (!polled || lines == savedLines) {
      return;
    }
    try {
      SourceCheckpoint positions =
          sources.all.checkpoint().plus(sources.traces.checkpoint()).plus(windows());
      HeatCheckpoint.save(
          file,
          heat.freeze(),
          positions.toBytes(),
          admission == null ? null : admission.freeze(),
          mining == null ? null : mining.freeze());
      savedLines = lines;
      sources.all.stored(positions);
    } catch (IOException e) {
      LOG.warn("heat can't be saved in {}, trying again in {}", file, every(), e);
    }
  }

  private Duration every() {
    return Duration.ofNanos(everyNanos);
  }

  Heat heat() {
    return heat;
  }

  /** Whether a service saved heat here before. */
  boolean hasSaved() {
    return restored;
  }

  /** From which addresses files are read. */
  ReaderTally readers() {
    return readers;
  }

  /** Null where it isn't learned. */
  LearnedAdmission admission() {
    return admission;
  }

  /** What is read together; null where nobody asks. */
  GroupMining mining() {
    return mining;
  }

  /** What stood in the logs by then is in the heat, in milliseconds since 1970. */
  long heardMillis() {
    return heardMillis;
  }

  /** Whether all that stood in the logs at the start was read. */
  boolean hasHeard() {
    return heardMillis != Long.MIN_VALUE;
  }

  /**
   * From now on the DataNodes' logs are read up to this time, by the blocks of these.
   *
   * @param candidates the hottest files, the hottest first
   */
  void learnBlocks(List<FileView> candidates, long asOfMillis) {
    calibration.planned(candidates, heat, asOfMillis);
    blocks = blocks.next(candidates, MOST_BLOCKS, asOfMillis);
  }

  /** Whether DataNodes' logs are read. */
  boolean readsTraces() {
    return readsTraces;
  }

  /** How estimates of reads differ from what DataNodes log. */
  ReadCalibration calibration() {
    return calibration;
  }

  /** What each storage type served by the DataNodes' logs. */
  MeasuredReads measured() {
    return measured;
  }

  /** What clienttrace tells of blocks, where decisions go by patterns. */
  Optional<BlockTally> tally() {
    return Optional.ofNullable(sources.tally);
  }

  LineCounts counts() {
    return sources.all.counts();
  }

  /** Of the nameservice whose heat it is. */
  Completeness completeness() {
    return sources.completeness.managed();
  }

  /** Of each nameservice whose lines are read, always the same ones. */
  Map<String, Completeness> completenessOfEach() {
    return sources.completeness.ofEach();
  }

  ServiceStatus.Transfers transfers() {
    return new ServiceStatus.Transfers(
        transfers.known(),
        transfers.unknown(),
        transfers.withoutBytes(),
        sources.traces.counts().malformed());
  }

  /** Waits for a poll under way to come to the end of its bytes, and saves. */
  @Override
  public void close() throws IOException {
    closing = true;
    synchronized (this) {
      if (!closed) {
        closed = true;
        save();
        sources.traces.close();
        sources.all.close();
      }
    }
  }
}
