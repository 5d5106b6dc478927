// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.observe.FileView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DirectoryTotalsTest {

  @Test
  void addsDeepOnesToThoseAboveWhereThereAreTooMany() {
    DirectoryTotals totals = new DirectoryTotals(4);
    for (int i = 0; i < 100; i++) {
      totals.add(file("/a/b" + i % 2 + "/c" + i + "/f"), 1, StorageType.SSD);
    }
    totals.add(file("/f"), 7, StorageType.DISK);

    Map<String, DirectoryTotals.Total> found = new HashMap<>();
    totals.forEach(found::put);
    DirectoryTotals.Total half = new DirectoryTotals.Total(50, 50, 500, 500);
    assertEquals(
        Map.of("/a/b0", half, "/a/b1", half, "", new DirectoryTotals.Total(7, 1, 10, 0)), found);
  }

  private static FileView file(String path) {
    return new FileView(path, 10, 1, 0, List.of());
  }
}
