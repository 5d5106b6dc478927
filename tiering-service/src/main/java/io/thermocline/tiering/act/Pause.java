// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.act;

import java.time.Duration;

/** The seam for waiting. */
@FunctionalInterface
public interface Pause {
  void pause(Duration duration) throws InterruptedException;
}
