// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.thermocline.tiering.plan.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicySetterTest extends ExecutorStage {

  private final List<Boolean> whileAsked = new ArrayList<>();
  private IOException answer;

  /** HDFS shows a directory's policy before it answers; files below it are looked at meanwhile. */
  @Test
  void mayHaveSetWhatIsNotAnsweredYet() throws IOException, InterruptedException {
    Plan.FileMoves file = promotion("/a");
    PolicySetter setter = setter(file);
    assertFalse(setter.maySet(file));

    setter.ensure(file);

    assertEquals(List.of(true), whileAsked);
    assertTrue(setter.maySet(file));
  }

  @Test
  void hasNotSetWhatIsSomebodys() {
    Plan.FileMoves file = promotion("/a");
    PolicySetter setter = setter(file);
    answer = new ChangedSinceException("somebody's");

    assertThrows(ChangedSinceException.class, () -> setter.ensure(file));

    assertFalse(setter.maySet(file));
  }

  private PolicySetter setter(Plan.FileMoves file) {
    PolicySetter[] setter = new PolicySetter[1];
    setter[0] =
        new PolicySetter(
            hdfs,
            (path, policy, planned) -> {
              whileAsked.add(setter[0].maySet(file));
              if (answer != null) {
                throw answer;
              }
            },
            (path, policy) -> {});
    return setter[0];
  }
}
