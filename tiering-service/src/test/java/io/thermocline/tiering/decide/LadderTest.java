// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.cluster.ClusterView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LadderTest {

  /** Mode suora writes A D D here. */
  private static final ClusterView SMALL_FLASH =
      new Scene().nodes(4, Map.of(ARCHIVE, 1000L, DISK, 2000L, SSD, 50L, NVDIMM, 10L)).cluster();

  /** And A D S here, as in the paper. */
  private static final ClusterView LARGE_FLASH =
      new Scene().nodes(4, Map.of(ARCHIVE, 1000L, DISK, 1000L, SSD, 1000L, NVDIMM, 10L)).cluster();

  /** Section 3.6: b2 to b3 first, then the copy of b1 to the fastest there is, which here is b3 from b1. */
  @Test
  void gradualPromotionIsThatOfThePaper() {
    Ladder ladder = new Ladder(Promotion.GRADUAL, Written.SPREAD, LARGE_FLASH);
    List<StorageType> written = List.of(SSD, DISK, ARCHIVE);
    assertEquals(List.of(NVDIMM, DISK, ARCHIVE), ladder.promoted(written, NVDIMM));
    assertEquals(
        List.of(NVDIMM, DISK, ARCHIVE), ladder.promoted(List.of(NVDIMM, DISK, ARCHIVE), NVDIMM));

    Ladder two = new Ladder(Promotion.GRADUAL, Written.SPREAD, SMALL_FLASH);
    List<StorageType> first = two.promoted(List.of(DISK, DISK, ARCHIVE), SSD);
    assertEquals(List.of(SSD, DISK, ARCHIVE), first);
    List<StorageType> second = two.promoted(first, NVDIMM);
    assertEquals(List.of(NVDIMM, SSD, ARCHIVE), second, "the one that climbed stays");
    assertEquals(List.of(NVDIMM, DISK, DISK), two.promoted(List.of(DISK, DISK, DISK), NVDIMM));
  }

  @Test
  void whatHasLeftWhereItStartedGoesOn() {
    Ladder ladder = new Ladder(Promotion.GRADUAL, Written.BY_POLICY, SMALL_FLASH);
    assertEquals(List.of(SSD), ladder.promoted(List.of(DISK), SSD));
    assertEquals(List.of(NVDIMM), ladder.promoted(List.of(SSD), NVDIMM));
  }

  @Test
  void oneCopyGoesOnClimbing() {
    Ladder ladder = new Ladder(Promotion.ONE_COPY, Written.BY_POLICY, SMALL_FLASH);
    assertEquals(List.of(SSD, DISK, DISK), ladder.promoted(List.of(DISK, DISK, DISK), SSD));
    assertEquals(List.of(NVDIMM, DISK, DISK), ladder.promoted(List.of(SSD, DISK, DISK), NVDIMM));
    assertEquals(List.of(NVDIMM, DISK, DISK), ladder.promoted(List.of(SSD, SSD, DISK), NVDIMM));
  }

  @Test
  void theCopyOnArchiveClimbsSoThatOneSsdDescribesTheFile() {
    Ladder ladder = new Ladder(Promotion.ONE_COPY, Written.SPREAD, SMALL_FLASH);
    List<StorageType> up = ladder.promoted(List.of(DISK, DISK, ARCHIVE), SSD);
    assertEquals("SSD DISK DISK (ONE_SSD)", ladder.target(up).toString());
    assertEquals(List.of(NVDIMM, DISK, DISK), ladder.promoted(up, NVDIMM));
  }

  @Test
  void whatLeavesGoesBackToWhereOneStarted() {
    Ladder spread = new Ladder(Promotion.ONE_COPY, Written.SPREAD, SMALL_FLASH);
    List<StorageType> up = List.of(SSD, DISK, DISK);
    assertEquals(List.of(DISK, DISK, ARCHIVE), spread.vacated(up, SSD, ARCHIVE));
    assertEquals(List.of(DISK, DISK, DISK), spread.vacated(up, SSD, DISK), "no room on ARCHIVE");
    assertEquals(
        List.of(DISK, DISK, ARCHIVE), spread.vacated(List.of(SSD, SSD, DISK), SSD, ARCHIVE));
    Ladder byPolicy = new Ladder(Promotion.ONE_COPY, Written.BY_POLICY, SMALL_FLASH);
    assertEquals(List.of(DISK, DISK, DISK), byPolicy.vacated(up, SSD, ARCHIVE));
    // A type that data is written to can be too full as well.
    Ladder large = new Ladder(Promotion.ONE_COPY, Written.SPREAD, LARGE_FLASH);
    assertEquals(
        List.of(DISK, DISK, ARCHIVE), large.vacated(List.of(SSD, DISK, ARCHIVE), SSD, ARCHIVE));
  }

  @Test
  void namesThePolicyThatComesClosest() {
    Ladder byPolicy = new Ladder(Promotion.ONE_COPY, Written.BY_POLICY, SMALL_FLASH);
    assertEquals("ONE_SSD", byPolicy.storagePolicy(List.of(NVDIMM, DISK, DISK)));
    assertEquals("ONE_SSD", byPolicy.storagePolicy(List.of(SSD, SSD, DISK)));
    assertEquals("ALL_SSD", byPolicy.storagePolicy(List.of(SSD, SSD, SSD)));
    assertEquals("HOT", byPolicy.storagePolicy(List.of(DISK, DISK, DISK)));
    assertEquals("WARM", byPolicy.storagePolicy(List.of(DISK, ARCHIVE, ARCHIVE)));
    assertEquals("WARM", byPolicy.storagePolicy(List.of(DISK, ARCHIVE)));
    assertEquals("COLD", byPolicy.storagePolicy(List.of(ARCHIVE, ARCHIVE, ARCHIVE)));
    assertEquals("HOT", byPolicy.storagePolicy(List.of(DISK, DISK, ARCHIVE)));
    Ladder spread = new Ladder(Promotion.ONE_COPY, Written.SPREAD, SMALL_FLASH);
    assertEquals("HOT", spread.storagePolicy(List.of(DISK, DISK, ARCHIVE)), "as it is written");
    assertEquals("WARM", spread.storagePolicy(List.of(DISK, ARCHIVE, ARCHIVE)));
  }
}
