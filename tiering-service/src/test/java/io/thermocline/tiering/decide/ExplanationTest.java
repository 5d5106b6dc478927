// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private static final Map<StorageType, TierLimits> LIMITS =
      Map.of(
          SSD, new TierLimits(0.6, 0.9, 2),
          DISK, new TierLimits(0.75, 0.85, 1),
          ARCHIVE, new TierLimits(0.85, 0.9, 0));

  private final Scene scene =
      new Scene().nodes(3, Map.of(NVDIMM, 100L, SSD, 1000L, DISK, 10_000L, ARCHIVE, 10_000L));

  private Explanation explain(Map<StorageType, TierLimits> limits, HotFile hot) {
    return new TierDecider(Tiering.plain(limits, 0.2))
        .explain(hot.file().path(), List.of(hot), Situation.of(scene.cluster()));
  }

  @Test
  void inShadowModeAFileIsShownWhereItLies() {
    FileView real = scene.file("/f", 100, "n1-DISK", "n2-DISK", "n3-DISK");
    FileView moved = scene.file("/f", 100, "n1-SSD", "n2-DISK", "n3-DISK");
    Explanation explanation = explain(LIMITS, new HotFile(moved, 4));

    Explanation shown = explanation.shownAs(real);

    assertEquals(
        List.of(
            "/f: fastest copy on DISK; bytes by type {DISK=300}",
            "4.0 block reads, 0.04 s of disk time, 100.0 % of all; number 1 of 1 files",
            "in shadow mode; had it been moved as was said, its fastest copy would be on SSD, and"
                + " then:",
            "next: stays"),
        shown.lines().subList(0, 4));
    assertEquals(real, shown.standing().hot().file());
    // Where it would be as it is, nothing is said of that.
    assertEquals(explanation.lines(), explanation.shownAs(moved).lines());
  }

  @Test
  void moreCanBeSaidOfAFile() {
    Explanation none = new Explanation("/dir", null, Optional.empty(), Map.of());

    assertSame(none, none.plus(List.of()));
    assertEquals(
        List.of("/dir: it is a directory; ask for a file"),
        none.plus(List.of("it is a directory")).plus(List.of("ask for a file")).lines());
  }

  @Test
  void saysWhichTypesTakeNoPart() {
    HotFile hot = new HotFile(scene.file("/f", 100, "n1-SSD", "n2-DISK", "n3-DISK"), 4);

    assertEquals(
        Map.of(
            NVDIMM,
            "NVDIMM takes no part: decide.tiers leaves it out, or the NameNode runs without"
                + " Thermocline's plugin",
            DISK,
            "data leaves SSD for a slower type only when SSD is above its upper watermark of 90 %",
            ARCHIVE,
            "data leaves SSD for a slower type only when SSD is above its upper watermark of 90 %"),
        explain(LIMITS, hot).obstacles());
    assertEquals(
        "SSD, where it is, takes no part: decide.tiers leaves it out",
        explain(Map.of(DISK, LIMITS.get(DISK)), hot).obstacles().get(DISK));
  }

  @Test
  void saysHowOftenAnArchivedFileMustBeRead() {
    Map<StorageType, TierLimits> limits =
        Map.of(
            DISK, new TierLimits(0.75, 0.85, 3),
            ARCHIVE, new TierLimits(0.85, 0.9, 0));
    FileView archived = scene.file("/f", 100, "n1-ARCHIVE", "n2-ARCHIVE", "n3-ARCHIVE");

    assertEquals(
        "read less than 3.0 times",
        explain(limits, new HotFile(archived, 2.9)).obstacles().get(DISK));
    assertEquals(
        DISK, explain(limits, new HotFile(archived, 3)).decision().orElseThrow().target().lead());
    assertEquals(
        Optional.empty(), explain(LIMITS, new HotFile(archived, 0)).decision(), "nobody reads it");
  }
}
