// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OracleTest {

  private static final long BLOCK = 100;

  private final List<WorkloadFile> files =
      List.of(
          new WorkloadFile("/a", 250, 1),
          new WorkloadFile("/b", 100, 2),
          new WorkloadFile("/c", 40, 3),
          new WorkloadFile("/empty", 0, 4));
  private final Oracle oracle = new Oracle(files, BLOCK);

  // Block reads by file: a has blocks of 100, 100 and 50 bytes and is read 3 times, b has one
  // block and is read 4 times, c has one of 40 bytes and is read once: 9 + 4 + 1 = 14. Reads per
  // byte: a's last 3/50 = 0.06, b 0.04, a's full ones 0.03, c 0.025.
  private final List<Access> window = accesses(0, 1, 1, 0, 2, 1, 3, 0, 1);

  @Test
  void takesBlocksByReadsPerByte() {
    assertEquals(0, oracle.bestFastShare(window, 0));
    assertEquals(3 / 14.0, oracle.bestFastShare(window, 50), 1e-12);
    assertEquals((3 + 4) / 14.0, oracle.bestFastShare(window, 150), 1e-12);
    assertEquals((3 + 4 + 6) / 14.0, oracle.bestFastShare(window, 350), 1e-12);
    assertEquals(1, oracle.bestFastShare(window, 390), 1e-12);
    assertEquals(1, oracle.bestFastShare(window, 1_000_000), 1e-12);
  }

  @Test
  void cutsTheLastBlock() {
    assertEquals((3 + 4 * 0.25) / 14.0, oracle.bestFastShare(window, 75), 1e-12);
    assertEquals((3 + 4 + 3 + 3 * 0.5) / 14.0, oracle.bestFastShare(window, 300), 1e-12);
  }

  @Test
  void countsOnlyTheWindow() {
    assertEquals(1, oracle.bestFastShare(accesses(2, 2), 40), 1e-12);
    assertEquals(Double.NaN, oracle.bestFastShare(accesses(3), 40));
  }

  private static List<Access> accesses(int... files) {
    return IntStream.of(files).mapToObj(file -> new Access(0, file)).toList();
  }
}
