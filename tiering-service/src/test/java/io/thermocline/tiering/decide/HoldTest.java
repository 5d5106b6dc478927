// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HoldTest {

  private static final Hold AT_LEAST_SSD = Hold.NONE.between(new Hold.Bound(SSD, "a"), null);
  private static final Hold AT_MOST_DISK = Hold.NONE.between(null, new Hold.Bound(DISK, "b"));

  @Test
  void aHoldForbidsAWay() {
    Hold noRise = new Hold(false, true, "");
    assertTrue(noRise.allows(SSD, DISK) && noRise.allows(SSD, SSD));
    assertFalse(noRise.allows(SSD, NVDIMM));
    Hold noFall = new Hold(true, false, "");
    assertTrue(noFall.allows(SSD, NVDIMM) && noFall.allows(SSD, SSD));
    assertFalse(noFall.allows(SSD, DISK));
    assertFalse(noRise.isStill() || noFall.isStill());
    assertTrue(Hold.still("").isStill());
  }

  /** What is beyond a bound may come nearer to it. */
  @Test
  void aBoundForbidsWhatIsBeyondIt() {
    assertTrue(AT_LEAST_SSD.allows(DISK, SSD) && AT_LEAST_SSD.allows(NVDIMM, SSD));
    assertTrue(AT_LEAST_SSD.allows(ARCHIVE, DISK), "nearer");
    assertFalse(AT_LEAST_SSD.allows(SSD, DISK) || AT_LEAST_SSD.allows(DISK, DISK));
    assertTrue(AT_MOST_DISK.allows(SSD, DISK) && AT_MOST_DISK.allows(ARCHIVE, DISK));
    assertTrue(AT_MOST_DISK.allows(NVDIMM, SSD), "nearer");
    assertFalse(AT_MOST_DISK.allows(DISK, SSD) || AT_MOST_DISK.allows(SSD, SSD));
  }

  @Test
  void aFloorKeepsAFileOnItsTypeAndBelow() {
    assertTrue(AT_LEAST_SSD.keepsOn(SSD) && AT_LEAST_SSD.keepsOn(DISK));
    assertFalse(AT_LEAST_SSD.keepsOn(NVDIMM) || AT_MOST_DISK.keepsOn(DISK));
  }

  @Test
  void saysWhoseBoundsItHas() {
    assertEquals("at least SSD by a", AT_LEAST_SSD.reason());
    assertEquals("at most DISK by b", AT_MOST_DISK.reason());
    assertEquals(
        "young; at least DISK by a, at most SSD by b",
        new Hold(true, false, "young")
            .between(new Hold.Bound(DISK, "a"), new Hold.Bound(SSD, "b"))
            .reason());
  }
}
