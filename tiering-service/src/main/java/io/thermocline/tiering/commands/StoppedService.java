// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.ExecutionControl;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.PlanExecutor;
import io.thermocline.tiering.act.WithinQuotas;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.app.groups.GroupExecutorFactory;
import io.thermocline.tiering.app.plans.ApplyMode;
import io.thermocline.tiering.app.plans.MovingParts;
import io.thermocline.tiering.app.plans.Newcomers;
import io.thermocline.tiering.app.records.Journals;
import io.thermocline.tiering.app.records.MarkedJournal;
import io.thermocline.tiering.cluster.Quotas;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.process.Closer;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.ServiceThreads;
import io.thermocline.tiering.process.Superuser;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** What the service acts with, for a command that acts in its place while it is stopped. One thread. */
final class StoppedService implements Closeable {

  private final Closer closer = new Closer();
  private final ServiceConfig settings;
  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final String user = UserGroupInformation.getCurrentUser().getShortUserName();
  private final DistributedFileSystem hdfs;

  /** Null where nothing may be changed. */
  private final Superuser superuser;

  private final Journal journal;
  private final MarkedJournal marked;
  private final AuditTrail trail = new AuditTrail(user, runtime.clock());
  private final Optional<String> lacks;
  private final Quotas quotas;
  private final ApplyMode hands;

  /** What is to be done. */
  @FunctionalInterface
  interface Work<T> {
    T run(ApplyMode hands, String who) throws IOException, InterruptedException;
  }

  /**
   * @param writes whether the journal is written; else nothing may be changed, and a service may run
   * @param acceptsJournal also where it was lost, or replaced by an older copy
   * @throws IOException where it writes and a service runs, or HDFS or the journal can't be used
   */
  StoppedService(
      ServiceConfig settings, Configuration hadoop, boolean writes, boolean acceptsJournal)
      throws IOException {
    this.settings = settings;
    try {
      ServiceConfig.Act act = settings.act();
      ExecutorService copiers =
          closer.register(Executors.newFixedThreadPool(act.limits().copies() + 1));
      this.hdfs = closer.register(HdfsConnection.open(settings.hdfs().nameNode(), hadoop));
      if (!writes) {
        this.superuser = null;
        Superuser.require(settings, hdfs);
        this.journal = closer.register(Journals.read(settings, hdfs));
      } else if (settings.shared().journal() == null) {
        // Its lock tells that no service runs, also right after one was killed.
        this.journal = closer.register(Journals.open(settings, hdfs, runtime.pause()));
        this.superuser = closer.register(superuser(hadoop, journal.epoch()));
      } else {
        // Refused while a service has the mutex, before the journal is taken from it.
        this.superuser = closer.register(superuser(hadoop, epoch()));
        this.journal = closer.register(Journals.open(settings, hdfs, runtime.pause()));
      }
      this.marked = MarkedJournal.of(settings, hdfs, journal, OperationBudget.unlimited());
      this.lacks = marked.lacks();
      if (lacks.isPresent() && !acceptsJournal) {
        throw new IOException(lacks.get() + MarkedJournal.ADVICE);
      }
      if (lacks.isPresent() && writes) {
        marked.accept(settings.act().mode().name(), runtime.clock());
      }
      this.quotas = new Quotas(hdfs.getClient(), runtime.nanos());
      this.hands =
          superuser == null
              ? hands(copiers, Superuser.looking(settings, hdfs, journal.epoch()))
              : hands(copiers, new Superuser.Looking(superuser.moves(), superuser.actions()));
      hands.lookFor(new Newcomers(settings, Superuser.reader(settings, hdfs)));
    } catch (IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
  }

  /**
   * @param epoch of the service that acted last
   */
  private Superuser superuser(Configuration hadoop, long epoch) throws IOException {
    return Superuser.of(
        settings,
        hdfs,
        hadoop,
        OperationBudget.unlimited(),
        new MoverClient.Terms(MoverClient.Away.FAIL, epoch + 1));
  }

  private ApplyMode hands(ExecutorService copiers, Superuser.Looking by) {
    ServiceConfig.Act act = settings.act();
    HdfsCalls moves =
        trail.audited(HdfsCalls.class, WithinQuotas.of(quotas, HdfsCalls.class, by.moves()));
    ActionCalls actions =
        trail.audited(ActionCalls.class, WithinQuotas.of(quotas, ActionCalls.class, by.actions()));
    return new ApplyMode(
        new ApplyMode.Hands(
            moves,
            (machinery, policies) ->
                new PlanExecutor(moves, act.limits(), act.pacing(), machinery, policies),
            actions,
            copiers,
            GroupExecutorFactory.of(
                settings,
                hdfs,
                new GroupExecutorFactory.Parts(
                    moves,
                    actions,
                    OperationBudget.unlimited(),
                    OperationBudget.unlimited(),
                    trail))),
        act.limits(),
        settings.decide().actions().pool(),
        journal,
        runtime);
  }

  private long epoch() throws IOException {
    try (Journal seen = Journals.read(settings, hdfs)) {
      return seen.epoch();
    }
  }

  /** In words, what the journal lacked; empty where it lacked nothing. */
  Optional<String> lacks() {
    return lacks;
  }

  AuditTrail trail() {
    return trail;
  }

  DistributedFileSystem hdfs() {
    return hdfs;
  }

  Journal journal() {
    return journal;
  }

  ServiceRuntime runtime() {
    return runtime;
  }

  ApplyMode hands() {
    return hands;
  }

  /**
   * Acts, after what was under way when the service ended: nobody else looks after that here. Who does so with the service
   * ended means it, also where it was paused or stopped before; that it stays.
   *
   * @param name of the command, for the journal
   */
  <T> T act(String name, Work<T> work) throws IOException, InterruptedException {
    ServiceThreads threads =
        new ServiceThreads(UserGroupInformation.getCurrentUser(), TieringService.CALLER_CONTEXT);
    new MovingParts(settings, hdfs, runtime, closer, trail, OperationBudget.unlimited(), quotas)
        .watchCluster(hands, superuser, threads);
    journal.append(journal.started(runtime.clock().instant().toString(), name));
    hands.mark(marked::keepUp);
    closer.register((Closeable) hands::end);
    closer
        .register(Executors.newSingleThreadScheduledExecutor(threads.named("thermocline-journal")))
        .scheduleWithFixedDelay(hands::tick, 1, 1, TimeUnit.SECONDS);
    ExecutionControl control = hands.control();
    ExecutionControl.Current said = control.current();
    if (said.state() == ExecutionControl.State.RUNNING) {
      return recovered(work);
    }
    control.resume(user, "for " + name);
    try {
      return recovered(work);
    } finally {
      control.pause(said.who(), said.why());
    }
  }

  private <T> T recovered(Work<T> work) throws IOException, InterruptedException {
    hands.recovery().look();
    while (!hands.recovery().isEnded()) {
      if (!hands.control().mayBegin()) {
        throw new IllegalStateException("can't go on: " + hands.control().reason());
      }
      runtime.pause().pause(settings.act().limits().verifyEvery());
      hands.recovery().look();
    }
    return work.run(hands, user);
  }

  @Override
  public void close() {
    closer.close();
  }
}
