// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GeneratedAuditLogTest {

  private record Generated(List<String> lines, List<FileReads> files) {
    long opens(String path) {
      return lines.stream().filter(line -> line.contains("cmd=open\tsrc=" + path + "\t")).count();
    }
  }

  private static Generated generated(Set<AuditLoad> loads, long seed) {
    StringBuilder log = new StringBuilder();
    List<FileReads> files =
        GeneratedAuditLog.write(
            log,
            null,
            loads,
            new GeneratedAuditLog.Settings(
                6,
                Instant.parse("2026-11-20T00:00:00Z"),
                Duration.ofHours(4),
                Duration.ofMinutes(30),
                0),
            new SplittableRandom(seed));
    return new Generated(log.toString().lines().toList(), files);
  }

  @Test
  void theSameSeedGivesTheSameLinesAndTruth() {
    Set<AuditLoad> all = EnumSet.allOf(AuditLoad.class);
    assertEquals(generated(all, 7), generated(all, 7));
    assertNotEquals(generated(all, 7).lines(), generated(all, 8).lines());
  }

  @Test
  void linesAreInTheOrderOfTheirTimes() {
    List<String> times =
        generated(EnumSet.allOf(AuditLoad.class), 1).lines().stream()
            .map(line -> line.substring(0, 23))
            .toList();
    assertEquals(times.stream().sorted().toList(), times);
  }

  @Test
  void aBackupReadsEachBlockOnceAndAsksEachTenBlocks() {
    Generated backup = generated(EnumSet.of(AuditLoad.BACKUP), 1);
    List<FileReads> read =
        backup.files().stream().filter(file -> file.path().contains("/dt=")).toList();
    assertTrue(read.stream().anyMatch(file -> file.blocks() > 10), "no file of many blocks");
    for (FileReads file : read) {
      assertEquals(file.blocks(), file.blockReads(), file.path());
      assertEquals(file.length(), file.bytes(), file.path());
      assertEquals((file.blocks() + 9) / 10, backup.opens(file.path()), file.path());
    }
  }

  @Test
  void contextsAreThoseOfThePrograms() {
    Set<String> found =
        generated(EnumSet.allOf(AuditLoad.class), 1).lines().stream()
            .filter(line -> line.contains("callerContext="))
            .map(line -> line.substring(line.indexOf("callerContext=") + 14))
            .map(context -> context.replaceAll("[0-9]+", "N"))
            .collect(Collectors.toSet());
    assertEquals(
        Set.of(
            "CLI",
            "mr_appmaster_appattempt_N_N_N",
            "mr_attempt_N_N_m_N_N",
            "tez_dag:dag_N_N_N",
            "tez_ta:attempt_N_N_N_N_N_N",
            "SPARK_CLIENT_application_N_N",
            "SPARK_TASK_application_N_N_JId_N_SId_N_N_TId_N_N"),
        found);
  }

  @Test
  void theGatewayHasOneAddressAndFortyUsers() {
    List<String> lines = generated(EnumSet.of(AuditLoad.HTTPFS), 1).lines();
    assertEquals(1, lines.stream().map(line -> field(line, "ip=")).distinct().count());
    assertTrue(lines.stream().map(line -> field(line, "ugi=")).distinct().count() > 30);
  }

  @Test
  void getsOfHbaseLeaveNoLines() {
    Generated hbase = generated(EnumSet.of(AuditLoad.HBASE), 1);
    long reads = hbase.files().stream().mapToLong(FileReads::blockReads).sum();
    assertTrue(reads > 1000 * hbase.lines().size(), reads + " block reads");
  }

  private static String field(String line, String name) {
    int from = line.indexOf(name);
    return line.substring(from, line.indexOf('\t', from));
  }
}
