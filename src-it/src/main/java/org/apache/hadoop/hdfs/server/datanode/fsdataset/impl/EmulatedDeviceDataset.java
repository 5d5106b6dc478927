// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.thermocline.placement.model.StorageType;
import io.thermocline.testbed.device.DeviceBoard;
import io.thermocline.testbed.device.EmulatedDevice;
import io.thermocline.testbed.device.Interruptions;
import io.thermocline.testbed.device.PacedInputStream;
import io.thermocline.testbed.device.ReadPurpose;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;

/**
 * The DataNode's own dataset, on devices that are as slow as their storage type says: files stay real
 * files, and every replica that is read or written goes through the {@link EmulatedDevice} of its
 * volume. Checksum files are not charged.
 *
 * <p>It stands in Hadoop's package because FsDatasetImpl and its constructor are package-private.
 */
final class EmulatedDeviceDataset extends FsDatasetImpl {

  private final DeviceBoard board;
  private final FileIoProvider files;

  EmulatedDeviceDataset(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    super(datanode, storage, conf);
    this.files = datanode.getFileIoProvider();
    this.board = DeviceBoard.find(conf.get(DeviceBoard.ID_KEY));
    for (FsVolumeImpl volume : getVolumeList()) {
      device(volume);
      long capacity =
          conf.getLong(
              EmulatedDeviceFactory.CAPACITY_KEY_PREFIX + volume.getStorageType().name(), -1);
      if (capacity >= 0) {
        volume.setCapacityForTesting(capacity);
      }
    }
  }

  @Override
  public InputStream getBlockInputStream(ExtendedBlock block, long seekOffset) throws IOException {
    ReadCaller caller = ReadCaller.ofThisThread();
    FsVolumeImpl volume = getVolume(block);
    InputStream replica = super.getBlockInputStream(block, seekOffset);
    if (volume == null || caller == ReadCaller.FILE_HANDLE) {
      return replica;
    }
    ReadPurpose purpose = caller == ReadCaller.CLIENT_READ ? ReadPurpose.CLIENT : ReadPurpose.COPY;
    try {
      return PacedInputStream.open(replica, device(volume), purpose);
    } catch (IOException e) {
      replica.close();
      throw e;
    }
  }

  @Override
  public ReplicaHandler createRbw(
      org.apache.hadoop.fs.StorageType type,
      String storageId,
      ExtendedBlock block,
      boolean allowLazyPersist,
      long newGenerationStamp)
      throws IOException {
    return paced(super.createRbw(type, storageId, block, allowLazyPersist, newGenerationStamp));
  }

  @Override
  public ReplicaHandler createTemporary(
      org.apache.hadoop.fs.StorageType type,
      String storageId,
      ExtendedBlock block,
      boolean isTransfer)
      throws IOException {
    return paced(super.createTemporary(type, storageId, block, isTransfer));
  }

  @Override
  public ReplicaHandler append(ExtendedBlock block, long newGenerationStamp, long expectedLength)
      throws IOException {
    return paced(super.append(block, newGenerationStamp, expectedLength));
  }

  @Override
  public ReplicaHandler recoverAppend(
      ExtendedBlock block, long newGenerationStamp, long expectedLength) throws IOException {
    return paced(super.recoverAppend(block, newGenerationStamp, expectedLength));
  }

  @Override
  public ReplicaHandler recoverRbw(
      ExtendedBlock block, long newGenerationStamp, long minBytes, long maxBytes)
      throws IOException {
    return paced(super.recoverRbw(block, newGenerationStamp, minBytes, maxBytes));
  }

  @Override
  public ReplicaInPipeline convertTemporaryToRbw(ExtendedBlock block) throws IOException {
    ReplicaInPipeline replica = super.convertTemporaryToRbw(block);
    return PacedReplica.wrap(replica, device(replica.getVolume()), files);
  }

  @Override
  public ReplicaInfo moveBlockAcrossStorage(
      ExtendedBlock block, org.apache.hadoop.fs.StorageType targetType, String targetId)
      throws IOException {
    ReplicaInfo old = super.moveBlockAcrossStorage(block, targetType, targetId);
    // Charged afterwards: only now is the target volume known. The mover waits as long either way.
    FsVolumeImpl target = getVolume(block);
    if (target != null) {
      charge(device(old.getVolume()), device(target), block.getNumBytes());
    }
    return old;
  }

  private static void charge(EmulatedDevice source, EmulatedDevice target, long bytes)
      throws IOException {
    try {
      source.openForRead(ReadPurpose.COPY);
      source.read(ReadPurpose.COPY, bytes);
      target.openForWrite();
      target.write(bytes);
    } catch (InterruptedException e) {
      throw Interruptions.asIoException(e);
    }
  }

  private ReplicaHandler paced(ReplicaHandler handler) throws IOException {
    // The handler's volume reference is private and passes to BlockReceiver, which closes the
    // handler: a handler around a handler keeps that chain.
    ReplicaInPipeline replica = handler.getReplica();
    return new ReplicaHandler(
        PacedReplica.wrap(replica, device(replica.getVolume()), files), null) {
      @Override
      public void close() throws IOException {
        handler.close();
      }
    };
  }

  private EmulatedDevice device(FsVolumeSpi volume) {
    StorageType type = StorageType.ofHadoopName(volume.getStorageType().name());
    if (type == null) {
      throw new IllegalStateException("No emulated device for " + volume.getStorageType());
    }
    return board.device(volume.getBaseURI().getPath(), type);
  }
}
