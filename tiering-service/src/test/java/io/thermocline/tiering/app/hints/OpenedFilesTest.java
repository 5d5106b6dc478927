// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Operation;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.app.records.JournaledHints;
import io.thermocline.tiering.hints.Expectation;
import io.thermocline.tiering.hints.HintRegistry;
import io.thermocline.tiering.hints.HintSettings;
import io.thermocline.tiering.hints.OwnerReliability;
import io.thermocline.tiering.journal.Journal;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.SeenAccess;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenedFilesTest {

  @TempDir Path directory;

  private final Scene scene = new Scene().nodes(3, Map.of(DISK, 10_000L, ARCHIVE, 10_000L));

  @Test
  void anOpenedColdFileIsPrefetchedAndTheServiceIsJudgedForIt() throws Exception {
    long hour = Duration.ofHours(1).toMillis();
    try (Journal journal = Journal.open(directory)) {
      HintRegistry registry = registry(journal);
      OpenedFiles opened = new OpenedFiles(registry, SeenAccess.NAMESERVICE);
      opened.see(
          List.of(
              scene.file("/cold", 10, "n1-ARCHIVE", "n2-ARCHIVE"),
              scene.file("/warm", 10, "n1-DISK", "n2-ARCHIVE")));
      opened.accept(SeenAccess.of(Access.Kind.READ, "/cold"));
      opened.accept(SeenAccess.of(Access.Kind.READ, "/warm"));
      opened.note(0);

      Expectation expected = registry.inForce(1).of("/cold").orElseThrow();
      assertEquals(Operation.PREFETCH, expected.operation());
      assertEquals(Temperature.HOT, expected.temperature());
      assertEquals(OpenedFiles.OWNER, expected.owner());
      assertTrue(registry.inForce(1).of("/warm").isEmpty());
      assertEquals(List.of(), registry.due(owner -> true, hour - 1), "nobody is asked");
      registry.tick(hour);
      assertEquals(
          new OwnerReliability(0, 1), registry.reliability(OpenedFiles.OWNER), "not read again");
    }
    try (Journal journal = Journal.open(directory)) {
      assertEquals(
          new OwnerReliability(0, 1),
          registry(journal).reliability(OpenedFiles.OWNER),
          "after a restart");
      assertEquals(List.of(), registry(journal).hints(hint -> true));
    }
  }

  private static HintRegistry registry(Journal journal) {
    HintRegistry registry =
        new HintRegistry(
            HintSettings.DEFAULT,
            SeenAccess.NAMESERVICE,
            new JournaledHints(journal::append, Clock.systemUTC()));
    JournaledHints.tell(journal, registry);
    return registry;
  }
}
