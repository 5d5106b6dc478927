// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.config.ConfigException;
import io.thermocline.tiering.config.ServiceConfig;
import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.PlannedFile;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.RunResult;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.Simulation;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.TracedFile;
import io.thermocline.tiering.sim.cluster.ClusterSpec;
import io.thermocline.tiering.sim.cluster.TierSpec;
import io.thermocline.tiering.sim.device.DeviceSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulatedServiceTest {

  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000;
  private static final long FILE = 100 * MB;

  @TempDir private Path directory;

  private static TierSpec tier(String name, long bytes, int copies, double rate) {
    return new TierSpec(name, 1, bytes, copies, new DeviceSpec(rate, rate, 0, 0, 0, 0), false);
  }

  /** Four nodes on two racks. */
  private static ClusterSpec cluster(long fastBytes, double rate) {
    return new ClusterSpec(
        2,
        2,
        new ClusterSpec.Network(1e9, 0, 0),
        64 * MB,
        List.of(tier("DISK", 100_000 * MB, 3, rate), tier("SSD", fastBytes, 1, rate)),
        0);
  }

  /** Each of so many files is read as often as its number says, one read a second, and the last one long after. */
  private static Trace trace(int files, long endSecond) {
    List<TracedFile> all = new ArrayList<>();
    List<FileAccess> reads = new ArrayList<>();
    long second = 0;
    for (int file = 0; file < files; file++) {
      all.add(new TracedFile("/data/f" + file, FILE));
      for (int i = 0; i < file; i++) {
        reads.add(new FileAccess(second++ * SECOND, file, FILE, false));
      }
    }
    reads.add(new FileAccess(endSecond * SECOND, files - 1, FILE, false));
    return new Trace("test", all, reads);
  }

  private static RunResult run(PolicyFactory policy, Trace trace, ClusterSpec cluster) {
    List<SimTier> tiers = cluster.simTiers();
    return new Simulation(trace, tiers, Simulation.Settings.of(MoveMode.LIVE), () -> 0)
        .run(
            policy
                .make()
                .apply(new PolicyFactory.Setting(trace, tiers, 0, MoveMode.LIVE, 1, cluster)));
  }

  private static Set<String> paths(RunResult result) {
    return result.planned().stream()
        .map(PlannedFile::path)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private ServiceConfig config(String decide) throws Exception {
    return ServiceConfigFile.read(
        Files.writeString(
            directory.resolve("thermocline.yaml"),
            "observe: {auditLogs: [/none]}\nmanage: {paths: [/data]}\njournal: {directory: /none}\n"
                + decide));
  }

  @Test
  void whatIsReadOftenGoesUpAndServesFromThere() throws Exception {
    ServiceConfig oneCopy = config("decide: {promotion: one_copy}\n");
    RunResult result =
        run(ServicePolicies.ours(oneCopy), trace(6, 3_600), cluster(10_000 * MB, 1e9));

    assertEquals(Set.of("/data/f2", "/data/f3", "/data/f4", "/data/f5"), paths(result));
    assertEquals(0.5, result.reads()[1], "of the two racks one has the fast copy");
    assertEquals(
        1,
        run(
                ServicePolicies.ours(oneCopy),
                trace(6, 3_600),
                cluster(10_000 * MB, 1e9).withReadOrder(ReadOrder.FASTEST))
            .reads()[1]);
    assertEquals(4 * FILE, result.bytesUp());
    PlannedFile first = result.planned().get(0);
    assertEquals("PROMOTED SSD DISK DISK (ONE_SSD)", first.cause() + " " + first.target());
    assertEquals(15 * SECOND, first.atMicros());
  }

  @Test
  void allCopiesGoUpWhereOneServesAPart() throws ConfigException {
    PolicyFactory ours = ServicePolicies.ours(ServiceConfigFile.defaults());
    Trace trace = trace(6, 3_600);
    ClusterSpec cluster = cluster(10_000 * MB, 1e9);

    RunResult result = run(ours, trace, cluster);
    assertEquals(1, result.reads()[1], "of the last read");
    assertEquals(
        Set.of("SSD DISK DISK (ONE_SSD)", "SSD SSD SSD (ALL_SSD)"),
        result.planned().stream().map(PlannedFile::target).collect(Collectors.toSet()));
    RunResult fastest = run(ours, trace, cluster.withReadOrder(ReadOrder.FASTEST));
    assertEquals(4 * FILE, fastest.bytesUp(), "one copy serves all");
  }

  /** A trace tells once what clients open once for each ten blocks. */
  @Test
  void aLargeFileIsAsHotAsASmallOne() throws ConfigException {
    long large = 40 * 64 * MB;
    List<TracedFile> files =
        List.of(new TracedFile("/data/large", large), new TracedFile("/data/small", FILE));
    List<FileAccess> reads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      reads.add(new FileAccess(2 * i * SECOND, 0, large, false));
      reads.add(new FileAccess((2 * i + 1) * SECOND, 1, FILE, false));
    }
    reads.add(new FileAccess(3_600 * SECOND, 0, large, false));

    RunResult result =
        run(
            ServicePolicies.ours(ServiceConfigFile.defaults()),
            new Trace("test", files, reads),
            cluster(10_000 * MB, 1e9));

    assertEquals(Set.of("/data/large", "/data/small"), paths(result));
  }

  @Test
  void theConfigurationCounts() throws Exception {
    String cap = "decide: {caps: [{path: /data, type: ssd, max: 150 MB}]}\n";

    assertEquals(
        Set.of("/data/f5"),
        paths(run(ServicePolicies.ours(config(cap)), trace(6, 3_600), cluster(10_000 * MB, 1e9))));
    assertEquals(
        Set.of(),
        paths(
            run(
                ServicePolicies.ours(config("decide: {tiers: {SSD: {threshold: 50}}}\n")),
                trace(6, 3_600),
                cluster(10_000 * MB, 1e9))));
  }

  @Test
  void aPlanWaitsForTheCopiesOfTheOneBefore() throws Exception {
    ServiceConfig often = config("decide: {every: 10s, promotion: one_copy}\n");

    RunResult result = run(ServicePolicies.ours(often), trace(6, 3_600), cluster(10_000 * MB, 1e6));

    List<Long> plans = result.planned().stream().map(PlannedFile::atMicros).distinct().toList();
    // The first plan makes three copies, and the four nodes together write four megabytes a second.
    assertEquals(List.of(10 * SECOND, 10 * SECOND + 3 * FILE / 4), plans);
  }

  @Test
  void aShortLogHasAPlanAtItsEnd() throws ConfigException {
    RunResult result =
        run(
            ServicePolicies.ours(ServiceConfigFile.defaults()),
            trace(6, 14),
            cluster(10_000 * MB, 1e9));

    assertEquals(Set.of("/data/f2", "/data/f3", "/data/f4", "/data/f5"), paths(result));
    assertEquals(14 * SECOND, result.planned().get(0).atMicros());
  }

  @Test
  void partsAreNamedApartAndRun() throws Exception {
    ServiceConfig config = ServiceConfigFile.defaults();
    Set<String> names = new TreeSet<>();
    for (PolicyFactory part : ServicePolicies.parts(config)) {
      assertTrue(names.add(part.name()), part.name());
      RunResult result = run(part, trace(6, 3_600), cluster(10_000 * MB, 1e9));
      assertTrue(paths(result).contains("/data/f5"), () -> part.name() + ": " + result.planned());
    }
  }
}
