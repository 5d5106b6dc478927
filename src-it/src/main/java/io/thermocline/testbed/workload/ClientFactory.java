// SPDX-License-Identifier: Apache-2.0
package io.thermocline.testbed.workload;

import java.io.IOException;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Connects users to a cluster. */
@FunctionalInterface
public interface ClientFactory {

  /** A client with its own connection, which the caller closes. */
  DistributedFileSystem connect(String user) throws IOException;
}
