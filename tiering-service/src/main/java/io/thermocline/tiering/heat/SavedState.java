// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** State as it was at one moment; any one thread may write it, once, whatever happens to the original. */
public interface SavedState {
  void writeTo(StateSink sink);
}
