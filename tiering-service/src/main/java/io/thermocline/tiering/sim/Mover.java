// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.sim;

import java.util.function.LongSupplier;

/** Asks the policy when it is time to, and carries out what it wants. */
interface Mover {

  /** Lets time pass up to a moment. */
  void advance(long micros, LongSupplier nanos);

  /** An access was served and learned of. */
  void accessed(FileAccess access, LongSupplier nanos);

  /** The trace is over. */
  void end(LongSupplier nanos);
}
