// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;

/**
 * Makes a DataNode emulate the speed of its devices, as {@code dfs.datanode.fsdataset.factory}. The
 * Configuration must name an open device board, and may give each storage type a capacity in bytes
 * under {@link #CAPACITY_KEY_PREFIX} + its name.
 */
public final class EmulatedDeviceFactory extends FsDatasetSpi.Factory<FsDatasetSpi<?>> {

  /** Prefix of the capacity keys, for example {@code thermocline.testbed.capacity.SSD}. */
  public static final String CAPACITY_KEY_PREFIX = "thermocline.testbed.capacity.";

  @Override
  public FsDatasetSpi<?> newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    return new EmulatedDeviceDataset(datanode, storage, conf);
  }
}
