// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act.groups;

import java.io.IOException;

/** Keeps the replication factors of groups' members: which are the service's, and which somebody set. */
public interface MemberFactors {

  /**
   * A member of the group gets more replicas, or, where that came to nothing, as many as before.
   *
   * @throws IOException where it can't be kept; then it may not be done
   */
  void willReplicate(long group, String path, int before, int after) throws IOException;

  /** A member of the group has as many replicas as before. */
  void lowered(long group, String path, int before, int after);

  /** Whether a member has this replication factor from the service, and nobody set one since. */
  boolean isOurs(String path, int factor);

  /** Whether somebody set the member's replication factor since the service did. */
  boolean isTaken(String path);
}
