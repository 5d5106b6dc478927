// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import io.thermocline.tiering.plan.GroupChange;
import java.io.IOException;
import java.util.List;

/** Keeps what becomes of groups: that one is made before anything is done, all else after. */
public interface GroupRecord {

  /**
   * @param file path of the group file to be; empty where there is none
   * @throws IOException where it can't be kept; then it may not be done
   */
  void willMake(long plan, GroupChange change, String file) throws IOException;

  /**
   * @param places "node TYPE" of each copy, as HDFS shows them
   */
  void shown(long group, List<String> places);

  /**
   * @param plan by which; 0 where it was found to be so
   * @param who had it ended; empty: the service by itself
   */
  void ended(long plan, long group, String who, String why);
}
