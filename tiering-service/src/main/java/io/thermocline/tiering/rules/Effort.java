// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.rules;

/** Bounds the work of comparing patterns, in steps of some nanoseconds, whatever the patterns are. One thread. */
final class Effort {

  private long left;

  /** More is needed than was given. */
  static final class ExceededException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    ExceededException() {
      super("the patterns take too long to compare");
    }
  }

  Effort(long steps) {
    this.left = steps;
  }

  void spend(long steps) {
    left -= steps;
    if (left < 0) {
      throw new ExceededException();
    }
  }
}
