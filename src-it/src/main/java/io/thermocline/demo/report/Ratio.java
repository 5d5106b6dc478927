// SPDX-License-Identifier: Apache-2.0
package io.thermocline.demo.report;

final class Ratio {
  private Ratio() {}

  /** Part of the whole; 0 where the whole is 0. */
  static double of(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }
}
