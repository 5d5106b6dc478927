// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** So that a run for one Hadoop line can't pass on the classes of another. */
class HadoopVersionTest {
  @Test
  void classPathHoldsTheHadoopThatWasAskedFor() {
    String asked = System.getProperty("hadoop.version");
    assertNotNull(asked, "the build passes -Dhadoop.version to its tests");
    assertEquals(asked, VersionInfo.getVersion());
  }
}
