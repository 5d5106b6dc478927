// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

import static io.thermocline.placement.model.StorageType.ARCHIVE;
import static io.thermocline.placement.model.StorageType.DISK;
import static io.thermocline.placement.model.StorageType.NVDIMM;
import static io.thermocline.placement.model.StorageType.SSD;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.thermocline.placement.model.StorageType;
import io.thermocline.tiering.Scene;
import io.thermocline.tiering.decide.pools.Pool;
import io.thermocline.tiering.decide.pools.VolumeSpeed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Half of each type's capacity is below the lower watermark. */
class ChewPoolsTest {

  private static final TierLimits HALF = new TierLimits(0.5, 0.9, 0);

  private static ChewPools pools(StorageType... fastestFirst) {
    Map<String, VolumeSpeed> speeds = new LinkedHashMap<>();
    for (StorageType type : fastestFirst) {
      speeds.put(type.name(), new VolumeSpeed(10, 1_000));
    }
    return new ChewPools(Map.of(NVDIMM, HALF, SSD, HALF, DISK, HALF, ARCHIVE, HALF), speeds);
  }

  private static HotFile file(Scene scene, String path, long length, String... storages) {
    return new HotFile(scene.file(path, length, storages), 1);
  }

  /**
   * Of 4,000 bytes of SSD 2,000 are below the watermark, of which 700 are of other data; of DISK 20,000 and 1,000. With
   * three copies DISK has a third of what is left once the two others of what may lie on faster types are there.
   */
  @Test
  void aPoolHasRoomForChunksAndNotForCopies() {
    Scene scene = new Scene().nodes(4, Map.of(NVDIMM, 100L, SSD, 1_000L, DISK, 10_000L));
    scene.taken("n4-SSD", 700).taken("n4-DISK", 1_000);
    List<HotFile> files =
        List.of(
            file(scene, "/a", 1_000, "n1-SSD", "n2-DISK", "n3-DISK"),
            file(scene, "/b", 2_000, "n1-DISK", "n2-DISK", "n3-DISK"));

    assertEquals(
        List.of(
            new Pool("NVDIMM", 200, 40, 4_000),
            new Pool("SSD", 2_000 - 700, 40, 4_000),
            new Pool("DISK", (20_000 - 1_000 - 2 * (200 + 1_300)) / 3, 40, 4_000)),
        pools(NVDIMM, SSD, DISK).of(files, scene.cluster()));
    // Faster types have room for all of a kilobyte, so no more than its other copies are on DISK.
    assertEquals(
        (20_000 - 1_000 - 6_000 - 2 * 1_000) / 3,
        pools(NVDIMM, SSD, DISK).of(files.subList(0, 1), scene.cluster()).get(2).bytes());
  }

  @Test
  void theSlowestPoolTakesWhatFindsNoOtherPlace() {
    Scene scene = new Scene().nodes(4, Map.of(SSD, 1_000L, DISK, 1_000L, ARCHIVE, 600L));
    List<HotFile> files =
        List.of(
            file(scene, "/a", 500, "n1-DISK", "n2-DISK", "n3-ARCHIVE"),
            file(scene, "/b", 500, "n1-DISK", "n2-ARCHIVE", "n3-ARCHIVE"));

    // DISK has the two other copies of all that may lie on SSD, and no room for more.
    assertEquals(
        List.of(2_000L, 0L, 1_000L),
        pools(SSD, DISK, ARCHIVE).of(files, scene.cluster()).stream().map(Pool::bytes).toList());
    // With three copies DISK has room for a third of 2,000 bytes; ARCHIVE takes all, whatever its
    // room.
    assertEquals(
        List.of(666L, 1_000L),
        pools(DISK, ARCHIVE).of(files, scene.cluster()).stream().map(Pool::bytes).toList());
    assertEquals(
        List.of(2_000L, 1_200L),
        pools(DISK, ARCHIVE)
            .of(List.of(), new Scene().nodes(4, Map.of(DISK, 1_000L, ARCHIVE, 600L)).cluster())
            .stream()
            .map(Pool::bytes)
            .toList());
  }

  @Test
  void chunksLieOnTypesOfTheLibraryThatHaveStorages() {
    Scene scene = new Scene().nodes(1, Map.of(SSD, 1_000L, DISK, 1_000L, ARCHIVE, 600L));
    assertEquals(Set.of(SSD, DISK), pools(NVDIMM, SSD, DISK).types(scene.cluster()));
    assertEquals(0, pools(NVDIMM, SSD, DISK).of(List.of(), scene.cluster()).get(0).bytes());
  }
}
