// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** State as {@link StateSink} was given it. */
public interface StateSource {
  long number();

  default double real() {
    return Double.longBitsToDouble(number());
  }

  /** A size: fails unless it is between 0 and {@code most}, before memory is asked for. */
  default int size(long most) {
    long size = number();
    if (size < 0 || size > most) {
      throw new IllegalStateException(
          "a size of " + size + " where at most " + most + " is possible");
    }
    return (int) size;
  }

  String text();

  void words(long[] into);

  default void reals(double[] into) {
    for (int i = 0; i < into.length; i++) {
      into[i] = real();
    }
  }
}
