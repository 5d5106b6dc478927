// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.HdfsLevers;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.act.MutexActions;
import io.thermocline.tiering.act.MutexHolder;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.act.mover.RemoteLevers;
import io.thermocline.tiering.act.mover.RemoteMoves;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.LeverLimits;
import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What needs HDFS's superuser: done with our own rights, or by a mover where one is configured.
 * Wiring only.
 *
 * @param moves with the mutex, which is given up at the end
 */
public record Superuser(MutexActions moves, DataNodeStates.Source states, LeverActions levers)
    implements Closeable {

  /** Of who changes nothing, whichever service acts. */
  public static final MoverClient.Terms LOOKS = new MoverClient.Terms(MoverClient.Away.FAIL, 0);

  /**
   * To change something with.
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
    HdfsLevers levers = levers(config.decide().levers(), client, budget);
    if (config.hdfs().mover() == null) {
      // Also where the satisfier moves: the mutex keeps a second one of us away.
      DirectedMoves moves =
          new DirectedMoves(
              hdfs.getUri(),
              new Path(config.act().mutex()),
              hadoop,
              budget,
              holder(config.shared(), terms));
      return new Superuser(moves, () -> DataNodeStates.of(client, budget), levers);
    }
    MoverClient mover = mover(config, terms);
    RemoteMoves moves = new RemoteMoves(client, mover, budget);
    return new Superuser(moves, moves, new RemoteLevers(mover, levers));
  }

  /** Services that elect who acts have one journal, and its epochs. A command is none of them. */
  private static MutexHolder holder(ServiceConfig.Shared shared, MoverClient.Terms terms) {
    return shared.election() == null || terms.away() == MoverClient.Away.FAIL
        ? MutexHolder.alone(terms.epoch(), NetUtils.getLocalHostname())
        : new MutexHolder(
            "journal " + shared.journal().getPath(), terms.epoch(), shared.election().id());
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
    Seams seams = Seams.system();
    return new MoverClient(at.socket(), at.user(), terms, seams.nanos(), seams.pause());
  }

  private static HdfsLevers levers(
      ServiceConfig.Levers levers, DFSClient client, OperationBudget budget) throws IOException {
    LeverLimits.Cache cache = levers.limits().cache();
    return new HdfsLevers(
        client,
        UserGroupInformation.getCurrentUser().getShortUserName(),
        new HdfsLevers.Pool(levers.pool(), cache == null ? 0 : cache.most(), levers.ttl()),
        budget);
  }
}
