// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor.look;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.doctor.Facts;
import io.thermocline.tiering.doctor.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedFileTest {

  private static final String UNTIL = "2026-11-20T10:00:00Z";

  @TempDir Path directory;

  @Test
  void readsWhatTheServiceWroteLast() throws Exception {
    assertEquals(Seen.of(Optional.empty()), ServedFile.read(directory), "no service ran here");
    ServedFile.write(directory, 0.5, Instant.EPOCH, "much else");
    ServedFile.write(directory, 0.25, Instant.parse(UNTIL), "programs keep files open");
    assertEquals(
        Seen.of(Optional.of(new Facts.Served(0.25, UNTIL, "programs keep files open"))),
        ServedFile.read(directory));
  }

  @Test
  void saysThatItCannotBeRead() throws Exception {
    Files.writeString(directory.resolve("served.json"), "{");
    Seen<Optional<Facts.Served>> seen = ServedFile.read(directory);
    assertEquals(Optional.empty(), seen.value());
    assertTrue(seen.why().contains("served.json"), seen::why);
  }
}
