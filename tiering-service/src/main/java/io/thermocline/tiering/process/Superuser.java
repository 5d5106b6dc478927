// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.tiering.act.ActionCalls;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.DryMoves;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.HdfsCalls;
import io.thermocline.tiering.act.MutexCalls;
import io.thermocline.tiering.act.MutexHeldException;
import io.thermocline.tiering.act.MutexHolder;
import io.thermocline.tiering.act.MutexRecoveryException;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.act.mover.RemoteActionCalls;
import io.thermocline.tiering.act.mover.RemoteMoves;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.ActionLimits;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What needs HDFS's superuser: done with our own rights, or by a mover where one is configured.
 * Wiring only.
 *
 * @param moves with the mutex, which is given up at the end
 */
public record Superuser(MutexCalls moves, DataNodeStates.Source states, ActionCalls actions)
    implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(Superuser.class);

  /** HDFS needs a heartbeat of a DataNode that has the last block; where none answers, much longer. */
  private static final Duration RECOVERY = Duration.ofMinutes(5);

  private static final Duration RECOVERY_LOOK = Duration.ofMillis(500);

  /** HDFS gives the mutex of one that was killed to whoever asks a minute after its last sign of life. */
  private static final Duration RELEASE = Duration.ofSeconds(75);

  /** Of who changes nothing, whichever service acts. */
  public static final MoverClient.Terms LOOKS = new MoverClient.Terms(MoverClient.Away.FAIL, 0);

  /**
   * To look with: takes no mutex.
   *
   * @param moves can change nothing
   */
  public record Looking(HdfsCalls moves, ActionCalls actions) {}

  /**
   * For a dry run, also while a service runs.
   *
   * @param epoch of the service that acts, or acted last
   */
  public static Looking looking(ServiceConfig config, DistributedFileSystem hdfs, long epoch)
      throws IOException {
    DFSClient client = hdfs.getClient();
    OperationBudget budget = OperationBudget.unlimited();
    HdfsActionCalls actions = actions(config.decide().actions(), client, budget);
    if (config.hdfs().mover() == null) {
      return new Looking(new DryMoves(client, ServiceRuntime.system().clock(), budget), actions);
    }
    MoverClient mover = mover(config, new MoverClient.Terms(MoverClient.Away.FAIL, epoch));
    return new Looking(
        new RemoteMoves(client, mover, budget), new RemoteActionCalls(mover, actions));
  }

  /**
   * To change something with. With a journal in HDFS a command waits where the mutex is of a service with that journal,
   * until HDFS releases it: nobody knows whether that service was killed.
   *
   * @param terms on which a mover is asked
   * @throws IOException where another one of us moves, or we are to be superuser and aren't
   */
  public static Superuser of(
      ServiceConfig config,
      DistributedFileSystem hdfs,
      Configuration hadoop,
      OperationBudget budget,
      MoverClient.Terms terms)
      throws IOException {
    DFSClient client = hdfs.getClient();
    HdfsActionCalls actions = actions(config.decide().actions(), client, budget);
    if (config.hdfs().mover() == null) {
      // Also where the satisfier moves: the mutex keeps a second one of us away.
      MutexHolder holder = holder(config, terms);
      DirectedMoves moves =
          afterRelease(
              terms.away() == MoverClient.Away.FAIL ? succession(config) : "",
              () ->
                  new DirectedMoves(
                      hdfs.getUri(),
                      new Path(config.act().mutex()),
                      hadoop,
                      budget,
                      holder,
                      ServiceRuntime.system().clock()));
      return new Superuser(moves, () -> DataNodeStates.of(client, budget), actions);
    }
    MoverClient mover = mover(config, terms);
    RemoteMoves moves = new RemoteMoves(client, mover, budget);
    return new Superuser(moves, moves, new RemoteActionCalls(mover, actions));
  }

  /**
   * Looks whether a service with another journal moves data.
   *
   * @throws IOException where one does, as the mutex says; in one line
   */
  public static void requireNoOther(
      ServiceConfig config, DistributedFileSystem hdfs, OperationBudget budget) throws IOException {
    if (config.hdfs().mover() == null) {
      holder(config, new MoverClient.Terms(MoverClient.Away.WAIT, 0))
          .requireNoOther(hdfs, new Path(config.act().mutex()), budget);
    }
  }

  /**
   * Looks whether plans can be made: only a superuser is told which storages there are.
   *
   * @throws IOException where this user may not ask, and no mover asks for it; in one line
   */
  public static void require(ServiceConfig config, DistributedFileSystem hdfs) throws IOException {
    if (config.hdfs().mover() != null) {
      return;
    }
    try {
      hdfs.getClient().getDatanodeStorageReport(DatanodeReportType.LIVE);
    } catch (RemoteException e) {
      if (!(e.unwrapRemoteException() instanceof AccessControlException)) {
        throw e;
      }
      throw new IOException(
          UserGroupInformation.getCurrentUser().getShortUserName()
              + " is no superuser of "
              + hdfs.getUri()
              + ", and nobody else is told which storages there are: add the user to the group of"
              + " dfs.permissions.superusergroup on the NameNodes, or add a section mover to the configuration",
          e);
    }
  }

  /**
   * Services with one journal follow each other, in its epochs: who has it open knows that those before are gone or
   * fenced, and needn't wait for HDFS to find out. So does a command that has locked a local journal. It doesn't take a
   * journal in HDFS from a service that may be running, and follows nobody there.
   */
  private static MutexHolder holder(ServiceConfig config, MoverClient.Terms terms) {
    ServiceConfig.Shared shared = config.shared();
    String host = NetUtils.getLocalHostname();
    if (terms.away() == MoverClient.Away.FAIL && shared.journal() != null) {
      return MutexHolder.alone(terms.epoch(), host);
    }
    return new MutexHolder(
        succession(config),
        terms.epoch(),
        shared.election() == null ? host : shared.election().id());
  }

  private static String succession(ServiceConfig config) {
    ServiceConfig.Shared shared = config.shared();
    return "journal "
        + (shared.journal() == null
            ? NetUtils.getLocalHostname() + ":" + config.journal().toAbsolutePath()
            : shared.journal().getPath());
  }

  /** Takes the mutex. */
  private interface Taking {
    DirectedMoves take() throws IOException;
  }

  /**
   * Waits while HDFS takes the mutex from a process that was killed.
   *
   * @param succession of whom also the minute is waited for until HDFS begins with that; empty: of nobody
   */
  private static DirectedMoves afterRelease(String succession, Taking taking) throws IOException {
    ServiceRuntime runtime = ServiceRuntime.system();
    long began = runtime.nanos().getAsLong();
    Duration told = Duration.ZERO;
    while (true) {
      Duration patience;
      IOException why;
      try {
        return taking.take();
      } catch (MutexRecoveryException e) {
        patience = RECOVERY;
        why = e;
      } catch (MutexHeldException e) {
        if (succession.isEmpty() || !e.isOf(succession)) {
          throw e;
        }
        patience = RELEASE;
        why = e;
      }
      if (runtime.nanos().getAsLong() - began > patience.toNanos()) {
        throw why;
      }
      if (!told.equals(patience)) {
        LOG.warn(
            "{}: waiting until {}", why.getMessage(), runtime.clock().instant().plus(patience));
        told = patience;
      }
      try {
        runtime.pause().pause(RECOVERY_LOOK);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while HDFS closed the mutex");
      }
    }
  }

  @Override
  public void close() throws IOException {
    moves.close();
  }

  /** To look with. */
  public static HdfsReader reader(ServiceConfig config, DistributedFileSystem hdfs) {
    return config.hdfs().mover() == null
        ? new HdfsReader(hdfs.getClient())
        : HdfsReader.with(hdfs.getClient(), mover(config, LOOKS)::reports);
  }

  public static MoverClient mover(ServiceConfig config, MoverClient.Terms terms) {
    ServiceConfig.MoverAt at = config.hdfs().mover();
    ServiceRuntime runtime = ServiceRuntime.system();
    return new MoverClient(at.socket(), at.user(), terms, runtime.nanos(), runtime.pause());
  }

  private static HdfsActionCalls actions(
      ServiceConfig.Actions actions, DFSClient client, OperationBudget budget) throws IOException {
    ActionLimits.Cache cache = actions.limits().cache();
    return new HdfsActionCalls(
        client,
        UserGroupInformation.getCurrentUser().getShortUserName(),
        new HdfsActionCalls.Pool(actions.pool(), cache == null ? 0 : cache.most(), actions.ttl()),
        budget,
        ServiceRuntime.system().clock());
  }
}
