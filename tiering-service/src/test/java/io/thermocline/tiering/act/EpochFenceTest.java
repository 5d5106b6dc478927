// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class EpochFenceTest {

  @Test
  void letsTheLastAndThoseSoonAfterItAct() {
    assertEquals(Optional.empty(), objection(0, 1));
    assertEquals(Optional.empty(), objection(0, 5000), "the first");
    assertEquals(Optional.empty(), objection(7, 7));
    assertEquals(Optional.empty(), objection(7, 1007));
  }

  @Test
  void keepsOutWhatIsEarlierOrSaysThatItIsOfAFarEpoch() {
    String earlier = objection(7, 6).orElseThrow();
    assertTrue(earlier.startsWith("a service of epoch 7 has begun to act"), earlier);
    assertTrue(earlier.contains("start the service once with --accept-journal"), earlier);
    assertTrue(objection(7, -1).isPresent());
    for (long epoch : new long[] {1008, Long.MAX_VALUE}) {
      String why = objection(7, epoch).orElseThrow();
      assertTrue(why.contains("of epoch 7") && why.contains("of " + epoch), why);
      assertTrue(why.endsWith("hdfs dfs -setfattr -x trusted.thermocline.epoch /t"), why);
    }
  }

  private static Optional<String> objection(long last, long epoch) {
    return EpochFence.objection(last, epoch, "/t");
  }
}
