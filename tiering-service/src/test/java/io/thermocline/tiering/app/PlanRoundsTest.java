// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.config.ServiceConfigFile;
import io.thermocline.tiering.process.Seams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanRoundsTest {

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
    PlanRounds rounds =
        new PlanRounds(
            ServiceConfigFile.read(file),
            new Seams(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), () -> 0, wait -> {}));
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
}
