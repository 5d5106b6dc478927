// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeparatorsTest {

  private static final long SEED = Long.getLong("test.seed", 0);

  @Test
  void findsWhatALookAtEachByteFinds() {
    for (long seed = SEED; seed < SEED + 300; seed++) {
      Random random = new Random(seed);
      byte[] bytes = new byte[random.nextInt(2000)];
      // Much of what is next to a separator, with a few of all bytes, or hardly anything else.
      int range = List.of(16, 256, 3).get(random.nextInt(3));
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (range == 3 ? 8 + random.nextInt(3) : random.nextInt(range));
      }
      int from = bytes.length / 7;
      int middle = from + (bytes.length - from) / 3;
      Separators found = new Separators();
      found.find(bytes, from, middle);
      found.find(bytes, middle, bytes.length);
      List<Integer> places = new ArrayList<>();
      List<Integer> newlines = new ArrayList<>();
      for (int i = from; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          newlines.add(places.size());
        }
        if (bytes[i] == '\n' || bytes[i] == '\t') {
          places.add(i);
        }
      }
      assertEquals(places, places(found), "seed " + seed);
      assertEquals(newlines, newlines(found), "seed " + seed);
      found.dropLines();
      found.shift(5);
      int behind = newlines.isEmpty() ? 0 : newlines.get(newlines.size() - 1) + 1;
      assertEquals(
          places.subList(behind, places.size()).stream().map(place -> place - 5).toList(),
          places(found),
          "seed " + seed);
    }
  }

  private static List<Integer> places(Separators found) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < found.count(); i++) {
      places.add(found.place(i));
    }
    return places;
  }

  private static List<Integer> newlines(Separators found) {
    List<Integer> newlines = new ArrayList<>();
    for (int i = 0; i < found.lines(); i++) {
      newlines.add(found.newline(i));
    }
    return newlines;
  }
}
