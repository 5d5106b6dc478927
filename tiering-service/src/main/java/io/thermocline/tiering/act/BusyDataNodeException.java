// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;

/**
 * The DataNode makes as many copies as it may at once
 * (dfs.datanode.balance.max.concurrent.moves).
 */
public final class BusyDataNodeException extends IOException {
  private static final long serialVersionUID = 1L;

  public BusyDataNodeException(String message) {
    super(message);
  }
}
