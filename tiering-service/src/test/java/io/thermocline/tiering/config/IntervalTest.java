// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntervalTest {

  private static final String LEAST =
      "observe: {auditLogs: [/var/log/audit.log]}\nmanage: {paths: [/warehouse]}\n"
          + "journal: {directory: /var/lib/thermocline}\n";

  @TempDir Path temp;

  @Test
  void plansTakeATenthOfTheTimeAtMost() throws IOException, ConfigException {
    Interval interval = of("");
    assertEquals(Duration.ofMinutes(1), interval.least());
    assertEquals(Duration.ofSeconds(10), interval.after(Duration.ofSeconds(1)));
    assertEquals(Duration.ofMinutes(8), interval.after(Duration.ofSeconds(48)));
    assertEquals(Duration.ofHours(1), interval.after(Duration.ofMinutes(20)));
  }

  @Test
  void staysAsItWasConfigured() throws IOException, ConfigException {
    Interval interval = of("decide: {every: 30s}\n");
    assertEquals(Interval.always(Duration.ofSeconds(30)), interval);
    assertEquals(Duration.ofSeconds(30), interval.after(Duration.ofMinutes(1)));
  }

  @Test
  void givesPeopleTimeToApproveAPlan() throws IOException, ConfigException {
    assertEquals(Interval.always(Duration.ofMinutes(5)), of("act: {mode: apply, approval: one}\n"));
    assertEquals(
        Interval.always(Duration.ofMinutes(2)),
        of("act: {mode: apply, approval: one}\ndecide: {every: 2m}\n"));
  }

  private Interval of(String more) throws IOException, ConfigException {
    Path file = temp.resolve("thermocline.yaml");
    Files.writeString(file, LEAST + more);
    return ServiceConfigFile.read(file).interval();
  }
}
