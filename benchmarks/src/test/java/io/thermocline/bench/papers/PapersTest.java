// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.papers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the command computes against the page in docs/evidence, and against the published inputs. */
@Tag("slow")
class PapersTest {
  private static PaperReport report;

  @BeforeAll
  static void run() {
    report = PapersCommand.run(PapersCommand.PAPERS);
  }

  @Test
  void thePageIsWhatTheCommandWrites() throws IOException {
    Path page = Path.of("..", "docs", "evidence", "papers.md");
    assertEquals(
        PapersCommand.page(report),
        Files.readString(page),
        "write it anew: bin/thermocline bench papers --quick --write docs/evidence");
  }

  @Test
  void equationThreeByHand() {
    // 5 / (1/95 + 1/176 + 1/263 + 1/500 + 1/1800), and so on.
    assertField(221.6, "suora_fig11_consistent_hashing_mb_s");
    assertField(119.3, "suora_fig11_consistent_hashing_b0_10_mb_s");
    assertField(135.2, "suora_fig11_asura_mb_s");
    assertField(576, "suora_fig11_fio_randread_mb_s");
    assertField(543, "suora_fig11_fio_randrw_mb_s");
    assertField(881, "suora_fig11_iozone_mb_s");
    assertField(657, "suora_fig11_ior_mb_s");
  }

  @Test
  void movesFollowTableFiveExactly() {
    double[] moved = {36.06, 19.73, 12.32, 4.07};
    for (int replicas = 1; replicas <= 4; replicas++) {
      assertField(moved[replicas - 1], "suora_fig12_moved_pct_" + replicas);
      assertField(moved[replicas - 1], "derived_suora_fig12_moved_pct_" + replicas);
    }
    assertEquals(0L, report.fields().get("suora_fig12a_old_to_old_moves"));
  }

  @Test
  void aVirtualNodeTakesTwelveBytesAtMost() {
    double bytes = (Double) report.fields().get("attributed_table2_bytes_per_vnode");
    assertTrue(bytes <= 12, "bytes: " + bytes);
    assertField(0, "attributed_fig7_one_type_old_to_old_pct");
  }

  @Test
  void tablesAndFieldsAreWellFormed() {
    for (Map.Entry<String, Object> field : report.fields().entrySet()) {
      assertTrue(field.getKey().matches("[a-z][a-z0-9_]*"), field.getKey());
    }
    PaperReport other = new PaperReport();
    other.field("a", 1);
    assertThrows(IllegalArgumentException.class, () -> other.field("a", 2));
    assertThrows(
        IllegalArgumentException.class,
        () -> other.table("t", List.of("a", "b"), List.of(List.of("1"))));
  }

  private static void assertField(double expected, String name) {
    assertEquals(expected, ((Number) report.fields().get(name)).doubleValue(), 1e-9, name);
  }
}
