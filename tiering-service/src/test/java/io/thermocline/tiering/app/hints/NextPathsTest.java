// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.app.hints;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.observe.FileView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NextPathsTest {

  private static final int PATHS = 500;

  @Test
  void areThoseOfASortedListHoweverFilesCome() {
    List<FileView> files =
        new ArrayList<>(
            IntStream.range(0, PATHS)
                .mapToObj(i -> new FileView("/w/" + i, 1, 3, 0, List.of(), "etl", null))
                .toList());
    Random random = new Random(20261122);
    for (int most : new int[] {1, 7, PATHS, 2 * PATHS}) {
      List<String> seen = new ArrayList<>();
      List<String> next;
      do {
        Collections.shuffle(files, random);
        next = NextPaths.of(files, seen.isEmpty() ? "" : seen.get(seen.size() - 1), most);
        seen.addAll(next);
      } while (!next.isEmpty());
      assertEquals(files.stream().map(FileView::path).sorted().toList(), seen, most + " at a time");
    }
  }
}
