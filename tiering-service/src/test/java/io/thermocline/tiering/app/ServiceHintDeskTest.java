// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.HintDesk;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.hints.GivenHint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceHintDeskTest {

  @TempDir Path directory;

  @Test
  void whatIsOneTooManySinceItWasCheckedLeavesNothing() throws Exception {
    try (HintedFiles hdfs = new HintedFiles(directory, 1)) {
      hdfs.files.put("/w/a", new HashMap<>());
      hdfs.files.put("/w/b", new HashMap<>());
      HintDesk desk = hdfs.desk(hdfs.keeper());
      Caller etl = new Caller(HintedFiles.OWNER, Role.VIEWER);
      try (HintDesk.Visit one = desk.visit(etl);
          HintDesk.Visit other = desk.visit(etl)) {
        GivenHint first = one.check(migrate("/w/a"));
        GivenHint second = other.check(migrate("/w/b"));
        one.take(first);
        ApiException refused = assertThrows(ApiException.class, () -> other.take(second));

        assertEquals(ErrorCode.TOO_MANY_HINTS, refused.code());
        assertEquals(Map.of(), hdfs.files.get("/w/b"));
        assertEquals(1, hdfs.files.get("/w/a").size());
        assertEquals(1, desk.book().operationsOf(HintedFiles.OWNER));
        one.remove(first);
        other.take(other.check(migrate("/w/b")));
        assertTrue(desk.book().hint(second.id()).isPresent());
      }
    }
  }

  private static Hint migrate(String path) {
    return Hint.onFile(Operation.MIGRATE, path)
        .owner(HintedFiles.OWNER)
        .leaseExpiryMillis(HintedFiles.NOW.plus(Duration.ofHours(1)).toEpochMilli())
        .build();
  }
}
