// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.hints.AccessPattern;
import io.thermocline.hints.Hint;
import io.thermocline.hints.Operation;
import io.thermocline.hints.Requirement;
import io.thermocline.hints.Temperature;
import io.thermocline.tiering.api.ApiException;
import io.thermocline.tiering.api.Caller;
import io.thermocline.tiering.api.ErrorCode;
import io.thermocline.tiering.api.HintDesk;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.hints.GivenHint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
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

  /** Each as HDFS would take it as an attribute, where it is advice. */
  @Test
  void anOperationOfWhichNothingWouldComeIsRefused() throws Exception {
    try (HintedFiles hdfs = new HintedFiles(directory, 1);
        HintDesk.Visit visit =
            hdfs.desk(hdfs.keeper()).visit(new Caller(HintedFiles.OWNER, Role.VIEWER))) {
      hdfs.files.put("/w/a", new HashMap<>());
      for (Hint.Builder wrong :
          List.of(
              Hint.onFile(Operation.MIGRATE, "/w/a"),
              Hint.onFile(Operation.PREFETCH, "/w/a").temperature(Temperature.COLD))) {
        Hint hint = held(wrong);
        ApiException refused =
            assertThrows(ApiException.class, () -> visit.check(hint), hint::toString);
        assertEquals(ErrorCode.BAD_FIELD, refused.code());
      }
      for (Hint.Builder right :
          List.of(
              Hint.onFile(Operation.MIGRATE, "/w/a").pattern(AccessPattern.ARCHIVAL),
              Hint.onFile(Operation.MIGRATE, "/w/a").requirement(Requirement.LOW_LATENCY))) {
        visit.check(held(right));
      }
    }
  }

  @Test
  void whereItGoesByPatternsOnlyWhatIsColdIsMigrated() throws Exception {
    Path shipped = Path.of("../conf/chew.yaml").toAbsolutePath();
    try (HintedFiles hdfs =
            new HintedFiles(directory, 1, "decide: {strategy: chew, chew: " + shipped + "}");
        HintDesk.Visit visit =
            hdfs.desk(hdfs.keeper()).visit(new Caller(HintedFiles.OWNER, Role.VIEWER))) {
      hdfs.files.put("/w/a", new HashMap<>());
      Hint.Builder migrate = Hint.onFile(Operation.MIGRATE, "/w/a");
      Hint hot = held(migrate.temperature(Temperature.HOT));
      ApiException refused = assertThrows(ApiException.class, () -> visit.check(hot));
      assertEquals(ErrorCode.OPERATION_OFF, refused.code());
      visit.check(held(migrate.temperature(Temperature.COLD)));
    }
  }

  private static Hint held(Hint.Builder hint) {
    return hint.owner(HintedFiles.OWNER)
        .leaseExpiryMillis(HintedFiles.NOW.plus(Duration.ofHours(1)).toEpochMilli())
        .build();
  }

  private static Hint migrate(String path) {
    return Hint.onFile(Operation.MIGRATE, path)
        .temperature(Temperature.HOT)
        .owner(HintedFiles.OWNER)
        .leaseExpiryMillis(HintedFiles.NOW.plus(Duration.ofHours(1)).toEpochMilli())
        .build();
  }
}
