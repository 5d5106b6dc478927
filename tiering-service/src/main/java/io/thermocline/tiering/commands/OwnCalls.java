// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.commands;

import io.thermocline.tiering.app.TieringService;
import io.thermocline.tiering.config.ConfigException;
import java.io.IOException;
import org.apache.hadoop.ipc.CallerContext;

/** Calls of HDFS that are audited as the service's own: whoever follows the log counts none of them. */
final class OwnCalls {

  private OwnCalls() {}

  /** What is asked of HDFS. */
  @FunctionalInterface
  interface Calls<T> {
    T make() throws ConfigException, IOException, InterruptedException;
  }

  /** Makes them in the service's caller context, of this thread. */
  static <T> T make(Calls<T> calls) throws ConfigException, IOException, InterruptedException {
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(new CallerContext.Builder(TieringService.CALLER_CONTEXT).build());
    try {
      return calls.make();
    } finally {
      CallerContext.setCurrent(before);
    }
  }
}
