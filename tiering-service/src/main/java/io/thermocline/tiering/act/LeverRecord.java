// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import io.thermocline.tiering.plan.LeverChange;
import java.io.IOException;

/**
 * Keeps what levers were pulled. What goes up is recorded before it is done, what comes down after: so whatever happens
 * between the two, what we did is known to be ours.
 */
public interface LeverRecord {

  /**
   * @param after copies of each block in memory by our doing; how many were before is on record
   */
  void cached(String path, int after) throws IOException;

  void replication(String path, int before, int after) throws IOException;

  /**
   * A change is at its end.
   *
   * @param failure why it isn't done; empty where it is, and HDFS shows it
   */
  void ended(LeverChange change, String failure);
}
