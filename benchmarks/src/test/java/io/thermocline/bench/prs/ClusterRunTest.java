// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.prs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.process.ServiceRuntime;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code bench prs --only CLUSTER --quick}: sets are found among other reads, read from their groups, and end. */
@Tag("cluster")
@Tag("on-demand")
class ClusterRunTest {

  @Test
  void setsAreGroupedReadFasterAndEnd() throws Exception {
    Map<String, Object> figures = new LinkedHashMap<>();
    new ClusterRun(SetScale.QUICK, ServiceRuntime.system()).run(figures, 1);
    assertTrue(number(figures, "sets_grouped_pct") >= 90, figures::toString);
    assertTrue(number(figures, "ratio_set_through_groups") < 0.8, figures::toString);
    assertEquals(100, number(figures, "sets_ended_pct"), figures::toString);
  }

  private static double number(Map<String, Object> figures, String name) {
    return ((Number) figures.get(name)).doubleValue();
  }
}
