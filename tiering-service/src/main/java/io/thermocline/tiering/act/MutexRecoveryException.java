// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;

/** HDFS is taking the mutex from a process that was killed, which takes some heartbeats of DataNodes: try again. */
public final class MutexRecoveryException extends IOException {

  private static final long serialVersionUID = 1;

  MutexRecoveryException(String mutex, Throwable cause) {
    super(
        "HDFS is closing "
            + mutex
            + ", which a process that was killed had open. Try again in some seconds",
        cause);
  }
}
