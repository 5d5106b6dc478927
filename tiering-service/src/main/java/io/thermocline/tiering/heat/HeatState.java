// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** The state of {@link Heat} between two accesses. To be written once, by any one thread. */
public final class HeatState {
  private final SavedState state;

  HeatState(SavedState state) {
    this.state = state;
  }

  void writeTo(StateSink sink) {
    state.writeTo(sink);
  }
}
