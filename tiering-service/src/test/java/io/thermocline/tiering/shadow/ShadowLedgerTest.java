// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.cluster.ClusterView;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.SeenAccess;
import io.thermocline.tiering.plan.Move;
import io.thermocline.tiering.plan.Plan;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes with a disk and an SSD each, and files of one block. */
class ShadowLedgerTest {

  private static final long SERVICE = SeenAccess.NAMESERVICE;
  private static final String HOT = "/w/hot";
  private static final String WARM = "/w/<warm>";
  private static final long LENGTH = 100;
  private static final LocalDate DAY = LocalDate.parse("2026-11-20");

  @TempDir Path directory;

  private Instant now = Instant.parse("2026-11-20T10:00:00Z");

  private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

  private ReadShares shares = ReadShares.fastest();

  private ShadowLedger open(ShadowLedger.RoomRule rule, String applied) throws IOException {
    return ShadowLedger.open(
        new ShadowLedger.Settings(
            directory,
            SERVICE,
            Map.of(
                StorageType.DISK, new TierSpeed(100, 100, 1),
                StorageType.SSD, new TierSpeed(1000, 100, 0)),
            path -> path.startsWith(applied),
            rule,
            ZoneOffset.UTC,
            clock));
  }

  private ShadowLedger open() throws IOException {
    return open(ShadowLedger.RoomRule.AS_IT_WOULD_BE, "/nothing");
  }

  @Test
  void laterPlansSeeWhatEarlierOnesWouldHaveDone() throws Exception {
    try (ShadowLedger ledger = open()) {
      plan(ledger, 1, promoted(HOT, 1));

      assertEquals(
          List.of(StorageType.SSD, StorageType.DISK),
          ledger.over(file(HOT, 1)).blocks().get(0).types());
      assertEquals(file(WARM, 2), ledger.over(file(WARM, 2)), "nothing was planned for it");
      assertEquals(Optional.of("ONE_SSD"), ledger.policy(HOT));
      ClusterView after = ledger.over(cluster());
      assertEquals(900, storage(after, "n1-ssd").remaining());
      assertEquals(600, storage(after, "n1-disk").remaining());
      assertEquals(2, ledger.takeMoves().size(), "what was planned, and moved, for history");
      assertEquals(List.of(), ledger.takeMoves());
      assertEquals(1, ledger.lastPlan());
    }
  }

  @Test
  void itGoesOnAfterARestart() throws Exception {
    try (ShadowLedger ledger = open()) {
      plan(ledger, 7, promoted(HOT, 1));
      read(ledger, HOT, 3);
      plan(ledger, 8);
    }
    try (ShadowLedger ledger = open()) {
      assertEquals(StorageType.SSD, ledger.over(file(HOT, 1)).blocks().get(0).types().get(0));
      assertEquals(7, ledger.lastPlan());
      assertEquals(2, ledger.takeMoves().size());
      plan(ledger, 9);
      assertEquals(3, report().plans(), "the day goes on");
      assertEquals(100, report().moves().get("DISK to SSD").bytes());
    }
  }

  @Test
  void whatWouldHaveBeenMovedIsNoHistoryWherePlansAreCarriedOutByNow() throws Exception {
    try (ShadowLedger ledger = open()) {
      plan(ledger, 7, promoted(HOT, 1));
    }
    try (ShadowLedger ledger = open(ShadowLedger.RoomRule.NEVER_MORE_THAN_THERE_IS, "/w/h")) {
      assertEquals(List.of(), ledger.takeMoves(), "nothing holds it");
      assertEquals(file(HOT, 1), ledger.over(file(HOT, 1)));
    }
  }

  @Test
  void aFastCopyWouldServeTheShareThatTheReadOrderGivesIt() throws Exception {
    Readers elsewhere = new Readers(Map.of(), Map.of("/default-rack", 1.0), false);
    shares = new ReadShares(ReadOrder.NEAREST, elsewhere, Map.of());
    try (ShadowLedger ledger = open()) {
      plan(ledger, 1, promoted(HOT, 1));
      plan(ledger, 2);
      read(ledger, HOT, 10);
      plan(ledger, 3);
      ShadowReport report = report();
      assertEquals(new ShadowReport.Served(10, 1000, 5, 500), report.served().get("DISK"));
      assertEquals(new ShadowReport.Served(0, 0, 5, 500), report.served().get("SSD"));
      assertEquals(
          new ShadowReport.SlowRead(
              HOT,
              LENGTH,
              10,
              "DISK",
              5,
              "would be on SSD, which serves 50 % of its reads by the read order"),
          report.slowReads().get(0));
    }
  }

  @Test
  void readsAreServedFromWhereFilesWouldLie() throws Exception {
    try (ShadowLedger ledger = open()) {
      read(ledger, HOT, 2);
      plan(ledger, 1);
      read(ledger, HOT, 5);
      read(ledger, WARM, 1);
      plan(ledger, 2, promoted(HOT, 1));
      read(ledger, HOT, 10);
      plan(ledger, 3);
      // The promotion was planned after the tenth read, and counts for those after the next look.
      read(ledger, HOT, 20);
      withdraw(ledger, HOT);
      plan(ledger, 4);

      ShadowReport report = report();
      assertEquals(2, report.otherReads(), "before any plan");
      assertEquals(new ShadowReport.Served(35, 3500, 16, 1600), report.served().get("DISK"));
      assertEquals(new ShadowReport.Served(0, 0, 19, 1900), report.served().get("SSD"));
      assertEquals(35 * 2, report.seconds().read(), 1e-9);
      assertEquals(16 * 2 + 19 * 0.1, report.seconds().readIf(), 1e-9);
      assertEquals(1 + 1 + 1, report.seconds().copied(), 1e-9);
      ShadowReport.SlowRead worst = report.slowReads().get(0);
      assertEquals(
          new ShadowReport.SlowRead(HOT, LENGTH, 34, "DISK", 19, "would be on SSD"), worst);
      assertEquals(WARM, report.slowReads().get(1).path());
      assertEquals(new ShadowReport.Room(0, 100, 2000), report.storage().get("SSD"));
    }
    String text = Files.readString(directory.resolve("report-2026-11-20.txt"));
    assertTrue(
        text.contains("0.0 % of 35 reads came from fast storage; 54.3 % would have (estimated)"),
        text);
    Path json = directory.resolve("report-2026-11-20.json");
    Files.writeString(
        json, Files.readString(json).replace("slowReads", "regrets").replace("actions", "levers"));
    assertEquals(WARM, report().slowReads().get(1).path(), "a report of an earlier version");
    String page = Files.readString(directory.resolve("report-2026-11-20.html"));
    assertTrue(page.contains("54.3 % would have (estimated)"), page);
    assertTrue(page.contains("/w/&lt;warm&gt;") && !page.contains("<warm>"), page);
  }

  @Test
  void eachDayHasItsReport() throws Exception {
    try (ShadowLedger ledger = open()) {
      plan(ledger, 1);
      read(ledger, WARM, 4);
      now = Instant.parse("2026-11-21T00:03:00Z");
      plan(ledger, 2);

      assertEquals(List.of("2026-11-20", "2026-11-21"), new ReportFiles(directory).days());
      assertEquals(4, report().served().get("DISK").reads(), "until the last plan of the day");
      ShadowReport next = new ReportFiles(directory).read(DAY.plusDays(1)).orElseThrow();
      assertEquals(Map.of(), next.served());
      assertEquals(1, next.plans());
    }
  }

  @Test
  void reportsOfMoreThanAYearAgoAreDeletedInAllFormats() throws Exception {
    List<Path> old = new ArrayList<>();
    for (String ending : List.of(".json", ".txt", ".html")) {
      old.add(Files.writeString(directory.resolve("report-2025-11-19" + ending), "{}"));
    }
    Path younger = Files.writeString(directory.resolve("report-2025-11-20.json"), "{}");
    try (ShadowLedger ledger = open()) {
      plan(ledger, 1);
      assertEquals(List.of("2025-11-20", "2026-11-20"), new ReportFiles(directory).days());
    }
    assertEquals(List.of(), old.stream().filter(Files::exists).toList());
    assertTrue(Files.exists(younger));
  }

  @Test
  void whatIsGoneOrWasMovedByOthersIsForgotten() throws Exception {
    try (ShadowLedger ledger = open()) {
      plan(ledger, 1, promoted(HOT, 1), promoted(WARM, 2));
      FileView rewritten = file(HOT, 99);
      assertEquals(rewritten, ledger.over(rewritten));
      assertEquals(Optional.empty(), ledger.policy(HOT));

      ledger.endOfPass();
      assertEquals(Optional.empty(), ledger.policy(WARM), "it did not pass by");
      assertEquals(1000, storage(ledger.over(cluster()), "n1-ssd").remaining());
    }
  }

  @Test
  void aRenamedFileLiesWhereItWouldHaveLain() throws Exception {
    try (ShadowLedger ledger = open()) {
      plan(ledger, 1, promoted(HOT, 1));
    }
    // Another file has its name by now.
    FileView renamed = file("/w/renamed", 1);
    FileView other = file(HOT, 3);
    try (ShadowLedger ledger = open()) {
      for (int pass = 0; pass < 2; pass++) {
        ledger.passed(renamed);
        ledger.passed(other);
        ledger.endOfPass();
      }
      assertEquals(other, ledger.over(other));
      assertEquals(Optional.empty(), ledger.policy(HOT));
      assertEquals(Optional.of("ONE_SSD"), ledger.policy("/w/renamed"));
      assertEquals(
          List.of(StorageType.SSD, StorageType.DISK), ledger.over(renamed).blocks().get(0).types());
      assertEquals(900, storage(ledger.over(cluster()), "n1-ssd").remaining());
    }
  }

  @Test
  void whatIsCarriedOutIsNotImagined() throws Exception {
    try (ShadowLedger ledger = open()) {
      plan(ledger, 1, promoted(HOT, 1));
    }
    try (ShadowLedger ledger = open(ShadowLedger.RoomRule.NEVER_MORE_THAN_THERE_IS, "/w/hot")) {
      assertEquals(
          500, storage(ledger.over(cluster()), "n1-disk").remaining(), "still needed there");
      assertEquals(file(HOT, 1), ledger.over(file(HOT, 1)));
      assertEquals(1000, storage(ledger.over(cluster()), "n1-ssd").remaining());
    }
  }

  private ShadowReport report() throws IOException {
    return new ReportFiles(directory).read(DAY).orElseThrow();
  }

  /** One look at both files, and its plan. */
  private void plan(ShadowLedger ledger, long number, Plan.FileMoves... moves) throws IOException {
    List<FileView> files = List.of(file(HOT, 1), file(WARM, 2));
    ledger.over(cluster());
    files.forEach(ledger::passed);
    ledger.endOfPass();
    ledger.planned(
        new Plan(number, List.of(moves), List.of()),
        files,
        files.stream().map(file -> new HotFile(ledger.over(file), 1)).toList(),
        shares);
  }

  private static FileView file(String path, long block) {
    return new FileView(
        path,
        LENGTH,
        2,
        0,
        List.of(
            new FileView.Block(
                "BP",
                block,
                1,
                LENGTH,
                List.of(
                    new FileView.Replica("n1", "n1-disk", StorageType.DISK),
                    new FileView.Replica("n2", "n2-disk", StorageType.DISK)))));
  }

  private static Plan.FileMoves promoted(String path, long block) {
    FileView file = file(path, block);
    Decision decision =
        new Decision(
            new HotFile(file, 9),
            StorageType.DISK,
            new Target(List.of(StorageType.SSD, StorageType.DISK), "ONE_SSD"),
            Decision.Cause.PROMOTED,
            "hot",
            new Gate.Benefit(1, 1, 1));
    return new Plan.FileMoves(
        decision,
        "ONE_SSD",
        List.of(
            new Move(
                "1-" + block,
                path,
                file.blocks().get(0),
                file.blocks().get(0).replicas().get(0),
                "n1",
                "n1-ssd",
                StorageType.SSD)));
  }

  private static ClusterView cluster() {
    return new ClusterView(Map.of("n1", node("n1"), "n2", node("n2")), 128);
  }

  private static ClusterView.Node node(String name) {
    return new ClusterView.Node(
        name,
        name,
        "/r",
        List.of(
            new ClusterView.Storage(name + "-disk", name, StorageType.DISK, 1000, 500),
            new ClusterView.Storage(name + "-ssd", name, StorageType.SSD, 1000, 1000)));
  }

  private static ClusterView.Storage storage(ClusterView cluster, String id) {
    return cluster.nodes().values().stream()
        .flatMap(node -> node.storages().stream())
        .filter(storage -> storage.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private static void read(ShadowLedger ledger, String path, int times) {
    for (int i = 0; i < times; i++) {
      ledger.accept(SeenAccess.of(Access.Kind.READ, path));
    }
  }

  private static void withdraw(ShadowLedger ledger, String path) {
    ledger.accept(SeenAccess.of(Access.Kind.WITHDRAW, path));
  }
}
