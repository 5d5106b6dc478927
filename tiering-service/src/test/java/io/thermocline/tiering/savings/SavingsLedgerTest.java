// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.savings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.decide.Stability;
import io.thermocline.tiering.decide.TierSpeed;
import io.thermocline.tiering.journal.JournalEntry;
import io.thermocline.tiering.observe.Access;
import io.thermocline.tiering.observe.FileView;
import io.thermocline.tiering.observe.SeenAccess;
import io.thermocline.tiering.readorder.MeasuredReads;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of 100 bytes; a read of one takes 2 s from DISK and 0.1 s from SSD. An hour is how long
 * a move has to stand.
 */
class SavingsLedgerTest {

  private static final long SERVICE = SeenAccess.NAMESERVICE;
  private static final long LENGTH = 100;
  private static final StorageType DISK = StorageType.DISK;
  private static final StorageType SSD = StorageType.SSD;

  @TempDir Path directory;

  private Instant now = Instant.parse("2026-11-20T10:00:00Z");

  private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

  private SavingsLedger ledger;

  private ReadShares shares = ReadShares.fastest();

  private MeasuredReads.Taken measured = MeasuredReads.Taken.NOTHING;

  private Duration longestStop = Duration.ofHours(1);

  @BeforeEach
  void open() throws IOException {
    ledger =
        SavingsLedger.open(
            new SavingsLedger.Settings(
                directory,
                SERVICE,
                Map.of(DISK, new TierSpeed(100, 100, 1), SSD, new TierSpeed(1000, 100, 0)),
                new Stability(Duration.ofHours(1), 3, Duration.ofHours(12)),
                longestStop,
                ZoneOffset.UTC,
                clock));
  }

  @Test
  void addsUpWhatFastTypesServeAndMovesCost() throws Exception {
    plan(file("/a", DISK), file("/b", SSD));
    read("/a", 3);
    read("/b", 5);
    read("/elsewhere", 2);
    plan(
        List.of(planned("/a"), moved("/a", DISK, SSD, "VERIFIED")),
        file("/a", SSD),
        file("/b", SSD));
    read("/a", 10);
    plan(List.of(moved("/b", SSD, DISK, "FAILED"), moved("/b", SSD, DISK, "COPYING")));

    SavingsDay day = day();
    assertEquals(3, day.plans());
    assertEquals(
        Map.of("DISK", new SavingsDay.Reads(3, 300), "SSD", new SavingsDay.Reads(15, 1500)),
        day.served());
    assertEquals(2, day.otherReads());
    assertEquals(Map.of("DISK to SSD", new SavingsDay.Flow(1, 100)), day.moves());
    assertEquals(Map.of("SSD", 100L), day.writtenBytes());
    assertEquals(1, day.failedMoves());
    assertEquals(3 * 2 + 15 * 0.1, day.seconds().read(), 1e-9);
    assertEquals(18 * 2, day.seconds().readOfDisk(), 1e-9);
    assertEquals(1 + 1 + 1, day.seconds().copied(), 1e-9);
    assertEquals(List.of(), day.mispredictions());
  }

  @Test
  void readsBetweenTwoPlansCountForBothPlacesByTheTimeOfTheMove() throws Exception {
    plan(file("/a", DISK));
    readEachMinute("/a", 3);
    JournalEntry moved = moved("/a", DISK, SSD, "VERIFIED");
    readEachMinute("/a", 1);
    plan(List.of(planned("/a"), moved), file("/a", SSD));

    assertEquals(3, day().served().get("DISK").reads(), 0.01);
    assertEquals(1, day().served().get("SSD").reads(), 0.01);
  }

  @Test
  void readersFindACopyBeforeItsSourceIsGone() throws Exception {
    plan(file("/a", DISK));
    readEachMinute("/a", 1);
    JournalEntry shown = moved("/a", DISK, SSD, "VISIBLE");
    readEachMinute("/a", 2);
    JournalEntry moved = moved("/a", DISK, SSD, "VERIFIED");
    readEachMinute("/a", 1);
    plan(List.of(planned("/a"), shown, moved), file("/a", SSD));

    assertEquals(1, day().served().get("DISK").reads(), 0.01);
    assertEquals(3, day().served().get("SSD").reads(), 0.01);
    assertEquals(1, day().moves().get("DISK to SSD").moves());
  }

  /** In the unit of heat: who shares a file of four blocks reads one of them. */
  @Test
  void opensThatShareAFileReadABlockEach() throws Exception {
    FileView four = file("/a", DISK);
    List<FileView.Block> blocks = Collections.nCopies(4, four.blocks().get(0));
    plan(new FileView("/a", LENGTH, 1, 0, blocks));
    read("/a", 1);
    for (int i = 0; i < 7; i++) {
      ledger.accept(SeenAccess.part("/a"));
      ledger.accept(SeenAccess.part("/elsewhere"));
    }
    plan();
    assertEquals(Map.of("DISK", new SavingsDay.Reads(2, 200)), day().served());
    assertEquals(0, day().otherReads());
  }

  @Test
  void aFastCopyServesTheShareThatTheReadOrderGivesIt() throws Exception {
    Readers elsewhere = new Readers(Map.of(), Map.of("/default-rack", 1.0), false);
    shares = new ReadShares(ReadOrder.NEAREST, elsewhere, Map.of());
    plan(file("/one-of-three", SSD, DISK, DISK), file("/disk", DISK, DISK, DISK));
    read("/one-of-three", 9);
    read("/disk", 1);
    plan();
    assertEquals(3, day().served().get("SSD").reads(), 1e-9);
    assertEquals(7, day().served().get("DISK").reads(), 1e-9);
    assertEquals(3 * 0.1 + 7 * 2, day().seconds().read(), 1e-9);
    assertEquals(10 * 2, day().seconds().readOfDisk(), 1e-9);
  }

  @Test
  void addsUpWhatDataNodesMeasuredAlsoAfterARestart() throws Exception {
    Readers elsewhere = new Readers(Map.of(), Map.of("/default-rack", 1.0), false);
    shares = new ReadShares(ReadOrder.NEAREST, elsewhere, Map.of("n1", "/r", "n2", "/r"));
    plan();
    assertNull(day().measured(), "no log tells anything");
    measured = logged(5, 3, 1, "2026-11-20T09:58:00Z", "2026-11-20T09:59:00Z");
    plan();
    open();
    measured = logged(1, 1, 2, "2026-11-20T09:59:30Z", "2026-11-20T10:00:00Z");
    plan();
    plan();
    assertEquals(
        new SavingsDay.Measured(
            "2026-11-20T09:58:00Z",
            "2026-11-20T10:00:00Z",
            Map.of("SSD", new SavingsDay.Reads(6, 600)),
            new SavingsDay.Reads(4, 40),
            2,
            2,
            2),
        day().measured());
  }

  /** Reads of 100 bytes from SSD, and of 10 from elsewhere, one of them of an opened file. */
  private static MeasuredReads.Taken logged(
      long ssd, long others, int dataNodes, String first, String last) {
    return new MeasuredReads.Taken(
        Map.of(SSD, new MeasuredReads.Served(ssd, 100 * ssd)),
        new MeasuredReads.Served(others, 10 * others),
        1,
        dataNodes,
        Instant.parse(first).toEpochMilli(),
        Instant.parse(last).toEpochMilli());
  }

  @Test
  void mispredictedWhatWasPromotedAndReadFromOtherCopies() throws Exception {
    Readers onOneHost = new Readers(Map.of("n1", 1.0), Map.of("/default-rack", 1.0), false);
    shares = new ReadShares(ReadOrder.NEAREST, onOneHost, Map.of());
    FileView near = onNodes("/near", "n1 SSD", "n2 DISK", "n3 DISK");
    FileView far = onNodes("/far", "n1 DISK", "n2 SSD", "n3 DISK");
    plan(
        List.of(
            planned("/near"),
            planned("/far"),
            moved("/near", DISK, SSD, "VERIFIED"),
            moved("/far", DISK, SSD, "VERIFIED")),
        near,
        far);
    read("/near", 9);
    read("/far", 9);
    now = now.plus(Duration.ofHours(1));
    plan(near, far);
    assertEquals(
        List.of("/far"),
        day().mispredictions().stream().map(SavingsDay.Misprediction::path).toList());
  }

  @Test
  void mispredictedWhatWasPromotedAndNotReadOnceItHadTheTime() throws Exception {
    plan(file("/read", DISK), file("/unread", DISK));
    plan(
        List.of(
            planned("/read"),
            planned("/unread"),
            moved("/read", DISK, SSD, "VERIFIED"),
            moved("/unread", DISK, SSD, "VERIFIED"),
            moved("/unread", DISK, SSD, "VERIFIED")),
        file("/read", SSD),
        file("/unread", SSD));
    assertEquals(List.of(), day().mispredictions(), "too early to say");
    String at = now.minusMillis(1).toString();
    read("/read", 1);
    pass(Duration.ofHours(1));
    plan(file("/read", SSD), file("/unread", SSD));
    assertEquals(
        List.of(
            new SavingsDay.Misprediction(
                SavingsDay.Kind.UP_AND_NOT_READ,
                "/unread",
                at,
                "DISK",
                "SSD",
                200,
                0,
                "why /unread")),
        day().mispredictions());
    read("/unread", 1);
    plan();
    assertEquals(List.of(), day().mispredictions(), "late, but read");
  }

  @Test
  void mispredictedNothingThatPeopleAskedForOrTookBack() throws Exception {
    plan(file("/undone", DISK), file("/asked", DISK), file("/down", SSD));
    plan(
        List.of(
            planned("/undone"),
            moved("/undone", DISK, SSD, "VERIFIED"),
            planned("/undone", "UNDONE"),
            moved("/undone", SSD, DISK, "VERIFIED"),
            planned("/asked", "ORDERED_UP"),
            moved("/asked", DISK, SSD, "VERIFIED"),
            planned("/down", "ORDERED_DOWN"),
            moved("/down", SSD, DISK, "VERIFIED")),
        file("/undone", DISK),
        file("/asked", SSD),
        file("/down", DISK));
    read("/undone", 4);
    read("/down", 4);
    pass(Duration.ofHours(1));
    plan(file("/undone", DISK), file("/asked", SSD), file("/down", DISK));
    assertEquals(List.of(), day().mispredictions());
  }

  @Test
  void mispredictedWhatWasDemotedAndReadAgainAlsoWhenItIsPromotedAnew() throws Exception {
    plan(file("/a", SSD));
    read("/a", 7);
    plan(List.of(planned("/a"), moved("/a", SSD, DISK, "VERIFIED")), file("/a", DISK));
    assertEquals(List.of(), day().mispredictions(), "it was read before it went");
    read("/a", 4);
    plan(file("/a", DISK));
    assertEquals(4, day().mispredictions().get(0).reads());
    assertEquals(SavingsDay.Kind.DOWN_AND_READ, day().mispredictions().get(0).kind());
    Path file = directory.resolve("savings-2026-11-20.json");
    String written = Files.readString(file);
    Files.writeString(file, written.replace("mispredictions", "regrets"));
    assertEquals(4, day().mispredictions().get(0).reads(), "a day of an earlier version");
    Files.writeString(file, written);
    pass(Duration.ofMinutes(1));
    plan(List.of(planned("/a"), moved("/a", DISK, SSD, "VERIFIED")), file("/a", SSD));
    read("/a", 9);
    plan();
    assertEquals(1, day().mispredictions().size());
    assertEquals(4, day().mispredictions().get(0).reads(), "what comes after is no misprediction");
  }

  @Test
  void goesOnAfterARestartAndCountsNothingTwice() throws Exception {
    List<JournalEntry> first = List.of(planned("/a"), moved("/a", DISK, SSD, "VERIFIED"));
    open();
    plan(file("/a", DISK));
    plan(first, file("/a", SSD));
    assertEquals(0, day().moves().size(), "from before it was there");
    List<JournalEntry> second = List.of(planned("/a"), moved("/a", DISK, SSD, "VERIFIED"));
    plan(second, file("/a", SSD));
    read("/a", 2);
    plan(file("/a", SSD));

    open();
    List<JournalEntry> all = new ArrayList<>(first);
    all.addAll(second);
    pass(Duration.ofSeconds(1));
    all.add(moved("/b", DISK, SSD, "VERIFIED"));
    plan(all, file("/a", SSD));
    assertEquals(2, day().moves().get("DISK to SSD").moves(), "one before, one since");
    pass(Duration.ofHours(2));
    plan();
    assertEquals(
        List.of("/b"),
        day().mispredictions().stream().map(SavingsDay.Misprediction::path).toList(),
        "/a was read");
  }

  @Test
  void followsNamesAndTakesLeaveOfWhatIsDeleted() throws Exception {
    plan(
        List.of(
            moved("/d/a", DISK, SSD, "VERIFIED"),
            moved("/d/b", DISK, SSD, "VERIFIED"),
            moved("/d0", DISK, SSD, "VERIFIED"),
            moved("/e", DISK, SSD, "VERIFIED")));
    plan();
    ledger.accept(SeenAccess.rename("/d", "/new"));
    plan();
    read("/new/a", 1);
    ledger.accept(SeenAccess.of(Access.Kind.DELETE, "/e").at(now));
    pass(Duration.ofHours(1));
    plan();
    ledger.accept(SeenAccess.of(Access.Kind.DELETE, "/new").at(now));
    plan();
    assertEquals(
        List.of("/d0", "/new/b"),
        day().mispredictions().stream().map(SavingsDay.Misprediction::path).sorted().toList(),
        "/e had not had its time, /new/a was read, /new/b never");
    pass(Duration.ofHours(12));
    plan();
    assertEquals(
        List.of("/new/b"),
        day().mispredictions().stream().map(SavingsDay.Misprediction::path).toList(),
        "what moved so long ago is asked for no more");
  }

  @Test
  void eachDayHasItsFileAndTheNewOneGoesOnFollowing() throws Exception {
    plan(List.of(moved("/a", SSD, DISK, "VERIFIED")), file("/a", DISK));
    plan(file("/a", DISK));
    now = Instant.parse("2026-11-20T23:59:00Z").minus(Duration.ofHours(3));
    plan(List.of(moved("/b", SSD, DISK, "VERIFIED")), file("/b", DISK));
    read("/b", 2);
    now = Instant.parse("2026-11-21T00:01:00Z");
    plan(file("/b", DISK));
    read("/b", 3);
    plan();
    assertEquals(2, day().served().get("DISK").reads(), "read before midnight");
    assertEquals(2, day().mispredictions().get(0).reads());
    assertEquals(List.of(), day().followed());
    SavingsDay next =
        SavingsLedger.files(directory).read(LocalDate.parse("2026-11-21")).orElseThrow();
    assertEquals(3, next.served().get("DISK").reads());
    assertEquals(5, next.mispredictions().get(0).reads(), "since it was moved");
  }

  @Test
  void followsNothingAfterALongStopAndCountsNoMovesOfThen() throws Exception {
    plan(file("/a", DISK), file("/b", SSD));
    plan(List.of(moved("/a", DISK, SSD, "VERIFIED"), moved("/b", SSD, DISK, "VERIFIED")));
    read("/b", 2);
    plan();
    assertEquals(1, day().mispredictions().size());

    pass(Duration.ofMinutes(61));
    JournalEntry others = moved("/c", DISK, SSD, "VERIFIED");
    pass(Duration.ofMillis(1));
    open();
    plan(List.of(others));
    pass(Duration.ofHours(2));
    plan();
    assertEquals(
        List.of("/b"),
        day().mispredictions().stream().map(SavingsDay.Misprediction::path).toList(),
        "known before; /a may have been read meanwhile");
    assertEquals(1, day().moves().get("DISK to SSD").moves(), "/c was moved by somebody else");

    longestStop = Duration.ZERO;
    plan(List.of(moved("/d", DISK, SSD, "VERIFIED")));
    open();
    pass(Duration.ofHours(2));
    plan();
    assertEquals(1, day().mispredictions().size(), "others may act: each start begins anew");
  }

  @Test
  void readsRightAfterAMoveAndRightAfterARestartAreOfTheMovedFile() throws Exception {
    plan(List.of(moved("/a", DISK, SSD, "VERIFIED"), moved("/b", DISK, SSD, "VERIFIED")));
    read("/a", 1);
    pass(Duration.ofMinutes(59));
    plan();
    open();
    read("/b", 1);
    pass(Duration.ofMinutes(2));
    plan();
    assertEquals(List.of(), day().mispredictions());
  }

  @Test
  void whatWasNoReadAfterAllIsTakenBack() throws Exception {
    plan(List.of(moved("/a", SSD, DISK, "VERIFIED"), moved("/b", SSD, DISK, "VERIFIED")));
    read("/a", 2);
    plan();
    assertEquals(2, day().mispredictions().get(0).reads());
    for (int i = 0; i < 3; i++) {
      ledger.accept(SeenAccess.of(Access.Kind.WITHDRAW, "/a").at(now));
    }
    plan();
    assertEquals(List.of(), day().mispredictions());
    read("/a", 1);
    plan();
    assertEquals(1, day().mispredictions().get(0).reads(), "no less than none");
  }

  @Test
  void ofTooManyMovesTheOldestAreFollowedNoMore() throws Exception {
    List<JournalEntry> moves = new ArrayList<>();
    for (int i = 0; i < MoveOutcomeTracker.MOST + 2; i++) {
      moves.add(moved("/" + i, DISK, SSD, "VERIFIED"));
    }
    plan(moves);
    assertEquals(MoveOutcomeTracker.MOST, day().followed().size());
    assertEquals(
        List.of(),
        day().followed().stream()
            .map(SavingsDay.TrackedFile::path)
            .filter(List.of("/0", "/1")::contains)
            .toList());
  }

  @Test
  void setsAsideWhatIsNoDayAndDeletesWhatIsOlderThanAYear() throws Exception {
    plan();
    for (String damaged : List.of("{", "{\"day\": \"2026-11-20\"}")) {
      Path file = directory.resolve("savings-2026-11-20.json");
      Files.writeString(file, damaged);
      Path old = Files.writeString(directory.resolve("savings-2025-11-19.json"), "{");
      Path younger = Files.writeString(directory.resolve("savings-2025-11-20.json"), "{");
      Path noDate = Files.writeString(directory.resolve("savings-2026-99-99.json"), "{");
      open();
      plan();
      assertEquals(1, day().plans());
      assertEquals(damaged, Files.readString(directory.resolve("savings-2026-11-20.json.damaged")));
      assertFalse(Files.exists(old));
      assertTrue(Files.exists(younger));
      assertTrue(Files.exists(noDate), "not ours");
    }
  }

  private SavingsDay day() throws IOException {
    return SavingsLedger.files(directory).read(LocalDate.parse("2026-11-20")).orElseThrow();
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private void plan(FileView... files) throws IOException {
    plan(List.of(), files);
  }

  private void plan(List<JournalEntry> entries, FileView... files) throws IOException {
    ledger.planned(List.of(files), entries, shares, measured);
    measured = MeasuredReads.Taken.NOTHING;
  }

  /** In the middle of each. */
  private void readEachMinute(String path, int minutes) {
    for (int minute = 0; minute < minutes; minute++) {
      pass(Duration.ofSeconds(30));
      ledger.accept(SeenAccess.of(Access.Kind.READ, path).at(now));
      pass(Duration.ofSeconds(30));
    }
  }

  private void read(String path, int times) {
    for (int i = 0; i < times; i++) {
      ledger.accept(SeenAccess.of(Access.Kind.READ, path));
    }
  }

  /** A millisecond after the entry before. */
  private JournalEntry planned(String path) {
    return planned(path, "PROMOTED");
  }

  private JournalEntry planned(String path, String cause) {
    pass(Duration.ofMillis(1));
    return new JournalEntry.Planned(now.toString(), 1, path, cause, "ONE_SSD", 1, "why " + path);
  }

  private JournalEntry moved(String path, StorageType from, StorageType to, String state) {
    pass(Duration.ofMillis(1));
    return new JournalEntry.Moved(
        now.toString(), "1-" + path, path, 7, "n1 " + from, "n1 " + to, state, "", LENGTH);
  }

  /** A replica of each type, on a node each. */
  private static FileView file(String path, StorageType... types) {
    List<FileView.Replica> replicas = new ArrayList<>();
    for (StorageType type : types) {
      String node = "n" + replicas.size();
      replicas.add(new FileView.Replica(node, node + "-" + type, type));
    }
    return new FileView(
        path, LENGTH, types.length, 0, List.of(new FileView.Block("BP", 1, 1, LENGTH, replicas)));
  }

  /** A file with replicas like "n1 SSD". */
  private static FileView onNodes(String path, String... places) {
    List<FileView.Replica> replicas = new ArrayList<>();
    for (String place : places) {
      String[] parts = place.split(" ");
      replicas.add(new FileView.Replica(parts[0], place, StorageType.valueOf(parts[1])));
    }
    return new FileView(
        path, LENGTH, places.length, 0, List.of(new FileView.Block("BP", 1, 1, LENGTH, replicas)));
  }
}
