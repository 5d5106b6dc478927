// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.util.Optional;

/**
 * Which part of the DataNode opens a replica for reading. The dataset is not told, so it looks at the
 * calls above it: once per open, and the answer is among the first few frames.
 */
enum ReadCaller {
  /** A client's readBlock request. */
  CLIENT_READ,
  /** Caching and short-circuit reads, which need the plain file and cast to FileInputStream. */
  FILE_HANDLE,
  /** Copies for the cluster: copyBlock, DataTransfer, checksums, scans. */
  CLUSTER;

  private static final int FRAMES = 16;
  private static final String SERVER = "org.apache.hadoop.hdfs.server.datanode.";

  static ReadCaller ofThisThread() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.limit(FRAMES).map(ReadCaller::of).flatMap(Optional::stream).findFirst())
        .orElse(CLUSTER);
  }

  private static Optional<ReadCaller> of(StackWalker.StackFrame frame) {
    String call = frame.getClassName() + "#" + frame.getMethodName();
    if (call.equals(SERVER + "DataXceiver#readBlock")) {
      return Optional.of(CLIENT_READ);
    }
    if (call.equals(SERVER + "DataNode#requestShortCircuitFdsForRead")
        || call.startsWith(SERVER + "fsdataset.impl.FsDatasetCache")) {
      return Optional.of(FILE_HANDLE);
    }
    return Optional.empty();
  }
}
