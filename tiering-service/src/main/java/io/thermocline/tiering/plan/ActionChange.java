// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.decide.Decision;
import io.thermocline.tiering.observe.FileView;

/**
 * Something that is done to a file while its copies stay where they are: it is cached or not, or has more replicas or as
 * many as it had.
 */
public record ActionChange(Decision decision) implements FileChange {

  public FileView file() {
    return decision.hot().file();
  }

  /** Copies of blocks that DataNodes make for it, in memory or as replicas; none where it goes down. */
  public int copies() {
    return perBlock() * file().blocks().size();
  }

  /** Bytes of those copies. */
  public long bytes() {
    return perBlock() * file().length();
  }

  private int perBlock() {
    return switch (decision.cause()) {
      case CACHED -> decision.target().cached();
      case MORE_COPIES -> decision.target().replication() - file().replication();
      default -> 0;
    };
  }
}
