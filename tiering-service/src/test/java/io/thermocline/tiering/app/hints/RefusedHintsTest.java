// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.api.HintDesk;
import java.util.List;
import org.junit.jupiter.api.Test;

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

  private static HintDesk.Refused refused(String path, String owner) {
    return new HintDesk.Refused(path, "PIN", owner, "too many");
  }

  private List<String> paths(String owner) {
    return refused.of(owner).stream().map(HintDesk.Refused::path).toList();
  }
}
