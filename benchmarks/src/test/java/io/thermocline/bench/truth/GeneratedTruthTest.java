// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.truth;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.bench.EvidencePage;
import io.thermocline.testbed.audit.AuditLoad;
import io.thermocline.testbed.audit.FileReads;
import io.thermocline.testbed.audit.GeneratedAuditLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The files that heat finds hottest carry nearly as much true disk time as the hottest ones do. */
class GeneratedTruthTest {
  private static final double GOAL_ALONE = 0.9;
  private static final double GOAL_OF_ALL = 0.95;

  /** With the clienttrace logs of one DataNode in ten. */
  private static final double GOAL_TRACED = 0.98;

  /** What doesn't reach its goal yet, as load and percent of the bytes, and what it reaches. */
  private static final Map<String, Double> BELOW_ITS_GOAL =
      Map.ofEntries(
          // Gets leave no line: what hot regions get is guessed from their scans, and how much that
          // is
          // beside other loads isn't known.
          entry("hbase_1", 0.78),
          entry("mix_1", 0.67),
          entry("mix_5", 0.82),
          entry("mix_20", 0.92),
          // Not counted, as it is read once; and files so much alike that little tells them apart.
          entry("backup_1_traced", 0.95),
          entry("distcp_1_traced", 0.98),
          // Of few reads, those that the DataNodes happen to serve say little.
          entry("httpfs_1_traced", 0.97),
          entry("httpfs_20_traced", 0.96),
          entry("log_5_traced", 0.97),
          entry("nocontext_5_traced", 0.98),
          entry("nocontext_20_traced", 0.96),
          entry("shell_20_traced", 0.97));

  /** By how much less a figure below its goal may be than it was. */
  private static final double LESS = 0.02;

  private static final Instant START = Instant.parse("2026-11-20T00:00:00Z");

  @TempDir private Path directory;

  private final GeneratedTruth generated =
      new GeneratedTruth(
          new GeneratedAuditLog.Settings(
              10, START, Duration.ofHours(2), Duration.ofSeconds(120), 0),
          0.01,
          150e6,
          1,
          Clock.fixed(START, ZoneOffset.UTC));

  @Test
  void heatFindsWhatDisksAreBusyWith() throws IOException {
    Map<String, Double> below = new TreeMap<>();
    for (AuditLoad load : AuditLoad.values()) {
      judge(load.fieldName(), EnumSet.of(load), GOAL_ALONE, below);
    }
    judge("mix_but_hbase", EnumSet.complementOf(EnumSet.of(AuditLoad.HBASE)), GOAL_OF_ALL, below);
    judge("mix", EnumSet.allOf(AuditLoad.class), GOAL_OF_ALL, below);
    String found = "below its goal: " + below;
    assertEquals(new TreeMap<>(BELOW_ITS_GOAL).keySet(), below.keySet(), found);
    below.forEach(
        (at, share) -> assertTrue(share > BELOW_ITS_GOAL.get(at) - LESS, at + ", " + found));
  }

  private void judge(String name, Set<AuditLoad> loads, double goal, Map<String, Double> below)
      throws IOException {
    HeatVerdict verdict = generated.judge(loads, directory.resolve(name), false);
    assertEquals(0, verdict.malformed(), name);
    assertTrue(verdict.lines() > 100, name + ": " + verdict.lines() + " lines");
    compare(name, verdict.captured().get(""), "", goal, below);
    compare(name, verdict.captured().get("_traced"), "_traced", GOAL_TRACED, below);
  }

  private static void compare(
      String name, double[] shares, String order, double goal, Map<String, Double> below) {
    for (int at = 0; at < shares.length; at++) {
      if (shares[at] < goal) {
        below.put(
            name + "_" + (int) HeatVerdict.PERCENT[at] + order,
            Math.round(shares[at] * 100) / 100.0);
      }
    }
  }

  /** Rows of docs/evidence/heat.md, those of short logs; all of them are the same on every machine. */
  @Test
  void findsWhatThePageSays() throws IOException {
    for (AuditLoad load :
        List.of(
            AuditLoad.BACKUP,
            AuditLoad.HBASE,
            AuditLoad.LOG,
            AuditLoad.ML,
            AuditLoad.HTTPFS,
            AuditLoad.SHELL)) {
      comparesWithThePage(load.fieldName(), EnumSet.of(load));
    }
  }

  @Tag("on-demand")
  @ParameterizedTest
  @EnumSource(AuditLoad.class)
  void findsWhatThePageSaysOfEachLoad(AuditLoad load) throws IOException {
    comparesWithThePage(load.fieldName(), EnumSet.of(load));
  }

  @Tag("on-demand")
  @Test
  void findsWhatThePageSaysOfTheMixes() throws IOException {
    comparesWithThePage("mix_but_hbase", EnumSet.complementOf(EnumSet.of(AuditLoad.HBASE)));
    comparesWithThePage("mix", EnumSet.allOf(AuditLoad.class));
  }

  private void comparesWithThePage(String name, Set<AuditLoad> loads) throws IOException {
    GeneratedTruth asPublished =
        new GeneratedTruth(
            new GeneratedAuditLog.Settings(
                24, START, Duration.ofHours(2), Duration.ofSeconds(60), 0),
            0.01,
            150e6,
            1,
            Clock.fixed(START, ZoneOffset.UTC));
    HeatVerdict verdict = asPublished.judge(loads, directory.resolve(name), false);
    verdict.captured().remove("_traced");
    List<String> found = List.of(verdict.row(name).split(" +"));
    assertEquals(EvidencePage.of("heat.md").words(name), found.subList(1, found.size()), name);
  }

  @Test
  void anOrderIsJudgedByTheBytesThatFit() {
    List<FileReads> files =
        List.of(file("/hot", 100, 10), file("/warm", 100, 5), file("/cold", 200, 0));
    Captured judge = new Captured(files, file -> file.diskSeconds(1, Double.POSITIVE_INFINITY));
    double[] quarters = {25, 50};
    assertShares(new double[] {1, 1}, judge.shares(quarters, FileReads::blockReads));
    // Of the coldest first, half of the bytes carry nothing.
    assertShares(new double[] {0, 0}, judge.shares(quarters, file -> -file.blockReads()));
    // Where all are equal, half of the bytes carry half.
    assertShares(new double[] {3.75 / 10, 7.5 / 15}, judge.shares(quarters, file -> 1));
  }

  private static FileReads file(String path, long length, long blockReads) {
    return new FileReads(path, length, 100, blockReads, 0);
  }

  private static void assertShares(double[] expected, double[] found) {
    assertArrayEquals(expected, found, 1e-9);
  }
}
