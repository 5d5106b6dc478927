// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.plans;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.ClusterWatch;
import io.thermocline.tiering.act.DataNodeReads;
import io.thermocline.tiering.act.FallbackBackEnd;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.HdfsSatisfier;
import io.thermocline.tiering.act.HdfsSurroundings;
import io.thermocline.tiering.act.IdleWatch;
import io.thermocline.tiering.act.MutexWatch;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.SatisfierCalls;
import io.thermocline.tiering.act.SatisfierExecutor;
import io.thermocline.tiering.act.Surroundings;
import io.thermocline.tiering.act.Windows;
import io.thermocline.tiering.act.WithinQuotas;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.app.groups.GroupActs;
import io.thermocline.tiering.app.groups.GroupExecutorFactory;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.observe.JmxPage;
import io.thermocline.tiering.process.Closer;
import io.thermocline.tiering.process.RepeatedTask;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.ServiceThreads;
import io.thermocline.tiering.process.Superuser;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What moves files in HDFS, as configured, and what holds it back. Wiring only. */
public final class MovingParts {

  private final ServiceConfig config;
  private final DistributedFileSystem fileSystem;
  private final ServiceRuntime runtime;
  private final Closer closer;
  private final OperationBudget budget;
  private final AuditTrail audit;
  private final Quotas quotas;
  private final OperationBudget groupBytes;

  /** Null before it watches by the calendar. */
  private volatile ClusterWatch byCalendar;

  /**
   * @param budget of all calls of the NameNode that acting makes
   */
  public MovingParts(
      ServiceConfig config,
      DistributedFileSystem fileSystem,
      ServiceRuntime runtime,
      Closer closer,
      AuditTrail audit,
      OperationBudget budget,
      Quotas quotas) {
    this.quotas = quotas;
    this.audit = audit;
    this.config = config;
    this.fileSystem = fileSystem;
    this.runtime = runtime;
    this.closer = closer;
    this.budget = budget;
    this.groupBytes =
        new OperationBudget(config.act().pacing().bytesPerNode(), runtime.nanos(), runtime.pause());
  }

  /**
   * @param epoch of this service
   * @param leads whether nobody else may act, at the end: then the mutex is given up
   * @throws IOException where another one of us moves, or we aren't superuser and there is no mover
   */
  public Superuser superuser(Configuration hadoop, long epoch, BooleanSupplier leads)
      throws IOException {
    Superuser superuser =
        Superuser.of(
            config,
            fileSystem,
            hadoop,
            budget,
            new MoverClient.Terms(MoverClient.Away.WAIT, epoch));
    closer.register(
        (Closeable)
            () -> {
              if (leads.getAsBoolean()) {
                superuser.close();
              } else {
                superuser.moves().leave();
              }
            });
    return superuser;
  }

  public ApplyMode.Moving moves(HdfsCalls directed) {
    ServiceConfig.Act act = config.act();
    return switch (act.backEnd()) {
      case DIRECTED ->
          (machinery, policies) ->
              new PlanExecutor(directed, act.limits(), act.pacing(), machinery, policies);
      case SATISFIER ->
          (machinery, policies) ->
              new FallbackBackEnd(
                  new SatisfierExecutor(
                      audit.audited(
                          SatisfierCalls.class,
                          WithinQuotas.of(
                              quotas,
                              SatisfierCalls.class,
                              new HdfsSatisfier(fileSystem.getClient(), runtime.clock(), budget))),
                      act.limits(),
                      machinery,
                      policies),
                  new PlanExecutor(directed, act.limits(), act.pacing(), machinery, policies));
    };
  }

  /** Who makes groups: one thing at a time, within the bytes a second that one DataNode may take. */
  public GroupActs.Hands groups(HdfsCalls hdfs, ActionCalls actions) {
    return GroupExecutorFactory.of(
        config,
        fileSystem,
        new GroupExecutorFactory.Parts(hdfs, actions, budget, groupBytes, audit));
  }

  /** Goes on within other limits and times. */
  public void limit(ServiceConfig.Act act) {
    budget.limit(act.pacing().operations());
    groupBytes.limit(act.pacing().bytesPerNode());
    ClusterWatch watch = byCalendar;
    if (watch != null) {
      watch.windows(act.windows());
    }
  }

  /**
   * Looks at once and then from time to time, in threads of its own.
   *
   * @param before each look, which a mover may refuse
   * @param seen is told what goes on
   */
  public void watch(
      ApplyMode mode,
      Superuser superuser,
      ServiceThreads threads,
      Runnable before,
      Consumer<Surroundings> seen)
      throws InterruptedException {
    int busy = config.act().yielding().idle();
    IdleWatch idle = new IdleWatch(busy, mode.control(), runtime.nanos());
    byCalendar =
        watch(
            mode,
            superuser,
            threads,
            config.act().windows(),
            before,
            now -> {
              seen.accept(now);
              if (busy > 0) {
                idle.look(now);
              }
            });
  }

  /** The same for somebody who waits for what is done: neither the calendar nor the load counts. */
  public void watchCluster(ApplyMode mode, Superuser superuser, ServiceThreads threads)
      throws InterruptedException {
    watch(mode, superuser, threads, Windows.always(), () -> {}, now -> {});
  }

  private ClusterWatch watch(
      ApplyMode mode,
      Superuser superuser,
      ServiceThreads threads,
      Windows windows,
      Runnable before,
      Consumer<Surroundings> seen)
      throws InterruptedException {
    ServiceConfig.Yielding yielding = config.act().yielding();
    HdfsSurroundings around =
        new HdfsSurroundings(
            fileSystem.getClient(),
            superuser.states(),
            yielding.to(),
            pages(),
            budget,
            reads(yielding),
            HdfsSurroundings.silentAfter(fileSystem.getConf()));
    ClusterWatch watch =
        new ClusterWatch(
            () -> {
              before.run();
              Surroundings now = around.read();
              seen.accept(now);
              return now;
            },
            windows,
            yielding.bounds(),
            mode.control(),
            mode.backEnd(),
            runtime.clock());
    watch.look();
    MutexWatch mutex =
        new MutexWatch(superuser.moves(), config.act().mutex(), mode.control(), runtime.nanos());
    mode.control().guard(MutexWatch.HOLD, mutex::objection);
    repeat(threads, "thermocline-mutex", mutex::look, MutexWatch.EVERY);
    repeat(threads, "thermocline-watch", watch::look, yielding.lookEvery());
    return watch;
  }

  /** What is looked at from time to time. */
  @FunctionalInterface
  private interface Look {
    void look() throws InterruptedException;
  }

  private void repeat(ServiceThreads threads, String name, Look look, Duration every) {
    ScheduledExecutorService watching =
        closer.register(Executors.newSingleThreadScheduledExecutor(threads.named(name)));
    watching.scheduleWithFixedDelay(
        new RepeatedTask(
            name,
            () -> {
              try {
                look.look();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            runtime.nanos()),
        every.toMillis(),
        every.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  /** They are asked where it makes a difference. */
  private HdfsSurroundings.ReadsSource reads(ServiceConfig.Yielding yielding) {
    if (!yielding.mindsClients()) {
      return states -> Map.of();
    }
    DataNodeReads reads = new DataNodeReads(fileSystem.getConf());
    // Whoever takes over waits for the first look, which must not wait for DataNodes.
    AtomicBoolean isFirst = new AtomicBoolean(true);
    return states -> isFirst.getAndSet(false) ? Map.of() : reads.of(states);
  }

  /** Of the NameNodes of our nameservice. */
  private List<JmxPage> pages() {
    String own = fileSystem.getUri().getAuthority();
    Stream<URI> logs =
        config.observe().auditLogs().stream()
            .filter(log -> log.nameservice() == null || log.nameservice().equals(own))
            .map(ServiceConfig.LogFile::web);
    Stream<URI> topics =
        config.observe().kafka() == null
            ? Stream.empty()
            : config.observe().kafka().webs().stream()
                .filter(web -> web.nameservice() == null || web.nameservice().equals(own))
                .map(ServiceConfig.Web::uri);
    return Stream.concat(logs, topics)
        .filter(Objects::nonNull)
        .map(web -> new JmxPage(web, fileSystem.getConf()))
        .toList();
  }
}
