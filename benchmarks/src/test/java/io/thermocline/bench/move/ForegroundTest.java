// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.move;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ForegroundTest {

  @Test
  void comparesTheTimeMeanwhileWithThatBeforeAndAfter() {
    Foreground foreground = new Foreground();
    assertTrue(Double.isNaN(foreground.p99Ratio()));
    foreground.quiet(new Foreground.Window(LongStream.rangeClosed(1, 50).toArray(), 1, 0.5));
    foreground.quiet(new Foreground.Window(LongStream.rangeClosed(51, 100).toArray(), 1, 0.5));
    foreground.meanwhile(
        new Foreground.Window(LongStream.rangeClosed(1, 100).map(i -> 3 * i).toArray(), 4, 5));
    assertEquals(3, foreground.p99Ratio(), 1e-9);
    assertEquals(3, foreground.medianRatio(), 1e-9);
    assertEquals(0.5, foreground.rateRatio(), 1e-9, "100 in 4 s, and 100 in 2 s");
    assertEquals(4, foreground.cpuSecondsBeside(), 1e-9, "a read takes 0.01 s");

    Foreground both = new Foreground();
    both.addAll(foreground);
    both.meanwhile(new Foreground.Window(new long[] {1_000, 1_000, 1_000}, 1, 0));
    assertEquals(1_000 / 99.0, both.p99Ratio(), 1e-9);
  }
}
