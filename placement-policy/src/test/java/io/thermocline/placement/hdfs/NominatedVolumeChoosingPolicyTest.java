// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.AvailableSpaceVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

class NominatedVolumeChoosingPolicyTest {
  private static final long BLOCK = 128L << 20;

  private final Configuration conf = new Configuration(false);
  private final List<FsVolumeSpi> volumes = new ArrayList<>();

  @Test
  void nominatedVolumeIsTakenHoweverOften() throws IOException {
    volumes("DS-0", 10 * BLOCK, "DS-1", 2 * BLOCK, "DS-2", 10 * BLOCK);
    NominatedVolumeChoosingPolicy<FsVolumeSpi> policy = policy();
    for (int i = 0; i < 5; i++) {
      assertSame(volumes.get(1), policy.chooseVolume(volumes, BLOCK, "DS-1"));
    }
  }

  @Test
  void otherwiseTheStockPolicyGoesRound() throws IOException {
    volumes("DS-0", 10 * BLOCK, "DS-1", BLOCK, "DS-2", 10 * BLOCK);
    NominatedVolumeChoosingPolicy<FsVolumeSpi> policy = policy();
    // Full, unknown, none: the round goes on, without the full one.
    assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, "DS-1"));
    assertSame(volumes.get(2), policy.chooseVolume(volumes, BLOCK, "DS-9"));
    assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, null));
    assertSame(volumes.get(2), policy.chooseVolume(volumes, BLOCK, ""));
    assertThrows(
        DiskOutOfSpaceException.class, () -> policy.chooseVolume(volumes, 20 * BLOCK, "DS-0"));
  }

  @Test
  void fallbackIsConfigured() throws IOException {
    // Always the one with the more space.
    conf.set(
        NominatedVolumeChoosingPolicy.FALLBACK_KEY,
        AvailableSpaceVolumeChoosingPolicy.class.getName());
    conf.setFloat(
        "dfs.datanode.available-space-volume-choosing-policy.balanced-space-preference-fraction",
        1.0f);
    volumes("DS-0", 1000 * BLOCK, "DS-1", 2 * BLOCK);
    NominatedVolumeChoosingPolicy<FsVolumeSpi> policy = policy();
    for (int i = 0; i < 5; i++) {
      assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, null));
    }
    assertSame(volumes.get(1), policy.chooseVolume(volumes, BLOCK, "DS-1"));
  }

  @Test
  void wrongFallbackDoesNotStopADataNode() throws IOException {
    volumes("DS-0", 10 * BLOCK, "DS-1", 10 * BLOCK);
    for (String wrong :
        List.of(
            "no.such.Policy",
            String.class.getName(),
            NominatedVolumeChoosingPolicy.class.getName())) {
      conf.set(NominatedVolumeChoosingPolicy.FALLBACK_KEY, wrong);
      NominatedVolumeChoosingPolicy<FsVolumeSpi> policy = policy();
      assertSame(volumes.get(0), policy.chooseVolume(volumes, BLOCK, null), wrong);
      assertSame(volumes.get(1), policy.chooseVolume(volumes, BLOCK, null), wrong);
    }
    assertEquals(conf, policy().getConf());
  }

  private NominatedVolumeChoosingPolicy<FsVolumeSpi> policy() {
    NominatedVolumeChoosingPolicy<FsVolumeSpi> policy = new NominatedVolumeChoosingPolicy<>();
    policy.setConf(conf);
    return policy;
  }

  /** An interface of a dozen methods, two of which matter. */
  private void volumes(Object... idsAndSpace) throws IOException {
    for (int i = 0; i < idsAndSpace.length; i += 2) {
      FsVolumeSpi volume = Mockito.mock(FsVolumeSpi.class);
      Mockito.when(volume.getStorageID()).thenReturn((String) idsAndSpace[i]);
      Mockito.when(volume.getAvailable()).thenReturn((Long) idsAndSpace[i + 1]);
      Mockito.when(volume.getStorageType()).thenReturn(StorageType.SSD);
      volumes.add(volume);
    }
  }
}
