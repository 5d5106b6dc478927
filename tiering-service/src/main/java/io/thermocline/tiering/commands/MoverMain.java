// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.act.AuditTrail;
import io.thermocline.tiering.act.DataNodeStates;
import io.thermocline.tiering.act.DirectedMoves;
import io.thermocline.tiering.act.EpochFence;
import io.thermocline.tiering.act.HdfsActionCalls;
import io.thermocline.tiering.act.HdfsJournalMark;
import io.thermocline.tiering.act.MutexCalls;
import io.thermocline.tiering.act.MutexHolder;
import io.thermocline.tiering.act.OperationBudget;
import io.thermocline.tiering.act.mover.MoverHandler;
import io.thermocline.tiering.act.mover.MoverServer;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.cluster.DataNodeReport;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.MoverConfig;
import io.thermocline.tiering.process.Closer;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.HadoopConfiguration;
import io.thermocline.tiering.process.HdfsConnection;
import io.thermocline.tiering.process.ServiceRuntime;
import io.thermocline.tiering.process.ServiceThreads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Entry point of the mover: what needs HDFS's superuser, apart from the service. */
@Command(
    name = "thermocline mover",
    mixinStandardHelpOptions = true,
    description = {
      "Does what only an HDFS superuser may do, for the tiering service: moves, storage policies,"
          + " replication factors, the cache, and the list of storages. It"
          + " listens on a Unix domain socket, to one user of this host, and does what its own"
          + " configuration allows. It decides nothing, and keeps nothing but an audit log.",
      "",
      "Exit codes: 1 where HDFS or the socket can't be used; 2 for bad usage and what is wrong with"
          + " the configuration; 143 after SIGTERM, 130 after Ctrl-C."
    })
public final class MoverMain implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(MoverMain.class);
  private static final int CLOSING_SECONDS = 30;

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "mover.yaml; conf/mover.yaml explains every key")
  private Path config;

  @Option(names = "--check", description = "only check the configuration file, then end")
  private boolean check;

  public static void main(String[] args) {
    System.exit(CommandLines.of(new MoverMain()).execute(args));
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    MoverConfig settings = MoverConfig.read(config);
    if (check) {
      spec.commandLine().getOut().println(config + ": fine");
      return 0;
    }
    Configuration hadoop = HadoopConfiguration.load(settings.hdfs());
    Closer closer = new Closer();
    try {
      start(settings, hadoop, closer);
    } catch (IOException | RuntimeException e) {
      closer.close();
      throw e;
    }
    // Before Hadoop's own hook closes every client of HDFS, as the mutex is given up.
    ShutdownHookManager.get()
        .addShutdownHook(
            () -> {
              closer.close();
              LOG.info("stopped");
            },
            FileSystem.SHUTDOWN_HOOK_PRIORITY + 1,
            CLOSING_SECONDS,
            TimeUnit.SECONDS);
    LOG.info("listening at {} to user {}", settings.socket(), settings.user());
    // Until a signal: the JVM then ends by itself when the hooks have run.
    new CountDownLatch(1).await();
    return 0;
  }

  private static void start(MoverConfig settings, Configuration hadoop, Closer closer)
      throws IOException {
    ServiceRuntime runtime = ServiceRuntime.system();
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    String name = user.getShortUserName();
    OperationBudget budget =
        new OperationBudget(settings.operations(), runtime.nanos(), runtime.pause());
    DistributedFileSystem hdfs =
        closer.register(HdfsConnection.open(settings.hdfs().nameNode(), hadoop));
    DFSClient client = hdfs.getClient();
    MoverHandler moverHandler =
        closer.register(
            new MoverHandler(
                new MoverHandler.Hands(
                    () -> {
                      budget.take();
                      return DataNodeReport.of(client);
                    },
                    () -> DataNodeStates.of(client, budget),
                    epoch -> moves(settings, hdfs, hadoop, budget, epoch),
                    new HdfsActionCalls(client, name, settings.pool(), budget, runtime.clock()),
                    new HdfsJournalMark(
                        hdfs, new org.apache.hadoop.fs.Path(settings.mutex()), budget),
                    fence(settings, hdfs, budget)),
                settings.rules(),
                settings.caps(),
                new AuditTrail(name, runtime.clock()),
                settings.user(),
                runtime.clock()));
    closer.register(
        new MoverServer(
            settings.socket(),
            settings.user(),
            moverHandler,
            settings.requests(),
            new ServiceThreads(user, TieringService.CALLER_CONTEXT).named("thermocline-mover"),
            runtime.nanos()));
  }

  /** Where one service acts alone, the mutex is enough. */
  private static MoverHandler.Fence fence(
      MoverConfig settings, DistributedFileSystem hdfs, OperationBudget budget) {
    return settings.elected()
        ? new EpochFence(hdfs, new org.apache.hadoop.fs.Path(settings.mutex()).getParent(), budget)
            ::objection
        : epoch -> Optional.empty();
  }

  private static MutexCalls moves(
      MoverConfig settings,
      DistributedFileSystem hdfs,
      Configuration hadoop,
      OperationBudget budget,
      long epoch)
      throws IOException {
    String host = NetUtils.getLocalHostname();
    return new DirectedMoves(
        hdfs.getUri(),
        new org.apache.hadoop.fs.Path(settings.mutex()),
        hadoop,
        budget,
        // Whom their fence lets act follows those of earlier epochs.
        settings.elected()
            ? new MutexHolder("movers", epoch, host)
            : MutexHolder.alone(epoch, host),
        ServiceRuntime.system().clock());
  }
}
