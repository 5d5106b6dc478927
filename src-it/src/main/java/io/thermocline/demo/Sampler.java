// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo;

import io.thermocline.demo.report.HeatMap;
import io.thermocline.demo.report.Sample;
import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.cluster.EmbeddedCluster;
import io.thermocline.testbed.device.DeviceCounts;
import io.thermocline.testbed.workload.WorkloadFile;
import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.app.plans.ServiceStatus;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.cluster.HdfsReader;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.TierLimits;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at cluster, devices and service once a second, for the view now and the report later.
 * Thread-safe.
 */
final class Sampler implements AutoCloseable {

  /** Decisions of each cause that the report shows. */
  private static final int DECISIONS_PER_CAUSE = 6;

  private static final double GIGABYTE = 1e9;

  private final EmbeddedCluster cluster;
  private final TieringService service;
  private final List<WorkloadFile> files;
  private final ServiceRuntime runtime = ServiceRuntime.system();
  private final View view;
  private final HdfsReader reader;
  private final long start;
  private final List<Sample> samples = new ArrayList<>();
  private final List<Map<String, Double>> heat = new ArrayList<>();
  private final Map<String, Decision> decisions = new LinkedHashMap<>();
  private final Map<Decision.Cause, Integer> shown = new EnumMap<>(Decision.Cause.class);
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "demo-sampler");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param files whose heat is shown by directory
   */
  Sampler(EmbeddedCluster cluster, TieringService service, List<WorkloadFile> files, View view)
      throws IOException {
    this.cluster = cluster;
    this.service = service;
    this.files = files;
    this.view = view;
    this.reader = new HdfsReader(cluster.fileSystem().getClient());
    this.start = runtime.nanos().getAsLong();
    sampleNow();
    timer.scheduleAtFixedRate(this::sampleQuietly, 1, 1, TimeUnit.SECONDS);
  }

  /** Takes a sample outside the rhythm. */
  synchronized void sampleNow() throws IOException {
    ServiceStatus status = service.status();
    Sample sample =
        new Sample(
            (runtime.nanos().getAsLong() - start) / 1e9,
            tiers(status),
            status.lines().lines(),
            status.moves().planned(),
            status.moves().running(),
            status.moves().verified(),
            status.moves().failed());
    samples.add(sample);
    heat.add(heatByDirectory());
    remember(service.decisions());
    view.sample(sample, status.message());
  }

  synchronized List<Sample> samples() {
    return List.copyOf(samples);
  }

  synchronized List<Decision> decisions() {
    return List.copyOf(decisions.values());
  }

  synchronized HeatMap heatMap() {
    List<String> directories =
        heat.stream().flatMap(row -> row.keySet().stream()).distinct().sorted().toList();
    double[][] rows =
        heat.stream()
            .map(
                row ->
                    directories.stream()
                        .mapToDouble(directory -> row.getOrDefault(directory, 0.0))
                        .toArray())
            .toArray(double[][]::new);
    return new HeatMap(directories, samples.stream().mapToDouble(Sample::seconds).toArray(), rows);
  }

  private void sampleQuietly() {
    try {
      sampleNow();
    } catch (IOException e) {
      view.phase("sampling failed: " + e.getMessage());
    }
  }

  private Map<StorageType, Sample.Tier> tiers(ServiceStatus status) throws IOException {
    DeviceCounts counts = cluster.devices().counts();
    Map<StorageType, Sample.Tier> tiers = new EnumMap<>(StorageType.class);
    for (Map.Entry<StorageType, ClusterView.Occupancy> entry :
        reader.cluster().occupancy().entrySet()) {
      TierLimits limits = status.limits().get(entry.getKey());
      tiers.put(
          entry.getKey(),
          new Sample.Tier(
              entry.getValue().used(),
              entry.getValue().capacity(),
              limits == null ? 1 : limits.upperWatermark(),
              limits == null ? 0 : limits.lowerWatermark(),
              counts.of(entry.getKey()).clientReads(),
              counts.of(entry.getKey()).clientBytesRead()));
    }
    return tiers;
  }

  private Map<String, Double> heatByDirectory() {
    Map<String, double[]> sums = new TreeMap<>();
    for (WorkloadFile file : files) {
      String path = file.path();
      String directory = path.substring(0, Math.max(1, path.lastIndexOf('/')));
      double[] sum = sums.computeIfAbsent(directory, key -> new double[2]);
      sum[0] += service.heat(path);
      sum[1] += file.bytes();
    }
    Map<String, Double> perGigabyte = new TreeMap<>();
    sums.forEach(
        (directory, sum) ->
            perGigabyte.put(directory, sum[1] == 0 ? 0 : sum[0] / sum[1] * GIGABYTE));
    return perGigabyte;
  }

  private void remember(List<Decision> fresh) {
    for (Decision decision : fresh) {
      int count = shown.getOrDefault(decision.cause(), 0);
      if (count < DECISIONS_PER_CAUSE
          && decisions.putIfAbsent(decision.hot().file().path(), decision) == null) {
        shown.put(decision.cause(), count + 1);
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    try {
      timer.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
