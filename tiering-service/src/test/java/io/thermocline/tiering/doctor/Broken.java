// SPDX-License-Identifier: Apache-2.0
package io.thermocline.tiering.doctor;

import java.util.function.Consumer;

/**
 * A check in a bad case.
 *
 * @param words of what is found
 */
record Broken(String check, Severity severity, String words, Consumer<Healthy> how) {
  @Override
  public String toString() {
    return check + ": " + words;
  }
}
