// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.thermocline.tiering.sim.MoveMode;
import io.thermocline.tiering.sim.PolicyFactory;
import io.thermocline.tiering.sim.RunResult;
import io.thermocline.tiering.sim.SimTier;
import io.thermocline.tiering.sim.Trace;
import io.thermocline.tiering.sim.Traces;
import io.thermocline.tiering.sim.trace.Fb2010Reader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares of the oracle's hits and bytes that were measured on this trace by others' code. */
class OracleFiguresTest {
  private static final Path JOBS =
      Path.of(System.getProperty("project.root"), "../shared/traces/fb2010/fb2010-h00-h11.tsv");
  private static Trace trace;

  /** Before each, so that each is skipped, and not the class as if it had no tests. */
  @BeforeEach
  void readTrace() throws IOException {
    assumeTrue(Files.exists(JOBS), () -> JOBS + " is absent");
    if (trace == null) {
      trace = Fb2010Reader.read(JOBS);
    }
  }

  private static List<SimTier> tiers(double share) {
    return List.of(
        new SimTier("DISK", Long.MAX_VALUE / 2, 120e9, 120e9, false),
        new SimTier("SSD", (long) (share * trace.uniqueBytes()), 40e9, 40e9, true));
  }

  @ParameterizedTest
  @CsvSource({
    "lru, 0.001, .652, 7.00",
    "lru, 0.005, .792, 9.73",
    "lru, 0.01, .853, 9.65",
    "lru, 0.05, .966, 8.05",
    "gdsf, 0.001, .938, 1.87",
    "gdsf, 0.005, .972, 3.01",
    "gdsf, 0.01, .984, 2.49",
    "gdsf, 0.05, .995, 5.33",
    "gdsf_filtered, 0.001, .901, .40",
    "gdsf_filtered, 0.005, .939, .73",
    "gdsf_filtered, 0.01, .956, .70",
    "gdsf_filtered, 0.05, .975, .89",
  })
  void sharesOfTheOracleAtOnce(String name, double share, double hits, double bytes) {
    RunResult oracle = Traces.run(Policies.oracle(), trace, tiers(share), MoveMode.IMMEDIATE);
    PolicyFactory policy =
        Policies.baselines().stream().filter(p -> p.name().equals(name)).findFirst().orElseThrow();

    RunResult found = Traces.run(policy, trace, tiers(share), MoveMode.IMMEDIATE);

    assertEquals(hits, found.hitShare(1) / oracle.hitShare(1), 0.001);
    assertEquals(bytes, (double) found.bytesUp() / oracle.bytesUp(), 0.01);
  }

  /** The model of learned admission alone, with some room: the service has limits besides. */
  @ParameterizedTest
  @CsvSource({"0.001, .935, .95", "0.005, .955, .97", "0.01, .973, .98", "0.05, .982, 1.02"})
  void learnedAdmissionAloneMovesNoMoreThanTheOracle(
      double share, double leastHits, double mostBytes) {
    RunResult oracle = Traces.run(Policies.oracle(), trace, tiers(share), MoveMode.IMMEDIATE);

    RunResult found = Traces.run(Policies.learnedCache(), trace, tiers(share), MoveMode.IMMEDIATE);

    double hits = found.hitShare(1) / oracle.hitShare(1);
    double bytes = (double) found.bytesUp() / oracle.bytesUp();
    assertTrue(hits >= leastHits, "hits " + hits);
    assertTrue(bytes <= mostBytes, "bytes moved " + bytes);
  }

  @Tag("slow")
  @Test
  void nobodyHitsMoreThanTheOracleLive() {
    RunResult oracle = Traces.run(Policies.oracle(), trace, tiers(0.01), MoveMode.LIVE);
    for (PolicyFactory policy : Policies.compared()) {
      RunResult found = Traces.run(policy, trace, tiers(0.01), MoveMode.LIVE);

      assertTrue(found.hitShare(1) <= oracle.hitShare(1), policy.title());
    }
  }
}
