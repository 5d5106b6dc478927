// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.observe.PathHashes;
import io.thermocline.tiering.observe.PathKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a path's reads are counted under, at the moments when an entry begins, ends and is forgotten. */
class RenameHistoryTest {

  private static final long START = PathKey.nameservice(Told.NAMESERVICE);
  private static final long IN_FORCE = RenameHistory.IN_FORCE_STEPS;

  private RenameHistory history = new RenameHistory(START, 8);

  private static PathHashes path(String path) {
    return PathHashes.of(START, path);
  }

  private static long own(String path) {
    return path(path).key();
  }

  private void rename(String from, String to) {
    history.renamed(path(from), path(to));
  }

  private boolean isOwn(String path) {
    return history.keyNow(path(path)) == own(path);
  }

  /** The names that data had, each with whether reads were counted under the name's own key. */
  private List<String> names(String path, String... known) {
    List<String> names = new ArrayList<>();
    boolean stopped =
        history.trace(
            path(path),
            path(path).depth(),
            (name, key) -> {
              for (String each : known) {
                if (own(each) == name) {
                  names.add(each + (key == name ? "" : " since"));
                }
              }
              return false;
            });
    assertFalse(stopped);
    return names;
  }

  @Test
  void aRenameIsInForceForSixHalfLives() {
    assertTrue(history.isEmpty());
    assertTrue(isOwn("/a/f"));
    history.coolTo(100);
    rename("/a", "/b");
    assertFalse(history.isEmpty());
    for (long step : new long[] {100, 100 + IN_FORCE - 1}) {
      history.coolTo(step);
      assertNotEquals(history.keyNow(path("/a/f")), history.keyNow(path("/b/f")));
      assertFalse(isOwn("/a/f") || isOwn("/b/f"));
      assertTrue(isOwn("/c/f"));
      assertEquals(List.of("/b/f since", "/a/f"), names("/b/f", "/a/f", "/b/f"));
      assertEquals(List.of("/a/f since"), names("/a/f", "/a/f", "/b/f"));
      assertEquals(List.of(), history.takeChanged());
    }
    history.coolTo(100 + IN_FORCE);
    assertTrue(isOwn("/a/f") && isOwn("/b/f"));
    assertEquals(List.of("/b/f since", "/b/f"), names("/b/f", "/a/f", "/b/f"));
    assertEquals(List.of(own("/a"), own("/b")), history.takeChanged());
    assertEquals(List.of(), history.takeChanged());

    history.coolTo(100 + 2 * IN_FORCE - 1);
    assertEquals(1, history.size());
    history.coolTo(100 + 2 * IN_FORCE);
    assertEquals(0, history.size());
    assertTrue(history.isEmpty());
    assertEquals(List.of("/b/f"), names("/b/f", "/a/f", "/b/f"));
    assertEquals(List.of(), history.takeChanged(), "it was in force no more");
    assertEquals(0, history.droppedEarly());
  }

  /** Of the first name all that was counted until it was renamed, under its own key too once that was in force again. */
  @Test
  void aChainShowsWhatEachNameHadInItsTime() {
    rename("/a", "/b");
    history.coolTo(IN_FORCE - 1);
    rename("/b", "/c");
    assertEquals(List.of("/c since", "/b since", "/a"), names("/c", "/a", "/b", "/c"));
    history.coolTo(IN_FORCE);
    assertEquals(List.of("/c since", "/b since"), names("/c", "/a", "/b", "/c"));
    rename("/x", "/y");
    history.coolTo(2 * IN_FORCE - 1);
    rename("/c", "/d");
    assertEquals(List.of("/d since", "/c since", "/c"), names("/d", "/a", "/b", "/c", "/d"));
  }

  @Test
  void dataThatIsReplacedAgainNeedsOneEntry() {
    history.replaced(path("/d/f"));
    long first = history.keyNow(path("/d/f"));
    history.replaced(path("/d/f"));
    assertEquals(1, history.size());
    assertNotEquals(first, history.keyNow(path("/d/f")));
    assertEquals(List.of("/d/f since"), names("/d/f", "/d/f"));

    history.replaced(path("/d/g"));
    history.replaced(path("/d"));
    assertEquals(3, history.size(), "another path each");
    history.replaced(path("/d/f"));
    assertEquals(4, history.size(), "what is in force is of its directory");
    rename("/x", "/y");
    history.replaced(path("/y"));
    assertEquals(6, history.size(), "a rename is no such entry");
  }

  /** Of eight, two may be deletions. */
  @Test
  void deletionsAreForgottenFirstUnlessTheyHaveASuccessor() {
    history.deleted(path("/d1"));
    history.deleted(path("/d2"));
    assertEquals(List.of(), history.takeChanged());
    history.deleted(path("/d3"));
    assertEquals(List.of(own("/d1")), history.takeChanged());
    assertTrue(isOwn("/d1/f"));
    assertFalse(isOwn("/d2/f") || isOwn("/d3/f"));
    assertEquals(2, history.size());
    assertEquals(0, history.droppedEarly());

    history.promote(path("/d2/f"));
    history.promote(path("/elsewhere"));
    for (int i = 4; i < 9; i++) {
      history.deleted(path("/d" + i));
    }
    assertFalse(isOwn("/d2/f"));
    assertTrue(isOwn("/d6/f"));
    assertFalse(isOwn("/d7/f"));
    assertEquals(3, history.size());
  }

  @Test
  void whatIsPromotedTakesThePlaceOfTheOldest() {
    history.coolTo(100);
    for (int i = 0; i < 8; i++) {
      rename("/a" + i, "/b" + i);
    }
    history.deleted(path("/d"));
    assertEquals(9, history.size());
    history.promote(path("/d/f"));
    assertEquals(8, history.size());
    assertEquals(1, history.droppedEarly());
    assertTrue(isOwn("/b0"));
    assertFalse(isOwn("/b1"));
    assertEquals(List.of(own("/a0"), own("/b0")), history.takeChanged());

    history.coolTo(100 + IN_FORCE);
    assertEquals(15, history.takeChanged().size());
    rename("/x", "/y");
    assertEquals(2, history.droppedEarly());
    assertEquals(List.of(), history.takeChanged(), "what was forgotten was in force no more");
  }

  @Test
  void deletionsAreForgottenAfterTwelveHalfLives() {
    history.deleted(path("/d"));
    history.coolTo(2 * IN_FORCE - 1);
    assertEquals(1, history.size());
    history.coolTo(2 * IN_FORCE);
    assertEquals(0, history.size());
  }

  /** What finds entries fast is made again from those that there are. */
  @Test
  void findsWhatIsLeftAfterManyWereForgotten() {
    rename("/a", "/b/c");
    history.deleted(path("/d/e"));
    history.promote(path("/d/e/f"));
    for (int i = 0; i < 1_100; i++) {
      history.deleted(path("/gone/" + i));
    }
    assertEquals(4, history.size());
    assertEquals(List.of("/b/c/f since", "/a/f"), names("/b/c/f", "/a/f", "/b/c/f"));
    assertFalse(isOwn("/a") || isOwn("/d/e/f") || isOwn("/gone/1099"));
    assertTrue(isOwn("/gone/0"));
  }

  @Test
  void goesOnFromWhatWasSaved() {
    rename("/a", "/b");
    history.deleted(path("/d"));
    history.coolTo(10);
    rename("/x", "/y");
    history.deleted(path("/e"));
    history.coolTo(IN_FORCE);
    SavedNumbers numbers = new SavedNumbers();
    history.freeze().writeTo(numbers);
    RenameHistory before = history;
    history = new RenameHistory(START, 8);
    history.restore(numbers.source());

    assertEquals(4, history.size());
    assertTrue(isOwn("/a") && isOwn("/b") && isOwn("/d"));
    for (String path : List.of("/x", "/y/f", "/e")) {
      assertFalse(isOwn(path));
      assertEquals(before.keyNow(path(path)), history.keyNow(path(path)));
    }
    assertEquals(List.of("/y since", "/x"), names("/y", "/x", "/y"));
    history.coolTo(IN_FORCE + 10);
    assertEquals(List.of(own("/x"), own("/y"), own("/e")), history.takeChanged());
    rename("/x", "/z");
    before.coolTo(IN_FORCE + 10);
    before.renamed(path("/x"), path("/z"));
    assertEquals(before.keyNow(path("/z")), history.keyNow(path("/z")), "the same number");
    history.coolTo(2 * IN_FORCE);
    assertEquals(3, history.size());
  }
}
