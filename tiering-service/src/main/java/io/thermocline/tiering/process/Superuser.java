// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.process;

import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.HdfsActions;
import io.thermocline.tiering.act.HdfsLevers;
import io.thermocline.tiering.act.LeverActions;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.mover.MoverClient;
import io.thermocline.tiering.act.mover.RemoteLevers;
import io.thermocline.tiering.act.mover.RemoteMoves;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.decide.LeverLimits;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What needs HDFS's superuser: done with our own rights, or by a mover where one is configured.
 * Wiring only.
 *
 * @param mutex given up at the end
 */
public record Superuser(
    HdfsActions moves, DataNodeStates.Source states, LeverActions levers, Closeable mutex)
    implements Closeable {

  /**
   * To change something with.
   *
   * @param away what follows where the mover isn't there
   * @throws IOException where another one of us moves, or we are to be superuser and aren't
   */
  public static Superuser of(
      ServiceConfig config,
      DistributedFileSystem hdfs,
      Configuration hadoop,
      OperationBudget budget,
      MoverClient.Away away)
      throws IOException {
    DFSClient client = hdfs.getClient();
    HdfsLevers levers = levers(config.decide().levers(), client, budget);
    if (config.hdfs().mover() == null) {
      // Also where the satisfier moves: the mutex keeps a second one of us away.
      DirectedMoves moves =
          new DirectedMoves(hdfs.getUri(), new Path(config.act().mutex()), hadoop, budget);
      return new Superuser(moves, () -> DataNodeStates.of(client, budget), levers, moves);
    }
    MoverClient mover = mover(config, away, Seams.system().nanos());
    RemoteMoves moves = new RemoteMoves(client, mover, budget);
    return new Superuser(moves, moves, new RemoteLevers(mover, levers), moves);
  }

  @Override
  public void close() throws IOException {
    mutex.close();
  }

  /** To look with. */
  public static HdfsReader reader(ServiceConfig config, DistributedFileSystem hdfs) {
    return config.hdfs().mover() == null
        ? new HdfsReader(hdfs.getClient())
        : HdfsReader.with(
            hdfs.getClient(),
            mover(config, MoverClient.Away.FAIL, Seams.system().nanos())::reports);
  }

  public static MoverClient mover(ServiceConfig config, MoverClient.Away away, LongSupplier nanos) {
    ServiceConfig.MoverAt at = config.hdfs().mover();
    return new MoverClient(at.socket(), at.user(), away, nanos);
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
