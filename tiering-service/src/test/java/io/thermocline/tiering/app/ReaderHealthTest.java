// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.Completeness;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReaderHealthTest {

  private final ReaderHealth health = new ReaderHealth(Duration.ofSeconds(1), 0);

  @Test
  void saysWhoLacksPermissionUntilItIsBack() {
    IOException denied = new AccessDeniedException("/var/log/hdfs-audit.log");
    health.read(denied, List.of(), 0);
    assertFalse(health.isReading(0));
    health.read(denied, List.of(), ReaderHealth.FAILING_NANOS);
    assertEquals(
        Optional.of("the logs can't be read: /var/log/hdfs-audit.log: permission denied"),
        health.problem(ReaderHealth.FAILING_NANOS));
    health.read(null, List.of(), ReaderHealth.FAILING_NANOS);
    assertEquals(Optional.empty(), health.problem(ReaderHealth.FAILING_NANOS));
    assertTrue(health.isReading(ReaderHealth.FAILING_NANOS));
  }

  @Test
  void objectsToWhatIsIncompleteWhereReadingIsFine() {
    health.read(null, List.of(), 0);
    assertEquals(Optional.empty(), health.objection(Completeness.UNKNOWN, 0.9, 0));
    assertTrue(health.objection(new Completeness(20_000, 14_240, 3), 0.9, 0).isPresent());
  }
}
