// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.tiering.sim.FileAccess;
import io.thermocline.tiering.sim.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is generated has the published marginals. */
class GeneratedReadsTest {

  private static double[] counts(Trace trace, List<FileAccess> accesses) {
    double[] counts = new double[trace.files().size()];
    accesses.forEach(access -> counts[access.file()]--);
    Arrays.sort(counts);
    return Arrays.stream(counts).map(count -> -count).toArray();
  }

  private static double quantile(List<Double> values, double share) {
    return values.stream()
        .sorted(Comparator.naturalOrder())
        .toList()
        .get((int) (share * values.size()));
  }

  @Test
  void facebooksFilesAreReadAsTheJobsOf2010Were() {
    Trace trace = GeneratedReads.Workload.FACEBOOK.trace(1);

    double[] counts = counts(trace, trace.accesses());
    assertEquals(9_056, counts.length);
    assertEquals(13_483, Arrays.stream(counts).sum(), 135);
    double top = Arrays.stream(counts).limit(90).sum();
    assertEquals(0.25, top / trace.accesses().size(), 0.04, "of the reads, by 1 % of the files");
    // Chen, Alspaugh and Katz: frequency by rank falls with a slope of 5/6.
    assertEquals(5.0 / 6, Math.log10(counts[0] / counts[99]) / 2, 0.02);
    Map<Integer, Double> last = new HashMap<>();
    List<Double> gaps = new ArrayList<>();
    for (FileAccess access : trace.accesses()) {
      Double before = last.put(access.file(), access.atMicros() / 1e6);
      if (before != null) {
        gaps.add(access.atMicros() / 1e6 - before);
      }
    }
    assertEquals(50, quantile(gaps, 0.5), 5, "seconds, half of the gaps");
    assertEquals(590, quantile(gaps, 0.9), 60);
    assertEquals(6_800, quantile(gaps, 0.99), 1_500);
    List<Double> sizes = trace.files().stream().map(file -> (double) file.bytes()).toList();
    assertEquals(Math.log(667e3), Math.log(quantile(sizes, 0.5)), 0.7);
    assertEquals(Math.log(18.8e9), Math.log(quantile(sizes, 0.9)), 0.7);
    assertEquals(339e12, trace.uniqueBytes(), 100e12);
    assertEquals(43_200, last.values().stream().mapToDouble(at -> at).max().orElse(0), 100);
  }

  @Test
  void tenThousandOfUbersBlocksServeNineTenthsOfAnHoursReads() {
    Trace trace = GeneratedReads.Workload.UBER.trace(1);

    for (int hour = 0; hour < 4; hour++) {
      long begin = hour * 3_600_000_000L;
      List<FileAccess> reads =
          trace.accesses().stream()
              .filter(a -> a.atMicros() >= begin && a.atMicros() < begin + 3_600_000_000L)
              .toList();
      double top = Arrays.stream(counts(trace, reads)).limit(10_000).sum();
      assertEquals(0.9, top / reads.size(), 0.05);
    }
  }
}
