// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.decide;

/** One step of deciding. Pure but for the draft that it reads and writes. */
interface Rule {

  void apply(Draft draft);
}
