// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AccessRulesTest {

  private static final long SEED = Long.getLong("test.seed", 1);

  private static final AccessSettings SETTINGS =
      new AccessSettings(
          Duration.ofSeconds(10),
          3,
          Duration.ofMinutes(10),
          new AccessSettings.Ignored(
              Set.of("backup"), List.of("distcp", "thermocline"), List.of("/tmp/**", "/*/virus")));

  private final LineFeed feed = Lines.feed(SETTINGS);

  @Test
  void opensOfAClientInAShortTimeShareTheFile() {
    List<SeenAccess> seen =
        Lines.read(
            feed,
            Lines.at(0, "alice", "open", "/a")
                + Lines.at(9_999, "alice", "open", "/a")
                + Lines.at(9_999, "bob", "open", "/a")
                + Lines.at(10_000, "alice", "open", "/a")
                + Lines.at(10_001, "alice", "open", "/a", "null", "\tcallerContext=shell_2"));

    assertEquals(
        List.of("READ /a", "READ part of /a", "READ /a", "READ /a", "READ /a"), Lines.brief(seen));
    assertEquals(1, feed.counts().opens().shared());
    assertEquals(5, feed.counts().parsed());
  }

  /** Waves of tasks, by YARN's numbers and as Spark names them elsewhere; a new wave comes when slots are free. */
  @Test
  void tasksOfAnApplicationShareTheFile() {
    for (String context :
        List.of(
            "attempt_1700000000000_0001_m_00000%d_0", "SPARK_TASK_local-1700000000000_JId_%d")) {
      StringBuilder log = new StringBuilder();
      for (int i = 0; i < 5; i++) {
        String caller = "\tcallerContext=" + context.formatted(i);
        log.append(Lines.at(50_000L * i, "a", "open", "/f", "null", caller));
      }
      assertEquals(
          List.of(
              "READ /f",
              "READ part of /f",
              "READ part of /f",
              "READ part of /f",
              "READ part of /f"),
          Lines.brief(Lines.read(Lines.feed(SETTINGS), log.toString())));
    }
  }

  @Test
  void leavesOutMaintenanceButNotWhatItChanges() {
    List<SeenAccess> seen =
        Lines.read(
            feed,
            Lines.at(0, "backup", "open", "/a")
                + Lines.at(0, "alice", "open", "/b", "null", "\tcallerContext=distcp-1")
                + Lines.at(0, "alice", "open", "/tmp/x/y")
                + Lines.at(0, "alice", "open", "/d/virus")
                + Lines.at(0, "alice", "open", "/d/e/virus")
                + Lines.at(0, "backup", "delete", "/a"));

    assertEquals(List.of("READ /d/e/virus", "DELETE /a"), Lines.brief(seen));
    assertEquals(4, feed.counts().ignored());
    assertEquals(4, feed.counts().opens().maintenance());
  }

  @Test
  void tellsWhatChangesTheView() {
    List<SeenAccess> seen =
        Lines.read(
            feed,
            Lines.at(0, "a", "create", "/w/dt=1/f")
                + Lines.at(0, "a", "append", "/f")
                + Lines.at(0, "a", "truncate", "/f")
                + Lines.at(0, "a", "concat", "[/x, y/1, /x/2]", "/f", "")
                + Lines.at(0, "a", "rename (options=[TO_TRASH])", "/f", "/g", "")
                + Lines.at(0, "a", "rename", "/g", "/h", "")
                + Lines.at(0, "a", "delete", "/d")
                + Lines.at(0, "a", "setReplication", "/e")
                + Lines.at(0, "a", "setStoragePolicy", "/e")
                + Lines.at(0, "a", "unsetStoragePolicy", "/e")
                + Lines.at(0, "a", "setXAttr", "/e")
                + Lines.at(0, "a", "removeXAttr", "/e")
                + Lines.at(0, "a", "setAcl", "/e")
                + Lines.at(0, "a", "mkdirs", "/e")
                + Lines.at(0, "a", "listStatus", "/e")
                + Lines.at(0, "a", "getfileinfo", "/e")
                + Lines.at(0, "a", "addCacheDirective", "{id: 1, path: /f}"));

    assertEquals(
        List.of(
            "CREATE /w/dt=1/f",
            "WRITE /f",
            "WRITE /f",
            "DELETE /x, y/1",
            "DELETE /x/2",
            "WRITE /f",
            "RENAME /f /g",
            "RENAME /g /h",
            "DELETE /d",
            "REPLICATION /e",
            "POLICY /e",
            "NO_POLICY /e",
            "ATTRIBUTES /e",
            "ATTRIBUTES /e"),
        Lines.brief(seen));
    assertEquals(PathKey.of(SeenAccess.NAMESERVICE, "/w/dt=1"), seen.get(0).partitionKey());
    assertEquals(PathKey.of(SeenAccess.NAMESERVICE, "/g"), seen.get(6).newKey());
  }

  @Test
  void tellsWhatTheServicesOwnUserReadsByCallerContexts() throws IOException {
    LineFeed owned =
        Lines.feed(
            AccessSettings.defaults(AccessSettings.Ignored.nothing())
                .without("svc", "thermocline"));
    String unknown = Lines.at(0, "svc", "open", "/a") + Lines.at(0, "svc", "open", "/b");
    assertEquals(List.of(), Lines.read(owned, unknown));
    assertEquals(2, owned.counts().opens().ownUsers());
    assertEquals(2, owned.counts().ignored());

    String job = Lines.at(1, "svc", "open", "/a", "null", "\tcallerContext=job_1");
    assertEquals(List.of("READ /a"), Lines.brief(Lines.read(owned, job)));

    String without = Lines.at(3, "svc", "open", "/c");
    assertEquals(
        List.of("READ /c"),
        Lines.brief(Lines.read(owned, without)),
        "the logs have contexts, and this is not the service's");
    String moving = Lines.at(4, "svc", "open", "/c", "null", "\tcallerContext=thermocline_move");
    assertEquals(List.of(), Lines.read(owned, moving));
    assertEquals(2, owned.counts().opens().ownUsers());

    LineFeed restarted =
        Lines.feed(
            AccessSettings.defaults(AccessSettings.Ignored.nothing())
                .without("svc", "thermocline"));
    restarted.restore(owned.windows());
    String next = Lines.at(5, "svc", "open", "/d");
    assertEquals(
        List.of("READ /d"),
        Lines.brief(Lines.read(restarted, next)),
        "the logs have contexts, also before the first line after a restart that has one");
  }

  /** As Hadoop 3.4.3 logs one read over WebHDFS: first the client's request, then the DataNode that reads for it. */
  @Test
  void aReadOverWebHdfsIsOne() {
    String log =
        overWebHdfs(Lines.at(0, "bob", "open", "/a"))
            + Lines.at(90, "bob", "open", "/a")
            + Lines.at(20_000, "bob", "open", "/b", "null", "\tcallerContext=a\tproto=webhdfs")
            + overWebHdfs(Lines.at(20_000, "bob", "create", "/c"));
    assertEquals(List.of("READ /a", "READ /b", "CREATE /c"), Lines.brief(Lines.read(feed, log)));
    assertEquals(1, feed.counts().opens().redirected());
    assertEquals(3, feed.counts().opens().all());
    assertEquals(0, feed.counts().opens().refused());
  }

  private static String overWebHdfs(String line) {
    return line.replace("proto=rpc", "proto=webhdfs");
  }

  @Test
  void deniedIsNoAccess() {
    Lines.read(feed, Lines.at(0, "a", "open", "/a").replace("allowed=true", "allowed=false"));
    assertEquals(1, feed.counts().ignored());
  }

  @Test
  void withdrawsWhatTurnsOutToBeAScan() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      // In whatever directories.
      log.append(Lines.at(i, "a", "open", "/w/t" + i % 3 + "/dt=" + i + "/part-0"));
    }
    // Another user is another pass.
    log.append(Lines.at(10, "b", "open", "/w/t0/dt=0/part-0"));
    List<SeenAccess> seen = Lines.read(feed, log.toString());

    assertEquals(
        List.of(
            "READ /w/t0/dt=0/part-0",
            "READ /w/t1/dt=1/part-0",
            "READ /w/t2/dt=2/part-0",
            "WITHDRAW null",
            "WITHDRAW null",
            "WITHDRAW null",
            "SCANNED /w/t0/dt=3/part-0",
            "SCANNED /w/t1/dt=4/part-0",
            "SCANNED /w/t2/dt=5/part-0",
            "SCANNED /w/t0/dt=6/part-0",
            "SCANNED /w/t1/dt=7/part-0",
            "READ /w/t0/dt=0/part-0"),
        Lines.brief(seen));
    for (int i = 0; i < 3; i++) {
      assertEquals(seen.get(i).key(), seen.get(3 + i).key());
      assertEquals(seen.get(i).partitionKey(), seen.get(3 + i).partitionKey());
      assertEquals(seen.get(i).timeMillis(), seen.get(3 + i).timeMillis());
    }
    assertEquals(8, feed.counts().opens().scanned());
  }

  @Test
  void withdrawsAScansSharedOpens() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      String open = Lines.at(i, "a", "open", "/t/" + i);
      log.append(open).append(open);
    }
    List<SeenAccess> seen = Lines.read(feed, log.toString());
    assertEquals(10, seen.stream().filter(each -> each.kind() == Access.Kind.SCANNED).count());
    assertEquals(19, seen.size());
    seen.subList(6, 9).forEach(each -> assertEquals(1, each.parts()));
    assertEquals(16, feed.counts().opens().scanned());
    assertEquals(0, feed.counts().opens().shared());
  }

  /** Each file as often as it was read, from whatever pass on that is known, whoever reads. */
  @Test
  void whatIsScannedRepeatedlyCounts() {
    for (String user : List.of("same", "other%d")) {
      LineFeed one = Lines.feed(SETTINGS);
      StringBuilder log = new StringBuilder();
      for (int pass = 0; pass < 5; pass++) {
        for (int i = 0; i < 8; i++) {
          log.append(Lines.at(60_000L * pass + i, user.formatted(pass), "open", "/t/" + i));
        }
      }
      Map<Long, Integer> counted = new HashMap<>();
      for (SeenAccess access : Lines.read(one, log.toString())) {
        counted.merge(access.key(), change(access), Integer::sum);
      }
      assertEquals(8, counted.size());
      counted.values().forEach(reads -> assertEquals(5, reads));
      assertEquals(0, one.counts().opens().scanned());
    }
  }

  @Test
  void aScanThatComesAgainAfterLongDoesNotCount() {
    LineFeed cold = Lines.feed(SETTINGS.cooling(Duration.ofHours(1)));
    for (long hour : List.of(0L, 3L, 6L)) {
      StringBuilder log = new StringBuilder();
      for (int i = 0; i < 8; i++) {
        log.append(Lines.at(3_600_000L * hour + i, "a", "open", "/t/" + i));
      }
      assertEquals(
          0, Lines.read(cold, log.toString()).stream().mapToInt(AccessRulesTest::change).sum());
    }
    assertEquals(24, cold.counts().opens().scanned());
  }

  private static int change(Access access) {
    return switch (access.kind()) {
      case READ, RESTORE -> 1;
      case WITHDRAW -> -1 - access.parts();
      default -> 0;
    };
  }

  @Test
  void aFileThatIsReadAgainIsNotScannedWhateverElseIs() {
    LineFeed tolerant =
        Lines.feed(
            new AccessSettings(
                Duration.ofSeconds(10),
                10,
                Duration.ofMinutes(10),
                AccessSettings.Ignored.nothing()));
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 40; i++) {
      log.append(Lines.at(11_000L * i, "a", "open", "/t/" + i % 3));
      log.append(Lines.at(11_000L * i, "a", "open", "/t/x" + i));
    }

    Map<Long, Integer> counted = new HashMap<>();
    for (SeenAccess access : Lines.read(tolerant, log.toString())) {
      counted.merge(access.key(), change(access), Integer::sum);
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(i == 0 ? 14 : 13, counted.get(PathKey.of(SeenAccess.NAMESERVICE, "/t/" + i)));
    }
    assertEquals(40, counted.values().stream().mapToInt(Integer::intValue).sum());
    assertEquals(40, tolerant.counts().opens().scanned());
  }

  @Test
  void slowReadersDoNotScan() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      log.append(Lines.at(300_000L * i, "a", "open", "/t/" + i));
    }
    assertEquals(12, Lines.read(feed, log.toString()).size());
    assertEquals(0, feed.counts().opens().scanned());
  }

  @Test
  void takesThePartOfWhatLog4jDropped() {
    List<SeenAccess> seen =
        Lines.read(
            feed,
            Lines.at(0, "a", "open", "/a")
                .replace(
                    "allowed",
                    "Discarded 1,235 messages due to full event buffer including: allowed"));

    assertEquals(List.of("READ /a"), Lines.brief(seen));
    assertEquals(1234, feed.counts().discarded());
  }

  /** Cut anywhere, written and read back: the accesses are those of a feed that ran on. */
  @Test
  void goesOnFromACheckpointAsIfNothingHappened() throws IOException {
    for (long seed = SEED; seed < SEED + 12; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<String> lines = new ArrayList<>();
      long millis = 0;
      for (int i = 0; i < 3000; i++) {
        millis += random.nextInt(random.nextInt(50) == 0 ? 200_000 : 2_000);
        lines.add(
            Lines.at(
                millis % 36_000_000,
                "u" + random.nextInt(3),
                random.nextInt(20) == 0 ? "delete" : "open",
                "/f" + random.nextInt(random.nextInt(3) == 0 ? 10 : 2_000)));
      }
      LineFeed steady = Lines.feed(SETTINGS);
      LineFeed current = Lines.feed(SETTINGS);
      for (String line : lines) {
        if (random.nextInt(100) == 0) {
          byte[] windows = current.windows();
          current = Lines.feed(SETTINGS);
          current.restore(windows);
        }
        assertEquals(Lines.read(steady, line), Lines.read(current, line), "seed " + seed);
      }
      assertEquals(steady.counts(), current.counts());
      assertTrue(current.counts().opens().shared() > 0 && current.counts().opens().scanned() > 0);
    }
  }

  /** Reads and withdrawals of each key, against a model that forgets nothing. */
  @Test
  void neverWithdrawsWhatItDidNotTell() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, Integer> told = new HashMap<>();
    long millis = 0;
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      millis += random.nextInt(3_000);
      log.append(
          Lines.at(
              millis % 36_000_000,
              "u" + random.nextInt(4),
              "open",
              "/d" + random.nextInt(4) + "/f" + random.nextInt(3000)));
    }
    for (SeenAccess access : Lines.read(feed, log.toString())) {
      assertTrue(told.merge(access.key(), change(access), Integer::sum) >= 0, "seed " + seed);
    }
    LineCounts counts = feed.counts();
    assertTrue(counts.opens().scanned() > 1000, "scanned " + counts.opens().scanned());
    assertEquals(
        counts.parsed() - counts.opens().scanned(),
        told.values().stream().mapToInt(Integer::intValue).sum());
  }

  /** What the service sets in somebody's name is a hint of theirs, what it sets in its own is none. */
  @Test
  void tellsAttributesOfTheServiceFromThoseThatItSetsForOthers() {
    LineFeed own = Lines.feed(SETTINGS.without("thermo", "thermocline"));
    List<Access.By> by = new ArrayList<>();
    for (String line :
        List.of(
            Lines.at(0, "thermo", "setXAttr", "/e", "null", "\tcallerContext=thermocline"),
            Lines.at(0, "mover", "removeXAttr", "/e", "null", "\tcallerContext=thermocline"),
            Lines.at(
                0,
                "ann (auth:PROXY) via thermo",
                "setXAttr",
                "/e",
                "null",
                "\tcallerContext=thermocline"),
            Lines.at(0, "ann", "setXAttr", "/e", "null", "\tcallerContext=shell"))) {
      byte[] bytes = Lines.bytes(line.strip());
      own.line(bytes, 0, bytes.length, 0, access -> by.add(access.by()));
    }
    own.publish();
    assertEquals(
        List.of(Access.By.SERVICE, Access.By.SERVICE, Access.By.OTHERS, Access.By.OTHERS), by);
  }
}
