// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.decide.Gate;
import io.thermocline.tiering.decide.Hold;
import io.thermocline.tiering.decide.HotFile;
import io.thermocline.tiering.decide.Target;
import io.thermocline.tiering.observe.FileView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FirstPartsTest {

  private static final Instant BEGIN = Instant.parse("2026-11-20T08:00:00Z");
  private static final Duration WATCH = Duration.ofHours(1);
  private static final Duration REMEMBER = Duration.ofDays(1);

  /** Heat 8 is one read each half-life / (8 ln 2), so 5.5 while it is watched. */
  private static final Duration HALF_LIFE = WATCH;

  private static final double EXPECTED = 2 * 8 * Math.log(2);

  private final Scene scene = new Scene().nodes(4, Map.of(DISK, 100_000L, SSD, 100_000L));
  private final Map<String, Long> reads = new HashMap<>(Map.of("/many/0", 100L, "/many/1", 50L));
  private double readsOfAnOpen = 1;
  private final FirstParts parts =
      new FirstParts(
          new FirstParts.Settings(0.2, 10, WATCH, 0.5, REMEMBER),
          HALF_LIFE,
          path -> reads.getOrDefault(path, -1L),
          file -> readsOfAnOpen);

  @Test
  void onlyLargeGroupsOfPromotionsAreParted() {
    List<Plan.FileMoves> all = new ArrayList<>(files("/few", 9, Decision.Cause.PROMOTED));
    all.addAll(files("/many", 12, Decision.Cause.PROMOTED));
    all.addAll(files("/cold", 12, Decision.Cause.COLD_MIGRATION));
    Plan bounded = parts.bound(new Plan(1, all, List.of()), BEGIN);
    assertEquals(9, count(bounded, "/few"));
    assertEquals(12, count(bounded, "/cold"));
    assertEquals(
        List.of("/many/0", "/many/1", "/many/2"),
        bounded.files().stream()
            .map(Plan.FileMoves::path)
            .filter(path -> path.startsWith("/many/"))
            .toList(),
        "a fifth, the hottest");
    assertEquals(9, bounded.unplaced().size());
    assertEquals("first 3 of the 12 in /many", bounded.unplaced().get(0).reason());

    FirstParts off = new FirstParts(FirstParts.Settings.OFF, HALF_LIFE, path -> 0, file -> 1);
    Plan whole = new Plan(1, all, List.of());
    assertSame(whole, off.bound(whole, BEGIN));
  }

  @Test
  void theOthersFollowWhereTheFirstAreReadAsExpected() {
    plan();
    parts.begun("/many/0");
    List<FirstParts.Change> watched = look(SSD, BEGIN);
    assertEquals(FirstParts.State.WATCHED, watched.get(0).state());
    Hold hold = hold("/many/5");
    assertFalse(hold.rise());
    assertTrue(hold.fall());
    assertEquals(
        "the first 2 of 10 files in /many are watched until 2026-11-20T09:00:00Z", hold.reason());
    assertEquals(Hold.NONE, hold("/many/1"), "one of the first");
    assertEquals(Hold.NONE, hold("/other/1"));

    assertTrue(look(SSD, BEGIN.plus(WATCH).minusSeconds(1)).isEmpty());
    reads.put("/many/0", 104L);
    reads.put("/many/1", 52L);
    FirstParts.Change judged = look(SSD, BEGIN.plus(WATCH)).get(0);
    assertEquals(FirstParts.State.CONFIRMED, judged.state());
    assertEquals(EXPECTED, judged.expected(), 1e-9);
    assertEquals(6, judged.served());
    assertEquals(Hold.NONE, hold("/many/5"));
    Plan next =
        parts.bound(new Plan(2, files("/many", 10, Decision.Cause.PROMOTED), List.of()), BEGIN);
    assertEquals(10, next.files().size(), "all that is left");
  }

  @Test
  void theOthersStayWhereTheFirstAreNotRead() {
    plan();
    parts.begun("/many/1");
    look(SSD, BEGIN);
    reads.put("/many/0", 105L);
    FirstParts.Change judged = look(SSD, BEGIN.plus(WATCH)).get(0);
    assertEquals(FirstParts.State.DROPPED, judged.state());
    assertEquals(
        "the first 2 of 10 files in /many had 5 reads of 11.1 on their new tier: the others stay"
            + " until 2026-11-21T09:00:00Z",
        judged.reason());
    assertEquals(judged.reason(), hold("/many/5").reason());
    assertTrue(look(SSD, BEGIN.plus(WATCH).plus(REMEMBER)).isEmpty());
    assertEquals(Hold.NONE, hold("/many/5"), "forgotten");
  }

  /** Heat is of reads of the whole file: what is compared with it must be, too. */
  @Test
  void opensCountAsWhatTheyReadOfTheFile() {
    readsOfAnOpen = 0.05;
    plan();
    parts.begun("/many/0");
    look(SSD, BEGIN);
    reads.put("/many/0", 200L);
    FirstParts.Change judged = look(SSD, BEGIN.plus(WATCH)).get(0);
    assertEquals(5, judged.served(), 1e-9, "a hundred opens, a block of twenty each");
    assertEquals(FirstParts.State.DROPPED, judged.state());
  }

  @Test
  void readsOfWhatNeverGotThereDontCount() {
    plan();
    parts.begun("/many/0");
    look(DISK, BEGIN);
    reads.replaceAll((path, count) -> count + 100);
    FirstParts.Change judged = look(DISK, BEGIN.plus(WATCH)).get(0);
    assertEquals(FirstParts.State.DROPPED, judged.state());
    assertEquals(0, judged.served());
  }

  @Test
  void filesWhoseReadsAreNotKnownAreLeftOut() {
    plan();
    parts.begun("/many/0");
    reads.remove("/many/1");
    look(SSD, BEGIN);
    reads.put("/many/0", 4L);
    FirstParts.Change judged = look(SSD, BEGIN.plus(WATCH)).get(0);
    assertEquals(EXPECTED / 2, judged.expected(), 1e-9);
    assertEquals(4, judged.served(), "counted anew in between");
    assertEquals(FirstParts.State.CONFIRMED, judged.state());
  }

  @Test
  void whereNoGainIsAskedForTheOthersFollow() {
    FirstParts any =
        new FirstParts(
            new FirstParts.Settings(0.2, 10, WATCH, 0, REMEMBER), HALF_LIFE, path -> 0, file -> 1);
    any.bound(new Plan(1, files("/many", 10, Decision.Cause.PROMOTED), List.of()), BEGIN);
    any.begun("/many/0");
    any.look(List.of(), BEGIN);
    FirstParts.Change judged = any.look(List.of(), BEGIN.plus(WATCH)).get(0);
    assertEquals(FirstParts.State.CONFIRMED, judged.state());
    assertEquals(EXPECTED, judged.expected(), 1e-9, "no open of them is known as such, too");
  }

  @Test
  void aFirstPartThatWasNotBegunIsForgotten() {
    plan();
    assertTrue(look(SSD, BEGIN.plusSeconds(300)).isEmpty());
    assertEquals(Hold.NONE, hold("/many/5"));
    parts.begun("/many/0");
    assertTrue(look(SSD, BEGIN.plusSeconds(300)).isEmpty(), "of another plan");

    plan();
    assertTrue(look(SSD, BEGIN).isEmpty());
    parts.begun("/many/0");
    assertEquals(
        FirstParts.State.WATCHED, look(SSD, BEGIN.plusSeconds(300)).get(0).state(), "in time");
  }

  @Test
  void whatRulesWantOrComesBackFromArchiveIsNotHeld() {
    plan();
    parts.begun("/many/0");
    FileView archived = scene.file("/many/old", 10, "n1-ARCHIVE", "n2-ARCHIVE");
    parts.look(List.of(new HotFile(archived, 3)), BEGIN);
    assertEquals(Hold.NONE, hold("/many/old"));
    FileView recalled = scene.file("/many/old", 10, "n1-DISK", "n2-ARCHIVE");
    parts.look(List.of(new HotFile(recalled, 3)), BEGIN);
    assertFalse(hold("/many/old").rise(), "it is on DISK again");
    Hold ruled = Hold.NONE.between(new Hold.Bound(SSD, "rule 1"), null);
    assertSame(ruled, parts.holds(path -> ruled).apply("/many/5"));
    Hold held = parts.holds(path -> Hold.still("its copies stay")).apply("/many/5");
    assertFalse(held.fall());
    assertTrue(held.reason().endsWith("; its copies stay"), held.reason());
  }

  /** Ten files of heat 8 that are promoted; two of them go first. */
  private void plan() {
    Plan plan = new Plan(1, files("/many", 10, Decision.Cause.PROMOTED), List.of());
    assertEquals(2, parts.bound(plan, BEGIN).files().size());
  }

  private List<FirstParts.Change> look(StorageType lead, Instant now) {
    return parts.look(
        Stream.of("/many/0", "/many/1")
            .map(path -> new HotFile(scene.file(path, 10, "n1-" + lead, "n2-DISK"), 8))
            .toList(),
        now);
  }

  private Hold hold(String path) {
    return parts.holds(any -> Hold.NONE).apply(path);
  }

  private List<Plan.FileMoves> files(String directory, int count, Decision.Cause cause) {
    List<Plan.FileMoves> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HotFile hot = new HotFile(scene.file(directory + "/" + i, 10, "n1-DISK", "n2-DISK"), 8);
      Decision decision =
          new Decision(
              hot,
              DISK,
              new Target(List.of(SSD, DISK), "ONE_SSD"),
              cause,
              "hot",
              new Gate.Benefit(2, 0, 1));
      files.add(new Plan.FileMoves(decision, "ONE_SSD", List.of()));
    }
    return files;
  }

  private static long count(Plan plan, String directory) {
    return plan.files().stream().filter(file -> file.path().startsWith(directory + "/")).count();
  }
}
