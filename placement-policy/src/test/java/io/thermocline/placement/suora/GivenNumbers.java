// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.suora;

/** A generator that gives the numbers a paper prints, and fails when asked for more. */
final class GivenNumbers implements NumberSource {
  private final double range;
  private final double[] numbers;
  private int next;

  GivenNumbers(double range, double... numbers) {
    this.range = range;
    this.numbers = numbers;
  }

  @Override
  public double next() {
    return numbers[next++];
  }

  @Override
  public double range() {
    return range;
  }

  int taken() {
    return next;
  }
}
