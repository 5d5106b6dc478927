// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.heat;

/** Where state is written to, value by value; {@link StateSource} reads them in the same order. */
public interface StateSink {
  void number(long value);

  default void real(double value) {
    number(Double.doubleToRawLongBits(value));
  }

  void text(String value);

  void words(long[] words);

  default void reals(double[] values) {
    for (double value : values) {
      real(value);
    }
  }
}
