// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.readorder;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadSharesTest {

  private static final Readers ON_N1_AND_ELSEWHERE =
      new Readers(Map.of("n1", 0.5), Map.of("/r1", 0.5, "/default-rack", 0.5), false);

  private static final Map<String, String> RACKS = Map.of("n1", "/r1", "n2", "/r1", "n3", "/r2");

  @Test
  void saysWhatEachPlaceServes() {
    ReadShares shares = new ReadShares(ReadOrder.NEAREST, ON_N1_AND_ELSEWHERE, RACKS);
    Map<ReadShares.Place, Double> places =
        shares.byPlace(
            file(block(1, 100, "n1", "n2", "n3"), block(2, 300, "n2", "n3"), block(3, 100)));
    assertEquals(1, places.values().stream().mapToDouble(Double::doubleValue).sum(), 1e-9);
    // A quarter of the bytes: readers on n1 take n1; others any.
    assertEquals(0.25 * (0.5 + 0.5 / 3), places.get(onDisk("n1")), 1e-9);
    assertEquals(0.25 * 0.5 / 3 + 0.75 * (0.5 + 0.25), places.get(onDisk("n2")), 1e-9);
    assertEquals(0.25 * 0.5 / 3 + 0.75 * 0.25, places.get(onDisk("n3")), 1e-9);
  }

  @Test
  void nothingIsKnownOfAFileWithoutReplicas() {
    ReadShares shares = new ReadShares(ReadOrder.NEAREST, ON_N1_AND_ELSEWHERE, RACKS);
    assertEquals(Map.of(), shares.byPlace(file(block(1, 100))));
    assertEquals(Map.of(StorageType.DISK, 1.0), shares.of(file(block(1, 100))));
  }

  private static ReadShares.Place onDisk(String node) {
    return new ReadShares.Place(node, StorageType.DISK);
  }

  private static FileView file(FileView.Block... blocks) {
    return new FileView("/f", 500, 3, 0, List.of(blocks));
  }

  private static FileView.Block block(long id, long length, String... nodes) {
    return new FileView.Block(
        "BP",
        id,
        1,
        length,
        Stream.of(nodes)
            .map(node -> new FileView.Replica(node, node + "-s", StorageType.DISK))
            .toList());
  }
}
