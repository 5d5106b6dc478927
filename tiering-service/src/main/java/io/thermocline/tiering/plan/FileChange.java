// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.plan;

import io.thermocline.tiering.decide.Decision;

/** What a plan does to one file. */
public sealed interface FileChange permits Plan.FileMoves, ActionChange {

  Decision decision();

  default String path() {
    return decision().hot().file().path();
  }
}
