// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.api.HintService;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RefusedHintsTest {

  private final RefusedHints refused = new RefusedHints();

  @Test
  void whatIsLookedAtAgainIsKnownAnew() {
    refused.found("/a", List.of(refused("/a", "alice"), refused("/a", "bob")));
    refused.found("/b", List.of(refused("/b", "alice")));
    assertEquals(List.of("/a", "/b"), paths("alice"));
    refused.found("/a", List.of(refused("/a", "bob")));
    assertEquals(List.of("/b"), paths("alice"));
    assertEquals(List.of("/a"), paths("bob"));
    refused.found("/a", List.of());
    assertEquals(List.of(), paths("bob"));
  }

  @Test
  void whatIsGoneIsForgottenWithAllBelow() {
    for (String path : List.of("/d", "/d/a", "/d/e/f", "/da")) {
      refused.found(path, List.of(refused(path, "alice")));
    }
    refused.gone("/d/e");
    assertEquals(List.of("/d", "/d/a", "/da"), paths("alice"));
    refused.gone("/d");
    assertEquals(List.of("/da"), paths("alice"));
  }

  @Test
  void oneOwnersManyCrowdOutNobodyElses() {
    refused.found("/b", List.of(refused("/b", "bob")));
    for (int i = 0; i < RefusedHints.MOST + 2; i++) {
      refused.found("/a" + i, List.of(refused("/a" + i, "alice")));
    }
    assertEquals(List.of("/b"), paths("bob"));
    assertEquals(RefusedHints.MOST, paths("alice").size());
    assertEquals("/a2", paths("alice").get(0), "those found first go first");
  }

  /** The log names each file that is made or deleted: what isn't about a hint must cost next to nothing. */
  @Test
  @Timeout(value = 15, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void manyOwnersManySlowNoReaderOfTheLogAndAreNotAllKept() {
    for (int i = 0; i < 2 * RefusedHints.MOST_IN_ALL; i++) {
      String owner = "owner" + i / RefusedHints.MOST;
      refused.found("/a" + i, List.of(refused("/a" + i, owner)));
    }
    for (int i = 0; i < 50_000; i++) {
      refused.gone("/made/" + i);
    }
    assertEquals(RefusedHints.MOST, paths("owner0").size());
    assertEquals(List.of(), paths("owner199"));
    refused.gone("/a0");
    refused.found("/b", List.of(refused("/b", "owner199")));
    assertEquals(List.of("/b"), paths("owner199"), "where one is gone there is room");
  }

  private static HintService.Refused refused(String path, String owner) {
    return new HintService.Refused(path, "PIN", owner, "too many");
  }

  private List<String> paths(String owner) {
    return refused.of(owner).stream().map(HintService.Refused::path).toList();
  }
}
