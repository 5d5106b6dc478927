// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.device.DeviceBoard;
import io.thermocline.testbed.device.DeviceProfile;
import io.thermocline.testbed.device.DeviceProfiles;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/**
 * {@link EmulatedDeviceFactory} for a DataNode that is a process of its own: the Configuration has the read bandwidth of
 * each storage type. Latencies are those of {@link DeviceProfiles#table4()}, and writes take no time.
 */
public final class PacedDeviceFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {

  /** Prefix of the bytes per second that a device delivers, for example {@code thermocline.testbed.read.SSD}. */
  public static final String READ_KEY_PREFIX = "thermocline.testbed.read.";

  private static final long AT_ONCE = 1L << 40;

  @Override
  public FsDatasetSpi<?> newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    Map<StorageType, DeviceProfile> profiles = new EnumMap<>(StorageType.class);
    DeviceProfiles.table4()
        .byType()
        .forEach(
            (type, profile) ->
                profiles.put(
                    type,
                    new DeviceProfile(
                        profile.readLatencyMicros(),
                        0,
                        conf.getLong(READ_KEY_PREFIX + type, profile.readBytesPerSecond()),
                        AT_ONCE)));
    // Open as long as the process lives.
    DeviceBoard board = DeviceBoard.open(new DeviceProfiles(profiles));
    board.pace();
    conf.set(DeviceBoard.ID_KEY, board.id());
    return new EmulatedDeviceDataset(datanode, storage, conf);
  }
}
