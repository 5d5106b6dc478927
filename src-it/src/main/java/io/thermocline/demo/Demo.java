// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.RunRecord;
import io.thermocline.testbed.cluster.ClusterLayout;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.cluster.ServiceSite;
import io.thermocline.testbed.device.DeviceTime;
import io.thermocline.testbed.workload.Access;
import io.thermocline.testbed.workload.ContentCheck;
import io.thermocline.testbed.workload.Fb2010Trace;
import io.thermocline.testbed.workload.GeneratedWorkload;
import io.thermocline.testbed.workload.Mismatch;
import io.thermocline.testbed.workload.Population;
import io.thermocline.testbed.workload.Progress;
import io.thermocline.testbed.workload.Replayer;
import io.thermocline.testbed.workload.WindowResult;
import io.thermocline.testbed.workload.Workload;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * One run: a cluster, files in it, clients that read them, and the tiering service beside them as it
 * would run on a host of its own. What the clients' reads were served from is counted in the devices.
 */
final class Demo {

  private static final String SERVICE_USER = "thermocline";
  private static final String OWNER = "etl";
  private static final int REPLICATION = 3;
  private static final int WRITERS = 8;

  /** The reads before and after tiering: the first tenth of them, and the last third. */
  private static final double BEFORE = 0.1;

  private static final double AFTER = 2.0 / 3;

  private static final Duration DRAIN = Duration.ofMinutes(2);

  private final DemoOptions options;
  private final View view;
  private final BooleanSupplier stopWanted;
  private final ServiceRuntime runtime = ServiceRuntime.system();

  /**
   * @param stopWanted asked at each step besides the interrupt, which Hadoop swallows while it starts
   */
  Demo(DemoOptions options, View view, BooleanSupplier stopWanted) {
    this.options = options;
    this.view = view;
    this.stopWanted = stopWanted;
  }

  /**
   * Runs the demo. Whatever happens, no process, thread or directory of it is left.
   *
   * @throws InterruptedException if the thread is interrupted, as by Ctrl-C
   */
  DemoResult run() throws IOException, InterruptedException, ConfigException {
    long start = runtime.nanos().getAsLong();
    Workload workload = workload();
    begin("seed " + workload.seed() + ": " + workload.description());
    Path directory = Files.createTempDirectory("thermocline-demo-");
    try (EmbeddedCluster cluster = cluster(directory)) {
      begin("starting HDFS: " + cluster.layout().nodes().size() + " DataNodes");
      cluster.start();
      begin("writing " + workload.files().size() + " files");
      new Population(cluster.fileSystem(), cluster::fileSystem, OWNER, WRITERS)
          .write(workload.files(), progress("files written"));
      try (TieringService service = service(directory, cluster, workload)) {
        begin("the service's pages: " + service.apiAddress().orElseThrow() + "/ui/");
        return tier(cluster, service, workload, start);
      }
    } finally {
      Trees.delete(directory);
    }
  }

  private DemoResult tier(
      EmbeddedCluster cluster, TieringService service, Workload workload, long start)
      throws IOException, InterruptedException {
    try (Sampler sampler = new Sampler(cluster, service, workload.files(), view)) {
      Replayer replayer =
          new Replayer(
              cluster::fileSystem, workload.files(), options.clients(), DeviceTime.system());
      begin("reading as " + options.clients() + " clients");
      cluster.devices().pace();
      Window before = replay(cluster, replayer, workload, 0, BEFORE);
      Window between = replay(cluster, replayer, workload, BEFORE, AFTER);
      Window after = replay(cluster, replayer, workload, AFTER, 1);
      begin("finishing the moves under way");
      cluster.devices().fullSpeed();
      boolean drained = service.drain(DRAIN);
      sampler.sampleNow();
      begin("checking every file");
      List<Mismatch> changed =
          new ContentCheck(cluster::fileSystem, OWNER, WRITERS, REPLICATION)
              .check(workload.files(), progress("files checked"));
      double elapsed = (runtime.nanos().getAsLong() - start) / 1e9;
      Figures figures = new Figures(cluster.layout(), workload, service.status());
      RunRecord record =
          figures.record(List.of(before, between, after), sampler, changed.size(), elapsed);
      return new DemoResult(
          record, problems(List.of(before, between, after), service, drained, changed));
    }
  }

  private void begin(String phase) throws InterruptedException {
    if (stopWanted.getAsBoolean()) {
      throw new InterruptedException("stopped before: " + phase);
    }
    view.phase(phase);
  }

  private Workload workload() throws IOException {
    long bytes = Math.round(GeneratedWorkload.Settings.defaults().uniqueBytes() * options.scale());
    if (options.trace().isPresent()) {
      Fb2010Trace.Settings defaults = Fb2010Trace.Settings.defaults(options.seed());
      return Fb2010Trace.read(
          options.trace().get(),
          new Fb2010Trace.Settings(
              bytes, defaults.smallest(), defaults.largest(), options.accesses(), options.seed()));
    }
    GeneratedWorkload.Settings defaults = GeneratedWorkload.Settings.defaults();
    int files = (int) Math.round(defaults.files() * options.scale());
    return GeneratedWorkload.of(
        new GeneratedWorkload.Settings(
            files, bytes, options.accesses(), defaults.exponent(), defaults.drift()),
        options.seed());
  }

  private EmbeddedCluster cluster(Path directory) throws IOException {
    return EmbeddedCluster.builder(directory)
        .layout(ClusterLayout.demo().scaled(options.scale()))
        .resource(hdfsSite())
        .resource(ServiceSite.rights(directory.resolve("rights-site.xml"), SERVICE_USER))
        .logFragment(options.configuration().resolve("log4j-audit.properties"))
        .create();
  }

  private Path hdfsSite() {
    return options.configuration().resolve("hdfs-site.thermocline.xml");
  }

  private TieringService service(Path directory, EmbeddedCluster cluster, Workload workload)
      throws IOException, InterruptedException, ConfigException {
    List<String> managed =
        workload.files().stream().map(file -> "/" + file.path().split("/")[1]).distinct().toList();
    ServiceConfig config;
    try (InputStream template = Demo.class.getResourceAsStream("thermocline.yaml")) {
      config =
          ServiceConfigFile.read(
              ServiceSite.write(
                  directory.resolve("service"),
                  cluster,
                  hdfsSite(),
                  template,
                  Map.of("paths", String.join(", ", managed))));
    }
    return UserGroupInformation.createRemoteUser(SERVICE_USER)
        .doAs(
            (PrivilegedExceptionAction<TieringService>)
                () -> TieringService.start(config, runtime));
  }

  private Window replay(
      EmbeddedCluster cluster, Replayer replayer, Workload workload, double from, double to)
      throws IOException, InterruptedException {
    List<Access> accesses = workload.window(from, to);
    int offset = (int) Math.round(from * workload.accesses().size());
    var countsBefore = cluster.devices().counts();
    WindowResult result =
        replayer.replay(
            accesses,
            (done, total) -> view.progress("reads", offset + done, workload.accesses().size()));
    return new Window(accesses, result, cluster.devices().counts().minus(countsBefore));
  }

  private Progress progress(String what) {
    return (done, total) -> view.progress(what, done, total);
  }

  private static List<String> problems(
      List<Window> windows, TieringService service, boolean drained, List<Mismatch> changed) {
    List<String> problems = new ArrayList<>();
    var moves = service.status().moves();
    if (!drained || moves.verified() != moves.planned()) {
      problems.add(
          "of "
              + moves.planned()
              + " planned moves "
              + moves.verified()
              + " were verified, "
              + moves.failed()
              + " failed, "
              + moves.dropped()
              + " were dropped, "
              + moves.running()
              + " are under way");
    }
    for (Window window : windows) {
      window
          .result()
          .failures()
          .forEach(
              failure -> problems.add(failure.path() + " could not be read: " + failure.cause()));
    }
    changed.forEach(mismatch -> problems.add(mismatch.path() + ": " + mismatch.problem()));
    return problems;
  }
}
