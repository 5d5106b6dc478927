// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedHotnessTableTest {

  /** One part: all threads meet in it. Many: hardly ever. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 64})
  void losesNoReadBetweenThreads(int parts) throws InterruptedException, ExecutionException {
    int threads = 4;
    int items = 500;
    int reads = 300_000;
    SharedHotnessTable table = new SharedHotnessTable(1 << 22, parts, 1);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<Future<int[]>> counted = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int seed = t;
      counted.add(
          executor.submit(
              () -> {
                SplittableRandom random = new SplittableRandom(seed);
                int[] mine = new int[items];
                for (int i = 0; i < reads; i++) {
                  // Below 768 reads each, where the table is exact.
                  int item = random.nextInt(items);
                  if (mine[item] < 190) {
                    mine[item]++;
                    table.add(Mix.of(item + 1), 1);
                  }
                }
                return mine;
              }));
    }
    int[] truth = new int[items];
    for (Future<int[]> mine : counted) {
      for (int i = 0; i < items; i++) {
        truth[i] += mine.get()[i];
      }
    }
    executor.shutdown();
    int off = 0;
    for (int i = 0; i < items; i++) {
      off += table.estimate(Mix.of(i + 1)) == truth[i] ? 0 : 1;
    }
    assertTrue(truth[0] > 700);
    assertEquals(0, off);
    table.coolTo(Decay.STEPS_PER_HALF_LIFE);
    assertEquals(truth[0] / 2.0, table.estimate(Mix.of(1)), 2);
  }
}
