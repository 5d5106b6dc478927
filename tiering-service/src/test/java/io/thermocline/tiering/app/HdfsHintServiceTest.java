// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import io.thermocline.tiering.api.HintService;
import io.thermocline.tiering.api.Role;
import io.thermocline.tiering.hints.GivenHint;
import io.thermocline.tiering.hints.OwnerReliability;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsHintServiceTest {

  @TempDir Path directory;

  @Test
  void whatIsOneTooManySinceItWasCheckedLeavesNothing() throws Exception {
    try (HintedFiles hdfs = new HintedFiles(directory, 1)) {
      hdfs.files.put("/w/a", new HashMap<>());
      hdfs.files.put("/w/b", new HashMap<>());
      HintService hintService = hdfs.hintService(hdfs.tracker());
      Caller etl = new Caller(HintedFiles.OWNER, Role.VIEWER);
      try (HintService.Visit one = hintService.visit(etl);
          HintService.Visit other = hintService.visit(etl)) {
        GivenHint first = one.check(migrate("/w/a"));
        GivenHint second = other.check(migrate("/w/b"));
        one.take(first);
        ApiException refused = assertThrows(ApiException.class, () -> other.take(second));

        assertEquals(ErrorCode.TOO_MANY_HINTS, refused.code());
        assertEquals(Map.of(), hdfs.files.get("/w/b"));
        assertEquals(1, hdfs.files.get("/w/a").size());
        assertEquals(1, hintService.registry().operationsOf(HintedFiles.OWNER));
        one.remove(first);
        other.take(other.check(migrate("/w/b")));
        assertTrue(hintService.registry().hint(second.id()).isPresent());
      }
    }
  }

  @Test
  void anotherOwnersHintOfTheSameOperationStays() throws Exception {
    try (HintedFiles hdfs = new HintedFiles(directory, 1)) {
      hdfs.files.put("/w/a", new HashMap<>());
      HintService hintService = hdfs.hintService(hdfs.tracker());
      try (HintService.Visit etl = hintService.visit(new Caller(HintedFiles.OWNER, Role.VIEWER));
          HintService.Visit bi =
              hintService.visit(new Caller(HintedFiles.OWNER, Role.ADMINISTRATOR))) {
        etl.take(etl.check(migrate("/w/a")));
        Hint second =
            Hint.onFile(Operation.MIGRATE, "/w/a")
                .temperature(Temperature.COLD)
                .owner("bi")
                .leaseExpiryMillis(migrate("/w/a").leaseExpiryMillis())
                .build();
        ApiException refused = assertThrows(ApiException.class, () -> bi.check(second));
        assertEquals(ErrorCode.TOO_MANY_HINTS, refused.code());
        assertTrue(
            refused.getMessage().contains("hint of " + HintedFiles.OWNER), refused::toString);
        etl.take(etl.check(migrate("/w/a")));
      }
    }
  }

  @Test
  void anOperationOfAnOwnerWhoIsNotBelievedIsRefused() throws Exception {
    try (HintedFiles hdfs = new HintedFiles(directory, 1)) {
      hdfs.files.put("/w/a", new HashMap<>());
      HintService hintService = hdfs.hintService(hdfs.tracker());
      hintService
          .registry()
          .restore(List.of(), Map.of(), Map.of(HintedFiles.OWNER, new OwnerReliability(0, 100)));
      try (HintService.Visit etl = hintService.visit(new Caller(HintedFiles.OWNER, Role.VIEWER))) {
        ApiException refused = assertThrows(ApiException.class, () -> etl.check(migrate("/w/a")));
        assertEquals(ErrorCode.OPERATION_OFF, refused.code());
        etl.check(held(Hint.onFile(Operation.ADVISE, "/w/a").temperature(Temperature.HOT)));
      }
    }
  }

  /** Each as HDFS would take it as an attribute, where it is advice. */
  @Test
  void anOperationOfWhichNothingWouldComeIsRefused() throws Exception {
    try (HintedFiles hdfs = new HintedFiles(directory, 1);
        HintService.Visit visit =
            hdfs.hintService(hdfs.tracker()).visit(new Caller(HintedFiles.OWNER, Role.VIEWER))) {
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
        HintService.Visit visit =
            hdfs.hintService(hdfs.tracker()).visit(new Caller(HintedFiles.OWNER, Role.VIEWER))) {
      hdfs.files.put("/w/a", new HashMap<>());
      Hint.Builder migrate = Hint.onFile(Operation.MIGRATE, "/w/a");
      Hint hot = held(migrate.temperature(Temperature.HOT));
      ApiException refused = assertThrows(ApiException.class, () -> visit.check(hot));
      assertEquals(ErrorCode.OPERATION_OFF, refused.code());
      visit.check(held(migrate.temperature(Temperature.COLD)));
    }
  }

  @Test
  void whatHdfsHasAgainstOnePathIsTheAnswerOfThatHint() throws Exception {
    Map<IOException, ErrorCode> said = new LinkedHashMap<>();
    said.put(remote(AccessControlException.class), ErrorCode.FORBIDDEN);
    said.put(remote(AuthorizationException.class), ErrorCode.FORBIDDEN);
    said.put(remote(UnresolvedPathException.class), ErrorCode.BAD_FIELD);
    said.put(remote(NSQuotaExceededException.class), ErrorCode.BAD_FIELD);
    said.put(remote(HadoopIllegalArgumentException.class), ErrorCode.BAD_FIELD);
    said.put(remote(IOException.class), ErrorCode.BAD_FIELD);
    // Of which nobody knows whether it comes again.
    said.put(remote(NullPointerException.class), ErrorCode.HDFS_UNAVAILABLE);
    try (HintedFiles hdfs = new HintedFiles(directory, 100)) {
      HintService hintService = hdfs.hintService(hdfs.tracker());
      try (HintService.Visit visit =
          hintService.visit(new Caller(HintedFiles.OWNER, Role.VIEWER))) {
        hdfs.files.put("/w/good", new HashMap<>());
        hdfs.files.put("/w/bad", new HashMap<>());
        for (Map.Entry<IOException, ErrorCode> each : said.entrySet()) {
          hdfs.refusals.put("/w/bad", each.getKey());
          ApiException refused =
              assertThrows(ApiException.class, () -> visit.check(migrate("/w/bad")));
          assertEquals(each.getValue(), refused.code(), each.getKey()::toString);
          assertTrue(refused.getMessage().contains("/w/bad: not today"), refused::getMessage);
          visit.take(visit.check(migrate("/w/good")));
        }
        assertEquals(1, hintService.registry().operationsOf(HintedFiles.OWNER));
      }
    }
  }

  /** Each would wait as long as HDFS's client does, a thousand times. */
  @Test
  void whileHdfsCanNotBeAskedTheHintsThatAreLeftDoNotWaitForIt() throws Exception {
    for (IOException down :
        List.of(
            new ConnectException("nobody there"),
            remote(StandbyException.class),
            remote(RetriableException.class),
            remote(SafeModeException.class))) {
      Path journal = Files.createTempDirectory(directory, "journal");
      try (HintedFiles hdfs = new HintedFiles(journal, 100)) {
        HintService hintService = hdfs.hintService(hdfs.tracker());
        hdfs.files.put("/w/a", new HashMap<>());
        hdfs.files.put("/w/b", new HashMap<>());
        hdfs.refusals.put("/w/a", down);
        Caller etl = new Caller(HintedFiles.OWNER, Role.VIEWER);
        try (HintService.Visit visit = hintService.visit(etl)) {
          for (String path : List.of("/w/a", "/w/b")) {
            ApiException refused =
                assertThrows(ApiException.class, () -> visit.check(migrate(path)));
            assertEquals(ErrorCode.HDFS_UNAVAILABLE, refused.code(), down::toString);
          }
          assertFalse(hdfs.asked.contains("/w/b"), hdfs.asked::toString);
          // That one is in the service's journal alone.
          visit.take(visit.check(held(Hint.onStream(Operation.ADVISE, "s"))));
        }
        try (HintService.Visit next = hintService.visit(etl)) {
          next.take(next.check(migrate("/w/b")));
        }
      }
    }
  }

  @Test
  void whatCanNotBeRecordedLeavesNothing() throws Exception {
    try (HintedFiles hdfs = new HintedFiles(directory, 100)) {
      HintService hintService = hdfs.hintService(hdfs.tracker());
      hdfs.files.put("/w/a", new HashMap<>());
      try (HintService.Visit visit =
          hintService.visit(new Caller(HintedFiles.OWNER, Role.VIEWER))) {
        GivenHint checked = visit.check(migrate("/w/a"));
        hdfs.endJournal();
        ApiException refused = assertThrows(ApiException.class, () -> visit.take(checked));
        assertEquals(ErrorCode.JOURNAL_UNAVAILABLE, refused.code());
        assertEquals(Map.of(), hdfs.files.get("/w/a"));
      }
    }
  }

  private static RemoteException remote(Class<? extends Exception> type) {
    return new RemoteException(type.getName(), "not today");
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
