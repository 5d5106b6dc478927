// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.io.IOException;

/** The satisfier's queue is full (dfs.storage.policy.satisfier.max.outstanding.paths). */
final class BusySatisfierException extends IOException {
  private static final long serialVersionUID = 1L;

  BusySatisfierException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
