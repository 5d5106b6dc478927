// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.app.SavedHeat;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.CommandLines;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Entry point of the tiering service. */
@Command(
    name = "thermocline service",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the tiering service: reads the NameNode's audit logs (files, or topics of Kafka),"
          + " learns what is hot, and moves replicas (or, in shadow mode, says what it would"
          + " move).",
      "",
      "SIGTERM and Ctrl-C let the current plan come to its end, for at most --grace.",
      "",
      "Exit codes: 1 where HDFS or the journal can't be used, or another service moves data in the"
          + " same HDFS; 2 for bad usage, a wrong configuration, or a problem of this host; 75 where"
          + " another instance leads now: start it again; 143 after SIGTERM, 130 after Ctrl-C."
    })
public final class ServiceMain implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(ServiceMain.class);

  /** Closing waits for threads that are interrupted, and for the NameNode to take back the mutex. */
  private static final Duration CLOSING = Duration.ofSeconds(30);

  /** Of sysexits.h: try again later. */
  private static final int DEPOSED = 75;

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      required = true,
      paramLabel = "FILE",
      description = "thermocline.yaml; docs/reference/configuration.md explains every key")
  private Path config;

  @Option(
      names = "--check",
      description =
          "only check the configuration file, this host and the cluster, then end. Prints the errors that"
              + " 'thermocline doctor' finds, and warnings that a plan depends on. Exit code 1 if the service can't"
              + " start now")
  private boolean check;

  @Option(
      names = "--relearn",
      description = {
        "begin without heat, once: what was saved before is kept in its directory under a name with"
            + " the time. For when the service says that it can't be used, as after a change of"
            + " heat.halfLife or heat.files. Logs are read from observe.start on"
      })
  private boolean relearn;

  @Option(
      names = "--accept-journal",
      description = {
        "go on, once, with a journal that is empty or older than HDFS shows that it was. For when the service says so and"
            + " there is no other copy: what the service set is recovered by its marks in HDFS; what has no mark counts as"
            + " somebody else's, and is left as it is"
      })
  private boolean acceptsJournal;

  @Option(
      names = "--grace",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "how long to wait for the current plan when asked to stop (default: 30)")
  private int graceSeconds;

  private final ServiceRuntime runtime;

  public ServiceMain() {
    this(ServiceRuntime.system());
  }

  /**
   * @param runtime what a test has in the place of the machine's own
   */
  public ServiceMain(ServiceRuntime runtime) {
    this.runtime = runtime;
  }

  public static void main(String[] args) {
    System.exit(CommandLines.of(new ServiceMain()).execute(args));
  }

  @Override
  public Integer call() throws ConfigException, IOException, InterruptedException {
    ServiceConfig settings = ServiceConfigFile.read(config);
    List<String> warnings = new ArrayList<>(HostCheck.check(settings));
    if (settings.api().host() == null) {
      warnings.add(
          "api: there is none: commands and pages have nothing to ask: api: {listen: 127.0.0.1:8480}");
    }
    if (check) {
      return check(settings, warnings);
    }
    warnings.forEach(each -> LOG.warn("{}", each));
    HostCheck.requireRacksAlone(settings, runtime.clock());
    if (relearn) {
      SavedHeat.setAside(settings, runtime.clock());
    }
    TieringService service =
        TieringService.start(settings, runtime, acceptsJournal, this::checkReloaded);
    // Hadoop's own hook closes every client of HDFS. Only its manager puts us before it; a hook of
    // the JVM would run beside it, and the plan would lose its connection.
    ShutdownHookManager.get()
        .addShutdownHook(
            () -> stop(service),
            FileSystem.SHUTDOWN_HOOK_PRIORITY + 1,
            graceSeconds + CLOSING.toSeconds(),
            TimeUnit.SECONDS);
    LOG.info("running in {} mode", settings.act().mode());
    // Until a signal: the JVM then ends by itself when the hooks have run.
    service.awaitDeposed();
    LOG.error(
        "another service acts in the place of this one, which ends; started again it stands by");
    return DEPOSED;
  }

  private void checkReloaded(ServiceConfig settings)
      throws ConfigException, IOException, InterruptedException {
    HostCheck.check(settings).forEach(each -> LOG.warn("{}", each));
    HostCheck.requireRacksAlone(settings, runtime.clock());
  }

  private int check(ServiceConfig settings, List<String> warnings)
      throws ConfigException, IOException, InterruptedException {
    HostCheck.Cluster cluster = HostCheck.checkCluster(settings, runtime.clock());
    warnings.addAll(cluster.warnings());
    PrintWriter out = spec.commandLine().getOut();
    cluster.errors().forEach(each -> out.println("error: " + each));
    warnings.forEach(each -> out.println("warning: " + each));
    if (!cluster.errors().isEmpty()) {
      out.println(config + ": the service can't start now: see the errors");
      return 1;
    }
    out.println(config + (warnings.isEmpty() ? ": fine" : ": see the warnings"));
    return 0;
  }

  private void stop(TieringService service) {
    LOG.info("stopping; waiting up to {} s for the current plan", graceSeconds);
    try {
      if (!service.drain(Duration.ofSeconds(graceSeconds))) {
        LOG.warn("the current plan did not end within {} s; HDFS settles its copies", graceSeconds);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    service.close();
    LOG.info("stopped");
  }
}
