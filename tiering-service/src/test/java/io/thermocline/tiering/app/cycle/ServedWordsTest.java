// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.Scene;
import io.thermocline.tiering.readorder.ReadOrder;
import io.thermocline.tiering.readorder.ReadShares;
import io.thermocline.tiering.readorder.Readers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServedWordsTest {

  private static final Readers ELSEWHERE =
      new Readers(Map.of(), Map.of("/default-rack", 1.0), false);

  private final Scene scene = new Scene();

  @Test
  void saysWhatOneCopyServesAndWhatAllWould() {
    String third = "33 % of the reads (estimated: Readers take the nearest replica)";
    String more = "; all 3: 100 %, 2 KB more";
    assertEquals(
        List.of("1 of 3 copies on SSD or faster serves " + third + more),
        words(ReadOrder.NEAREST, "n1-SSD", "n2-DISK", "n3-DISK"));
    assertEquals(
        List.of("1 of 3 copies on SSD or faster would serve " + third + more),
        words(ReadOrder.NEAREST, "n1-DISK", "n2-DISK", "n3-DISK"));
    assertEquals(
        List.of(
            "1 of 3 copies on SSD or faster serves 100 % of the reads (estimated: Readers take a"
                + " replica on the fastest type)"),
        words(ReadOrder.FASTEST, "n1-SSD", "n2-DISK", "n3-DISK"));
  }

  private List<String> words(ReadOrder order, String... storages) {
    return ServedWords.of(
        scene.file("/a", 1024, storages), new ReadShares(order, ELSEWHERE, Map.of()));
  }
}
