// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.placement.model.DirectoryHints.Line;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The text of hints on directories, and which of them counts for a path. */
class DirectoryHintsTest {
  private static final long NOW = 1_000_000;
  private static final String FIRST = "thermocline-directory-hints 1";

  private final DirectoryHints hints =
      DirectoryHints.parse(
          DirectoryHints.text(
              NOW + 600,
              List.of(
                  Line.hint("/w/orders", "ONE_SSD", NOW + 100),
                  Line.hint("/w/orders/old ones", "COLD", NOW + 900),
                  Line.usual("/w/orders/kept"),
                  Line.hint("/w", "WARM", NOW + 300))));

  @Test
  void innermostLineCountsAndEachEndsWithItsLease() {
    assertEquals("ONE_SSD", policy("/w/orders/part-0", NOW));
    assertEquals("ONE_SSD", policy("/w/orders/_temporary/0/a/part-0._COPYING_", NOW));
    assertEquals("COLD", policy("/w/orders/old ones/x", NOW));
    assertNull(policy("/w/orders/kept/x", NOW));
    assertEquals("WARM", policy("/w/orders", NOW), "as a file of that name");
    assertEquals("WARM", policy("/w/orders2/x", NOW));
    assertNull(policy("/v/x", NOW));
    assertNull(policy("/w", NOW));
    assertEquals("WARM", policy("/w/orders/part-0", NOW + 100), "the inner one is over");
    assertNull(policy("/w/orders/part-0", NOW + 300));
    assertEquals("COLD", policy("/w/orders/old ones/x", NOW + 599));
    assertNull(policy("/w/orders/old ones/x", NOW + 600), "not written anew in time");
    assertTrue(hints.isStale(NOW + 600));
    assertFalse(hints.isStale(NOW + 599));
  }

  @Test
  void rootCanBeHintedAndOddPathsAreNoMistake() {
    DirectoryHints root =
        DirectoryHints.parse(
            DirectoryHints.text(Long.MAX_VALUE / 4, List.of(Line.hint("/", "COLD", NOW))));
    assertEquals("COLD", root.of("/a", 0).policy());
    assertEquals("COLD", root.of("/a/b/c", 0).policy());
    for (String odd :
        List.of("", "a", "//", "/" + String.join("", Collections.nCopies(900, "d/")))) {
      hints.of(odd, NOW);
      root.of(odd, NOW);
    }
    assertNull(DirectoryHints.none().of("/a", NOW));
  }

  @Test
  void mistakesAreNamedWithTheirLine() {
    String good = DirectoryHints.text(NOW, List.of(Line.usual("/a"), Line.usual("/b")));
    Map<String, String> wrong = new HashMap<>();
    String[] texts = {
      "",
      "line 1",
      "\n",
      "line 1",
      FIRST,
      "line 2",
      FIRST + "\n\n\n\n",
      "line 2",
      good.substring(0, good.indexOf("usual")),
      "expected 'end 0'",
      good.replace("hints 1", "hints 2"),
      "line 1: expected 'thermocline-directory-hints 1'",
      good.replace("good-until ", "good-until yesterday "),
      "line 2",
      good.replace("usual /b\n", ""),
      "expected 'end 1'",
      good.substring(0, good.length() - 1),
      "isn't whole",
      good.replace("usual /a", "usual a"),
      "line 3: no directory",
      good.replace("usual /a", "usual /a/"),
      "line 3: no directory",
      good.replace("usual /b", "perhaps /b"),
      "line 4: expected hint or usual",
      good.replace("usual /b", "hint ONE_SSD /b"),
      "line 4: expected hint or usual",
      good.replace("usual /b", "hint now ONE_SSD /b"),
      "line 4: 'now' is no time",
      good + "\n",
      "isn't whole",
      good.replace("end", String.join("", Collections.nCopies(10_000, "usual /c\n")) + "end"),
      "more than 10000 directories"
    };
    for (int i = 0; i < texts.length; i += 2) {
      wrong.put(texts[i], texts[i + 1]);
    }
    wrong.forEach(
        (text, why) -> {
          Exception e =
              assertThrows(IllegalArgumentException.class, () -> DirectoryHints.parse(text), text);
          assertTrue(e.getMessage().contains(why), e.getMessage());
        });
    assertThrows(
        IllegalArgumentException.class,
        () -> DirectoryHints.text(NOW, Collections.nCopies(10_001, Line.usual("/a"))));
    assertThrows(
        IllegalArgumentException.class,
        () -> DirectoryHints.text(NOW, List.of(Line.usual("/a\nhint"))));
    assertFalse(DirectoryHints.takes(String.join("", Collections.nCopies(65, "/d"))));
    assertTrue(DirectoryHints.takes("/with a space"));
    String name = String.join("", Collections.nCopies(999, "d"));
    assertTrue(DirectoryHints.takes("/" + name));
    assertFalse(DirectoryHints.takes("/d" + name));
    assertFalse(DirectoryHints.takes("/" + name.replace('d', '\u00e9')), "bytes count");
  }

  @Test
  void asManyAndAsLongAsTheyMayBeFit() {
    String name = String.join("", Collections.nCopies(990, "d"));
    List<Line> most = new ArrayList<>();
    for (int i = 0; i < DirectoryHints.MOST_LINES; i++) {
      most.add(Line.hint("/" + name + i, "ONE_SSD", NOW));
    }
    String text = DirectoryHints.text(NOW, most);
    assertTrue(text.length() < DirectoryHints.MOST_BYTES, () -> text.length() + " bytes");
    assertEquals(DirectoryHints.MOST_LINES, DirectoryHints.parse(text).lines().size());
  }

  private String policy(String path, long now) {
    Line line = hints.of(path, now);
    return line == null ? null : line.policy();
  }
}
