// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.app.records.OthersSettings;
import io.thermocline.tiering.config.ServiceConfigFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others set, as real log files tell it that are read from their ends on. */
class OthersSettingsTest {

  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  @TempDir Path temp;
  private Path log;

  @BeforeEach
  void begin() {
    log = temp.resolve("hdfs-audit.log");
  }

  private Observing open() throws Exception {
    return Observed.open(
        ServiceConfigFile.read(
            Files.writeString(
                temp.resolve("thermocline.yaml"),
                """
                observe: {auditLogs: [%s], timeZone: UTC}
                manage: {paths: [/a]}
                act: {mode: shadow, apply: []}
                api: {listen: "127.0.0.1:0"}
                journal: {directory: %s}
                """
                    .formatted(log, temp.resolve("journal")))));
  }

  private void line(int second, String user, String command, String path, String to)
      throws Exception {
    Files.writeString(
        log,
        "2026-11-20 12:%02d:%02d,000 INFO FSNamesystem.audit: allowed=true\tugi=%s (auth:SIMPLE)\tip=/10.0.0.1\tcmd=%s\tsrc=%s\tdst=%s\tperm=null\tproto=rpc\n"
            .formatted(second / 60, second % 60, user, command, path, to),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }

  @Test
  void whoChangedItLastIsKnownByTheNameThatThePathHasNow() throws Exception {
    line(0, "thermocline", "setStoragePolicy", "/a/ours", "null");
    line(1, "alice", "setStoragePolicy", "/a/theirs", "null");
    line(2, "alice", "setStoragePolicy", "/a/d/f", "null");
    line(3, "alice", "rename", "/a/d", "/a/e");
    line(4, "alice", "setStoragePolicy", "/a/gone", "null");
    line(5, "alice", "delete", "/a/gone", "null");
    line(6, "alice", "unsetStoragePolicy", "/a/unset", "null");
    line(7, "alice", "setReplication", "/a/ours", "null");
    Files.move(log, temp.resolve("hdfs-audit.log.1"));
    line(8, "mover", "setStoragePolicy", "/a/moved", "null");
    try (Observing observing = open()) {
      OthersSettings others = observing.settings(at(0), "mover");
      assertFalse(others.hasPolicySince("/a/ours", at(0)));
      assertTrue(others.hasPolicySince("/a/theirs", at(0)));
      assertTrue(others.hasPolicySince("/a/e/f", at(0)));
      assertFalse(others.hasPolicySince("/a/d/f", at(0)));
      assertFalse(others.hasPolicySince("/a/gone", at(0)));
      assertTrue(others.hasPolicySince("/a/unset", at(0)));
      assertTrue(others.hasFactorSince("/a/ours", at(0)));
      assertFalse(others.hasFactorSince("/a/theirs", at(0)));
      assertFalse(others.hasPolicySince("/a/moved", at(8)));
    }
  }

  /** The clock of the service's host may be ahead of the NameNode's. */
  @Test
  void aMarkThatIsMuchYoungerIsOfALaterChange() throws Exception {
    line(0, "alice", "setStoragePolicy", "/a/f", "null");
    line(0, "thermocline", "setStoragePolicy", "/a/g", "null");
    try (Observing observing = open()) {
      OthersSettings others = observing.settings(at(0), "");
      assertTrue(others.hasPolicySince("/a/f", at(300)));
      assertFalse(others.hasPolicySince("/a/f", at(3600)));
      assertFalse(others.hasPolicySince("/a/g", at(-50)));
      assertTrue(others.hasPolicySince("/a/g", at(-3600)), "somebody as the service's user");
    }
  }

  @Test
  void whatIsReadLaterFollowsWithoutAGap() throws Exception {
    line(0, "alice", "setStoragePolicy", "/a/before", "null");
    try (Observing observing = open()) {
      List<String> later = new ArrayList<>();
      OthersSettings others = observing.settings(at(0), "");
      observing.tell(access -> later.add(access.path()));
      line(1, "alice", "setStoragePolicy", "/a/after", "null");
      observing.poll();
      assertTrue(others.hasPolicySince("/a/before", at(0)));
      assertEquals(List.of("/a/after"), later);
    }
  }

  @Test
  void aLogThatBeganLaterDoesNotReachBack() throws Exception {
    try (Observing observing = open()) {
      assertFalse(observing.reachBack(at(0)), "there is none");
      line(10, "alice", "open", "/a/f", "null");
      assertFalse(observing.reachBack(at(9)));
      assertTrue(observing.reachBack(at(10)));
    }
  }
}
