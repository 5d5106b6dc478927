// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessSourcesTest {

  @TempDir Path temp;

  @Test
  void readsTheOtherSourcesWhereOneThrows() throws IOException {
    Files.writeString(temp.resolve("a.log"), "no audit line\n");
    InstantSource broken =
        () -> {
          throw new IllegalStateException("of a test");
        };
    try (AccessSource failing = source(broken);
        AccessSource other = source(() -> Instant.EPOCH)) {
      AccessSources all = new AccessSources(List.of(failing, other));
      IOException problem =
          assertThrows(IOException.class, () -> all.poll(access -> {}, Long.MAX_VALUE));
      assertTrue(problem.getMessage().contains("of a test"), problem.getMessage());
      assertEquals(1, other.counts().lines());
    }
  }

  private AccessSource source(InstantSource time) throws IOException {
    Clock clock = time.withZone(ZoneOffset.UTC);
    AuditLog log = new AuditLog("ns", temp.resolve("a.log"), ZoneOffset.UTC, null);
    return new AuditSource(
        List.of(log),
        LogStart.BEGINNING,
        AccessSettings.defaults(AccessSettings.Ignored.nothing()),
        SourceCheckpoint.none(),
        clock);
  }
}
