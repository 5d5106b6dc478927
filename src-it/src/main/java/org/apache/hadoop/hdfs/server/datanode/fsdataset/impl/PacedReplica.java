// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.thermocline.testbed.device.EmulatedDevice;
import io.thermocline.testbed.device.PacedFileOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaOutputStreams;

/**
 * A replica being written whose data stream goes through an emulated device. A proxy rather than a
 * class, because the interface has some twenty methods that differ between Hadoop's lines, and only
 * createStreams matters here. The dataset's own map keeps the replica without the proxy.
 */
final class PacedReplica implements InvocationHandler {

  private final ReplicaInPipeline replica;
  private final EmulatedDevice device;
  private final FileIoProvider files;

  private PacedReplica(ReplicaInPipeline replica, EmulatedDevice device, FileIoProvider files) {
    this.replica = replica;
    this.device = device;
    this.files = files;
  }

  static ReplicaInPipeline wrap(
      ReplicaInPipeline replica, EmulatedDevice device, FileIoProvider files) {
    return (ReplicaInPipeline)
        Proxy.newProxyInstance(
            PacedReplica.class.getClassLoader(),
            new Class<?>[] {ReplicaInPipeline.class},
            new PacedReplica(replica, device, files));
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    Object result;
    try {
      result = method.invoke(replica, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    return result instanceof ReplicaOutputStreams streams ? paced(streams) : result;
  }

  private ReplicaOutputStreams paced(ReplicaOutputStreams streams) throws IOException {
    try {
      return new ReplicaOutputStreams(
          PacedFileOutputStream.open((FileOutputStream) streams.getDataOut(), device),
          streams.getChecksumOut(),
          streams.getChecksum(),
          replica.getVolume(),
          files);
    } catch (IOException e) {
      streams.close();
      throw e;
    }
  }
}
