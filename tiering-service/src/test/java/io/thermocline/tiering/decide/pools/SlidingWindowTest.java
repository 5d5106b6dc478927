// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide.pools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class SlidingWindowTest {

  @Test
  void hasTheLastEpochsOldestFirst() {
    SlidingWindow<String> window = new SlidingWindow<>(2);
    assertEquals(List.of("a"), window.moveOn("a"));
    assertEquals(List.of("a", "b"), window.moveOn("b"));
    assertEquals(List.of("b", "c"), window.moveOn("c"));
  }
}
