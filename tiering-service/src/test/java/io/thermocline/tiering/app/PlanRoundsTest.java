// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.ServiceRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanRoundsTest {

  private static final ServiceRuntime SEAMS =
      new ServiceRuntime(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), () -> 0, wait -> {});

  @TempDir Path temp;

  @Test
  void roundsThatBreakOffAgainAndAgainAreShownWithTheReason() throws Exception {
    Path file =
        Files.writeString(
            temp.resolve("thermocline.yaml"),
            """
            observe: {auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]}
            manage: {paths: [/w]}
            journal: {directory: %s}
            """
                .formatted(temp));
    PlanRounds rounds = new PlanRounds(ServiceConfigFile.read(file), SEAMS);
    for (int i = 0; i < 2; i++) {
      rounds.failed(new IOException("Permission denied: user=thermocline\n\tat of.a.NameNode"));
    }
    assertEquals("", rounds.failing(), "it may have been chance");

    rounds.failed(new IOException("Permission denied: user=thermocline\n\tat of.a.NameNode"));

    assertEquals(
        "no plan in the last 3 rounds: planning failed: Permission denied: user=thermocline",
        rounds.failing());
    assertEquals(3, rounds.failures());
  }

  @Test
  void aRoundThatHangsKeepsTheServiceFromBeingReady() throws Exception {
    Path file =
        Files.writeString(
            temp.resolve("thermocline.yaml"),
            """
            observe: {auditLogs: [/var/log/hadoop/hdfs/hdfs-audit.log]}
            manage: {paths: [/w]}
            journal: {directory: %s}
            """
                .formatted(temp));
    AtomicLong nanos = new AtomicLong();
    PlanRounds rounds =
        new PlanRounds(
            ServiceConfigFile.read(file),
            new ServiceRuntime(SEAMS.clock(), nanos::get, wait -> {}));
    nanos.set(Duration.ofHours(1).toNanos());
    assertEquals("", rounds.stalled(), "none is under way");
    rounds.at("looking at files and deciding");
    nanos.addAndGet(Duration.ofMinutes(10).toNanos() - 1);
    assertEquals("", rounds.stalled());
    assertTrue(rounds.slow().endsWith("for 599 s"), rounds.slow());
    nanos.addAndGet(1);
    assertEquals(
        "the next plan waits: the service has been looking at files and deciding for 600 s",
        rounds.stalled());
  }

  @Test
  void readsOfTheServicesOwnUserAreToldAgainWhenThereAreTwiceAsMany() throws Exception {
    Path log = Files.createFile(temp.resolve("hdfs-audit.log"));
    Path file =
        Files.writeString(
            temp.resolve("thermocline.yaml"),
            """
            observe: {auditLogs: [%s], start: beginning, timeZone: UTC}
            manage: {paths: [/w]}
            journal: {directory: %s}
            """
                .formatted(log, temp));
    List<String> told = new ArrayList<>();
    Logger logger = Logger.getLogger(PlanRounds.class);
    AppenderSkeleton appender = told(told);
    logger.addAppender(appender);
    try (Observing observing =
        Observing.open(
            ServiceConfigFile.read(file), new Configuration(false), "ns", "svc", SEAMS)) {
      PlanRounds rounds = new PlanRounds(ServiceConfigFile.read(file), SEAMS);
      rounds.observe(observing, null, null);
      for (int reads = 1; reads <= 9; reads++) {
        Files.writeString(
            log,
            "2026-11-20 10:00:00,000 INFO FSNamesystem.audit: allowed=true\tugi=svc (auth:SIMPLE)"
                + "\tip=/10.0.0.1\tcmd=open\tsrc=/w/a\tdst=null\tperm=null\tproto=rpc\n",
            StandardOpenOption.APPEND);
        while (observing.pollOnce(1 << 20)) {
          continue;
        }
        rounds.sayUncounted();
        rounds.sayUncounted();
      }
    } finally {
      logger.removeAppender(appender);
    }
    assertEquals(
        List.of("1 read ignored", "2 reads ignored", "4 reads ignored", "8 reads ignored"),
        told.stream().map(line -> line.replaceFirst(":.*", "")).toList());
  }

  private static AppenderSkeleton told(List<String> to) {
    return new AppenderSkeleton() {
      @Override
      protected void append(LoggingEvent event) {
        to.add(event.getRenderedMessage());
      }

      @Override
      public void close() {
        // Nothing is open.
      }

      @Override
      public boolean requiresLayout() {
        return false;
      }
    };
  }
}
